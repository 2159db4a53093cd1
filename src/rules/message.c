/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/message.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "rules/table.h"

/* The kernel knows a provider by its module name: "kernel/fs/fat/fat.ko.xz" is "fat". */
static const char *owner_name(const char *provider, struct arena *a)
{
	const char *file = strrchr(provider, '/');

	if (!strcmp(provider, "vmlinux"))
		return "kernel";
	file = file ? file + 1 : provider;
	return arena_strndup(a, file, strcspn(file, "."));
}

static const char *unknown_symbol(const char *name, const char *symbol, int error, struct arena *a)
{
	return arena_printf(a, "%s: Unknown symbol %s (err -%d)", name, symbol, error);
}

const char *kernel_message(const struct finding *f, const struct module *m,
			   const struct names *names, struct arena *a)
{
	const char *name = m->info.name ? m->info.name : m->name;
	const char *symbol = names_text(names, f->symbol);

	if (m->is_object_24)
		return NULL;
	if (f->message)
		return f->message;
	switch (f->rule) {
	case RULE_MODULE_LAYOUT_MISMATCH:
		return f->actual ? arena_printf(a, "%s: disagrees about version of symbol %s", name,
						symbol)
				 : arena_printf(a, "%s: no symbol version for %s", name, symbol);
	case RULE_VERMAGIC_MISMATCH:
		return arena_printf(a, "%s: version magic '%s' should be '%s'", name, f->actual,
				    f->expected);
	case RULE_STRUCT_MODULE_SIZE:
		return arena_printf(a,
				    "module %s: .gnu.linkonce.this_module section size must match "
				    "the kernel's built struct module size at run time",
				    name);
	case RULE_PROVIDER_REFUSED:
	case RULE_DEPENDENCY_CYCLE:
		if (f->order >= m->n_imports)
			return NULL;
		return unknown_symbol(name, names_text(names, m->imports[f->order].name), f->error,
				      a);
	case RULE_UNDEFINED_SYMBOL:
	case RULE_DEFINED_NOT_EXPORTED:
	case RULE_PROVIDER_NOT_INSTALLED:
	case RULE_GPL_ONLY_SYMBOL:
	case RULE_PROPRIETARY_PROVIDER:
	case RULE_CRC_MISMATCH:
	case RULE_CRC_MISSING_IN_MODULE:
	case RULE_NAMESPACE_NOT_IMPORTED:
	case RULE_RESTRICTED_TO_MODULES:
		return unknown_symbol(name, symbol, f->error, a);
	case RULE_LIVEPATCH_DISABLED:
		return arena_printf(
			a,
			"%s: module is marked as livepatch module, but livepatch support "
			"is disabled",
			name);
	case RULE_BAD_RELOCATION:
		return f->stage == STAGE_SYMBOLS
			       ? arena_printf(a, "%s: please compile with -fno-common", name)
			       : NULL;
	case RULE_DUPLICATE_EXPORT:
		return arena_printf(a, "%s: exports duplicate symbol %s (owned by %s)", name,
				    symbol, owner_name(f->provider, a));
	default:
		return NULL;
	}
}
