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

/* The kernel's mod->name; without a struct module to read it from, likely it is the other one. */
static const char *struct_name(const struct module *m)
{
	if (m->struct_name)
		return m->struct_name;
	return m->info.name ? m->info.name : m->name;
}

const char *kernel_message(const struct finding *f, const struct module *m,
			   const struct names *names, struct arena *a)
{
	/* checks that come before the module is laid out know it by its .modinfo alone */
	const char *name = m->info.name ? m->info.name : m->name;
	const char *loaded = struct_name(m), *symbol = names_text(names, f->symbol);

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
		return unknown_symbol(loaded, names_text(names, m->imports[f->order].name),
				      f->error, a);
	case RULE_UNDEFINED_SYMBOL:
	case RULE_DEFINED_NOT_EXPORTED:
	case RULE_PROVIDER_NOT_INSTALLED:
	case RULE_GPL_ONLY_SYMBOL:
	case RULE_PROPRIETARY_PROVIDER:
	case RULE_CRC_MISMATCH:
	case RULE_CRC_MISSING_IN_MODULE:
	case RULE_NAMESPACE_NOT_IMPORTED:
	case RULE_RESTRICTED_TO_MODULES:
		return unknown_symbol(loaded, symbol, f->error, a);
	case RULE_LIVEPATCH_DISABLED:
		return arena_printf(
			a,
			"%s: module is marked as livepatch module, but livepatch support "
			"is disabled",
			loaded);
	case RULE_BAD_RELOCATION:
		return f->stage == STAGE_SYMBOLS
			       ? arena_printf(a, "%s: please compile with -fno-common", loaded)
			       : NULL;
	case RULE_DUPLICATE_EXPORT:
		return arena_printf(a, "%s: exports duplicate symbol %s (owned by %s)", loaded,
				    symbol, owner_name(f->provider, a));
	default:
		return NULL;
	}
}

/* What stands for $ and this letter. */
static const char *value_of(char letter, const struct module *m, const struct fault *fault,
			    struct arena *a)
{
	switch (letter) {
	case '1':
	case '2':
		return arena_printf(a, "%u", fault->numbers[letter - '1']);
	case 'x':
		return arena_printf(a, "%08x", fault->numbers[0]);
	case 't':
		return arena_printf(a, "%u", fault->type);
	case 's':
		return fault->name ? fault->name : "";
	case 'm':
		return struct_name(m);
	default:
		return m->info.name ? m->info.name : "(missing .modinfo section or name field)";
	}
}

const char *message_expand(const char *text, const struct module *m, const struct fault *fault,
			   struct arena *a)
{
	const char *out = "";

	for (const char *next; text && *text; text = next) {
		size_t length = strcspn(text, "$");
		next = text + length;
		out = arena_printf(a, "%s%.*s", out, (int)length, text);
		if (!*next)
			break;
		out = arena_printf(a, "%s%s", out, value_of(next[1], m, fault, a));
		next += 2;
	}
	return *out ? out : NULL;
}
