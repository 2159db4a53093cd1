/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/symvers.h"

struct fixture {
	struct names *names;
	struct listing list;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->names = names_new();
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	listing_release(&f->list);
	names_free(f->names);
	free(f);
	return 0;
}

static void read_bytes(struct fixture *f, const char *bytes, size_t size)
{
	symvers_read(&f->list, bytes, size, f->names);
	listing_join(&f->list, f->names);
}

static void read_text(struct fixture *f, const char *text)
{
	read_bytes(f, text, strlen(text));
}

static const char *text_of(const struct fixture *f, nameid id)
{
	return names_text(f->names, id);
}

/* 2.6.11: scripts/mod/modpost.c writes "0x%08x\t%s\t%s\n". */
static void three_columns(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x4c9d28b0\tphys_base\tvmlinux\n"
		     "0x815f2897\tfat_alloc\tfs/fat/fat\n");
	assert_int_equal(f->list.n_syms, 2);
	assert_int_equal(f->list.n_bad, 0);
	assert_string_equal(text_of(f, f->list.syms[0].name), "phys_base");
	assert_int_equal(f->list.syms[0].provider, NAME_NONE);
	assert_int_equal(f->list.syms[0].crc, 0x4c9d28b0);
	assert_true(f->list.syms[0].has_crc && f->list.syms[0].is_exported);
	assert_string_equal(text_of(f, f->list.syms[1].provider), "fs/fat/fat");
	assert_int_equal(f->list.syms[1].line, 2);
	assert_int_equal(f->list.n_kernel_exports, 1);
	assert_false(f->list.knows_licences);
	assert_false(f->list.knows_namespaces);
}

/* 2.6.18 to 5.3: no tab behind the export word. */
static void four_columns(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000001\ta\tvmlinux\tEXPORT_SYMBOL\n"
		     "0x00000002\tb\tvmlinux\tEXPORT_SYMBOL_GPL\n"
		     "0x00000003\tc\tvmlinux\tEXPORT_SYMBOL_GPL_FUTURE\n"
		     "0x00000004\td\tvmlinux\tEXPORT_UNUSED_SYMBOL\n"
		     "0x00000005\te\tvmlinux\tEXPORT_UNUSED_SYMBOL_GPL\n"
		     "0x00000006\tf\tdrivers/f\t(unknown)\n");
	static const enum licence expected[] = { LICENCE_ANY,        LICENCE_GPL,
						 LICENCE_GPL_FUTURE, LICENCE_UNUSED,
						 LICENCE_UNUSED_GPL, LICENCE_ANY };
	assert_int_equal(f->list.n_syms, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(f->list.syms[i].licence, expected[i]);
	assert_true(f->list.knows_licences);
	assert_false(f->list.knows_namespaces);
}

/* 5.4 and 5.5.0: the namespace is the third column. */
static void namespace_third(void **state)
{
	struct fixture *f = *state;

	read_text(
		f,
		"0x00000001\ta\t\tvmlinux\tEXPORT_SYMBOL\n"
		"0x00000002\tb\tUSB_STORAGE\tdrivers/usb/storage/usb-storage\tEXPORT_SYMBOL_GPL\n");
	assert_int_equal(f->list.n_syms, 2);
	assert_int_equal(f->list.syms[0].ns, NAME_NONE);
	assert_int_equal(f->list.syms[0].provider, NAME_NONE);
	assert_string_equal(text_of(f, f->list.syms[1].ns), "USB_STORAGE");
	assert_string_equal(text_of(f, f->list.syms[1].provider),
			    "drivers/usb/storage/usb-storage");
	assert_int_equal(f->list.syms[1].licence, LICENCE_GPL);
	assert_true(f->list.knows_namespaces);
}

/* 5.6 and later; the namespace may be a list of modules (6.12). */
static void namespace_last(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000001\ta\tvmlinux\tEXPORT_SYMBOL\t\n"
		     "0x00000002\tb\tvmlinux\tEXPORT_SYMBOL_GPL\tmodule:kvm,cxl*\n"
		     "0x00000003\tc\tarch/x86/kvm/kvm.ko\tEXPORT_SYMBOL_GPL\tEXPORT_NS\n");
	assert_int_equal(f->list.n_syms, 3);
	assert_int_equal(f->list.syms[0].ns, NAME_NONE);
	assert_string_equal(text_of(f, f->list.syms[1].ns), "module:kvm,cxl*");
	assert_string_equal(text_of(f, f->list.syms[2].ns), "EXPORT_NS");
	assert_string_equal(text_of(f, f->list.syms[2].provider), "arch/x86/kvm/kvm");
	assert_true(f->list.knows_namespaces);
}

/* CONFIG_MODVERSIONS=n: every CRC is 0, which is none. */
static void all_crcs_zero(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000000\ta\tvmlinux\tEXPORT_SYMBOL\t\n"
		     "0x00000000\tb\tvmlinux\tEXPORT_SYMBOL\t\n");
	assert_false(f->list.has_crcs);
	assert_false(f->list.syms[0].has_crc);
	assert_false(f->list.syms[1].has_crc);
}

/* One CRC that genksyms could not make: the kernel says "no symbol version for b". */
static void one_crc_zero(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000009\ta\tvmlinux\tEXPORT_SYMBOL\t\n"
		     "0x00000000\tb\tvmlinux\tEXPORT_SYMBOL\t\n");
	assert_true(f->list.has_crcs);
	assert_true(f->list.syms[1].has_crc);
	assert_int_equal(f->list.syms[1].crc, 0);
}

static void bad_lines_do_not_end_it(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "0x00000001\ta\tvmlinux\tEXPORT_SYMBOL\t\r\n"
				   "\n"
				   "garbage\n"
				   "0xzz\tb\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x100000000\tb\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x\tb\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x00000002\t\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x00000002\tb\t\tEXPORT_SYMBOL\t\n"
				   "0x00000002\tb\0c\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x00000002\tb\tvmlinux\tfour\n"
				   "0x00000003\tz\tvmlinux\tEXPORT_SYMBOL\tNS";

	read_bytes(f, text, sizeof(text) - 1);
	assert_int_equal(f->list.n_lines, 10);
	assert_int_equal(f->list.n_bad, 8);
	assert_int_equal(f->list.n_syms, 2);
	assert_int_equal(f->list.syms[0].ns, NAME_NONE); /* and not \r */
	assert_string_equal(text_of(f, f->list.syms[1].name), "z");
	assert_string_equal(text_of(f, f->list.syms[1].ns), "NS");
	assert_int_equal(f->list.syms[1].line, 11);
}

static void blanks_for_tabs(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000001  a  vmlinux  EXPORT_SYMBOL_GPL  NS\n");
	assert_int_equal(f->list.n_syms, 1);
	assert_int_equal(f->list.syms[0].licence, LICENCE_GPL);
	assert_string_equal(text_of(f, f->list.syms[0].ns), "NS");
}

/* Lines of a System.map have three words too. */
static void map_is_not_taken(void **state)
{
	struct fixture *f = *state;

	read_text(f, "c0113494 T preempt_schedule\nc024f44e ? __kstrtab_printk\n");
	assert_int_equal(f->list.n_syms, 0);
	assert_int_equal(f->list.n_bad, 2);
}

/* The same name of two providers is two symbols; twice of one is one. */
static void same_name_again(void **state)
{
	struct fixture *f = *state;

	read_text(f, "0x00000001\ta\tvmlinux\tEXPORT_SYMBOL\t\n"
		     "0x00000002\ta\tm/x\tEXPORT_SYMBOL\t\n"
		     "0x00000003\ta\tm/y\tEXPORT_SYMBOL\t\n"
		     "0x00000004\ta\tm/x\tEXPORT_SYMBOL\t\n");
	assert_int_equal(f->list.n_syms, 3);
	assert_int_equal(f->list.syms[1].crc, 2);
	assert_int_equal(f->list.n_kernel_exports, 1);
}

static void empty(void **state)
{
	struct fixture *f = *state;

	read_text(f, "");
	assert_int_equal(f->list.n_lines, 0);
	assert_int_equal(f->list.n_syms, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(three_columns),
		TEST(four_columns),
		TEST(namespace_third),
		TEST(namespace_last),
		TEST(all_crcs_zero),
		TEST(one_crc_zero),
		TEST(blanks_for_tabs),
		TEST(map_is_not_taken),
		TEST(bad_lines_do_not_end_it),
		TEST(same_name_again),
		TEST(empty),
	};

	return cmocka_run_group_tests_name("symvers", tests, NULL, NULL);
}
