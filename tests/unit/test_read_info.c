/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module says of itself: .modinfo, struct module, the signature's trailer, the machine.
 */
#include "read_fixture.h"

static void test_tags(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "tag vermagic=\"6.1.0 SMP preempt mod_unload \"\ntag license=\"Dual BSD/GPL\"\n"
	     "tag+ license=Proprietary\ntag depends=a,b\ntag name=other\ntag+ staging=Y\n"
	     "tag+ test=\n");
	struct module m = read_file(f);
	assert_string_equal(m.info.vermagic, "6.1.0 SMP preempt mod_unload "); /* blank kept */
	assert_string_equal(m.info.license, "Dual BSD/GPL");                   /* the first */
	assert_string_equal(m.info.depends, "a,b");
	assert_string_equal(m.info.name, "other");
	assert_true(m.info.has_intree && m.info.has_retpoline);
	assert_true(m.info.has_staging && m.info.has_test); /* an empty value counts */
	assert_false(m.info.has_livepatch || m.info.using_checksums);
	assert_null(m.info.kernel_version);
	assert_int_equal(m.info.n_import_ns, 0);
}

static void test_absent_tags(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "no-tag vermagic\nno-tag license\nno-tag intree\nno-tag retpoline\nno-tag name\n");
	struct module m = read_file(f);
	assert_null(m.info.vermagic);
	assert_null(m.info.license);
	assert_null(m.info.name);
	assert_false(m.info.has_intree || m.info.has_retpoline);
	make(f, "x.ko", "no .modinfo\n");
	m = read_file(f);
	assert_null(m.info.vermagic);
	assert_true(m.is_readable);
}

static void test_namespaces(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "tag+ import_ns=CXL\ntag+ import_ns=module:kvm\n");
	struct module m = read_file(f);
	assert_int_equal(m.info.n_import_ns, 2);
	assert_string_equal(names_text(f->names, m.info.import_ns[0]), "CXL");
	assert_string_equal(names_text(f->names, m.info.import_ns[1]), "module:kvm");
}

/* A tag's name has to be whole: "licenses=" and "xlicense=" are other tags. */
static void test_similar_tags(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "no-tag license\ntag+ licenses=a\ntag+ xlicense=b\ntag+ license=c\n");
	assert_string_equal(read_file(f).info.license, "c");
}

static void test_object(void **state)
{
	struct fixture *f = *state;

	make(f, "x.o",
	     "machine i386\nobject 2.4\ntag kernel_version=2.4.8-ac12\ntag using_checksums=1\n");
	struct module m = read_file(f);
	assert_true(m.is_object_24);
	assert_string_equal(m.info.kernel_version, "2.4.8-ac12");
	assert_true(m.info.using_checksums);
	assert_null(m.struct_name);
	assert_int_equal(m.this_module_size, 0);
	assert_null(m.faults);
}

static void test_struct_module(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "struct-name a_b\nstruct-size 1280\n");
	struct module m = read_file(f);
	assert_string_equal(m.struct_name, "a_b");
	assert_int_equal(m.this_module_size, 1280);
	make(f, "x.ko", "machine i386\nstruct-name a_b\nstruct-size 576\n");
	m = read_file(f);
	assert_string_equal(m.struct_name, "a_b");
	assert_int_equal(m.this_module_size, 576);
	make(f, "x.ko", "struct-size 16\n"); /* too small to hold a name */
	m = read_file(f);
	assert_null(m.struct_name);
	assert_int_equal(m.this_module_size, 16);
}

static void test_signature(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "import a\n");
	assert_false(read_file(f).has_signature);
	make(f, "x.ko", "import a\nsign\n");
	assert_true(read_file(f).has_signature);
	assert_string_equal(told(f, say_faults), "");
	make(f, "x.ko", "section .pad flags=A size=300000 data=zero:300000\nsign\n");
	assert_true(read_file(f).has_signature);
	make(f, "x.ko", "import a\nsign\ncompress zstd\n"); /* it is inside the compression */
	assert_true(read_file(f).has_signature);
	make(f, "x.ko", "import a\nsign\nappend x\n");
	assert_false(read_file(f).has_signature);
}

static void test_machine(void **state)
{
	static const struct {
		const char *line;
		uint16_t machine;
		uint8_t elf_class;
		bool is_big;
	} cases[] = {
		{ "machine x86_64\n", 62, 2, false },  { "machine i386\n", 3, 1, false },
		{ "machine s390x\n", 22, 2, true },    { "machine ppc\n", 20, 1, true },
		{ "machine ppc64le\n", 21, 2, false },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(f, "x.ko", cases[i].line);
		struct module m = read_file(f);
		assert_int_equal(m.machine, cases[i].machine);
		assert_int_equal(m.elf_class, cases[i].elf_class);
		assert_int_equal(m.is_big_endian, cases[i].is_big);
		assert_true(m.is_readable);
	}
}

/* A reader goes from file to file: nothing of one may be found in the next. */
static void test_reuse(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "import a crc=1\nexport b crc=2\ntag+ import_ns=N\n");
	told(f, say_symbols);
	make(f, "x.ko", "crcs no\nimport b\nimport a\n");
	assert_string_equal(told(f, say_symbols), "b a |");
	assert_int_equal(read_file(f).info.n_import_ns, 0);
	make(f, "x.ko", "import a crc=none\nimport b crc=3\n");
	assert_string_equal(told(f, say_symbols), "a b=00000003 |");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tags),       cmocka_unit_test(test_absent_tags),
		cmocka_unit_test(test_namespaces), cmocka_unit_test(test_similar_tags),
		cmocka_unit_test(test_object),     cmocka_unit_test(test_struct_module),
		cmocka_unit_test(test_signature),  cmocka_unit_test(test_machine),
		cmocka_unit_test(test_reuse),
	};

	return cmocka_run_group_tests_name("read_info", tests, fixture_setup, fixture_teardown);
}
