/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocations: types by machine and version, as the switches of apply_relocate_add() and
 * apply_relocate() have them (arch/.../kernel/module.c), and places that have to hold zeroes. mkko
 * gives each import a call in .text, at 0x14, 0x1c, ..., so `entry` is counted from those.
 */
#include "model/kernel.h"
#include "read_fixture.h"

static int setup_thorough(void **state)
{
	int status = fixture_setup(state);
	struct fixture *f = *state;

	if (status == 0)
		reader_set_thorough(f->reader, true);
	return status;
}

static void check(struct fixture *f, const char *lines, const char *expected)
{
	make(f, "x.ko", lines);
	const char *text = told(f, say_faults);
	bool fits = expected[0] ? strncmp(text, expected, strlen(expected)) == 0 : text[0] == '\0';
	if (!fits)
		fail_msg("recipe:\n%s\nwanted: %s\ngot:    %s", lines, expected, text);
}

struct type_case {
	const char *machine;
	const char *known;   /* in all versions */
	const char *unknown; /* in none */
	const char *later;   /* by a version after 5.10 */
	uint32_t since;
};

static const struct type_case type_cases[] = {
	{ "x86_64", "0 1 2 4 10 11 24", "3 5 9 12 23 25 37 42 99 255", "", 0 },
	{ "i386", "1 2 4", "0 3 5 9 10 20 42 99", "", 0 },
	{ "arm", "0 1 2 10 28 29 30 38 40 42 43 44 47 48", "4 27 31 41 99",
	  "3 45 46 49 50 57 59 63", KERNEL_VERSION_CODE(5, 11, 0) },
	{ "arm64", "0 257 258 260 261 275 277 278 282 283 286 293 299",
	  "1 255 281 294 309 311 312 1024", "", 0 },
	{ "ppc64le", "1 10 26 38 44 118 250 252", "2 11 37 67 107 200", "116 132 133",
	  KERNEL_VERSION_CODE(6, 2, 0) },
	{ "alpha", "0 1 2 3 4 8 10 11 17 19 28", "9 12 16 20 27 29 99", "", 0 },
	{ "riscv64", "1 2 16 17 18 19 20 23 24 25 26 27 28 35 36 39 40 44 45 51",
	  "6 10 29 43 58 99", "33 34 37 38 52 56 57 60 61", KERNEL_VERSION_CODE(6, 2, 0) },
	{ "s390x", "0 1 4 5 8 13 19 20 22 23 26 31 57 59", "9 10 11 12 37 56 60 61 99", "", 0 },
};

/* Each type of the list, in a module of its own: the fault's `since`, or none. */
static void check_types(struct fixture *f, const struct type_case *c, const char *list,
			bool is_known, uint32_t since)
{
	char lines[256], *end;

	for (const char *p = list; *p; p = end) {
		unsigned long type = strtoul(p, &end, 10);
		snprintf(lines, sizeof(lines),
			 "machine %s\nimport a\nreloc .text symbol=a type=%lu offset=0\n",
			 c->machine, type);
		make(f, "x.ko", lines);
		struct module m = read_file(f);
		assert_true(m.is_readable);
		if (is_known != !m.faults)
			fail_msg("%s, type %lu: %s", c->machine, type,
				 m.faults ? m.faults->detail : "no fault");
		if (is_known)
			continue;
		assert_int_equal(m.faults->kind, FAULT_RELOCATION);
		assert_int_equal(m.faults->type, type);
		assert_int_equal(m.faults->since, since);
		assert_null(m.faults->next);
	}
}

static void test_types(void **state)
{
	for (size_t i = 0; i < sizeof(type_cases) / sizeof(type_cases[0]); i++) {
		const struct type_case *c = &type_cases[i];
		check_types(*state, c, c->known, true, 0);
		check_types(*state, c, c->unknown, false, 0);
		check_types(*state, c, c->later, false, c->since);
	}
}

static void test_place_is_told(void **state)
{
	check(*state, "import a\nreloc .text symbol=a type=99 offset=4\n",
	      "RELOCATION: section 2 .rela.text, entry 1: relocation type 99 is not known");
	/* only the first: the loader sees no more */
	check(*state,
	      "import a\nreloc .text symbol=a type=98 offset=0\nreloc .text symbol=a type=99\n",
	      "RELOCATION: section 2 .rela.text, entry 1: relocation type 98 is not known to the "
	      "loader\n");
}

/* A kernel that is too old stops at the first of them; for a newer one there may be a worse. */
static void test_one_fault_a_version(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "machine riscv64\nimport a\n"
	     "reloc .text symbol=a type=33 offset=0\nreloc .text symbol=a type=34 offset=1\n"
	     "reloc .text symbol=a type=99 offset=2\n");
	struct module m = read_file(f);
	assert_int_equal(m.faults->type, 33);
	assert_int_equal(m.faults->next->type, 99);
	assert_null(m.faults->next->next);
}

static void test_sections_that_are_not_applied(void **state)
{
	check(*state, "import a\nsection .debug size=64\nreloc .debug symbol=a type=99 offset=4\n",
	      "");
	/* a target that there is not */
	check(*state,
	      "import a\nreloc .text symbol=a type=99 offset=4\nset section 2 sh_info=999\n", "");
	/* machines whose types nobody has listed here */
	check(*state, "machine sparc64\nimport a\nreloc .text symbol=a type=99 offset=4\n", "");
}

/* klp_apply_section_relocs(): those of vmlinux now, those of other objects later. */
static void test_live_patches(void **state)
{
	check(*state, "import a\nreloc .text symbol=a type=99 offset=4 klp=.klp.rela.ext4.text\n",
	      "");
	check(*state, "import a\nreloc .text symbol=a type=99 offset=4 klp=.rela.text\n",
	      "KLP_SECTION: section 2 .rela.text is marked for live patches and is no "
	      ".klp.rela.OBJECT.SECTION");
	check(*state,
	      "import a\nreloc .text symbol=a type=99 offset=4 klp=.klp.rela.vmlinux.text\n",
	      "KLP_MARK: section 2 .klp.rela.vmlinux.text, entry 0: 'a' is not marked as a symbol "
	      "of a live patch");
	check(*state,
	      "symbol .klp.sym.vmlinux.a shndx=0xff20\nreloc .text symbol=.klp.sym.vmlinux.a "
	      "type=1 offset=4 klp=.klp.rela.vmlinux.text\n",
	      "KLP_NAME: section 2 .klp.rela.vmlinux.text, entry 0: '.klp.sym.vmlinux.a' is no "
	      ".klp.sym.OBJECT.NAME,POSITION");
	check(*state,
	      "symbol .klp.sym.vmlinux.a,0 shndx=0xff20\nreloc .text symbol=.klp.sym.vmlinux.a,0 "
	      "type=1 offset=4 klp=.klp.rela.vmlinux.text\n",
	      "");
}

static void test_kind_of_section(void **state)
{
	check(*state, "machine i386\nimport a\nset section 2 sh_type=4 sh_entsize=12\n",
	      "RELOCATION: section 2 .rel.text: this machine takes no SHT_RELA");
	check(*state, "import a\nset section 2 sh_type=9 sh_entsize=16\n",
	      "RELOCATION: section 2 .rela.text: this machine takes no SHT_REL");
}

/* 64 and PC64 are written to 8 bytes, the others to 4, NONE to none. */
static void test_targets(void **state)
{
	static const struct {
		const char *lines, *expected;
	} cases[] = {
		{ "import a\nbytes .text+0x14 hex:01\n",
		  "TARGET: section 2 .rela.text, entry 0: its "
		  "place, offset 0x14 of section 1 .text, "
		  "does not hold zeroes" },
		{ "import a\nbytes .text+0x17 hex:80\n", "TARGET: " },
		{ "import a\nbytes .text+0x13 hex:01\n", "" },
		{ "import a\nbytes .text+0x18 hex:01\n", "" },
		{ "import a\nreloc .text symbol=a type=1 offset=0\nbytes .text+7 hex:01\n",
		  "TARGET: " },
		{ "import a\nreloc .text symbol=a type=24 offset=0\nbytes .text+7 hex:01\n",
		  "TARGET: " },
		{ "import a\nreloc .text symbol=a type=11 offset=0\nbytes .text+4 hex:01\n", "" },
		{ "import a\nreloc .text symbol=a type=0 offset=0\nbytes .text+0 hex:01\n", "" },
		/* where it ends in front of the place, the kernel writes all the same */
		{ "import a\nreloc .text symbol=a type=1 offset=0xfffffffffffffffc\n", "" },
		{ "import a\nreloc .text symbol=a type=1 offset=0x1c\n", "" },
		/* elsewhere they hold addends */
		{ "machine i386\nimport a\nbytes .text+0x14 hex:01\n", "" },
		{ "machine arm64\nimport a\nbytes .text+0x14 hex:01\n", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(*state, cases[i].lines, cases[i].expected);
}

/* ppc64: what is only known with CONFIG_PPC_KERNEL_PCREL, or without it, is a fault that says so.
 */
static void test_pcrel(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "machine ppc64le\nimport a\n"
	     "reloc .text symbol=a type=50 offset=0\nreloc .text symbol=a type=51 offset=1\n"
	     "reloc .text symbol=a type=133 offset=2\nreloc .text symbol=a type=116 offset=3\n");
	struct module m = read_file(f);
	assert_int_equal(m.faults->type, 50);
	assert_int_equal(m.faults->pcrel, PCREL_NEVER);
	assert_int_equal(m.faults->since, 0);
	assert_int_equal(m.faults->next->type, 133);
	assert_int_equal(m.faults->next->pcrel, PCREL_ONLY);
	assert_null(m.faults->next->next);
}

/* The field of each type, at both of its ends. */
static void test_values(void **state)
{
	static const struct {
		const char *machine, *value;
		unsigned int type;
		bool fits;
	} cases[] = {
		{ "x86_64", "0xffffffff", 10, true },
		{ "x86_64", "0x100000000", 10, false },
		{ "x86_64", "0x7fffffff", 11, true },
		{ "x86_64", "0x80000000", 11, false },
		{ "x86_64", "0xffffffff80000000", 11, true },
		{ "x86_64", "0xffffffff7fffffff", 11, false },
		{ "x86_64", "0xffffffff7fffffff", 1, true },
		{ "riscv64", "0xffffffff", 1, true },
		{ "riscv64", "0x100000000", 1, false },
		{ "arm64", "0xffffffff", 258, true },
		{ "arm64", "0xffffffff80000000", 258, true },
		{ "arm64", "0x100000000", 258, false },
		{ "arm64", "0xffff", 259, true },
		{ "arm64", "0xffffffffffff7fff", 259, false },
		{ "s390x", "0xff", 1, true },
		{ "s390x", "0x100", 1, false },
		{ "s390x", "0x1000", 2, false },
		{ "s390x", "0x7ffff", 57, true },
		{ "s390x", "0x80000", 57, false },
		{ "i386", "0x7fffffff", 1, true },
	};
	char lines[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(lines, sizeof(lines),
			 "machine %s\nimport a\nsymbol v section=abs value=%s\n"
			 "reloc .text symbol=v type=%u offset=0\n",
			 cases[i].machine, cases[i].value, cases[i].type);
		make(*state, "x.ko", lines);
		struct module m = read_file(*state);
		if (cases[i].fits != !m.faults)
			fail_msg("%s, type %u, %s: %s", cases[i].machine, cases[i].type,
				 cases[i].value, m.faults ? m.faults->detail : "no fault");
		if (!cases[i].fits)
			assert_int_equal(m.faults->kind, FAULT_RELOCATION_OVERFLOW);
	}
}

/* Places and symbols that there are not say nothing, and end nothing. */
static void test_damaged_entries(void **state)
{
	static const char *const cases[] = {
		"import a\nreloc .text symbol=a type=10 offset=0\nset reloc .text 1 r_sym=9999\n",
		"machine ppc64le\nimport a\nreloc .text symbol=a type=10 offset=0x18\n",
		"machine ppc64le\nimport a\n"
		"reloc .text symbol=a type=10 offset=0xfffffffffffffffc\n",
		"import a\nsection .static_call_sites flags=WA size=8 data=zero:8\n"
		"reloc .static_call_sites symbol=a type=2 offset=4\n"
		"set reloc .static_call_sites 0 r_sym=9999\n",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(*state, cases[i], "");
}

static void test_static_calls(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko",
	     "import a\nimport b\nimport c\n"
	     "section .static_call_sites flags=WA size=24 data=zero:24\n"
	     "reloc .static_call_sites symbol=a type=2 offset=0\n"
	     "reloc .static_call_sites symbol=b type=2 offset=4\n"
	     "reloc .static_call_sites symbol=c type=2 offset=8\n");
	struct module m = read_file(f);
	assert_true(m.has_static_calls);
	assert_int_equal(m.n_imports, 3);
	assert_int_equal(m.imports[0].flags & IMPORT_STATIC_CALL, 0); /* where the call is */
	assert_int_equal(m.imports[1].flags & IMPORT_STATIC_CALL, IMPORT_STATIC_CALL);
	assert_int_equal(m.imports[2].flags & IMPORT_STATIC_CALL, 0);
	/* not of this machine */
	make(f, "x.ko",
	     "machine arm64\nimport b\nsection .static_call_sites flags=WA size=8 data=zero:8\n"
	     "reloc .static_call_sites symbol=b type=261 offset=4\n");
	m = read_file(f);
	assert_false(m.has_static_calls);
}

static void test_only_thorough(void **state)
{
	struct fixture *f = *state;

	reader_set_thorough(f->reader, false);
	check(f, "import a\nreloc .text symbol=a type=99 offset=4\nbytes .text+0x14 hex:01\n", "");
	reader_set_thorough(f->reader, true);
	check(f, "import a\nbytes .text+0x14 hex:01\ncompress xz\n", "TARGET: ");
	/* of a file that is not read whole otherwise */
	check(f,
	      "import a\nsection .pad flags=A size=300000 data=zero:300000\nbytes .text+0x14 "
	      "hex:01\n",
	      "TARGET: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_place_is_told),
		cmocka_unit_test(test_one_fault_a_version),
		cmocka_unit_test(test_sections_that_are_not_applied),
		cmocka_unit_test(test_live_patches),
		cmocka_unit_test(test_kind_of_section),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_pcrel),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_damaged_entries),
		cmocka_unit_test(test_static_calls),
		cmocka_unit_test(test_only_thorough),
	};

	return cmocka_run_group_tests_name("read_relocs", tests, setup_thorough, fixture_teardown);
}
