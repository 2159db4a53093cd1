/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports, CRCs and exports of modules that mkko made. What is expected follows from the recipe
 * above it; CRCs that it does not give are left out by `crcs no` where they do not matter.
 */
#include "read_fixture.h"

struct symbols_case {
	const char *lines, *expected;
};

static void check_cases(struct fixture *f, const char *file, const struct symbols_case *cases,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		make(f, file, cases[i].lines);
		assert_string_equal(told(f, say_symbols), cases[i].expected);
	}
}

#define CHECK(f, file, cases) check_cases(f, file, cases, sizeof(cases) / sizeof((cases)[0]))

/* simplify_symbols(): every undefined entry from index 1, of any binding; a name counts once. */
static void test_imports(void **state)
{
	static const struct symbols_case cases[] = {
		{ "", "|" },
		{ "crcs no\nimport b\nimport a\n", "b a |" },
		{ "crcs no\nimport a weak\nimport b local\n", "b a(weak) |" },
		{ "crcs no\nimport a\nsymbol a section=undef bind=weak\n", "a |" },
		{ "crcs no\nimport a weak\nsymbol a section=undef bind=weak\n", "a(weak) |" },
		{ "crcs no\nsymbol a section=abs\nsymbol b shndx=0xff20\n", "|" },
		{ "crcs no\nimport _GLOBAL_OFFSET_TABLE_\n", "_GLOBAL_OFFSET_TABLE_ |" },
		{ "machine ppc64le\ncrcs no\nimport .TOC.\nimport .foo\n", "foo |" },
		{ "crcs no\nimport .TOC.\n", ".TOC. |" },
		{ "machine sparc64\ncrcs no\nimport g2 type=13\nimport a\n", "a |" },
		{ "crcs no\nimport g2 type=13\n", "g2 |" },
	};

	CHECK(*state, "x.ko", cases);
}

static void test_versions(void **state)
{
	static const struct symbols_case cases[] = {
		{ "import a crc=1\nimport b crc=0xfedcba98\n", "a=00000001 b=fedcba98 |" },
		{ "import a crc=1 weak\nimport b crc=none\n", "a=00000001(weak) b |" },
		{ "versions none\nimport a crc=1\n", "a |" },
		{ "versions ext\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		{ "versions both\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		{ "machine s390x\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		{ "machine i386\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		{ "machine ppc\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		/* an entry that no symbol asks for must not shift the others */
		{ "version zz crc=9\nimport a crc=1\nimport b crc=2\n", "a=00000001 b=00000002 |" },
		/* only a section that is loaded counts */
		{ "import a crc=1\nset section __versions sh_flags=0\n", "a |" },
		{ "import a crc=1\nimport b crc=2\nset section __versions sh_type=8\n", "a b |" },
	};

	CHECK(*state, "x.ko", cases);
}

static void test_layout_crc(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "layout-crc 0x12345678\nimport a crc=1\n");
	struct module m = read_file(f);
	assert_true(m.has_versions && m.has_layout_crc);
	assert_int_equal(m.layout_crc, 0x12345678);
	assert_string_equal(names_text(f->names, m.layout_symbol), "module_layout");

	make(f, "x.ko", "layout-crc none\nversion struct_module crc=7\nimport a crc=1\n");
	m = read_file(f);
	assert_true(m.has_versions && m.has_layout_crc);
	assert_int_equal(m.layout_crc, 7);
	assert_string_equal(names_text(f->names, m.layout_symbol), "struct_module");

	make(f, "x.ko", "crcs no\nimport a\n");
	m = read_file(f);
	assert_false(m.has_versions || m.has_layout_crc);
}

/* Each layout since 2.6 on each kind of machine: width, byte order, REL and RELA. */
static void test_export_layouts(void **state)
{
	static const char *const machines[] = { "x86_64", "i386",     "arm64", "arm",    "ppc64",
						"s390x",  "mips64el", "mips",  "riscv64" };
	static const char *const layouts[] = {
		"prel32",
		"long",
		"prel32 crc-abs",
		"long crc-abs",
		"long crc-rel",
		"long crc-long",
		"prel32 unsorted",
		"long unsorted crc-abs",
		"section-relocs",
		"prel32 crc-u32",
		"long crc-rel unsorted",
	};
	struct fixture *f = *state;
	char lines[512];

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		for (size_t j = 0; j < sizeof(layouts) / sizeof(layouts[0]); j++) {
			snprintf(lines, sizeof(lines),
				 "machine %s\nlayout %s\nexport a crc=1\nexport bb gpl crc=2\n"
				 "export c ns=NS crc=0x80000003\nexport d gpl ns=NT crc=4\n",
				 machines[i], layouts[j]);
			make(f, "x.ko", lines);
			const char *text = told(f, say_symbols);
			print_message("%s, %s\n", machines[i], layouts[j]);
			assert_string_equal(text, "| a=00000001 c=80000003(,NS) bb=00000002(gpl,) "
						  "d=00000004(gpl,NT)");
		}
}

static void test_exports(void **state)
{
	static const struct symbols_case cases[] = {
		/* before 5.4 an entry has two fields; one to six of them, so that 3 divides some */
		{ "layout long no-namespaces\nexport a crc=1\n", "| a=00000001" },
		{ "layout long no-namespaces\ncrcs no\nexport a\nexport b\nexport c\n", "| a b c" },
		{ "layout prel32 no-namespaces\ncrcs no\nexport a\nexport b\nexport c\n",
		  "| a b c" },
		{ "layout prel32 no-namespaces\ncrcs no\nexport a\nexport b\nexport c\nexport d\n"
		  "export e\nexport f\n",
		  "| a b c d e f" },
		/* 7.2: one table, a flag each */
		{ "layout prel32 flags\ncrcs no\nexport a\nexport b gpl\nexport c\n",
		  "| a b(gpl,) c" },
		{ "layout prel32 flags\nexport a crc=3\nexport b gpl ns=module:kvm crc=4\n",
		  "| a=00000003 b=00000004(gpl,module:kvm)" },
		{ "crcs no\nexport a gpl\n", "| a(gpl,)" },
		/* genksyms failed: the table is there, the value is 0 */
		{ "export a crc=0\n", "| a=00000000" },
		/* a table that is not loaded is none */
		{ "crcs no\nexport a\nset section __ksymtab sh_flags=0\n", "|" },
		{ "export a crc=1\nset section __kcrctab sh_flags=0\n", "| a" },
	};

	CHECK(*state, "x.ko", cases);
}

/* Objects for the insmod of modutils 2.4. */
static void test_objects(void **state)
{
	static const struct symbols_case cases[] = {
		{ "machine i386\nobject 2.4\nimport printk_R1b7d4074\nimport b unreferenced\n",
		  "printk_R1b7d4074 b(unreferenced) |" },
		{ "machine i386\nobject 2.4\nexport a\nexport b gpl\n", "| a b(gpl,)" },
		{ "machine i386\nobject 2.4\nexport a_Rsmp_aa96bd99\n", "| a_Rsmp_aa96bd99" },
	};

	CHECK(*state, "x.o", cases);
}

/* Without a __ksymtab every global symbol is exported, except those that insmod hides. */
static void test_object_without_table(void **state)
{
	struct fixture *f = *state;

	make(f, "x.o",
	     "machine i386\nobject 2.4\nno __ksymtab\nsymbol shared section=.text bind=global\n"
	     "symbol mine section=.text bind=local\n");
	const char *text = told(f, say_symbols);
	assert_non_null(strstr(text, "| "));
	assert_non_null(strstr(text, " shared"));
	assert_null(strstr(text, "mine"));
	assert_null(strstr(text, "init_module"));
	assert_null(strstr(text, "cleanup_module"));
	/* EXPORT_NO_SYMBOLS: an empty table that is not loaded */
	make(f, "x.o", "machine i386\nobject 2.4\nsymbol shared section=.text bind=global\n");
	assert_string_equal(told(f, say_symbols), "|");
}

static void test_is_object(void **state)
{
	struct fixture *f = *state;

	make(f, "x.o", "machine i386\nobject 2.4\nimport a\n");
	assert_true(read_file(f).is_object_24);
	/* a .ko without struct module is no object of 2.4, if it does not say so itself */
	make(f, "x.ko", "struct-size 0\nimport a\n");
	assert_false(read_file(f).is_object_24);
	make(f, "x.ko", "struct-size 0\nno-tag vermagic\ntag kernel_version=2.5.40\nimport a\n");
	assert_true(read_file(f).is_object_24);
	make(f, "x.o", "import a\n");
	assert_false(read_file(f).is_object_24);
}

static void test_compressed(void **state)
{
	static const char *const codecs[] = { "gzip", "xz", "zstd" };
	struct fixture *f = *state;
	char lines[128];

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		snprintf(lines, sizeof(lines), "import a crc=1\nexport b crc=2\ncompress %s\n",
			 codecs[i]);
		make(f, "x.ko", lines); /* the name does not say so: the first bytes do */
		assert_string_equal(told(f, say_symbols), "a=00000001 | b=00000002");
	}
}

/* Large files are read in parts: padding makes one of any module. */
static void test_large_file(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "section .pad flags=A size=300000 data=zero:300000\nimport a crc=1\n"
	     "export b crc=2\nexport c gpl ns=NS crc=3\n");
	assert_string_equal(told(f, say_symbols), "a=00000001 | b=00000002 c=00000003(gpl,NS)");
	make(f, "x.ko",
	     "machine s390x\nlayout long crc-rel\nsection .pad flags=A size=300000 "
	     "data=zero:300000\nimport a crc=1\nexport b crc=2\n");
	assert_string_equal(told(f, say_symbols), "a=00000001 | b=00000002");
	make(f, "x.o",
	     "machine i386\nobject 2.4\nsection .pad flags=A size=300000 data=zero:300000\n"
	     "import a\nimport b unreferenced\nexport c\n");
	assert_string_equal(told(f, say_symbols), "a b(unreferenced) | c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_layout_crc),
		cmocka_unit_test(test_export_layouts),
		cmocka_unit_test(test_exports),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_object_without_table),
		cmocka_unit_test(test_is_object),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_large_file),
	};

	return cmocka_run_group_tests_name("read_symbols", tests, fixture_setup, fixture_teardown);
}
