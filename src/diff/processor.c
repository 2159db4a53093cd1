/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an x86 kernel needs of its processor is fixed when it is configured. It is looked for first
 * of all at boot (check_cpu() in arch/x86/boot/cpucheck.c), where a kernel that lacks something
 * says "This kernel requires the following features not present on the CPU" and stops: the masks of
 * arch/x86/include/asm/required-features.h (2.6.2x to 6.14), since 6.15 the options
 * X86_REQUIRED_FEATURE_* of arch/x86/Kconfig.cpufeatures, and CONFIG_X86_MINIMUM_CPU_FAMILY, which
 * a processor with long mode passes whatever its family.
 *
 * TSC is not among the masks, but a 32-bit kernel with CONFIG_X86_TSC reads it without asking. NOPL
 * is, but the boot code does not look for it: each processor with long mode has it, and a 32-bit
 * kernel hides it (since 4.19), so it is asked for only where it may be lacking.
 */
#include "diff/processor.h"

#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/evidence.h"
#include "kernel/kconfig.h"

/* A flag, the option that makes it needed, and one that makes it needless ("" if none does). */
static const struct {
	const char *flag, *option, *unless;
} rows[] = {
	{ "lm", "CONFIG_X86_64", "" },
	{ "fpu", "CONFIG_X86", "CONFIG_MATH_EMULATION" },
	{ "fpu", "CONFIG_X86_32", "CONFIG_MATH_EMULATION" }, /* before 2.6.24 CONFIG_X86 alone */
	{ "pae", "CONFIG_X86_PAE", "" },
	{ "pae", "CONFIG_X86_64", "" },
	{ "cx8", "CONFIG_X86_CMPXCHG64", "" }, /* until 6.13 */
	{ "cx8", "CONFIG_X86_CX8", "" },       /* from then on */
	{ "cx8", "CONFIG_X86_64", "" },
	{ "cmov", "CONFIG_X86_CMOV", "" },
	{ "cmov", "CONFIG_X86_64", "" },
	{ "tsc", "CONFIG_X86_TSC", "" },
	{ "3dnow", "CONFIG_X86_USE_3DNOW", "" }, /* until 5.17 */
	{ "nopl", "CONFIG_X86_P6_NOP", "" },

	{ "movbe", "CONFIG_MATOM", "" },
	{ "pse", "CONFIG_X86_64", "CONFIG_PARAVIRT_XXL" },
	{ "pge", "CONFIG_X86_64", "CONFIG_PARAVIRT_XXL" },
	{ "msr", "CONFIG_X86_64", "" },
	{ "fxsr", "CONFIG_X86_64", "" },
	{ "sse", "CONFIG_X86_64", "" },
	{ "sse2", "CONFIG_X86_64", "" },
};

/* From 6.15 on the configuration itself lists them, in the words of cpufeatures.h. */
static const struct {
	const char *flag, *option;
} required[] = {
	{ "lm", "CONFIG_X86_REQUIRED_FEATURE_LM" },
	{ "fpu", "CONFIG_X86_REQUIRED_FEATURE_FPU" },
	{ "pae", "CONFIG_X86_REQUIRED_FEATURE_PAE" },
	{ "cx8", "CONFIG_X86_REQUIRED_FEATURE_CX8" },
	{ "cmov", "CONFIG_X86_REQUIRED_FEATURE_CMOV" },

	{ "movbe", "CONFIG_X86_REQUIRED_FEATURE_MOVBE" },
	{ "pse", "CONFIG_X86_REQUIRED_FEATURE_PSE" },
	{ "pge", "CONFIG_X86_REQUIRED_FEATURE_PGE" },
	{ "msr", "CONFIG_X86_REQUIRED_FEATURE_MSR" },
	{ "fxsr", "CONFIG_X86_REQUIRED_FEATURE_FXSR" },
	{ "sse", "CONFIG_X86_REQUIRED_FEATURE_XMM" },
	{ "sse2", "CONFIG_X86_REQUIRED_FEATURE_XMM2" },
};

static bool is_set(const struct kernel *k, const char *option)
{
	return kconfig_get(&k->config, option) == KCONFIG_YES;
}

/* cpucheck.c: Pentium M of the first two makes have PAE and do not show it. */
static bool may_force_pae(const struct cpuinfo *c)
{
	return strcmp(c->vendor, "GenuineIntel") == 0 && c->family == 6 &&
	       (c->model == 9 || c->model == 13);
}

static void add_flag(struct processor *p, const char *flag, const char *why)
{
	for (uint32_t i = 0; i < p->n_needs; i++) {
		if (strcmp(p->needs[i].flag, flag) == 0)
			return;
	}
	if (p->n_needs == PROCESSOR_MAX_NEEDS)
		return;
	bool is_lacking = !cpuinfo_has(&p->info, flag);
	if (strcmp(flag, "nopl") == 0)
		is_lacking &= !cpuinfo_has(&p->info, "lm");
	p->needs[p->n_needs++] = (struct processor_need) {
		.flag = flag,
		.why = why,
		.hint = is_lacking && !strcmp(flag, "pae") && may_force_pae(&p->info)
				? "this Pentium M may have it all the same: boot with forcepae"
				: NULL,
		.is_lacking = is_lacking,
	};
	p->n_lacking += is_lacking;
}

static void add_family(struct processor *p, const struct kernel *k, struct arena *a)
{
	unsigned long least = kconfig_number(&k->config, "CONFIG_X86_MINIMUM_CPU_FAMILY");

	if (!least || least == 64) /* 64 is long mode, which is a flag */
		return;
	bool is_lacking = p->info.family < least && !cpuinfo_has(&p->info, "lm");
	p->needs[p->n_needs++] = (struct processor_need) {
		.flag = "family",
		.why = arena_printf(a, "CONFIG_X86_MINIMUM_CPU_FAMILY=%lu", least),
		.least = arena_printf(a, "%lu", least),
		.has = arena_printf(a, "%u", p->info.family),
		.is_lacking = is_lacking,
	};
	p->n_lacking += is_lacking;
}

static void add_configured(struct processor *p, const struct kernel *k, struct arena *a)
{
	bool has_list = is_set(k, "CONFIG_X86_REQUIRED_FEATURE_ALWAYS");

	add_family(p, k, a);
	for (size_t i = 0; has_list && i < sizeof(required) / sizeof(required[0]); i++) {
		if (is_set(k, required[i].option))
			add_flag(p, required[i].flag, required[i].option);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (has_list && strcmp(rows[i].flag, "tsc") != 0)
			continue;
		if (is_set(k, rows[i].option) && !(*rows[i].unless && is_set(k, rows[i].unless)))
			add_flag(p, rows[i].flag, rows[i].option);
	}
}

/* Without a configuration: what every kernel for this architecture needs. */
static void add_of_machine(struct processor *p)
{
	static const char *const flags[] = { "lm",  "fpu",  "pae", "cx8", "cmov",
					     "msr", "fxsr", "sse", "sse2" };

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		add_flag(p, flags[i], "a kernel for x86_64");
}

static void cannot_tell(struct processor *p, const char *reason)
{
	p->state = PROCESSOR_UNKNOWN;
	p->reason = reason;
}

void processor_judge(struct processor *p, const struct kernel *kernel, uint16_t machine,
		     struct arena *a)
{
	bool has_config = kernel->config.text != NULL;

	if (!p->info.is_x86)
		return cannot_tell(p, "it is no x86 processor");
	if (machine && machine != EM_386 && machine != EM_X86_64)
		return cannot_tell(p, "the new kernel is for another architecture than x86");
	if (!has_config && machine != EM_X86_64)
		return cannot_tell(p, "there is no configuration of the new kernel");
	if (has_config)
		add_configured(p, kernel, a);
	else
		add_of_machine(p);
	p->state = p->n_lacking ? PROCESSOR_LACKS : PROCESSOR_FITS;
}
