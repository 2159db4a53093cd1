/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC404: inherit_taint() in kernel/module/main.c (6.1; since 5.9). In the order of the symbol
 * table: the first symbol of a proprietary module makes the module proprietary, unless it has
 * used a GPL-only symbol before; what does not fit is "not found". Whoever has become
 * proprietary passes it on, so modules are looked at after those that they use.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/check.h"

static bool is_gpl_only(const struct check *c, const struct link *link)
{
	struct export e;

	return check_linked_export(c, link, &e) && licence_is_gpl_only(e.licence);
}

static void add_refusal(struct check *c, uint32_t module, uint32_t import, uint32_t owner)
{
	struct finding *f = check_add(c, RULE_PROPRIETARY_PROVIDER, module);

	if (!f)
		return;
	f->order = import;
	f->symbol = c->modules[module].imports[import].name;
	f->provider = c->modules[owner].path;
}

/* Does the module become proprietary? Told only once a module, when is_telling. */
static bool follow(struct check *c, uint32_t module, bool is_telling)
{
	const struct module *m = &c->modules[module];
	bool uses_gpl = false, is_tainted = false;
	uint32_t owner = 0;

	for (uint32_t i = 0; i < m->n_imports; i++) {
		const struct link *link = &c->links->links[module][i];
		bool is_weak = m->imports[i].flags & IMPORT_WEAK;
		bool is_owned = link->state == LINK_MODULE && c->inherits[link->target];
		if (is_gpl_only(c, link)) {
			if (!is_tainted)
				uses_gpl = true;
			else if (is_telling && !is_weak)
				add_refusal(c, module, i, owner);
			continue;
		}
		if (!is_owned)
			continue;
		if (!uses_gpl) {
			is_tainted = true;
			owner = link->target;
		} else if (is_telling && !is_weak) {
			add_refusal(c, module, i, link->target);
		}
	}
	return is_tainted;
}

/* The taint spreads until nothing changes; each module can change but once. */
static void spread(struct check *c)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (uint32_t m = 0; m < c->n_modules; m++) {
			if (c->inherits[m] || !follow(c, m, false))
				continue;
			c->inherits[m] = has_changed = true;
		}
	}
}

static bool is_proprietary(const struct module *m)
{
	return m->is_readable && !m->is_object_24 && !module_is_compatible(m);
}

void check_inheritance(struct check *c)
{
	bool is_older = c->kernel->version && c->kernel->version < KERNEL_VERSION_CODE(5, 9, 0);
	bool *has_own = mem_zalloc(c->n_modules * sizeof(*has_own));
	bool has_providers = false;

	for (uint32_t m = 0; m < c->n_modules; m++) {
		has_own[m] = is_proprietary(&c->modules[m]);
		has_providers |= has_own[m] && c->modules[m].n_exports;
	}
	if (has_providers && !is_older) {
		memcpy(c->inherits, has_own, c->n_modules * sizeof(*has_own));
		spread(c);
		for (uint32_t m = 0; m < c->n_modules; m++) {
			if (!has_own[m])
				follow(c, m, true);
		}
	}
	free(has_own);
}
