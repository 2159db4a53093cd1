/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC301 to MC303: symbol versions, as check_version() in kernel/module/version.c (6.1) does it:
 * an exporter without CRCs always fits; a module without __versions is forced in where
 * CONFIG_MODULE_FORCE_LOAD allows it; an entry that is missing is as bad as one that differs.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "rules/check.h"

static const char *crc_text(const struct check *c, uint32_t crc)
{
	return arena_printf(c->arena, "0x%08x", crc);
}

bool check_has_modversions(const struct check *c)
{
	return c->modversions == KCONFIG_UNKNOWN || c->modversions == KCONFIG_YES ||
	       c->kernel->has_crcs;
}

static bool has_versions(const struct check *c, const struct module *m)
{
	return m->has_versions && !m->is_object_24 && !m->is_rebuilt && check_has_modversions(c);
}

static const struct ksym *layout_of_kernel(const struct check *c, uint32_t *index)
{
	static const char *const layout_names[] = { "module_layout", "struct_module" };

	for (int i = 0; i < 2; i++) {
		nameid name = names_find(c->names, layout_names[i], strlen(layout_names[i]));
		if (name == NAME_NONE || name >= c->links->n_names)
			continue;
		*index = c->links->ksym_of[name];
		if (*index != KSYM_NONE && c->kernel->syms[*index].has_crc)
			return &c->kernel->syms[*index];
	}
	return NULL;
}

static void check_layout_crc(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	uint32_t index;
	const struct ksym *s = layout_of_kernel(c, &index);

	if (!s || (m->has_layout_crc && m->layout_crc == s->crc))
		return;
	struct finding *f = check_add(c, RULE_MODULE_LAYOUT_MISMATCH, module);
	if (!f)
		return;
	f->symbol = s->name;
	f->ksym = index + 1;
	f->provider = "vmlinux";
	f->expected = crc_text(c, s->crc);
	f->actual = m->has_layout_crc ? crc_text(c, m->layout_crc) : NULL;
}

/* What is missing, and what CONFIG_MODULE_FORCE_LOAD makes of it. */
static struct finding *add_missing(struct check *c, uint32_t module, const char *what)
{
	bool is_forced = c->force_load == KCONFIG_YES;
	struct finding *f = check_add_as(c, RULE_CRC_MISSING_IN_MODULE, module,
					 is_forced ? SEV_WARNING : SEV_ERROR);

	if (!f)
		return NULL;
	f->detail = arena_printf(c->arena,
				 is_forced ? "%s: it loads and taints the kernel (F)"
				 : c->force_load == KCONFIG_NO
					 ? "%s, and CONFIG_MODULE_FORCE_LOAD is not set"
					 : "%s (taken that CONFIG_MODULE_FORCE_LOAD is not set)",
				 what);
	return f;
}

/* check_export_symbol_versions(): exports without CRCs on a kernel that has versions. */
static void check_unversioned_exports(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	bool is_known = c->modversions == KCONFIG_YES || c->kernel->has_crcs;
	uint32_t i = 0;

	while (i < m->n_exports && m->exports[i].has_crc)
		i++;
	if (i == m->n_exports || !is_known)
		return;
	struct finding *f = add_missing(c, module, "no CRCs for its exports");
	if (!f)
		return;
	f->stage = STAGE_EXPORTS;
	f->error = ENOEXEC;
}

/* A module built without versions, on a kernel that has them. */
static void check_unversioned(struct check *c, uint32_t module)
{
	uint32_t index;
	const struct ksym *s = layout_of_kernel(c, &index);
	struct finding *f = s ? add_missing(c, module, "no __versions section") : NULL;

	if (!f)
		return;
	f->ksym = index + 1;
	f->symbol = s->name;
	f->expected = crc_text(c, s->crc);
}

void check_version(struct check *c, uint32_t module, uint32_t i)
{
	const struct import *import = &c->modules[module].imports[i];
	bool has_entry = import->flags & IMPORT_HAS_CRC;
	struct export e;

	if (!has_versions(c, &c->modules[module]) ||
	    !check_linked_export(c, &c->links->links[module][i], &e) || !e.has_crc ||
	    (has_entry && e.crc == import->crc))
		return;
	struct finding *f =
		check_add_on_import(c, has_entry ? RULE_CRC_MISMATCH : RULE_CRC_MISSING_IN_MODULE,
				    SEV_ERROR, module, i);
	if (!f)
		return;
	f->expected = crc_text(c, e.crc);
	f->actual = has_entry ? crc_text(c, import->crc) : NULL;
	const struct link *link = &c->links->links[module][i];
	if (has_entry && link->state == LINK_MODULE)
		f->behind = link->target;
}

void check_layout(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	if (m->is_object_24 || !check_has_modversions(c))
		return;
	if (m->has_versions)
		check_layout_crc(c, module);
	else
		check_unversioned(c, module);
	check_unversioned_exports(c, module);
}
