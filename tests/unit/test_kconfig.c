/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "kernel/evidence.h"
#include "kernel/kconfig.h"

static struct kconfig config_of(const char *text)
{
	return (struct kconfig) { .text = text, .size = strlen(text) };
}

static const char text[] = "# Automatically generated file; DO NOT EDIT.\n"
			   "CONFIG_FIRST=y\n"
			   "CONFIG_PREEMPT_RT=y\n"
			   "CONFIG_VFAT_FS=m\n"
			   "CONFIG_HZ=250\n"
			   "CONFIG_MARCH=\"m\"\n"
			   "CONFIG_EXPLICIT=n\n"
			   "# CONFIG_SMP is not set\n"
			   "# CONFIG_COMMENT=y\n"
			   "XCONFIG_PREFIX=y\n"
			   "CONFIG_DOS=m\r\n"
			   "CONFIG_LAST=m";

static void values(void **state)
{
	static const struct {
		const char *option;
		enum kconfig_value value;
	} rows[] = {
		{ "CONFIG_FIRST", KCONFIG_YES },      { "CONFIG_PREEMPT_RT", KCONFIG_YES },
		{ "CONFIG_VFAT_FS", KCONFIG_MODULE }, { "CONFIG_HZ", KCONFIG_YES },
		{ "CONFIG_MARCH", KCONFIG_YES },      { "CONFIG_EXPLICIT", KCONFIG_NO },
		{ "CONFIG_SMP", KCONFIG_NO },         { "CONFIG_COMMENT", KCONFIG_NO },
		{ "CONFIG_PREFIX", KCONFIG_NO },      { "CONFIG_DOS", KCONFIG_MODULE },
		{ "CONFIG_LAST", KCONFIG_MODULE },    { "CONFIG_PREEMPT", KCONFIG_NO },
		{ "CONFIG_RT", KCONFIG_NO },          { "CONFIG_NOWHERE", KCONFIG_NO },
	};
	struct kconfig config = config_of(text), none = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(kconfig_get(&config, rows[i].option), rows[i].value);
	assert_int_equal(kconfig_get(&none, "CONFIG_FIRST"), KCONFIG_UNKNOWN);
}

static void machine(void **state)
{
	static const struct {
		const char *text;
		uint16_t machine;
	} rows[] = {
		{ "CONFIG_64BIT=y\nCONFIG_X86_64=y\nCONFIG_X86=y\n", EM_X86_64 },
		{ "# CONFIG_64BIT is not set\nCONFIG_X86_32=y\nCONFIG_X86=y\n", EM_386 },
		{ "CONFIG_X86=y\nCONFIG_ISA=y\n", EM_386 }, /* 2.4 */
		{ "CONFIG_ARM64=y\n", EM_AARCH64 },
		{ "CONFIG_ARM=y\n", EM_ARM },
		{ "CONFIG_RISCV=y\n", EM_RISCV },
		{ "CONFIG_S390=y\n", EM_S390 },
		{ "CONFIG_PPC64=y\nCONFIG_PPC=y\n", EM_PPC64 },
		{ "CONFIG_PPC=y\n", EM_PPC },
		{ "CONFIG_SMP=y\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct kconfig config = config_of(rows[i].text);
		assert_int_equal(kconfig_machine(&config), rows[i].machine);
	}
}

static void sniff(void **state)
{
	(void)state;
	assert_true(kconfig_is(text, sizeof(text) - 1));
	assert_true(kconfig_is("# CONFIG_SMP is not set\n", 24));
	assert_false(kconfig_is("see CONFIG_SMP\n", 15));
	assert_false(kconfig_is("", 0));
}

static void numbers(void **state)
{
	static const char lines[] = "CONFIG_NR_CPUS=8192\nCONFIG_HZ=250\r\nCONFIG_A=y\n"
				    "CONFIG_B=99999999999999999999\nCONFIG_C=12";
	struct kconfig config = config_of(lines);

	(void)state;
	assert_int_equal(kconfig_number(&config, "CONFIG_NR_CPUS"), 8192);
	assert_int_equal(kconfig_number(&config, "CONFIG_HZ"), 250);
	assert_int_equal(kconfig_number(&config, "CONFIG_A"), 0);
	assert_int_equal(kconfig_number(&config, "CONFIG_B"), 0);
	assert_int_equal(kconfig_number(&config, "CONFIG_C"), 12); /* no newline behind it */
	assert_int_equal(kconfig_number(&config, "CONFIG_NR"), 0);
}

/* Only lines that set an option; a carriage return and a missing last newline do no harm. */
static void walk(void **state)
{
	static const char lines[] = "# CONFIG_SMP is not set\nCONFIG_HZ=250\r\n\nCONFIG_=y\n"
				    "see CONFIG_X=y\nCONFIG_S=\"a=b\"\nCONFIG_E=\nCONFIG_L=m";
	static const char *const expected[] = { "CONFIG_HZ=250", "CONFIG_S=\"a=b\"",
						"CONFIG_E=", "CONFIG_L=m" };
	struct kconfig config = config_of(lines), none = { NULL, 0 };
	struct kconfig_option o;
	size_t at = 0, n = 0;
	char line[64];

	(void)state;
	while (kconfig_next(&config, &at, &o)) {
		snprintf(line, sizeof(line), "%.*s=%.*s", (int)o.name_length, o.name,
			 (int)o.value_length, o.value);
		assert_true(n < 4);
		assert_string_equal(line, expected[n++]);
	}
	assert_int_equal(n, 4);
	at = 0;
	assert_false(kconfig_next(&none, &at, &o));
}

static void versions(void **state)
{
	(void)state;
	assert_int_equal(kernel_version_of("6.1.0-50-amd64"), 0x060100);
	assert_int_equal(kernel_version_of("2.4.8-ac12"), 0x020408);
	assert_int_equal(kernel_version_of("6.12.117+deb13-amd64"), 0x060c75);
	assert_int_equal(kernel_version_of("7.2-rc1"), 0x070200);
	/* KERNEL_VERSION() of the kernel's Makefile holds the last part to 255, too */
	assert_int_equal(kernel_version_of("4.4.302"), 0x0404ff);
	assert_int_equal(kernel_version_of("99999999999999.1"), 0xff0100);
	assert_int_equal(kernel_version_of("6"), 0);
	assert_int_equal(kernel_version_of("linux-6.1"), 0);
	assert_int_equal(kernel_version_of(""), 0);
	assert_int_equal(kernel_version_of(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),  cmocka_unit_test(machine), cmocka_unit_test(sniff),
		cmocka_unit_test(numbers), cmocka_unit_test(walk),    cmocka_unit_test(versions),
	};

	return cmocka_run_group_tests_name("kconfig", tests, NULL, NULL);
}
