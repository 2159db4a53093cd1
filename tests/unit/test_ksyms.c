/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/ksyms.h"

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
	ksyms_read(&f->list, text, strlen(text), f->names);
	listing_join(&f->list, f->names);
}

static bool has(const struct fixture *f, const char *name)
{
	return names_find(f->names, name, strlen(name)) != NAME_NONE;
}

static void with_suffixes(void **state)
{
	struct fixture *f = *state;

	read_text(f, "d0831000 e100_probe\t[e100]\n"
		     "d0831100 __insmod_e100_S.text_L100\t[e100]\n"
		     "c013ff20 inode_change_ok_R66fc5011\n"
		     "c0115c40 gameport_register_port_Rsmp_aa96bd99\n"
		     "c0230000 memcpy\n"
		     "c0240000 GPLONLY_device_register_R00000001\n");
	assert_int_equal(f->list.n_syms, 4);
	assert_int_equal(f->list.n_kernel_exports, 4);
	assert_int_equal(f->list.n_bad, 0);
	assert_true(f->list.has_suffixes);
	assert_true(f->list.knows_licences);
	assert_true(has(f, "inode_change_ok_R66fc5011"));
	assert_true(has(f, "gameport_register_port_Rsmp_aa96bd99"));
	assert_false(has(f, "e100_probe"));
	assert_int_equal(f->list.syms[0].line, 3);
	assert_int_equal(f->list.syms[3].licence, LICENCE_GPL);
	assert_string_equal(names_text(f->names, f->list.syms[3].name),
			    "device_register_R00000001");
}

/* _R and eight digits make a suffix; a name that merely ends so does not. */
static void without_suffixes(void **state)
{
	struct fixture *f = *state;

	read_text(f, "c0100000 _Rdeadbeef\nc0100000 foo_Rdeadbee\nc0100000 foodeadbeef\n"
		     "c0100000 foo_Rdeadbeeg\n");
	assert_int_equal(f->list.n_syms, 4);
	assert_false(f->list.has_suffixes);
}

static void bad_lines(void **state)
{
	struct fixture *f = *state;

	read_text(f, "Address   Symbol                            Defined by\n"
		     "c0100000\n"
		     "c0100000 a b\n"
		     "c0100000 GPLONLY_\n"
		     "c0100000 printk");
	assert_int_equal(f->list.n_bad, 3);
	assert_int_equal(f->list.n_syms, 2);
	assert_true(has(f, "printk"));
	assert_int_equal(f->list.syms[0].licence, LICENCE_ANY);
}

static void sniff(void **state)
{
	(void)state;
	assert_true(ksyms_is("c0100000 printk\n", 16));
	assert_true(ksyms_is("c0100000 probe\t[e100]\n", 22));
	assert_false(ksyms_is("c0100000 T printk\n", 18));
	assert_false(ksyms_is("0x4c9d28b0\tphys_base\tvmlinux\n", 29));
	assert_false(ksyms_is("\n", 1));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(with_suffixes),
		TEST(without_suffixes),
		TEST(bad_lines),
		TEST(sniff),
	};

	return cmocka_run_group_tests_name("ksyms", tests, NULL, NULL);
}
