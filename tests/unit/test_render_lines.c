/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats of one line a finding: short, and depmod's own words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_result.h"

static const struct render_options options = { .width = 79, .directory = "/b/lib/modules/6.1.0" };

/* Two modules, and findings of several rules on them. */
static void fake_several(struct fake *f)
{
	uint32_t a, b;
	struct finding *g;

	fake_init(f, "6.1.0");
	f->r.tree_path = "lib/modules/6.1.0";
	a = fake_module(f, "kernel/fs/a.ko");
	b = fake_module(f, "kernel/fs/b.ko.xz");
	fake_finding(f, fake_cause(f, RULE_UNDEFINED_SYMBOL, "foo"), b);
	g = fake_finding(f, fake_cause(f, RULE_CRC_MISMATCH, "printk"), a);
	g->expected = "0x00000001";
	g->actual = "0x00000002";
	g->provider = "vmlinux";
	fake_finding(f, fake_cause(f, RULE_DEFINED_NOT_EXPORTED, "bar"), a);
	fake_finding(f, fake_cause(f, RULE_MODULE_LAYOUT_MISMATCH, NULL), b);
	fake_finding(f, fake_cause(f, RULE_GPL_ONLY_SYMBOL, "gpl"), b);
	g = fake_finding(f, fake_cause(f, RULE_UNREADABLE_MODULE, NULL), a);
	g->detail = "truncated at byte 7";
	g = fake_finding(f, fake_cause(f, RULE_DANGLING_LINK, NULL), MODULE_NONE);
	g->path = "kernel/fs/c.ko";
	fake_finish(f);
}

static void test_short(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_several(&f);
	text = fake_render(&f, "short", &options);
	assert_string_equal(text,
			    "kernel/fs/b.ko.xz: error: MC201 undefined-symbol: foo\n"
			    "kernel/fs/a.ko: error: MC301 crc-mismatch: printk "
			    "[by vmlinux; expected 0x00000001; got 0x00000002]\n"
			    "kernel/fs/a.ko: error: MC202 defined-not-exported: bar\n"
			    "kernel/fs/b.ko.xz: error: MC303 module-layout-mismatch\n"
			    "kernel/fs/b.ko.xz: error: MC401 gpl-only-symbol: gpl\n"
			    "kernel/fs/a.ko: error: MC101 unreadable-module [truncated at byte 7]\n"
			    "kernel/fs/c.ko: warning: MC607 dangling-link\n");
	free(text);
	fake_release(&f);
}

/* The sentences are those of kmod 30's tools/depmod.c and libkmod, as it prints them. */
static void test_depmod(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_several(&f);
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "depmod: ERROR: failed to load symbols from "
				  "/b/lib/modules/6.1.0/kernel/fs/a.ko: Invalid argument\n"
				  "depmod: WARNING: /b/lib/modules/6.1.0/kernel/fs/a.ko "
				  "needs unknown symbol bar\n"
				  "depmod: WARNING: /b/lib/modules/6.1.0/kernel/fs/a.ko "
				  "disagrees about version of symbol printk\n"
				  "depmod: WARNING: /b/lib/modules/6.1.0/kernel/fs/b.ko.xz "
				  "needs unknown symbol foo\n"
				  "depmod: WARNING: /b/lib/modules/6.1.0/kernel/fs/b.ko.xz "
				  "disagrees about version of symbol module_layout\n");
	free(text);
	fake_release(&f);
}

static void test_depmod_cycle(void **state)
{
	struct cause *c;
	struct fake f;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	c = fake_cause(&f, RULE_DEPENDENCY_CYCLE, NULL);
	for (int i = 0; i < 3; i++)
		fake_finding(&f, c, fake_module(&f, arena_printf(f.arena, "kernel/m%d.ko", i)))
			->detail = "m0 -> m1 -> m2 -> m0";
	fake_finish(&f);
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "depmod: ERROR: Cycle detected: m0 -> m1 -> m2 -> m0\n"
				  "depmod: ERROR: Found 3 modules in dependency cycles!\n");
	free(text);
	fake_release(&f);
}

/* A text file named like a module: kmod has another word for it than for an empty file. */
static void test_depmod_not_elf(void **state)
{
	struct fault fault = { .kind = FAULT_NOT_ELF };
	struct fake f;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	fake_finding(&f, fake_cause(&f, RULE_UNREADABLE_MODULE, NULL), fake_module(&f, "/x/a.ko"));
	fake_finish(&f);
	f.modules[0].faults = &fault;
	f.modules[0].file_size = 100;
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "depmod: ERROR: failed to load symbols from /x/a.ko: "
				  "Exec format error\n");
	free(text);
	f.modules[0].file_size = 0;
	text = fake_render(&f, "depmod", &options);
	assert_non_null(strstr(text, "/x/a.ko: Invalid argument\n"));
	free(text);
	fake_release(&f);
}

/* Too little evidence must never look like a clean tree, nor like thousands of faults. */
static void test_incomplete(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_several(&f);
	f.r.outcome = OUTCOME_INCOMPLETE;
	f.r.incomplete = "no exports";
	text = fake_render(&f, "short", &options);
	assert_string_equal(text, "lib/modules/6.1.0: error: MC901 evidence-missing: no exports\n");
	free(text);
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "depmod: ERROR: no exports\n");
	free(text);
	fake_release(&f);
}

static void test_clean_says_nothing(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	fake_module(&f, "kernel/fs/a.ko");
	fake_finish(&f);
	text = fake_render(&f, "short", &options);
	assert_string_equal(text, "");
	free(text);
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "");
	free(text);
	fake_release(&f);
}

/* A name cannot forge a second line. */
static void test_odd_names(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	fake_finding(&f, fake_cause(&f, RULE_UNDEFINED_SYMBOL, "a\nb: error"),
		     fake_module(&f, "kernel/\033[2J.ko"));
	fake_finish(&f);
	text = fake_render(&f, "short", &options);
	assert_string_equal(text, "kernel/\\x1b[2J.ko: error: MC201 undefined-symbol: "
				  "a\\x0ab: error\n");
	free(text);
	text = fake_render(&f, "depmod", &options);
	assert_string_equal(text, "depmod: WARNING: /b/lib/modules/6.1.0/kernel/\\x1b[2J.ko "
				  "needs unknown symbol a\\x0ab: error\n");
	free(text);
	fake_release(&f);
}

static void test_find(void **state)
{
	(void)state;
	assert_null(render_find("nonsense"));
	assert_null(render_find(""));
	assert_non_null(render_find("text"));
	struct arena *a = arena_new();
	assert_string_equal(render_names(a), "text, short, json, depmod");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short),        cmocka_unit_test(test_depmod),
		cmocka_unit_test(test_depmod_cycle), cmocka_unit_test(test_depmod_not_elf),
		cmocka_unit_test(test_incomplete),   cmocka_unit_test(test_clean_says_nothing),
		cmocka_unit_test(test_odd_names),    cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests_name("render_lines", tests, NULL, NULL);
}
