/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/kernel/vermagic.c: configurations and the version magic that include/linux/vermagic.h and
 * asm/vermagic.h make of them. Where a kernel of Debian is named, its modules say it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "base/arena.h"
#include "kernel/vermagic.h"

#define SMP "CONFIG_SMP=y\n"
#define UNLOAD "CONFIG_MODULE_UNLOAD=y\n"
#define VERSIONS "CONFIG_MODVERSIONS=y\n"
#define USUAL SMP UNLOAD VERSIONS

#define V5_10 KERNEL_VERSION_CODE(5, 10, 0)
#define V6_1 KERNEL_VERSION_CODE(6, 1, 0)
#define V6_12 KERNEL_VERSION_CODE(6, 12, 0)
#define V7_2 KERNEL_VERSION_CODE(7, 2, 0)

static const char *of(uint32_t version, uint16_t machine, const char *config, struct arena *a)
{
	struct kernel kernel = {
		.release = "R",
		.version = version,
		.machine = machine,
		.config = { .text = config, .size = config ? strlen(config) : 0 },
	};

	return vermagic_of_config(&kernel, a);
}

struct row {
	uint32_t version;
	uint16_t machine;
	const char *config, *vermagic; /* NULL: it cannot be told */
};

static void assert_rows(const struct row *rows, size_t n)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < n; i++) {
		const char *vermagic = of(rows[i].version, rows[i].machine, rows[i].config, a);
		if (!rows[i].vermagic)
			assert_null(vermagic);
		else
			assert_string_equal(vermagic ? vermagic : "NULL", rows[i].vermagic);
	}
	arena_free(a);
}

static void words_of_x86_64(void **state)
{
	static const struct row rows[] = {
		/* Debian 6.1 amd64; PREEMPT_DYNAMIC sets PREEMPT_BUILD */
		{ V6_1, EM_X86_64,
		  USUAL "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_VOLUNTARY=y\n"
			"CONFIG_PREEMPT_DYNAMIC=y\n",
		  "R SMP preempt mod_unload modversions " },
		{ V5_10, EM_X86_64, USUAL "CONFIG_PREEMPT_VOLUNTARY=y\n",
		  "R SMP mod_unload modversions " },
		{ V5_10, EM_X86_64, UNLOAD "CONFIG_PREEMPT=y\n", "R preempt mod_unload " },
		{ V7_2, EM_X86_64,
		  SMP UNLOAD "CONFIG_PREEMPT_BUILD=y\n# CONFIG_MODVERSIONS is not set\n",
		  "R SMP preempt mod_unload " },
		{ V6_1, EM_X86_64, "# nothing\n", "R " },
		/* y, not m, and the whole name */
		{ V6_1, EM_X86_64, "CONFIG_SMP=m\nCONFIG_MODVERSIONS_X=y\n", "R " },
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

/* RT is what the words tell of differently from version to version. */
static void words_of_rt(void **state)
{
	static const struct row rows[] = {
		/* Debian 5.10-rt, 6.1-rt */
		{ V5_10, EM_X86_64, USUAL "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPTION=y\n",
		  "R SMP preempt_rt mod_unload modversions " },
		{ V6_1, EM_X86_64, USUAL "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPTION=y\n",
		  "R SMP preempt_rt mod_unload modversions " },
		/* Debian 6.12-rt: lazy preemption sets PREEMPT_BUILD, which is asked first */
		{ V6_12, EM_X86_64,
		  USUAL "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y\n",
		  "R SMP preempt mod_unload modversions " },
		/* Debian 7.2-rt: PREEMPT_RT is asked first */
		{ V7_2, EM_X86_64, SMP UNLOAD "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_RT=y\n",
		  "R SMP preempt_rt mod_unload " },
		/* before 5.16 PREEMPT_BUILD meant nothing */
		{ V5_10, EM_X86_64, USUAL "CONFIG_PREEMPT_BUILD=y\n",
		  "R SMP mod_unload modversions " },
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

static void words_of_machines(void **state)
{
	static const struct row rows[] = {
		{ V5_10, EM_386, USUAL "CONFIG_M686=y\n", "R SMP mod_unload modversions 686 " },
		{ V5_10, EM_386, UNLOAD "CONFIG_MGEODE_LX=y\n", "R mod_unload GEODE " },
		{ V5_10, EM_386, UNLOAD "CONFIG_MGEODEGX1=y\n", "R mod_unload GEODEGX1 " },
		{ V5_10, EM_386, UNLOAD "CONFIG_MVIAC3_2=y\n", "R mod_unload VIAC3-2 " },
		{ V5_10, EM_386, UNLOAD, NULL }, /* a processor that we do not know */
		/* MODULE_ARCH_VERMAGIC of these two has no space behind it */
		{ V6_12, EM_AARCH64, USUAL, "R SMP mod_unload modversions aarch64" },
		{ V6_12, EM_RISCV, USUAL, "R SMP mod_unload modversions riscv" },
		{ V6_12, EM_S390, USUAL, "R SMP mod_unload modversions " },
		{ V6_12, EM_PPC64, USUAL, NULL },
		{ V6_12, 0, USUAL, NULL },
		{ V6_12, 0xffff, USUAL, NULL },
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

static void not_to_be_told(void **state)
{
	static const struct row rows[] = {
		{ V6_1, EM_X86_64, NULL, NULL },
		/* a hash of a seed that is no part of the configuration comes last */
		{ V6_1, EM_X86_64, USUAL "CONFIG_RANDSTRUCT=y\n", NULL },
		{ V5_10, EM_X86_64, USUAL "CONFIG_GCC_PLUGIN_RANDSTRUCT=y\n", NULL },
		/* "gcc-3.3", "REGPARM", "4KSTACKS" */
		{ KERNEL_VERSION_CODE(2, 6, 11), EM_X86_64, USUAL, NULL },
		{ 0, EM_X86_64, USUAL, NULL },
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

static void differences(void **state)
{
	static const struct {
		const char *kernel, *module, *text;
	} rows[] = {
		{ "6.1 SMP preempt mod_unload ", "6.1 SMP preempt_rt mod_unload ",
		  "built with preempt_rt, the kernel with preempt" },
		{ "6.1 SMP mod_unload ", "6.1 SMP preempt mod_unload ",
		  "built with preempt, the kernel without" },
		{ "6.1 SMP mod_unload modversions ", "6.1 mod_unload ",
		  "built without SMP modversions, which the kernel has" },
		{ "5.10 mod_unload 686 ", "5.10 SMP preempt mod_unload GEODE ",
		  "built with SMP preempt GEODE, the kernel with 686" },
		/* the release is told elsewhere, a lost blank at the end is no word */
		{ "6.1 SMP ", "5.10 SMP ", "" },
		{ "6.1 SMP ", "6.1 SMP", "" },
		{ "6.1 SMP ", "6.1  SMP  ", "" },
		{ "6.1 SMP ", "6.1", "built without SMP, which the kernel has" },
		{ "", "", "" },
		{ "6.1 preempt ", "6.1 preempt_rt ", /* no word for being the beginning of one */
		  "built with preempt_rt, the kernel with preempt" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(vermagic_differences(rows[i].kernel, rows[i].module, a),
				    rows[i].text);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_x86_64),   cmocka_unit_test(words_of_rt),
		cmocka_unit_test(words_of_machines), cmocka_unit_test(not_to_be_told),
		cmocka_unit_test(differences),
	};

	return cmocka_run_group_tests_name("vermagic", tests, NULL, NULL);
}
