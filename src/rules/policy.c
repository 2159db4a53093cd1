/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC401 to MC405: what a module may use. resolve_symbol() and verify_namespace_is_imported() in
 * kernel/module/main.c (6.1); `module:` namespaces as verify_module_namespace() has them from 6.16
 * on.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "rules/check.h"

/* license_is_gpl_compatible() in include/linux/license.h */
static bool licence_is_compatible(const char *licence)
{
	static const char *const compatible[] = {
		"GPL",          "GPL v2",       "GPL and additional rights",
		"Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL",
	};

	for (size_t i = 0; licence && i < sizeof(compatible) / sizeof(compatible[0]); i++) {
		if (strcmp(licence, compatible[i]) == 0)
			return true;
	}
	return false;
}

bool module_is_compatible(const struct module *m)
{
	/* a name that the kernel distrusts whatever the licence says (set_license(), since 2.6) */
	if (m->struct_name &&
	    (!strcmp(m->struct_name, "driverloader") || !strcmp(m->struct_name, "lve")))
		return false;
	return licence_is_compatible(m->info.license);
}

bool licence_is_gpl_only(enum licence licence)
{
	return licence == LICENCE_GPL || licence == LICENCE_UNUSED_GPL;
}

/* Does `name` fit one of "kvm,kvm-*"? '-' and '_' are the same; only a final * is special. */
static bool list_admits(const char *list, const char *name)
{
	while (*list) {
		size_t length = strcspn(list, ","), i = 0;
		while (i < length && name[i] &&
		       (list[i] == name[i] || (list[i] == '-' && name[i] == '_') ||
			(list[i] == '_' && name[i] == '-')))
			i++;
		if ((i == length && !name[i]) || (i + 1 == length && list[i] == '*'))
			return true;
		list += length;
		list += *list == ',';
	}
	return false;
}

/* Is it a namespace of modules, and one on a kernel that compares their names? */
static bool is_restricted(const struct check *c, const char *ns)
{
	return text_has_prefix(ns, "module:") &&
	       c->kernel->version >= KERNEL_VERSION_CODE(6, 16, 0);
}

static bool imports_namespace(const struct module *m, nameid ns)
{
	for (uint32_t i = 0; i < m->info.n_import_ns; i++) {
		if (m->info.import_ns[i] == ns)
			return true;
	}
	return false;
}

bool module_may_use_namespace(const struct module *m, const struct names *names, const char *ns,
			      uint32_t version)
{
	if (text_has_prefix(ns, "module:") && version >= KERNEL_VERSION_CODE(6, 16, 0))
		return list_admits(ns + strlen("module:"), module_loaded_name(m));
	for (uint32_t i = 0; i < m->info.n_import_ns; i++) {
		if (strcmp(names_text(names, m->info.import_ns[i]), ns) == 0)
			return true;
	}
	return false;
}

static void check_namespace(struct check *c, uint32_t module, uint32_t i, nameid ns)
{
	const struct module *m = &c->modules[module];
	const char *text = names_text(c->names, ns);
	struct finding *f;

	if (is_restricted(c, text)) {
		if (list_admits(text + strlen("module:"), module_loaded_name(m)))
			return;
		f = check_add_on_import(c, RULE_RESTRICTED_TO_MODULES, SEV_ERROR, module, i);
	} else {
		if (imports_namespace(m, ns))
			return;
		bool is_allowed = c->allow_missing_namespaces == KCONFIG_YES;
		f = check_add_on_import(c, RULE_NAMESPACE_NOT_IMPORTED,
					is_allowed ? SEV_WARNING : SEV_ERROR, module, i);
	}
	if (f)
		f->ns = ns;
}

void check_use(struct check *c, uint32_t module, uint32_t i)
{
	const struct module *m = &c->modules[module];
	struct export e;

	if (!check_linked_export(c, &c->links->links[module][i], &e))
		return;
	/* to this module a GPL-only symbol does not exist, and a weak one need not */
	if (licence_is_gpl_only(e.licence) && !c->is_compatible) {
		if (!(m->imports[i].flags & IMPORT_WEAK))
			check_add_on_import(c, RULE_GPL_ONLY_SYMBOL, SEV_ERROR, module, i);
		return;
	}
	if (e.ns != NAME_NONE && !m->is_object_24)
		check_namespace(c, module, i, e.ns);
}

void check_licence(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	/* 2.4 modules of before 2.4.10 have no licence tag, and nobody minded */
	if (c->is_compatible || (m->is_object_24 && !m->info.license))
		return;
	struct finding *f = check_add(c, RULE_LICENSE_TAINTS, module);
	if (f)
		f->actual = m->info.license ? m->info.license : "unspecified";
}
