/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC601: verify_exported_symbols() in kernel/module/main.c (6.1). The kernel names the first
 * duplicate only; of two modules the one that is loaded second is refused, here the later path. Two
 * files of one name (both named by the user) are never loaded together.
 */
#include <string.h>

#include "base/arena.h"
#include "rules/check.h"

static const char *owner_of(const struct check *c, uint32_t module, nameid name, uint32_t *ksym)
{
	const struct resolution *r = c->links;
	uint32_t k = r->ksym_of[name];

	*ksym = 0;
	if (k != KSYM_NONE && c->kernel->syms[k].is_exported) {
		*ksym = k + 1;
		return "vmlinux";
	}
	for (uint32_t p = r->provider_of[name]; p; p = r->providers[p - 1].next) {
		uint32_t owner = r->providers[p - 1].module;
		if (owner >= module)
			break;
		if (!c->is_refused[owner] &&
		    strcmp(c->modules[owner].name, c->modules[module].name))
			return c->modules[owner].name;
	}
	return NULL;
}

void check_exports(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	if (m->is_object_24) /* insmod puts a module's exports in front of the kernel's */
		return;
	for (uint32_t i = 0; i < m->n_exports; i++) {
		uint32_t ksym;
		const char *owner = owner_of(c, module, m->exports[i].name, &ksym);
		struct finding *f = owner ? check_add(c, RULE_DUPLICATE_EXPORT, module) : NULL;
		if (!f)
			continue;
		f->order = i;
		f->symbol = m->exports[i].name;
		f->ksym = ksym;
		f->provider = owner;
	}
}
