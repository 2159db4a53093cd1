/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged modules: the checks of the loader (elf_validity_check(), kernel/module/main.c), one
 * case a field, and files that are none. A fault names the field and what is in it.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "read/image.h"
#include "read_fixture.h"

struct fault_case {
	const char *lines;
	const char *expected; /* how the first fault begins; "" if there must be none */
	bool is_readable;
};

static void check_case(struct fixture *f, const struct fault_case *c)
{
	make(f, "x.ko", c->lines);
	const char *text = told(f, say_faults);
	bool fits = c->expected[0] ? strncmp(text, c->expected, strlen(c->expected)) == 0
				   : text[0] == '\0';
	if (!fits)
		fail_msg("recipe:\n%s\nwanted: %s\ngot:    %s", c->lines, c->expected, text);
	if (read_file(f).is_readable != c->is_readable)
		fail_msg("recipe:\n%s\nis_readable should be %d", c->lines, c->is_readable);
}

#define CHECK(f, cases)                                                                            \
	for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++)                            \
	check_case(f, &(cases)[i])

static void test_header(void **state)
{
	static const struct fault_case cases[] = {
		{ "import a\n", "", true },
		{ "bytes 1 hex:00\n", "NOT_ELF: no ELF file: begins with 7f 00 4c 46", false },
		{ "set e_type=2\n", "WRONG_TYPE: ELF header: e_type is 2, not 1", false },
		{ "set e_type=0xff01\n", "WRONG_TYPE: ELF header: e_type is 65281", false },
		{ "set e_machine=0\n", "ELF: ELF header: e_machine is 0", true },
		{ "set e_shentsize=63\n", "ELF: ELF header: e_shentsize is 63, not 64", false },
		{ "set e_shentsize=0\n", "ELF: ELF header: e_shentsize is 0, not 64", false },
		{ "set e_shstrndx=0\n", "ELF: ELF header: e_shstrndx is 0", true },
		{ "set e_shstrndx=5000\n", "ELF: ELF header: e_shstrndx is 5000", true },
		{ "set e_shnum=0\n", "ELF: ELF header: e_shstrndx is ", false },
		{ "set e_shnum=65535\n", "TRUNCATED: section table (e_shoff ", false },
		{ "set e_shoff=0\n", "ELF: section table (e_shoff 0, ", false },
		{ "set e_shoff=0xffffffffffffffff\n", "ELF: section table (e_shoff ", false },
		{ "set e_shoff=0x7fffff\n", "TRUNCATED: section table (e_shoff 8388607", false },
	};

	CHECK(*state, cases);
}

/* x86 does not look at these, s390 does at the class (its elf_check_arch()). */
static void test_identification(void **state)
{
	static const struct fault_case cases[] = {
		{ "set EI_CLASS=1\n", "", true },
		{ "set EI_CLASS=0\n", "", true },
		{ "set EI_DATA=2\n", "", true },
		{ "set EI_DATA=0\n", "", true },
		{ "set EI_VERSION=77\n", "", true },
		{ "set e_version=77\n", "", true },
		{ "machine s390x\nset EI_CLASS=1\n", "ELF: ELF header: EI_CLASS is 1", true },
	};
	struct fixture *f = *state;

	CHECK(f, cases);
	make(f, "x.ko", "crcs no\nimport a\nset EI_CLASS=1 EI_DATA=2\n");
	assert_string_equal(told(f, say_symbols), "a |");
	struct module m = read_file(f);
	assert_int_equal(m.elf_class, 2);
	assert_false(m.is_big_endian);
}

static void test_sections(void **state)
{
	static const struct fault_case cases[] = {
		{ "set section 0 sh_type=1\n", "ELF: section 0 is not empty: sh_type 1", true },
		{ "set section 0 sh_size=1\n", "ELF: section 0 is not empty", true },
		{ "set section 0 sh_addr=1\n", "ELF: section 0 is not empty", true },
		{ "set section .data sh_offset=0xfffffffffffffff0 sh_size=32\n", "ELF: section ",
		  true },
		{ "set section .data sh_offset=0x7fffff sh_size=32\n", "TRUNCATED: section ",
		  true },
		{ "set section .text sh_size=0x7fffffffffff\n", "ELF: section ", true },
		{ "set section .symtab sh_size=0xffffffffffffffff\n", "ELF: section ", false },
		{ "set section .shstrtab sh_size=0\n", "ELF: section ", true },
		{ "set section .shstrtab sh_type=1\n", "ELF_6_12: section ", true },
		{ "set section .text sh_name=0x7fffffff\n",
		  "ELF: section 1: sh_name is 2147483647, the name table has ", true },
		{ "set section .text sh_flags=7\n",
		  "WRITE_EXEC: section 1 .text is both writable and executable", true },
		{ "set section .symtab sh_type=1\n", "STRIPPED: there is no symbol table", false },
		{ "section .more type=2\n", "ELF_6_12: sections ", true },
		{ "duplicate .modinfo\n", "ELF_6_12: sections ", true },
		{ "duplicate .gnu.linkonce.this_module\n", "ELF_6_12: sections ", true },
		{ "struct-size 0\n", "ELF: no module: there is no section", true },
		{ "set section .gnu.linkonce.this_module sh_type=8\n", "ELF: section ", true },
		{ "set section .gnu.linkonce.this_module sh_flags=0\n", "ELF: section ", true },
	};

	CHECK(*state, cases);
}

static void test_symbols(void **state)
{
	static const struct fault_case cases[] = {
		{ "symbol a section=common\n", "COMMON_SYMBOL: a\n", true },
		{ "symbol __gnu_lto_v1 section=common\n", "", true },
		{ "symbol a shndx=0xff20\n", "", true },
		{ "symbol a section=abs\n", "", true },
		{ "symbol a shndx=200\n", "SYMBOL_INDEX: symbol ", true },
		{ "symbol a shndx=0xffff\n", "SYMBOL_INDEX: symbol ", true },
		{ "import a\nset symbol a st_name=0x7fffffff\n", "ELF: symbol ", true },
		{ "set section .symtab sh_link=0\n", "ELF: the symbol table (section ", false },
		{ "set section .symtab sh_link=9999\n", "ELF: the symbol table (section ", false },
		{ "set section .strtab sh_type=1\n", "ELF_6_12: section ", true },
	};

	CHECK(*state, cases);
}

/* A size that is no multiple of an entry: the kernel divides, and so leaves the rest aside. */
static void test_odd_symtab_size(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "crcs no\nsection .pad size=10\nimport a\nset section .symtab sh_entsize=0\n");
	assert_string_equal(told(f, say_symbols), "a |");
	assert_string_equal(told(f, say_faults), "");
}

static void test_exports(void **state)
{
	static const struct fault_case cases[] = {
		{ "export a\nset section __ksymtab sh_size=11\n", "ELF: section ", true },
		{ "export a crc=1\nset section __kcrctab sh_size=3\n", "ELF: section ", true },
		/* x86_64: the name field's relocation to a symbol that there is not */
		{ "export a\nset reloc __ksymtab 1 r_sym=65535\n", "ELF: section ", true },
		{ "versions ext\nimport a\nset section __version_ext_names sh_flags=0\n",
		  "ELF_7_2: only one of __version_ext_crcs and __version_ext_names", true },
	};

	CHECK(*state, cases);
}

/* Cut anywhere, a file has a fault; the same where its table is intact but is not believed. */
static void test_every_truncation(void **state)
{
	struct fixture *f = *state;
	size_t size;

	make(f, "x.ko", "import a\nexport b\nexport c gpl ns=NS\n");
	unsigned char *bytes = load(f, &size);
	for (size_t cut = 0; cut < size; cut++) {
		unsigned char *part = malloc(cut ? cut : 1);
		memcpy(part, bytes, cut);
		struct module m = read_bytes(f, part, cut);
		free(part);
		assert_non_null(m.faults);
		assert_false(m.is_readable);
	}
	free(bytes);
}

/* No damage of one byte may do harm or give symbols without names. */
static void test_every_byte(void **state)
{
	struct fixture *f = *state;
	size_t size;

	make(f, "x.ko", "import a\nexport b\nexport c gpl ns=NS\n");
	unsigned char *bytes = load(f, &size);
	for (size_t i = 0; i < size; i++) {
		unsigned char old = bytes[i];
		bytes[i] ^= 0xff;
		struct module m = read_bytes(f, bytes, size);
		bytes[i] = old;
		assert_true(m.is_readable || m.faults);
		for (uint32_t k = 0; k < m.n_exports; k++)
			assert_int_not_equal(m.exports[k].name, NAME_NONE);
	}
	free(bytes);
}

static void expect_fault(struct fixture *f, enum fault_kind kind, const char *detail)
{
	struct module m = read_file(f);

	assert_false(m.is_readable);
	assert_non_null(m.faults);
	assert_int_equal(m.faults->kind, kind);
	assert_non_null(strstr(m.faults->detail, detail));
}

static void test_no_module(void **state)
{
	struct fixture *f = *state;

	snprintf(f->path, sizeof(f->path), "%s/none.ko", f->dir);
	expect_fault(f, FAULT_UNREADABLE, "No such file or directory");
	snprintf(f->path, sizeof(f->path), "%s/dir.ko", f->dir);
	assert_int_equal(mkdir(f->path, 0700), 0);
	expect_fault(f, FAULT_NOT_REGULAR, "not a regular file");
	snprintf(f->path, sizeof(f->path), "%s/fifo.ko", f->dir);
	assert_int_equal(mkfifo(f->path, 0600), 0);
	expect_fault(f, FAULT_NOT_REGULAR, "not a regular file");

	make(f, "x.ko", "truncate 0\n");
	expect_fault(f, FAULT_EMPTY, "empty");
	make(f, "x.ko", "truncate 0\nappend \"#!/bin/sh\\n\"\n");
	expect_fault(f, FAULT_NOT_ELF, "begins with 23 21 2f 62");
	make(f, "x.ko", "truncate 30\n");
	expect_fault(f, FAULT_TRUNCATED, "the file has 30 bytes, the ELF header alone has 64");
	make(f, "x.ko", "compress xz\ntruncate -8\n");
	assert_non_null(read_file(f).faults);
}

/* The loader does not ask that the section table be aligned, so nothing may rely on that. */
static void test_odd_section_table(void **state)
{
	struct fixture *f = *state;
	static unsigned char bytes[1 << 16];

	make(f, "x.ko", "machine i386\nimport a\nexport b\n");
	FILE *file = fopen(f->path, "rb");
	assert_non_null(file);
	size_t size = fread(bytes, 1, sizeof(bytes) / 2, file);
	fclose(file);
	uint32_t at = bytes_get32(bytes + 0x20, false), moved = (uint32_t)size | 1;
	memcpy(bytes + moved, bytes + at, size - at);
	for (int i = 0; i < 4; i++)
		bytes[0x20 + i] = (unsigned char)(moved >> 8 * i);
	file = fopen(f->path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, moved + size - at, file), moved + size - at);
	assert_int_equal(fclose(file), 0);
	struct module m = read_file(f);
	assert_true(m.is_readable);
	assert_int_equal(m.n_imports, 1);
	assert_int_equal(m.n_exports, 1);
}

/* A directory is kept open from file to file; it may be gone by the next. */
static void test_vanished_directory(void **state)
{
	struct fixture *f = *state;

	make(f, "gone/x.ko", "");
	assert_null(read_file(f).faults);
	assert_null(read_file(f).faults);
	unlink(f->path);
	*strrchr(f->path, '/') = '\0';
	assert_int_equal(rmdir(f->path), 0);
	snprintf(f->path, sizeof(f->path), "%s/gone/x.ko", f->dir);
	expect_fault(f, FAULT_UNREADABLE, "No such file or directory");
}

/* A file that is shorter than it was: what was in the buffer before must not be taken for it. */
static void test_shrunk_file(void **state)
{
	struct fixture *f = *state;
	struct image img;

	make(f, "x.ko", "truncate 100\n");
	int fd = open(f->path, O_RDONLY);
	assert_true(fd >= 0);
	image_init(&img);
	image_reset(&img);
	assert_int_equal(image_open(&img, fd, 100), IMAGE_OK);
	image_reset(&img);
	assert_int_equal(image_open(&img, fd, 101), IMAGE_SHORT);
	image_reset(&img);
	assert_int_equal(image_open(&img, fd, IMAGE_WHOLE_BYTES + 1), IMAGE_OK);
	struct elf_header h = { .shoff = 200, .shnum = 3, .shentsize = 64, .is_64 = true };
	assert_int_equal(image_read_table(&img, &h), IMAGE_SHORT);
	image_release(&img);
	close(fd);
}

static void test_many_faults(void **state)
{
	struct fixture *f = *state;
	struct module m = { .path = "x.ko" };
	unsigned int n = 0;
	const struct fault *last = NULL;

	for (int i = 0; i < 1000; i++)
		module_add_fault(&m, f->arena, FAULT_ELF, "fault %d", i);
	for (const struct fault *fault = m.faults; fault; fault = fault->next, n++)
		last = fault;
	assert_int_equal(n, LIMIT_FAULTS_PER_MODULE + 1);
	assert_string_equal(m.faults->detail, "fault 0");
	assert_int_equal(last->kind, FAULT_LIMIT);
	assert_string_equal(last->detail, "968 more faults, not listed"); /* 1000 - 32 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_identification),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_odd_symtab_size),
		cmocka_unit_test(test_exports),
		cmocka_unit_test(test_every_truncation),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_no_module),
		cmocka_unit_test(test_odd_section_table),
		cmocka_unit_test(test_vanished_directory),
		cmocka_unit_test(test_shrunk_file),
		cmocka_unit_test(test_many_faults),
	};

	return cmocka_run_group_tests_name("read_faults", tests, fixture_setup, fixture_teardown);
}
