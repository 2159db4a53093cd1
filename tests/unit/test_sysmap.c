/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/kallsyms.h"
#include "kernel/sysmap.h"

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

static void read_text(struct fixture *f, const char *text)
{
	sysmap_read(&f->list, text, strlen(text), f->names);
	listing_join(&f->list, f->names);
}

/* The symbol of this name, which has to be there. */
static const struct ksym *sym(const struct fixture *f, const char *name)
{
	nameid id = names_find(f->names, name, strlen(name));

	for (size_t i = 0; id && i < f->list.n_syms; i++) {
		if (f->list.syms[i].name == id)
			return &f->list.syms[i];
	}
	fail_msg("%s is not in the listing", name);
	return NULL;
}

/* The letters and labels are those of a 2.4.8 map on i386. */
static void kernel_2_4(void **state)
{
	struct fixture *f = *state;

	read_text(f, "c0100000 A _text\n"
		     "c0113494 T preempt_schedule\n"
		     "c0113600 T printk\n"
		     "c024f44e ? __kstrtab_printk\n"
		     "c024f500 ? __kstrtab_GPLONLY_task_nice\n"
		     "c024f510 ? __kstrtab___dot_div\n"
		     "c024f520 ? __kstrtab___sparc_dot_rem\n"
		     "c024f530 ? __kstrtab___export_priv_foo\n"
		     "c0254868 ? __start___ksymtab\n"
		     "c0254870 ? __ksymtab_printk\n"
		     "c0255000 ? __stop___ksymtab\n");
	assert_int_equal(f->list.n_bad, 0);
	assert_false(sym(f, "preempt_schedule")->is_exported);
	assert_int_equal(sym(f, "preempt_schedule")->line, 2);
	assert_int_equal(sym(f, "preempt_schedule")->type, 'T');
	assert_true(sym(f, "printk")->is_exported);
	assert_int_equal(sym(f, "printk")->line, 3); /* of the definition, not of a label */
	assert_int_equal(sym(f, "printk")->type, 'T');
	assert_int_equal(sym(f, "task_nice")->licence, LICENCE_GPL);
	assert_true(sym(f, ".div")->is_exported);
	assert_true(sym(f, ".rem")->is_exported);
	assert_true(sym(f, "__foo")->is_exported);
	assert_false(f->list.knows_licences);
	/* _text, preempt_schedule, printk, task_nice, .div, .rem, __foo; no helper label */
	assert_int_equal(f->list.n_syms, 7);
	assert_int_equal(f->list.n_kernel_exports, 5);
}

/* 5.10: ranges between labels tell licences; namespaces and CRCs leave labels of their own. */
static void licence_by_address(void **state)
{
	struct fixture *f = *state;

	read_text(f, "                 w __crc_plain\n"
		     "                 U not_here\n"
		     "ffffffff81000000 T plain\n"
		     "ffffffff81000010 t helper\n"
		     "ffffffff81000020 T gpl_first\n"
		     "ffffffff81000030 D gpl_last\n"
		     "ffffffff82000000 R __start___ksymtab\n"
		     "ffffffff82000000 r __ksymtab_plain\n"
		     "ffffffff8200000c R __start___ksymtab_gpl\n"
		     "ffffffff8200000c R __stop___ksymtab\n"
		     "ffffffff8200000c r __ksymtab_gpl_first\n"
		     "ffffffff82000018 r __ksymtab_gpl_last\n"
		     "ffffffff82000024 R __start___ksymtab_unused\n"
		     "ffffffff82000024 R __stop___ksymtab_gpl\n"
		     "ffffffff82000024 r __ksymtab_old\n"
		     "ffffffff82000030 R __stop___ksymtab_unused\n"
		     "ffffffff82000040 r __kstrtab_plain\n"
		     "ffffffff82000046 r __kstrtabns_plain\n"
		     "ffffffff82000047 r __kstrtab_gpl_first\n");
	assert_int_equal(f->list.n_bad, 0);
	assert_true(f->list.knows_licences);
	assert_int_equal(sym(f, "plain")->licence, LICENCE_ANY);
	assert_int_equal(sym(f, "gpl_first")->licence, LICENCE_GPL);
	assert_int_equal(sym(f, "gpl_last")->licence, LICENCE_GPL);
	assert_int_equal(sym(f, "old")->licence, LICENCE_UNUSED);
	assert_int_equal(sym(f, "gpl_last")->type, 'D');
	assert_false(sym(f, "helper")->is_exported);
	assert_int_equal(f->list.n_syms, 5);
	assert_int_equal(names_find(f->names, "not_here", 8), NAME_NONE);
}

/* As people make them from Module.symvers for depmod -F: one address for all. */
static void only_labels(void **state)
{
	struct fixture *f = *state;

	read_text(f, "ffffffff81000000 r __ksymtab_phys_base\n"
		     "ffffffff81000000 r __ksymtab_printk\n");
	assert_int_equal(f->list.n_kernel_exports, 2);
	assert_false(f->list.knows_licences);
	assert_int_equal(sym(f, "printk")->type, 0);
	assert_int_equal(sym(f, "printk")->line, 2);
}

/* What Debian installs, word for word. */
static void stub(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "ffffffffffffffff B The real System.map is in the "
				   "linux-image-<version>-dbg package\n";

	assert_true(sysmap_is(text, strlen(text)));
	read_text(f, text);
	assert_int_equal(f->list.n_lines, 1);
	assert_int_equal(f->list.n_syms, 0);
}

static void kallsyms_with_modules(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "0000000000000000 A fixed_percpu_data\n"
				   "0000000000000000 T schedule\n"
				   "0000000000000000 R __start___ksymtab_gpl\n"
				   "0000000000000000 r __ksymtab_schedule\n"
				   "0000000000000000 R __stop___ksymtab_gpl\n"
				   "0000000000000000 t vfat_fill_super\t[vfat]\n"
				   "0000000000000000 r __ksymtab_fat_alloc\t[fat]\n";

	assert_true(kallsyms_is(text, strlen(text)));
	kallsyms_read(&f->list, text, strlen(text), f->names);
	listing_join(&f->list, f->names);
	assert_int_equal(f->list.n_bad, 0);
	assert_int_equal(f->list.n_syms, 2);
	assert_true(sym(f, "schedule")->is_exported);
	assert_false(f->list.knows_licences); /* addresses are hidden */
}

/* Static functions of one name are many; a global one says more. */
static void global_wins(void **state)
{
	struct fixture *f = *state;

	read_text(f, "c0100000 t probe\nc0100010 t probe\nc0100020 T probe\nc0100030 t probe\n");
	assert_int_equal(f->list.n_syms, 1);
	assert_int_equal(sym(f, "probe")->type, 'T');
	assert_int_equal(sym(f, "probe")->line, 3);
}

static void bad_lines(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "c0100000 T a\r\n"
				   "c0100000 TT b\n"
				   "c0100000 T\n"
				   "xyz T b\n"
				   "c0100000000000000 T b\n"
				   "c0100000 T b c\n"
				   "c0100000 T b\0c\n"
				   "\n"
				   "c0100000 r __ksymtab_\n"
				   "c0100000 N debugging\n"
				   "c0100010 T z";

	sysmap_read(&f->list, text, sizeof(text) - 1, f->names);
	listing_join(&f->list, f->names);
	assert_int_equal(f->list.n_lines, 10);
	assert_int_equal(f->list.n_bad, 6);
	assert_int_equal(sym(f, "a")->type, 'T');
	assert_int_equal(sym(f, "z")->line, 11);
}

static void sniff(void **state)
{
	(void)state;
	assert_true(sysmap_is("         U x\nc0100000 T a\n", 28));
	assert_false(sysmap_is("c0100000 printk\n", 16));
	assert_false(sysmap_is("0x4c9d28b0\tphys_base\tvmlinux\n", 29));
	assert_false(sysmap_is("", 0));
	assert_false(kallsyms_is("c0100000 T a\n", 13));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kernel_2_4),
		TEST(licence_by_address),
		TEST(only_labels),
		TEST(stub),
		TEST(kallsyms_with_modules),
		TEST(global_wins),
		TEST(bad_lines),
		TEST(sniff),
	};

	return cmocka_run_group_tests_name("sysmap", tests, NULL, NULL);
}
