/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/log: what is understood of a log. Messages are those of the kernel (kernel/module/main.c and
 * its neighbours; most were seen on 5.10, 6.1 and 6.12 that took damaged modules), of kmod 30, and
 * of modutils 2.4.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "log/log.h"
#include "log/pattern.h"
#include "rules/table.h"

struct fixture {
	struct names *names;
	struct log log;
};

static void fixture_read(struct fixture *f, const char *text)
{
	f->names = names_new();
	log_read(&f->log, text, strlen(text), f->names);
}

static void fixture_release(struct fixture *f)
{
	log_release(&f->log);
	names_free(f->names);
}

static const char *module_of(const struct fixture *f, size_t i)
{
	return names_text(f->log.modules, f->log.facts[i].module);
}

static const char *symbol_of(const struct fixture *f, size_t i)
{
	return names_text(f->names, f->log.facts[i].symbol);
}

/* --- every message of the loader ----------------------------------------------------------------
 */

#define ANY "(missing .modinfo section or name field)"

static const struct message {
	const char *text;
	enum rule_id rule;
	const char *module, *symbol; /* "": none */
} messages[] = {
	{ "x: Unknown symbol foo (err -2)", RULE_UNDEFINED_SYMBOL, "x", "foo" },
	{ "x: Unknown symbol foo (err 0)", RULE_UNDEFINED_SYMBOL, "x", "foo" },
	{ "x: Unknown symbol foo", RULE_UNDEFINED_SYMBOL, "x", "foo" },
	{ "x: Unknown symbol  (err -2)", RULE_UNDEFINED_SYMBOL, "x", "" },
	{ ANY ": Unknown symbol foo (err -2)", RULE_UNDEFINED_SYMBOL, "", "foo" },
	{ "x: Unknown symbol foo (err -22)", RULE_CRC_MISMATCH, "x", "foo" },
	{ "x: Unknown symbol foo (err -16)", RULE_LOAD_FAILED, "x", "foo" },
	{ "x: disagrees about version of symbol foo", RULE_CRC_MISMATCH, "x", "foo" },
	{ "x: disagrees about version of symbol module_layout", RULE_MODULE_LAYOUT_MISMATCH, "x",
	  "module_layout" },
	{ "x: disagrees about version of symbol struct_module", RULE_MODULE_LAYOUT_MISMATCH, "x",
	  "struct_module" },
	{ "x: no symbol version for kfree", RULE_CRC_MISSING_IN_MODULE, "x", "kfree" },
	{ "x: no symbol version for module_layout", RULE_MODULE_LAYOUT_MISMATCH, "x",
	  "module_layout" },
	{ "x: no version for \"foo\" found: kernel tainted.", RULE_CRC_MISSING_IN_MODULE, "x",
	  "foo" },
	{ "x: module_layout: kernel tainted.", RULE_CRC_MISSING_IN_MODULE, "x", "module_layout" },
	{ "x: no versions for exported symbols: kernel tainted.", RULE_CRC_MISSING_IN_MODULE, "x",
	  "" },
	{ "x: module uses symbol (dma_buf_put) from namespace DMA_BUF, but does not import it.",
	  RULE_NAMESPACE_NOT_IMPORTED, "x", "dma_buf_put" },
	{ "x: module tries to import module namespace: module:kvm", RULE_RESTRICTED_TO_MODULES, "x",
	  "" },
	{ "x: module using GPL-only symbols uses symbols foo from proprietary module y.",
	  RULE_PROPRIETARY_PROVIDER, "x", "foo" },
	{ "x: module using GPL-only symbols uses symbols from proprietary module y.",
	  RULE_PROPRIETARY_PROVIDER, "x", "" },
	{ "x: module uses symbols foo from proprietary module y, inheriting taint.",
	  RULE_LICENSE_TAINTS, "x", "foo" },
	{ "x: exports duplicate symbol kfree (owned by kernel)", RULE_DUPLICATE_EXPORT, "x",
	  "kfree" },
	{ "x: version magic '6.1.0 SMP preempt ' should be '6.1.0 SMP '", RULE_VERMAGIC_MISMATCH,
	  "x", "" },
	{ "x: bad vermagic: kernel tainted.", RULE_VERMAGIC_MISSING, "x", "" },
	{ "x: no version magic, tainting kernel.", RULE_VERMAGIC_MISSING, "x", "" },
	{ "module x: .gnu.linkonce.this_module section size must match the kernel's built struct "
	  "module size at run time",
	  RULE_STRUCT_MODULE_SIZE, "x", "" },
	{ "x: module license 'Proprietary, or so' taints kernel.", RULE_LICENSE_TAINTS, "x", "" },
	{ "x: module license taints kernel.", RULE_LICENSE_TAINTS, "x", "" },
	{ "x: loading out-of-tree module taints kernel.", RULE_TAINTS, "x", "" },
	{ "x: module is from the staging directory, the quality is unknown, you have been warned.",
	  RULE_TAINTS, "x", "" },
	{ "x: loading test module taints kernel.", RULE_TAINTS, "x", "" },
	{ "x: tainting kernel with TAINT_LIVEPATCH", RULE_TAINTS, "x", "" },
	{ "x: loading module not compiled with retpoline compiler.", RULE_RETPOLINE_MISSING, "x",
	  "" },
	{ "x: module is marked as livepatch module, but livepatch support is disabled",
	  RULE_LIVEPATCH_DISABLED, "x", "" },
	{ "x: module verification failed: signature and/or required key missing - tainting kernel",
	  RULE_SIGNATURE_MISSING, "x", "" },
	{ "module: not signed with expected PKCS#7 message", RULE_SIGNATURE_MISSING, "", "" },
	{ "Loading of unsigned module is rejected", RULE_SIGNATURE_MISSING, "", "" },
	{ "Loading of module with unavailable key is rejected", RULE_SIGNATURE_MISSING, "", "" },
	{ "Lockdown: insmod: unsigned module loading is restricted; see man kernel_lockdown.7",
	  RULE_SIGNATURE_MISSING, "", "" },
	{ "module: PKCS#7 signature info has unexpected non-zero params", RULE_SIGNATURE_BROKEN, "",
	  "" },
	{ "Invalid ELF header len 28", RULE_UNREADABLE_MODULE, "", "" },
	{ "Invalid ELF header magic: != \\x7fELF", RULE_UNREADABLE_MODULE, "", "" },
	{ "Invalid architecture in ELF header: 183", RULE_WRONG_MACHINE, "", "" },
	{ "x: module has no symbols (stripped?)", RULE_STRIPPED_SYMBOLS, "x", "" },
	{ "x: section .text (index 3) has invalid WRITE|EXEC flags", RULE_WRITE_EXEC_SECTION, "x",
	  "" },
	{ "x: module is already loaded", RULE_BUILTIN_NAME_CLASH, "x", "" },
	{ "Module has invalid ELF structures", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF header type: 2 != 1", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid module architecture in ELF header: 21", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section header size", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section header overflow", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section name index: 999 || e_shstrndx (999) >= e_shnum (26)",
	  RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section hdr(type 3)", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section name table type: 1", RULE_MALFORMED_ELF, "", "" },
	{ "empty section name table", RULE_MALFORMED_ELF, "", "" },
	{ "ELF Spec violation: section name table isn't null terminated", RULE_MALFORMED_ELF, "",
	  "" },
	{ "ELF Spec violation: section 0 type(1)!=SH_NULL or non-zero len or addr",
	  RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF sh_link!=SHN_UNDEF(99) or (sh_link(99) >= hdr->e_shnum(26)",
	  RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section in module (section 10 type 1)", RULE_MALFORMED_ELF, "", "" },
	{ "Invalid ELF section name in module (section 10 type 1)", RULE_MALFORMED_ELF, "", "" },
	{ "Only one .modinfo section must exist.", RULE_MALFORMED_ELF, "", "" },
	{ "module x: Exactly one .gnu.linkonce.this_module section must exist.", RULE_MALFORMED_ELF,
	  "x", "" },
	{ "module x: .gnu.linkonce.this_module section must have a size set", RULE_MALFORMED_ELF,
	  "x", "" },
	{ "module x: .gnu.linkonce.this_module must occupy memory during process execution",
	  RULE_MALFORMED_ELF, "x", "" },
	{ "x: No module found in object", RULE_MALFORMED_ELF, "x", "" },
	{ "Invalid ELF symbol string table type: 1", RULE_MALFORMED_ELF, "", "" },
	{ "extended version crc+name presence does not match", RULE_MALFORMED_ELF, "", "" },
	{ "more extended version crcs than names", RULE_MALFORMED_ELF, "", "" },
	{ "empty symbol string table", RULE_MALFORMED_ELF, "", "" },
	{ "symbol string table missing leading NUL", RULE_MALFORMED_ELF, "", "" },
	{ "symbol string table isn't NUL terminated", RULE_MALFORMED_ELF, "", "" },
	{ "symbol name out of bounds in string table", RULE_MALFORMED_ELF, "", "" },
	{ "x: Symbol wild has an invalid section index 60000 (max 25)", RULE_MALFORMED_ELF, "x",
	  "wild" },
	{ "x: has both .ctors and .init_array.", RULE_MALFORMED_ELF, "x", "" },
	{ "failed to validate module [x] BTF: -22", RULE_MALFORMED_ELF, "x", "" },
	{ "x: module PLT section(s) missing", RULE_MALFORMED_ELF, "x", "" },
	{ "x: module GOT.PLT section(s) missing", RULE_MALFORMED_ELF, "x", "" },
	{ "module_64: x: doesn't contain .stubs.", RULE_MALFORMED_ELF, "x", "" },
	{ "Module doesn't contain .plt or .init.plt sections.", RULE_MALFORMED_ELF, "", "" },
	{ "x: please compile with -fno-common", RULE_BAD_RELOCATION, "x", "" },
	{ "module: x: Unknown rela relocation: 42", RULE_BAD_RELOCATION, "x", "" },
	{ "x: Unknown relocation: 99", RULE_BAD_RELOCATION, "x", "" },
	{ "x86/modules: Invalid relocation target, existing value is nonzero for type 11, loc "
	  "(____ptrval____), val ffffffffc0402020",
	  RULE_BAD_RELOCATION, "", "" },
	{ "Module x is blacklisted", RULE_LOAD_FAILED, "x", "" },
};

static const char *const prefixes[] = {
	"",
	"[   12.345678] ",
	"[   12.345678][    T1] ",
	"[Mon Nov 30 12:00:00 2026] ",
	"<4>[   12.345678] ",
	"kern  :warn  : [   12.345678] ",
	"2026-11-30T12:00:00,123456+00:00 ",
	"Aug 20 12:00:00 host kernel: ",
	"Aug  2 12:00:00 host kernel: [   12.345678] ",
	"2026-11-30T12:00:00.123456+00:00 host kernel: ",
	"Mon 2026-11-30 12:00:00 UTC host kernel: ",
	"[   12.345678] host kernel: ",
	"> [   12.345678] ",
	"\033[32m[   12.345678] \033[0m",
};

static void check_message(const struct message *m, const char *text)
{
	struct fixture f;

	fixture_read(&f, text);
	if (f.log.n_facts != 1 || f.log.facts[0].rule != m->rule)
		print_error("%s\n", text);
	assert_int_equal(f.log.n_facts, 1);
	assert_string_equal(rule_table[f.log.facts[0].rule].code, rule_table[m->rule].code);
	assert_string_equal(module_of(&f, 0), m->module);
	assert_string_equal(symbol_of(&f, 0), m->symbol);
	assert_int_equal(f.log.facts[0].writer, WRITER_KERNEL);
	assert_int_equal(f.log.n_unknown, 0);
	fixture_release(&f);
}

static void test_loader(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		for (size_t p = 0; p < sizeof(prefixes) / sizeof(prefixes[0]); p++) {
			snprintf(text, sizeof(text), "%s%s\n", prefixes[p], messages[i].text);
			check_message(&messages[i], text);
		}
	}
}

/* A line that is broken at any of its blanks, as mail programs do. */
static void test_wrapped_anywhere(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		const struct message *m = &messages[i];
		/* beginnings that are messages themselves, or say nothing yet */
		if (strstr(m->text, "Unknown symbol") || strstr(m->text, "module_layout: kernel") ||
		    !strchr(m->text, ':'))
			continue;
		size_t start = strcspn(m->text, ":") + 6;
		for (size_t at = start; at < strlen(m->text); at++) {
			if (m->text[at] != ' ')
				continue;
			snprintf(text, sizeof(text), "[   12.345678] %s\n", m->text);
			text[strlen("[   12.345678] ") + at] = '\n';
			struct fixture f;
			fixture_read(&f, text);
			if (f.log.n_facts < 1 || f.log.facts[0].rule != m->rule)
				print_error("%s\n", text);
			assert_true(f.log.n_facts >= 1);
			assert_int_equal(f.log.facts[0].rule, m->rule);
			fixture_release(&f);
		}
	}
}

/* --- depmod -------------------------------------------------------------------------------------
 */

#define FAT "/lib/modules/2.4.8-ac12/kernel/fs/fat/fat.o"
#define VFAT "/lib/modules/2.4.8-ac12/kernel/fs/vfat/vfat.o"

static void check_2_4(const char *text, bool lists)
{
	struct fixture f;

	fixture_read(&f, text);
	if (f.log.n_facts != 2)
		print_error("%s\n", text);
	assert_int_equal(f.log.n_facts, 2);
	assert_string_equal(module_of(&f, 0), FAT);
	assert_string_equal(symbol_of(&f, 0), "preempt_schedule");
	assert_string_equal(module_of(&f, 1), VFAT);
	assert_string_equal(symbol_of(&f, 1), "printk_R1b7d4074");
	assert_int_equal(f.log.lists_modules, lists);
	assert_int_equal(f.log.n_unknown, 0);
	fixture_release(&f);
}

static void test_modutils(void **state)
{
	(void)state;
	check_2_4("depmod: *** Unresolved symbols in " FAT "\ndepmod: \tpreempt_schedule\n"
		  "depmod: *** Unresolved symbols in " VFAT "\ndepmod: \tprintk_R1b7d4074\n",
		  false);
	check_2_4("depmod: *** Unresolved symbols in\n" FAT "\ndepmod: \tpreempt_schedule\n" FAT
		  "\ndepmod: *** Unresolved symbols in\n" VFAT "\ndepmod: \tprintk_R1b7d4074\n" VFAT
		  "\n",
		  true);
	/* glued, with a space and without */
	check_2_4("depmod: *** Unresolved symbols in\n" FAT "depmod: \tpreempt_schedule " FAT
		  "\ndepmod: *** Unresolved symbols in " VFAT " depmod: \tprintk_R1b7d4074\n",
		  true);
	/* quoted twice, and wrapped behind "depmod:" */
	check_2_4("> > depmod: *** Unresolved\n> > symbols in\n> > " FAT
		  "\n> > depmod:\n> > preempt_schedule\n> > depmod: *** Unresolved symbols in\n> "
		  "> " VFAT "\n> > depmod:     printk_R1b7d4074\n",
		  false);
	/* in the middle of a path */
	check_2_4(
		"depmod: *** Unresolved symbols in /lib/modules/2.4.8-ac1\n2/kernel/fs/fat/fat.o\n"
		"depmod: \tpreempt_schedule\r\ndepmod: *** Unresolved symbols in " VFAT
		"\r\ndepmod: \tprintk_R1b7d4074\r\n",
		false);
}

static void test_modutils_header_alone(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "depmod: *** Unresolved symbols in " FAT
			 "\ndepmod: *** Unresolved symbols in " VFAT);
	assert_int_equal(f.log.n_facts, 2);
	assert_string_equal(symbol_of(&f, 0), "");
	assert_string_equal(module_of(&f, 1), VFAT);
	fixture_release(&f);
}

#define KO "/lib/modules/6.1.0/kernel/fs/fat/fat.ko.xz"

static void test_kmod(void **state)
{
	static const char *const texts[] = {
		"depmod: WARNING: " KO " needs unknown symbol foo\n",
		"WARNING: " KO " needs unknown symbol foo\n",
		"depmod: WARNING: /a b" KO " needs unknown symbol foo\n",
		"depmod: WARNING:\n" KO "\nneeds unknown\nsymbol\nfoo\n",
		"depmod: WARNING: /lib/modules/6.1.0/kernel/fs/fat/f\nat.ko.xz needs unknown "
		"symbol "
		"foo",
		"Nov 30 12:00:00 host depmod[99]: WARNING: " KO " needs unknown symbol foo\n",
		"cp a bdepmod: WARNING: " KO " needs unknown symbol foo\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fixture f;
		fixture_read(&f, texts[i]);
		if (f.log.n_facts != 1)
			print_error("%s\n", texts[i]);
		assert_int_equal(f.log.n_facts, 1);
		assert_int_equal(f.log.facts[0].rule, RULE_UNDEFINED_SYMBOL);
		assert_string_equal(symbol_of(&f, 0), "foo");
		assert_non_null(strstr(module_of(&f, 0), KO));
		fixture_release(&f);
	}
}

static void test_cycle(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "depmod: ERROR: Cycle detected: a -> b -> c -> a\n"
			 "depmod: ERROR: Found 3 modules in dependency cycles!\n");
	assert_int_equal(f.log.n_facts, 3);
	assert_string_equal(module_of(&f, 1), "b");
	assert_int_equal(f.log.facts[0].count, 2); /* a, at both ends */
	fixture_release(&f);
}

static void test_dep_lines(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "kernel/fs/fat/vfat.ko: kernel/fs/fat/fat.ko\nkernel/fs/fat/fat.ko:\n"
			 "alias fs-vfat vfat\n");
	assert_int_equal(names_count(f.log.modules) - 1, 2);
	assert_true(f.log.lists_modules);
	fixture_release(&f);
}

/* --- more than one line -------------------------------------------------------------------------
 */

static void test_repeated(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "[ 1.0] x: Unknown symbol foo (err -2)\n[ 1.0] y: Unknown symbol foo (err "
			 "-2)\n[ 9.5] x: Unknown symbol foo (err -2)\n");
	assert_int_equal(f.log.n_facts, 2);
	assert_int_equal(f.log.facts[0].count, 2);
	assert_int_equal(f.log.facts[0].line, 1);
	fixture_release(&f);
}

/* modprobe tells of which module the kernel spoke, if the errno is the same. */
static void test_adopted(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "[ 1.0] Invalid ELF header magic: != \\x7fELF\n"
			 "insmod: ERROR: could not insert module ./x.ko: Invalid module format\n"
			 "[ 2.0] Loading of unsigned module is rejected\n"
			 "modprobe: ERROR: could not insert 'y': Key was rejected by service\n"
			 "[ 3.0] Invalid ELF header len 5\n"
			 "modprobe: ERROR: could not insert 'z': Invalid argument\n");
	assert_int_equal(f.log.n_facts, 4);
	assert_string_equal(module_of(&f, 0), "./x.ko");
	assert_int_equal(f.log.facts[0].rule, RULE_UNREADABLE_MODULE);
	assert_string_equal(module_of(&f, 1), "y");
	assert_int_equal(f.log.facts[1].severity, SEV_ERROR);
	assert_string_equal(module_of(&f, 2), "");
	assert_string_equal(module_of(&f, 3), "z");
	assert_int_equal(f.log.facts[3].rule, RULE_LOAD_FAILED);
	assert_int_equal(f.log.facts[3].error, EINVAL);
	fixture_release(&f);
}

static void test_errno_in_next_line(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "[ 1.0] x: Unknown symbol foo\n(err -22)\n[ 1.0] x: Unknown symbol bar\n");
	assert_int_equal(f.log.n_facts, 2);
	assert_int_equal(f.log.facts[0].error, EINVAL);
	assert_int_equal(f.log.facts[1].error, ENOENT);
	fixture_release(&f);
}

/* A message that is not whole, and one that nobody knows, are counted; others are not. */
static void test_not_understood(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "[ 1.0] x: module uses symbol (foo) from\n[ 1.1] loop: module loaded\n"
			 "depmod: WARNING: something new\n[ 1.2] usb 1-1: new device\n");
	assert_int_equal(f.log.n_facts, 0);
	assert_int_equal(f.log.n_unknown, 2);
	assert_int_equal(f.log.n_examples, 2);
	assert_string_equal(names_text(f.log.unknown, 2), "depmod: WARNING: something new");
	fixture_release(&f);
}

static void test_empty(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f, "");
	assert_int_equal(f.log.n_lines, 0);
	assert_int_equal(f.log.n_known, 0);
	fixture_release(&f);
	fixture_read(&f, "[ 1.0] x\n[ 2.0] y"); /* a last line without its end */
	assert_int_equal(f.log.n_lines, 2);
	fixture_release(&f);
	fixture_read(&f, "\n\n  \n>\n");
	assert_int_equal(f.log.n_lines, 4);
	assert_int_equal(f.log.n_known, 0);
	fixture_release(&f);
}

static void test_long_line(void **state)
{
	static char text[300000];
	struct fixture f;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text + sizeof(text) - 64, "depmod: WARNING: /a.ko needs unknown symbol foo\n", 48);
	fixture_read(&f, text);
	assert_int_equal(f.log.n_cut, 1);
	assert_int_equal(f.log.n_facts, 1); /* what is glued behind it is not lost */
	fixture_release(&f);
}

static void test_kernel(void **state)
{
	struct fixture f;

	(void)state;
	fixture_read(&f,
		     "[    0.000000] Linux version 6.1.0-50-amd64 (debian-kernel@lists) (gcc-12) "
		     "#1 SMP PREEMPT_DYNAMIC Debian 6.1.1\n"
		     "[ 1.0] x: version magic '6.1.0 SMP ' should be '6.1.0 SMP preempt '\n");
	assert_true(
		strstr(names_text(f.log.texts, f.log.banner), "Linux version 6.1.0-50-amd64 ("));
	assert_string_equal(names_text(f.log.texts, f.log.vermagic), "6.1.0 SMP preempt ");
	fixture_release(&f);
}

/* --- patterns -----------------------------------------------------------------------------------
 */

static enum pattern_result match(const char *pattern, const char *text, struct pattern_match *m)
{
	return pattern_match(pattern, text, strlen(text), m);
}

static void test_pattern(void **state)
{
	struct pattern_match m;

	(void)state;
	assert_int_equal(match("%m: foo %s", "x: foo bar", &m), PATTERN_MATCH);
	assert_int_equal(pattern_field(&m, 's').length, 3);
	assert_null(pattern_field(&m, 'p').at);
	assert_null(m.rest);
	assert_int_equal(match("%m: foo %s", "x: foo", &m), PATTERN_OPEN);
	assert_int_equal(match("%m: foo %s", "x", &m), PATTERN_NO);
	assert_int_equal(match("%m: foo %s", "x: bar", &m), PATTERN_NO);
	assert_int_equal(match("%m: foo %s", "x: foo bar baz", &m), PATTERN_NO);
	assert_int_equal(match("%m: foo %s", "x: foo bar /a.o", &m), PATTERN_MATCH);
	assert_string_equal(m.rest, "/a.o");
	assert_int_equal(match("is %x.", "is 2.4.18.", &m), PATTERN_MATCH);
	assert_int_equal(pattern_field(&m, 'x').length, 6);
	assert_int_equal(match("%p: bad", "/a/b.txt: bad", &m), PATTERN_NO);
	assert_int_equal(match("%p: bad", "/a/b.o: bad", &m), PATTERN_MATCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loader),         cmocka_unit_test(test_wrapped_anywhere),
		cmocka_unit_test(test_modutils),       cmocka_unit_test(test_modutils_header_alone),
		cmocka_unit_test(test_kmod),           cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_dep_lines),      cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_adopted),        cmocka_unit_test(test_errno_in_next_line),
		cmocka_unit_test(test_not_understood), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_long_line),      cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
