/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text report: what a reader sees, and that it keeps to width and height whatever it gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_result.h"

static const struct render_options pipe_options = { .width = 79, .directory = "" };

static unsigned int count_lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static unsigned int count_words(const char *text, const char *word)
{
	unsigned int n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* No line wider than asked for, none that ends in a space, no control character but newline. */
static void assert_tidy(const char *text, size_t width)
{
	const char *end;

	for (; *text; text = end + 1) {
		end = strchr(text, '\n');
		assert_non_null(end);
		size_t columns = 0;

		for (const char *p = text; p < end; p++) {
			assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
			columns += ((unsigned char)*p & 0xc0) != 0x80;
		}
		assert_true(columns <= width);
		assert_true(end == text || end[-1] != ' ');
	}
}

/* The numbers are those of the report of 2001: see fake_modules_2001. */
static void test_one_cause(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	text = fake_render(&f, "text", &pipe_options);
	assert_tidy(text, 79);
	assert_ptr_equal(strstr(text, "modcheck 2.4.8-ac12   lib/modules/2.4.8-ac12   "
				      "i386, 83 modules\n"
				      "evidence:   System.map (exports, no CRCs), config\n"),
			 text);
	assert_non_null(strstr(text, "\nFAIL  56 of 83 modules are refused, 1 cause\n"));
	assert_non_null(strstr(text, "\nE MC202 defined-not-exported: preempt_schedule "
				     "(preemption)          56 modules\n"));
	assert_non_null(strstr(text, " net/ipv4/netfilter    9 of 13   ip_conntrack "));
	assert_non_null(strstr(text, " drivers/net           6 of 10   3c509 eepro100 ppp_async "));
	/* fs/nls and drivers/char/joystick lack nothing, and count with the row above them */
	assert_non_null(strstr(text, "\n    fs                   12 of 18   autofs autofs4 fat "));
	assert_non_null(
		strstr(text, "\n    drivers/char          4 of 8    lp ppdev serial tdfx\n"));
	assert_non_null(strstr(text, "\n  not affected: drivers/cdrom 1, drivers/i2c 2, misc 1\n"));
	assert_non_null(strstr(text, "\n1 cause, 56 errors, 0 warnings, 0 waived.   "
				     "modcheck explain MC202\n"));
	assert_null(strstr(text, "kernel/"));
	assert_null(strstr(text, "--format")); /* nothing was left out */
	free(text);
	fake_release(&f);
}

/* Each module appears once, in whatever way rows were folded. */
static void test_names_survive_folding(void **state)
{
	struct fake f;

	(void)state;
	fake_2001(&f);
	for (unsigned int height = 20; height < 60; height += 5) {
		struct render_options options = { .width = 79, .height = height };
		char *text = fake_render(&f, "text", &options);

		assert_tidy(text, 79);
		if (!strstr(text, "--format short")) {
			for (uint32_t i = 0; i < f.r.n_modules; i++) {
				char word[80];
				bool is_bad = f.judged[i].verdict == VERDICT_REFUSED;

				snprintf(word, sizeof(word), " %s", f.modules[i].name);
				if (is_bad)
					assert_non_null(strstr(text, word));
			}
		}
		free(text);
	}
	fake_release(&f);
}

static void fake_good(struct fake *f, unsigned int n)
{
	fake_init(f, "6.1.0-50-amd64");
	f->r.model = "PREEMPT_DYNAMIC";
	fake_source(f, SOURCE_SYMVERS, "Module.symvers");
	fake_source(f, SOURCE_CONFIG, "boot/config-6.1.0-50-amd64");
	for (unsigned int i = 0; i < n; i++)
		fake_module(f, arena_printf(f->arena, "kernel/fs/m%04u.ko", i));
	fake_finish(f);
}

static void test_good_tree_is_one_line(void **state)
{
	struct render_options wide = { .width = 120 }, quiet = { .width = 79, .is_quiet = true };
	struct fake f;
	char *text;

	(void)state;
	fake_good(&f, 4022);
	text = fake_render(&f, "text", &pipe_options);
	assert_string_equal(text, "OK  6.1.0-50-amd64: 4,022 modules load "
				  "(symvers, config; PREEMPT_DYNAMIC)\n");
	free(text);
	text = fake_render(&f, "text", &wide);
	assert_string_equal(text, "OK  6.1.0-50-amd64: 4,022 modules load (evidence: "
				  "Module.symvers, config; preemption: PREEMPT_DYNAMIC)\n");
	free(text);
	text = fake_render(&f, "text", &quiet);
	assert_string_equal(text, "");
	free(text);
	fake_release(&f);
}

/* -q is about good news only. */
static void test_quiet_still_tells_findings(void **state)
{
	struct render_options quiet = { .width = 79, .is_quiet = true };
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	text = fake_render(&f, "text", &quiet);
	assert_non_null(strstr(text, "FAIL"));
	free(text);
	fake_release(&f);
}

static void test_incomplete_is_a_sentence(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	f.r.outcome = OUTCOME_INCOMPLETE;
	f.r.incomplete = "nothing here tells what the kernel exports";
	text = fake_render(&f, "text", &pipe_options);
	assert_string_equal(text,
			    "UNKNOWN  2.4.8-ac12: nothing here tells what the kernel exports\n");
	assert_null(strstr(text, "preempt_schedule"));
	assert_null(strstr(text, "FAIL"));
	free(text);
	fake_release(&f);
}

static void test_nothing_at_all(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_init(&f, "");
	fake_finish(&f);
	text = fake_render(&f, "text", &pipe_options);
	assert_string_equal(text, "OK  : 0 modules load\n");
	free(text);
	f.r.outcome = OUTCOME_INCOMPLETE;
	text = fake_render(&f, "text", &pipe_options);
	assert_string_equal(text, "UNKNOWN  : there is too little evidence to judge by\n");
	assert_null(strstr(text, "OK"));
	free(text);
	fake_release(&f);
}

static void test_only_warnings(void **state)
{
	struct fake f;
	struct cause *c;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	fake_module(&f, "kernel/fs/a.ko");
	c = fake_cause(&f, RULE_DANGLING_LINK, NULL);
	c->title = "kernel/fs/b.ko";
	fake_finding(&f, c, MODULE_NONE)->path = "kernel/fs/b.ko";
	fake_finish(&f);
	text = fake_render(&f, "text", &pipe_options);
	assert_non_null(strstr(text, "\nWARN  1 module loads, 1 warning, 1 cause\n"));
	assert_non_null(strstr(text, "\nW MC607 dangling-link: kernel/fs/b.ko  "));
	assert_non_null(strstr(text, " 1 finding\n"));
	/* the path is in the title already */
	assert_int_equal(count_words(text, "b.ko"), 1);
	free(text);
	fake_release(&f);
}

static void test_one_bad_module(void **state)
{
	struct fake f;
	struct cause *c;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	c = fake_cause(&f, RULE_UNDEFINED_SYMBOL, "foo");
	fake_finding(&f, c, fake_module(&f, "./driver.ko"));
	c->hint = "install what provides it";
	fake_finish(&f);
	text = fake_render(&f, "text", &pipe_options);
	assert_non_null(strstr(text, "FAIL  the module is refused, 1 cause\n"));
	assert_non_null(strstr(text, "\n  Likely fix: install what provides it.\n"
				     "    ./driver.ko\n"));
	assert_null(strstr(text, "not affected"));
	free(text);
	fake_release(&f);
}

static void test_modules_behind_a_provider(void **state)
{
	struct fake f;
	struct cause *c;
	char *text;

	(void)state;
	fake_2001(&f);
	c = &f.r.causes[0];
	c->n_direct = 44;
	text = fake_render(&f, "text", &pipe_options);
	assert_tidy(text, 79);
	assert_non_null(strstr(text, " 44 modules (+12 behind them)\n"));
	free(text);
	fake_release(&f);
}

/*
 * The measure that the report is built for: modules of an RT kernel beside another kernel, 35
 * symbols, 2,180 of 4,031 modules in 206 directories.
 */
static void fake_many(struct fake *f, unsigned int n_causes)
{
	static const char *const tops[] = { "drivers/net/ethernet", "drivers/media/usb", "net",
					    "drivers/gpu/drm", "sound/soc" };

	fake_init(f, "6.1.0-50-amd64");
	f->r.tree_path = "lib/modules/6.1.0-50-amd64";
	f->r.machine = "x86_64";
	f->r.model = "PREEMPT_DYNAMIC";
	f->r.census = "1,851 modules built for it, 2,180 for another";
	for (unsigned int i = 0; i < 4031; i++)
		fake_module(f, arena_printf(f->arena, "kernel/%s/dir%02u/module%04u.ko",
					    tops[i % 206 % 5], i % 206 / 5, i));
	for (unsigned int k = 0; k < n_causes; k++) {
		struct cause *c = fake_cause(f, RULE_UNDEFINED_SYMBOL,
					     arena_printf(f->arena, "rt_symbol_%u", k));

		c->evidence = fake_list(f, &c->n_evidence,
					"No export of the kernel or of an installed module has "
					"this name, and the evidence does not define it either.",
					NULL);
		c->hint = "build both from one configuration";
		for (uint32_t m = 0; m < 2180; m += k + 1)
			fake_finding(f, c, m);
	}
	fake_finish(f);
}

static void test_many_causes_fit_two_screens(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	fake_many(&f, 35);
	text = fake_render(&f, "text", &pipe_options);
	assert_tidy(text, 79);
	assert_true(count_lines(text) <= 60);
	/* nothing is dropped on a pipe */
	assert_int_equal(count_words(text, "\nE MC201 undefined-symbol: rt_symbol_"), 35);
	assert_non_null(strstr(text, "-v, or --format short"));
	free(text);
	fake_release(&f);
}

static void test_terminal_cuts_and_says_so(void **state)
{
	struct render_options options = { .width = 100, .height = 24 };
	struct fake f;
	char *text;

	(void)state;
	fake_many(&f, 100);
	text = fake_render(&f, "text", &options);
	assert_tidy(text, 100);
	assert_true(count_lines(text) <= 2 * 24 + 3);
	assert_non_null(strstr(text, " more causes; -v shows all\n"));
	free(text);
	options.max_items = 4;
	text = fake_render(&f, "text", &options);
	assert_non_null(strstr(text, "... and 96 more causes; -v shows all\n"));
	free(text);
	fake_release(&f);
}

/* -v: nothing folded, nothing left out, on a terminal too. */
static void test_verbose_names_every_module(void **state)
{
	struct render_options options = { .width = 79, .height = 24, .is_verbose = true };
	struct fake f;
	char *text;

	(void)state;
	fake_many(&f, 2);
	text = fake_render(&f, "text", &options);
	assert_tidy(text, 79);
	/*
	 * 2,180 modules lack the first symbol, every second one the other; "an installed
	 * module" is in the evidence of both causes.
	 */
	assert_int_equal(count_words(text, " module"),
			 2180 + 1090 + count_words(text, " modules") + 2 * 1);
	assert_null(strstr(text, "/*"));
	free(text);
	fake_release(&f);
}

/* "n of m" of all rows add up to the modules that the cause hits. */
static void test_folded_counts_add_up(void **state)
{
	struct fake f;
	char *text;
	unsigned int n = 0, n_rows = 0;

	(void)state;
	fake_many(&f, 1);
	text = fake_render(&f, "text", &pipe_options);
	for (const char *p = text; (p = strstr(p, " of ")); p++) {
		const char *digits = p;

		while (digits > text && strchr("0123456789,", digits[-1]))
			digits--;
		if (digits == p || strstr(p, "modules are refused"))
			continue;
		for (unsigned int value = 0;; digits++) {
			if (digits == p) {
				n += value;
				break;
			}
			value = *digits == ',' ? value : value * 10 + (unsigned int)(*digits - '0');
		}
		n_rows++;
	}
	assert_true(n_rows > 4);
	assert_int_equal(n, 2180);
	free(text);
	fake_release(&f);
}

static void test_all_lists_clean_modules(void **state)
{
	struct render_options options = { .width = 79, .list_all = true };
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	text = fake_render(&f, "text", &options);
	assert_tidy(text, 79);
	assert_non_null(strstr(text, "\n27 modules without a finding:\n"));
	assert_non_null(strstr(text, "2 of 2    i2c-core i2c-dev\n"));
	free(text);
	fake_release(&f);
}

/* Names are data: they cannot move the cursor, break a line, or make one too wide. */
static void test_odd_names(void **state)
{
	struct render_options options[] = {
		{ .width = 79 },
		{ .width = 40 },
		{ .width = 79, .is_verbose = true },
		{ .width = 79, .list_all = true },
		{ .width = 0, .height = 1 },
		{ .width = 120, .height = 50, .max_items = 1 },
	};
	static char long_name[4097];
	struct fake f;

	(void)state;
	memset(long_name, 'x', sizeof(long_name) - 1);
	fake_init(&f, "6.1\033[2J");
	f.r.tree_path = "lib/modules/6.1\n";
	f.r.model = "\x07";
	f.r.census = "\xff\xfe";
	fake_source(&f, SOURCE_SYMVERS, "a\rb")->note = "\033]0;title\007";
	for (int i = 0; i < 3; i++) {
		fake_module(&f, arena_printf(f.arena, "kernel/\033[31m/%s/a%d.ko", long_name, i));
		fake_module(&f, arena_printf(f.arena, "kernel/\xe2\x80\xae/\xc3\xa4%d.ko", i));
	}
	for (int i = 0; i < 3; i++) {
		struct cause *c = fake_cause(&f, RULE_CRC_MISMATCH, i ? long_name : "a\nb\t");

		c->evidence = fake_list(&f, &c->n_evidence, long_name, "\033[0m");
		c->hint = "\n";
		for (uint32_t m = 0; m < 6; m += (uint32_t)i + 1)
			fake_finding(&f, c, m);
	}
	fake_finish(&f);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char *text = fake_render(&f, "text", &options[i]);

		assert_tidy(text, options[i].width > 40 ? options[i].width : 40);
		assert_non_null(strstr(text, "6.1\\x1b[2J"));
		free(text);
	}
	fake_release(&f);
}

static void test_color_only_when_asked(void **state)
{
	struct render_options options = { .width = 79, .use_color = true };
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	text = fake_render(&f, "text", &options);
	assert_non_null(strstr(text, "\033[1;31mFAIL\033[0m"));
	assert_non_null(strstr(text, "\033[1;31mE\033[0m MC202"));
	assert_non_null(strstr(text, "\033[1mpreempt_schedule\033[0m (preemption)"));
	free(text);
	fake_release(&f);
}

/* A tree made to have a subsystem a module must not make folding slow or the table long. */
static void test_very_many_subsystems(void **state)
{
	struct fake f;
	struct cause *c;
	char *text;

	(void)state;
	fake_init(&f, "6.1.0");
	c = fake_cause(&f, RULE_UNDEFINED_SYMBOL, "foo");
	for (unsigned int i = 0; i < 15000; i++)
		fake_finding(&f, c,
			     fake_module(&f, arena_printf(f.arena, "kernel/a/b%05u/c/m.ko", i)));
	fake_module(&f, "kernel/z/good.ko");
	fake_finish(&f);
	text = fake_render(&f, "text", &pipe_options);
	assert_tidy(text, 79);
	assert_true(count_lines(text) < 60);
	assert_non_null(strstr(text, "15,000 of 15,000"));
	free(text);
	fake_release(&f);
}

/* Hundreds of rows "n of n" would say nothing. */
static void test_whole_tree_needs_no_table(void **state)
{
	struct fake f;
	struct cause *c;
	char *text;

	(void)state;
	fake_many(&f, 1);
	c = &f.r.causes[0];
	for (uint32_t m = 2180; m < f.r.n_modules; m++)
		fake_finding(&f, c, m);
	text = fake_render(&f, "text", &pipe_options);
	assert_non_null(strstr(text, "\n    every module of every subsystem\n"));
	assert_null(strstr(text, "not affected"));
	assert_true(count_lines(text) < 20);
	free(text);
	fake_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_cause),
		cmocka_unit_test(test_names_survive_folding),
		cmocka_unit_test(test_good_tree_is_one_line),
		cmocka_unit_test(test_quiet_still_tells_findings),
		cmocka_unit_test(test_incomplete_is_a_sentence),
		cmocka_unit_test(test_nothing_at_all),
		cmocka_unit_test(test_only_warnings),
		cmocka_unit_test(test_one_bad_module),
		cmocka_unit_test(test_modules_behind_a_provider),
		cmocka_unit_test(test_many_causes_fit_two_screens),
		cmocka_unit_test(test_terminal_cuts_and_says_so),
		cmocka_unit_test(test_verbose_names_every_module),
		cmocka_unit_test(test_folded_counts_add_up),
		cmocka_unit_test(test_all_lists_clean_modules),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_color_only_when_asked),
		cmocka_unit_test(test_very_many_subsystems),
		cmocka_unit_test(test_whole_tree_needs_no_table),
	};

	return cmocka_run_group_tests_name("render_text", tests, NULL, NULL);
}
