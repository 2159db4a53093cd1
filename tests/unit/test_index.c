/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The readers of what lies beside the modules. Expected values: the formats as they are described
 * in src/index; the index of the trie tests was made by hand after libkmod/libkmod-index.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "index/index.h"
#include "index/trie.h"

#define MODDIR "lib/modules/6.1.0"

static const char *path_of(const struct index *x, size_t line)
{
	return names_text(x->names, x->deps[line].path);
}

static const char *dep_of(const struct index *x, size_t line, uint32_t i)
{
	assert_true(i < x->deps[line].n);
	return names_text(x->names, x->dep_paths[x->deps[line].first + i]);
}

static void read_dep(struct index *x, const char *text)
{
	index_init(x);
	index_read_dep(x, text, strlen(text), MODDIR);
}

static void test_dep_lines(void **state)
{
	struct index x;

	(void)state;
	read_dep(&x, "kernel/a.ko:\nkernel/b.ko: kernel/a.ko  kernel/c.ko\n");
	assert_int_equal(x.n_deps, 2);
	assert_string_equal(path_of(&x, 0), "kernel/a.ko");
	assert_int_equal(x.deps[0].n, 0);
	assert_int_equal(x.deps[1].n, 2);
	assert_string_equal(dep_of(&x, 1, 0), "kernel/a.ko");
	assert_string_equal(dep_of(&x, 1, 1), "kernel/c.ko");
	index_release(&x);
}

/* modutils: absolute, tabs, a line that goes on behind a backslash; no newline at the end. */
static void test_dep_old(void **state)
{
	struct index x;

	(void)state;
	read_dep(&x, "/" MODDIR "/a.o:\t/" MODDIR "/b.o \\\n\t/" MODDIR "/c.o\n/opt/x.o: /opt/y.o");
	assert_int_equal(x.n_deps, 2);
	assert_string_equal(path_of(&x, 0), "a.o");
	assert_int_equal(x.deps[0].n, 2);
	assert_string_equal(dep_of(&x, 0, 1), "c.o");
	assert_string_equal(path_of(&x, 1), "/opt/x.o");
	assert_string_equal(dep_of(&x, 1, 0), "/opt/y.o");
	index_release(&x);
}

static void test_dep_rubbish(void **state)
{
	struct index x;

	(void)state;
	read_dep(&x, "# comment: a\n\nno colon\n: b\n\\\n\\");
	assert_int_equal(x.n_deps, 0);
	index_release(&x);
	read_dep(&x, "");
	assert_int_equal(x.n_deps, 0);
	index_release(&x);
}

/* root at 12: children 'a'..'b'; a: prefix "x", one value; b: a value and no prefix. */
static const char trie[] = "\xb0\x07\xf4\x57\x00\x02\x00\x01\x20\x00\x00\x0c"
			   "ab\xc0\x00\x00\x16\x40\x00\x00\x26"
			   "x\0\0\0\0\1\0\0\0\0one: \0"
			   "\0\0\0\1\0\0\0\7two: one";

static void test_trie(void **state)
{
	struct index x;

	(void)state;
	index_init(&x);
	/* the NUL that ends the literal is that of the last value */
	assert_null(index_read_dep_bin(&x, trie, sizeof(trie), MODDIR));
	assert_int_equal(x.n_deps, 2);
	assert_string_equal(path_of(&x, 0), "one");
	assert_string_equal(path_of(&x, 1), "two");
	assert_string_equal(dep_of(&x, 1, 0), "one");
	index_release(&x);
}

static void count_value(void *arg, const char *value, size_t length)
{
	(void)value;
	(void)length;
	++*(size_t *)arg;
}

/* Wherever it is cut, the file is damaged, and nothing beyond its end is read (see asan). */
static void test_trie_cut(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof(trie); size++) {
		size_t n = 0;
		char *copy = malloc(size + !size);
		assert_non_null(copy);
		memcpy(copy, trie, size);
		assert_non_null(trie_read(copy, size, count_value, &n));
		assert_true(n <= 1);
		free(copy);
	}
}

static void test_trie_circle(void **state)
{
	char bytes[sizeof(trie)];
	size_t n = 0;

	(void)state;
	memcpy(bytes, trie, sizeof(bytes));
	memcpy(bytes + 14, "\x20\x00\x00\x0c", 4); /* its own child */
	assert_non_null(trie_read(bytes, sizeof(bytes), count_value, &n));
	assert_true(n <= sizeof(bytes));
	memcpy(bytes, trie, sizeof(bytes));
	bytes[12] = 'c'; /* from c to b */
	assert_non_null(trie_read(bytes, sizeof(bytes), count_value, &n));
	memcpy(bytes, trie, sizeof(bytes));
	bytes[5] = 3; /* major version */
	assert_non_null(trie_read(bytes, sizeof(bytes), count_value, &n));
}

/* depmod writes a root of 0 when there is no module at all. */
static void test_trie_empty(void **state)
{
	size_t n = 0;

	(void)state;
	assert_null(
		trie_read("\xb0\x07\xf4\x57\x00\x02\x00\x01\x00\x00\x00\x00", 12, count_value, &n));
	assert_int_equal(n, 0);
}

static void test_order(void **state)
{
	static const char text[] = "kernel/a.ko\r\n\nkernel/b.ko.xz\nkernel/c.ko";
	struct index x;

	(void)state;
	index_init(&x);
	index_read_order(&x, text, sizeof(text) - 1);
	assert_int_equal(x.n_order, 3);
	assert_string_equal(names_text(x.names, x.order[0]), "kernel/a.ko");
	assert_string_equal(names_text(x.names, x.order[1]), "kernel/b.ko");
	assert_string_equal(names_text(x.names, x.order[2]), "kernel/c.ko");
	index_release(&x);
	assert_int_equal(text_unpacked_length("a.ko.zst", 8), 4);
	assert_int_equal(text_unpacked_length(".gz", 3), 3);
}

static void test_builtin(void **state)
{
	static const char text[] = "kernel/drivers/md/dm-mod.ko\nplain.ko\nkernel/\n.ko\n";
	struct index x;

	(void)state;
	index_init(&x);
	index_read_builtin(&x, text, sizeof(text) - 1);
	assert_int_equal(x.n_builtins, 2);
	assert_string_equal(names_text(x.names, x.builtins[0]), "dm_mod");
	assert_string_equal(names_text(x.names, x.builtins[1]), "plain");
	index_release(&x);
}

static void test_modinfo(void **state)
{
	static const char text[] = "a.license=GPL\0b.parm=x:y\0b.parmtype=x:bool\0c.version=1\0"
				   "d.versions=1\0.parm=\0e.parm";
	struct index x;

	(void)state;
	index_init(&x);
	index_read_modinfo(&x, text, sizeof(text) - 1);
	assert_int_equal(x.n_owners, 2);
	assert_string_equal(names_text(x.names, x.owners[0].name), "b");
	assert_string_equal(x.owners[0].tag, "parm=x:y");
	assert_string_equal(names_text(x.names, x.owners[1].name), "c");
	index_release(&x);
}

static void test_aliases(void **state)
{
	static char alias[] = "# comment\nalias crypto-sha1 sha1_generic\nalias pci:v*d?\nalias "
			      "pci:v*d? x\nalias\n",
		    modinfo[] = "a.alias=fs-nfs\0b.license=GPL\0c.alias=";
	const char *words[] = {
		"crypto_sha1", "fs_nfs", "pci:v0000d1", "sha1_generic", "GPL", "x"
	};
	bool is_found[] = { false, false, false, false, false, true };
	struct index x;

	(void)state;
	index_init(&x);
	x.alias = (struct file) { alias, sizeof(alias) - 1 };
	x.modinfo = (struct file) { modinfo, sizeof(modinfo) - 1 };
	index_find_aliases(&x, words, is_found, 6);
	assert_true(is_found[0] && is_found[1] && is_found[2] && is_found[5]);
	assert_false(is_found[3] || is_found[4]);
	x.alias = x.modinfo = (struct file) { 0 };
	index_release(&x);
}

/* A directory that is not there has nothing in it. */
static void test_load_nothing(void **state)
{
	struct index x;

	(void)state;
	index_init(&x);
	index_load(&x, "/nonexistent", MODDIR);
	assert_false(x.is_indexed);
	for (int i = 0; i < N_INDEX_FILES; i++)
		assert_false(x.has[i] || x.faults[i]);
	index_release(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dep_lines),   cmocka_unit_test(test_dep_old),
		cmocka_unit_test(test_dep_rubbish), cmocka_unit_test(test_trie),
		cmocka_unit_test(test_trie_cut),    cmocka_unit_test(test_trie_circle),
		cmocka_unit_test(test_trie_empty),  cmocka_unit_test(test_order),
		cmocka_unit_test(test_builtin),     cmocka_unit_test(test_modinfo),
		cmocka_unit_test(test_aliases),     cmocka_unit_test(test_load_nothing),
	};

	return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
