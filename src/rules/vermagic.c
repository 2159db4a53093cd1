/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC304 to MC306: was the module built for this kernel? check_modinfo() and same_magic() in
 * kernel/module/main.c and version.c (6.1); for objects of 2.4 insmod's comparison of
 * kernel_version.
 */
#include "kernel/vermagic.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "rules/check.h"

static void add_mismatch(struct check *c, uint32_t module, const char *expected, const char *actual,
			 const char *detail)
{
	struct finding *f = check_add(c, RULE_VERMAGIC_MISMATCH, module);

	if (!f)
		return;
	f->expected = expected;
	f->actual = actual;
	f->detail = detail;
}

static const char *how_they_differ(struct check *c, const char *kernel, const char *module)
{
	const char *words = vermagic_differences(kernel, module, c->arena);

	if (*words)
		return words;
	if (strcspn(kernel, " ") != strcspn(module, " ") ||
	    strncmp(kernel, module, strcspn(kernel, " ")) != 0)
		return arena_printf(c->arena, "built for %.*s", (int)strcspn(module, " "), module);
	if (text_has_suffix(kernel, " ") && !text_has_suffix(module, " "))
		return "the space at its end is missing";
	return "the words or the spaces between them stand in another order";
}

/* insmod only minds where one of the two is without checksums. */
static void check_object_24(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	const char *version = m->info.kernel_version, *release = c->kernel->release;
	bool has_both_checksums = m->info.using_checksums && c->kernel->has_suffixes;

	if (!version || has_both_checksums || strcmp(version, release) == 0)
		return;
	add_mismatch(c, module, release, version, arena_printf(c->arena, "built for %s", version));
}

static void check_missing(struct check *c, uint32_t module)
{
	bool is_forced = c->force_load == KCONFIG_YES;
	struct finding *f =
		check_add_as(c, RULE_VERMAGIC_MISSING, module, is_forced ? SEV_WARNING : SEV_ERROR);

	if (!f)
		return;
	f->expected = c->vermagic;
	f->detail = is_forced ? "it loads and taints the kernel (F)"
		    : c->force_load == KCONFIG_NO
			    ? "CONFIG_MODULE_FORCE_LOAD is not set"
			    : "taken that CONFIG_MODULE_FORCE_LOAD is not set";
}

void check_vermagic(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	const char *magic = m->info.vermagic;

	if (m->is_object_24) {
		check_object_24(c, module);
		return;
	}
	if (!magic) {
		check_missing(c, module);
		return;
	}
	if (!c->vermagic)
		return;
	bool skips_release = m->has_versions && check_has_modversions(c);
	size_t skip_ours = skips_release ? strcspn(c->vermagic, " ") : 0;
	size_t skip_theirs = skips_release ? strcspn(magic, " ") : 0;
	if (strcmp(c->vermagic + skip_ours, magic + skip_theirs) != 0)
		add_mismatch(c, module, c->vermagic, magic, how_they_differ(c, c->vermagic, magic));
}

void check_struct_size(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	bool is_minded = !c->kernel->version || c->kernel->version >= KERNEL_VERSION_CODE(6, 12, 0);

	if (!is_minded || !c->struct_size || !m->this_module_size ||
	    m->this_module_size == c->struct_size)
		return;
	struct finding *f = check_add(c, RULE_STRUCT_MODULE_SIZE, module);
	if (!f)
		return;
	f->expected = arena_printf(c->arena, "%llu", (unsigned long long)c->struct_size);
	f->actual = arena_printf(c->arena, "%llu", (unsigned long long)m->this_module_size);
	f->detail = arena_printf(c->arena, "%s bytes, the kernel has %s", f->actual, f->expected);
}
