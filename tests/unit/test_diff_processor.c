/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processors against kernels. The flags lines are those that these processors are known to show;
 * the configurations are what arch/x86/Kconfig.cpu makes of the choice that is named, as in the
 * kernels of Debian: 5.10 686 is MGEODE_LX, 686-pae is M686 with X86_PAE.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "base/arena.h"
#include "diff/processor.h"

#define CPU(vendor, family, model, name, flags)                                                    \
	"processor\t: 0\nvendor_id\t: " vendor "\ncpu family\t: " #family "\nmodel\t\t: " #model   \
	"\nmodel name\t: " name "\nfpu\t\t: yes\nflags\t\t: " flags "\n\n"

static const char pentium_m[] = CPU(
	"GenuineIntel", 6, 9, "Intel(R) Pentium(R) M processor 1600MHz",
	"fpu vme de pse tsc msr mce cx8 sep mtrr pge mca cmov pat clflush dts acpi mmx fxsr sse "
	"sse2 tm pbe up bts est tm2");
static const char pentium_3[] = CPU("GenuineIntel", 6, 8, "Pentium III (Coppermine)",
				    "fpu vme de pse tsc msr pae mce cx8 sep mtrr pge mca cmov pat "
				    "pse36 mmx fxsr sse");
static const char via_ezra[] =
	CPU("CentaurHauls", 6, 8, "VIA Ezra", "fpu de tsc msr cx8 mtrr pge mmx 3dnow");
static const char k6[] = CPU("AuthenticAMD", 5, 6, "AMD-K6tm w/ multimedia extensions",
			     "fpu vme de pse tsc msr mce cx8 mmx");
static const char geode_lx[] =
	CPU("AuthenticAMD", 5, 10, "Geode(TM) Integrated Processor by AMD PCS",
	    "fpu de pse tsc msr cx8 sep pge cmov clflush mmx mmxext 3dnowext 3dnow");
static const char crusoe[] =
	CPU("GenuineTMx86", 5, 4, "Transmeta(tm) Crusoe(tm) Processor TM5500",
	    "fpu vme de pse tsc msr cx8 sep cmov mmx longrun lrti constant_tsc cpuid");
static const char atom[] = CPU(
	"GenuineIntel", 6, 28, "Intel(R) Atom(TM) CPU N270   @ 1.60GHz",
	"fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat clflush dts acpi mmx "
	"fxsr sse sse2 ss ht tm pbe nx constant_tsc arch_perfmon pebs bts aperfmperf pni dtes64 "
	"monitor ds_cpl est tm2 ssse3 xtpr pdcm movbe lahf_lm dtherm");
static const char i486[] = CPU("GenuineIntel", 4, 3, "486 DX/2", "fpu vme");
static const char opteron[] = CPU(
	"AuthenticAMD", 15, 5, "AMD Opteron(tm) Processor 244",
	"fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr "
	"sse sse2 syscall nx mmxext lm 3dnowext 3dnow rep_good nopl");
static const char arm64[] = "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm\n"
			    "CPU implementer\t: 0x41\nCPU architecture: 8\n";

static const char flavour_686[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_MGEODE_LX=y\n"
				  "CONFIG_X86_TSC=y\nCONFIG_X86_CMPXCHG64=y\nCONFIG_X86_CMOV=y\n"
				  "CONFIG_X86_MINIMUM_CPU_FAMILY=5\nCONFIG_HIGHMEM4G=y\n";
static const char flavour_pae[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_M686=y\n"
				  "CONFIG_X86_TSC=y\nCONFIG_X86_CMPXCHG64=y\nCONFIG_X86_CMOV=y\n"
				  "CONFIG_X86_MINIMUM_CPU_FAMILY=6\nCONFIG_HIGHMEM64G=y\n"
				  "CONFIG_X86_PAE=y\n";
static const char flavour_486[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_M486=y\n"
				  "CONFIG_X86_MINIMUM_CPU_FAMILY=4\n";
static const char flavour_386[] = "CONFIG_X86=y\nCONFIG_M386=y\nCONFIG_MATH_EMULATION=y\n";
static const char flavour_k7[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_MK7=y\nCONFIG_X86_TSC=y\n"
				 "CONFIG_X86_USE_3DNOW=y\nCONFIG_X86_CMPXCHG64=y\n"
				 "CONFIG_X86_CMOV=y\nCONFIG_X86_MINIMUM_CPU_FAMILY=6\n";
static const char flavour_atom[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_MATOM=y\n"
				   "CONFIG_X86_MINIMUM_CPU_FAMILY=6\n";
static const char flavour_amd64[] = "CONFIG_64BIT=y\nCONFIG_X86_64=y\nCONFIG_X86=y\n"
				    "CONFIG_X86_TSC=y\nCONFIG_X86_CMPXCHG64=y\nCONFIG_X86_CMOV=y\n"
				    "CONFIG_X86_MINIMUM_CPU_FAMILY=64\nCONFIG_PARAVIRT_XXL=y\n";
/* 6.15 and later: Kconfig.cpufeatures makes the list; what it leaves out is not needed */
static const char flavour_6_15[] = "CONFIG_X86_32=y\nCONFIG_X86=y\nCONFIG_MK6=y\n"
				   "CONFIG_X86_CX8=y\nCONFIG_X86_TSC=y\n"
				   "CONFIG_X86_MINIMUM_CPU_FAMILY=5\n"
				   "CONFIG_X86_REQUIRED_FEATURE_ALWAYS=y\n"
				   "CONFIG_X86_REQUIRED_FEATURE_CX8=y\n"
				   "CONFIG_X86_REQUIRED_FEATURE_FPU=y\n"
				   "CONFIG_X86_REQUIRED_FEATURE_MOVBE=y\n";

static struct processor judge(const char *cpuinfo, const char *config, uint16_t machine,
			      struct arena *a)
{
	struct processor p = { 0 };
	struct kernel kernel = { .config = { config, config ? strlen(config) : 0 } };

	cpuinfo_read(&p.info, cpuinfo, strlen(cpuinfo), a);
	processor_judge(&p, &kernel, machine, a);
	return p;
}

/* What is lacking, as "pae family". */
static void lacking(const struct processor *p, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < p->n_needs; i++) {
		if (p->needs[i].is_lacking)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "",
					      p->needs[i].flag);
		assert_true(n < size);
	}
}

static void table(void **state)
{
	static const struct {
		const char *cpu, *config, *lacks;
	} rows[] = {
		{ pentium_m, flavour_686, "" },
		{ pentium_m, flavour_pae, "pae" },
		{ pentium_3, flavour_pae, "" },
		{ pentium_3, flavour_amd64, "lm sse2" },
		{ via_ezra, flavour_686, "cmov" }, /* family 6 without cmov */
		{ via_ezra, flavour_486, "" },
		{ k6, flavour_686, "cmov" },
		{ k6, flavour_pae, "family pae cmov" },
		{ k6, flavour_6_15, "movbe" },
		{ geode_lx, flavour_686, "" },
		{ geode_lx, flavour_pae, "family pae" },
		{ geode_lx, flavour_k7, "family" },
		{ pentium_3, flavour_k7, "3dnow" },
		{ crusoe, flavour_686, "" },
		{ crusoe, flavour_pae, "family pae" },
		{ atom, flavour_pae, "" },
		{ atom, flavour_atom, "" },
		{ pentium_m, flavour_atom, "movbe" },
		{ atom, flavour_amd64, "lm" }, /* N270 has no long mode */
		{ i486, flavour_486, "" },
		{ i486, flavour_386, "" },
		{ i486, flavour_686, "family cx8 cmov tsc" },
		{ opteron, flavour_amd64, "" },
		{ opteron, flavour_pae, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct processor p = judge(rows[i].cpu, rows[i].config, 0, a);
		char text[256];
		lacking(&p, text, sizeof(text));
		if (strcmp(text, rows[i].lacks) != 0)
			fail_msg("row %zu: lacks '%s', expected '%s'", i, text, rows[i].lacks);
		assert_int_equal(p.state, *rows[i].lacks ? PROCESSOR_LACKS : PROCESSOR_FITS);
		arena_free(a);
	}
}

/* cpucheck.c: models 9 and 13 of family 6 have PAE and do not show it; a K6 has none. */
static void forcepae_helps_a_pentium_m(void **state)
{
	struct arena *a = arena_new();
	struct processor m = judge(pentium_m, flavour_pae, EM_386, a);
	struct processor k = judge(k6, flavour_pae, EM_386, a);

	(void)state;
	for (uint32_t i = 0; i < m.n_needs; i++)
		assert_true((m.needs[i].hint != NULL) == !strcmp(m.needs[i].flag, "pae"));
	for (uint32_t i = 0; i < k.n_needs; i++)
		assert_null(k.needs[i].hint);
	arena_free(a);
}

static void what_cannot_be_told(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_int_equal(judge(arm64, flavour_amd64, EM_X86_64, a).state, PROCESSOR_UNKNOWN);
	assert_int_equal(judge("", flavour_amd64, EM_X86_64, a).state, PROCESSOR_UNKNOWN);
	assert_int_equal(judge("flags\t: pae lm\n", flavour_amd64, EM_X86_64, a).state,
			 PROCESSOR_UNKNOWN);
	assert_int_equal(judge(atom, "CONFIG_ARM64=y\n", EM_AARCH64, a).state, PROCESSOR_UNKNOWN);
	assert_int_equal(judge(atom, NULL, EM_386, a).state, PROCESSOR_UNKNOWN);
	assert_int_equal(judge(atom, NULL, 0, a).state, PROCESSOR_UNKNOWN);
	/* but each kernel for x86_64 needs long mode, however it is configured */
	assert_int_equal(judge(atom, NULL, EM_X86_64, a).state, PROCESSOR_LACKS);
	assert_int_equal(judge(opteron, NULL, EM_X86_64, a).state, PROCESSOR_FITS);
	arena_free(a);
}

static void of_two_kinds_what_both_have(void **state)
{
	static const char text[] = "processor : 0\ncpu family : 6\nflags : fpu pae avx512f\n\n"
				   "processor : 1\ncpu family : 6\nflags : fpu pae\n";
	struct arena *a = arena_new();
	struct cpuinfo c;

	(void)state;
	cpuinfo_read(&c, text, strlen(text), a);
	assert_true(c.is_x86);
	assert_int_equal(c.n_processors, 2);
	assert_true(cpuinfo_has(&c, "fpu") && cpuinfo_has(&c, "pae"));
	assert_false(cpuinfo_has(&c, "avx512f"));
	arena_free(a);
}

/* A flag is a whole word. */
static void flags_are_words(void **state)
{
	static const char text[] = "cpu family : 6\nflags : fxsr_opt xlm lmx pse36 sse2\n";
	struct arena *a = arena_new();
	struct cpuinfo c;

	(void)state;
	cpuinfo_read(&c, text, strlen(text), a);
	assert_false(cpuinfo_has(&c, "fxsr"));
	assert_false(cpuinfo_has(&c, "lm"));
	assert_false(cpuinfo_has(&c, "pse"));
	assert_false(cpuinfo_has(&c, "sse"));
	assert_true(cpuinfo_has(&c, "sse2"));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(forcepae_helps_a_pentium_m),
		cmocka_unit_test(what_cannot_be_told),
		cmocka_unit_test(of_two_kinds_what_both_have),
		cmocka_unit_test(flags_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
