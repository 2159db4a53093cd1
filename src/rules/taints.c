/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC406, MC407: what the kernel notes when it takes the module. check_modinfo() and
 * module_augment_kernel_taints() in kernel/module/main.c (6.1, 6.12); letters as in
 * kernel/panic.c.
 */
#include <elf.h>

#include "base/arena.h"
#include "rules/check.h"

/* The test tag came with 6.0 (TAINT_TEST, bit 18). */
static bool knows_test_taint(const struct check *c)
{
	return !c->kernel->version || c->kernel->version >= KERNEL_VERSION_CODE(6, 0, 0);
}

uint32_t check_taints_of(const struct check *c, const struct module *m)
{
	uint32_t taints = 0;

	if (m->is_object_24 || !m->is_readable)
		return 0;
	if (!m->info.has_intree)
		taints |= TAINT_BIT_O;
	if (m->info.has_staging)
		taints |= TAINT_BIT_C;
	if (m->info.has_test && knows_test_taint(c))
		taints |= TAINT_BIT_N;
	if (m->info.has_livepatch && c->livepatch != KCONFIG_NO)
		taints |= TAINT_BIT_K;
	return taints;
}

static bool has_retpolines(const struct check *c)
{
	return c->retpoline == KCONFIG_YES && (c->machine == EM_386 || c->machine == EM_X86_64);
}

static const char *taint_words(uint32_t taints, struct arena *a)
{
	static const struct {
		uint32_t bit;
		const char *words;
	} all[] = {
		{ TAINT_BIT_O, "out of tree (O)" },
		{ TAINT_BIT_C, "staging (C)" },
		{ TAINT_BIT_N, "test module (N)" },
		{ TAINT_BIT_K, "live patch (K)" },
	};
	const char *text = "";

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (taints & all[i].bit)
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", all[i].words);
	}
	return text;
}

void check_taints(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	uint32_t taints = check_taints_of(c, m);
	struct finding *f = taints ? check_add(c, RULE_TAINTS, module) : NULL;

	if (f)
		f->detail = taint_words(taints, c->arena);
	if (m->info.has_livepatch && !m->is_object_24 && c->livepatch == KCONFIG_NO)
		check_add(c, RULE_LIVEPATCH_DISABLED, module);
	if (has_retpolines(c) && !m->is_object_24 && !m->info.has_retpoline)
		check_add(c, RULE_RETPOLINE_MISSING, module);
}
