/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON report, read back with jansson: schema 1 of the manual.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "fake_result.h"

static json_t *report_of(const struct fake *f, bool list_all)
{
	struct render_options options = { .width = 79, .list_all = list_all };
	char *text = fake_render(f, "json", &options);
	json_error_t error;
	json_t *report = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!report)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return report;
}

static json_t *at(json_t *array, size_t i)
{
	json_t *element = json_array_get(array, i);

	assert_non_null(element);
	return element;
}

static const char *text_at(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "(none)";
}

static long long number_at(json_t *object, const char *key)
{
	json_t *number = json_object_get(object, key);

	assert_true(json_is_integer(number));
	return json_integer_value(number);
}

static void test_head(void **state)
{
	json_t *report, *kernel, *sources;
	struct fake f;

	(void)state;
	fake_2001(&f);
	report = report_of(&f, false);
	assert_int_equal(number_at(report, "schema_version"), 1);
	assert_string_equal(text_at(json_object_get(report, "tool"), "name"), "modcheck");
	assert_string_equal(text_at(report, "result"), "findings");
	assert_int_equal(number_at(report, "exit_code"), 1);
	assert_null(json_object_get(report, "incomplete"));
	kernel = json_object_get(report, "kernel");
	assert_string_equal(text_at(kernel, "release"), "2.4.8-ac12");
	assert_string_equal(text_at(kernel, "tree"), "lib/modules/2.4.8-ac12");
	assert_string_equal(text_at(kernel, "machine"), "i386");
	assert_string_equal(text_at(json_object_get(kernel, "preemption"), "model"), "PREEMPT");
	sources = json_object_get(report, "sources");
	assert_int_equal(json_array_size(sources), 2);
	assert_string_equal(text_at(at(sources, 0), "kind"), "system-map");
	assert_int_equal(number_at(at(sources, 0), "crcs"), 0);
	/* a System.map does not tell, and a configuration has no exports */
	assert_null(json_object_get(at(sources, 0), "licenses"));
	assert_null(json_object_get(at(sources, 1), "exports"));
	json_decref(report);
	fake_release(&f);
}

static void test_summary(void **state)
{
	json_t *report, *summary, *net;
	struct fake f;

	(void)state;
	fake_2001(&f);
	report = report_of(&f, false);
	summary = json_object_get(report, "summary");
	assert_int_equal(number_at(summary, "modules"), 83);
	assert_int_equal(number_at(summary, "loads"), 27);
	assert_int_equal(number_at(summary, "refused"), 56);
	assert_int_equal(number_at(summary, "errors"), 56);
	assert_int_equal(number_at(summary, "causes"), 1);
	assert_int_equal(number_at(json_object_get(summary, "by_rule"), "MC202"), 56);
	net = json_object_get(json_object_get(summary, "by_subsystem"), "drivers/net");
	assert_int_equal(number_at(net, "total"), 10);
	assert_int_equal(number_at(net, "refused"), 6);
	assert_true(json_is_object(json_object_get(summary, "by_model")));
	json_decref(report);
	fake_release(&f);
}

static void test_causes_modules_findings(void **state)
{
	json_t *report, *cause, *modules, *finding;
	struct fake f;

	(void)state;
	fake_2001(&f);
	report = report_of(&f, false);
	cause = at(json_object_get(report, "causes"), 0);
	assert_string_equal(text_at(cause, "id"), "MC202:preempt_schedule");
	assert_string_equal(text_at(cause, "rule"), "defined-not-exported");
	assert_string_equal(text_at(cause, "code"), "MC202");
	assert_string_equal(text_at(cause, "family"), "preemption");
	assert_int_equal(number_at(cause, "modules"), 56);
	assert_int_equal(json_array_size(json_object_get(cause, "evidence")), 2);
	assert_null(json_object_get(cause, "provider"));
	modules = json_object_get(report, "modules");
	assert_int_equal(json_array_size(modules), 56);
	assert_string_equal(text_at(at(modules, 0), "path"), "kernel/drivers/block/floppy.o");
	assert_string_equal(text_at(at(modules, 0), "verdict"), "refused");
	assert_int_equal(number_at(at(modules, 0), "errno"), ENOENT);
	finding = at(json_object_get(report, "findings"), 0);
	assert_string_equal(text_at(finding, "module"), "floppy");
	assert_string_equal(text_at(finding, "subsystem"), "drivers/block");
	assert_string_equal(text_at(finding, "symbol"), "preempt_schedule");
	assert_string_equal(text_at(finding, "cause"), "MC202:preempt_schedule");
	assert_true(json_is_true(json_object_get(finding, "terminal")));
	assert_null(json_object_get(finding, "expected"));
	assert_int_equal(strlen(text_at(finding, "fingerprint")), 16);
	json_decref(report);
	report = report_of(&f, true);
	modules = json_object_get(report, "modules");
	assert_int_equal(json_array_size(modules), 83);
	assert_string_equal(text_at(at(modules, 2), "verdict"), "loads");
	assert_null(json_object_get(at(modules, 2), "errno"));
	json_decref(report);
	fake_release(&f);
}

/* Modules that only provide are not reported, --all or not. */
static void test_only_targets(void **state)
{
	struct fake f;
	json_t *report;

	(void)state;
	fake_2001(&f);
	for (uint32_t i = 1; i < f.r.n_modules; i++)
		f.modules[i].is_target = false;
	report = report_of(&f, true);
	assert_int_equal(json_array_size(json_object_get(report, "modules")), 1);
	json_decref(report);
	fake_release(&f);
}

static const char *fingerprint_at(json_t *report, size_t i)
{
	return text_at(at(json_object_get(report, "findings"), i), "fingerprint");
}

/* A rebuild, compressed or not, keeps it; another module, symbol or rule has another. */
static void test_fingerprint(void **state)
{
	static const char *const paths[] = { "a.ko", "a.ko.gz", "a.ko.xz", "a.ko.zst", "b.ko" };
	struct cause *c;
	struct fake f;
	json_t *report;

	(void)state;
	fake_init(&f, "6.1.0");
	c = fake_cause(&f, RULE_CRC_MISMATCH, "foo");
	for (size_t i = 0; i < 5; i++)
		fake_finding(&f, c, fake_module(&f, paths[i]));
	fake_finding(&f, fake_cause(&f, RULE_CRC_MISMATCH, "fo"), 0);
	fake_finding(&f, fake_cause(&f, RULE_CRC_MISSING_IN_MODULE, "foo"), 0);
	fake_finish(&f);
	f.r.findings[1].expected = "0x0000002a";
	report = report_of(&f, false);
	for (size_t i = 1; i < 4; i++)
		assert_string_equal(fingerprint_at(report, 0), fingerprint_at(report, i));
	for (size_t i = 4; i < 7; i++)
		assert_string_not_equal(fingerprint_at(report, 0), fingerprint_at(report, i));
	/* XXH3_64bits() of libxxhash 0.8.1, called from Python, over "MC301\0a.ko\0foo" */
	assert_string_equal(fingerprint_at(report, 0), "a8e157b00b769d4c");
	json_decref(report);
	fake_release(&f);
}

/* Whatever is in a name, the report is well-formed, and shows it escaped as the others do. */
static void test_odd_names(void **state)
{
	struct cause *c;
	struct fake f;
	json_t *report, *finding;

	(void)state;
	fake_init(&f, "6.1\"\\");
	c = fake_cause(&f, RULE_UNREADABLE_MODULE, NULL);
	c->title = "\"},{\"";
	fake_finding(&f, c, fake_module(&f, "kernel/a\"b/\xff\033[31m\n.ko"))->detail = "\x01\"";
	fake_finding(&f, c, fake_module(&f, "kernel/\xc3\xa4/\xe2\x80\xae.ko"));
	fake_finding(&f, c, MODULE_NONE);
	fake_finish(&f);
	report = report_of(&f, true);
	assert_string_equal(text_at(json_object_get(report, "kernel"), "release"), "6.1\"\\\\");
	finding = at(json_object_get(report, "findings"), 0);
	assert_string_equal(text_at(finding, "path"), "kernel/a\"b/\\xff\\x1b[31m\\x0a.ko");
	finding = at(json_object_get(report, "findings"), 1);
	assert_string_equal(text_at(finding, "path"), "kernel/\xc3\xa4/\\xe2\\x80\\xae.ko");
	finding = at(json_object_get(report, "findings"), 2);
	assert_null(json_object_get(finding, "module"));
	assert_null(json_object_get(finding, "path"));
	json_decref(report);
	fake_release(&f);
}

static void test_nothing_at_all(void **state)
{
	struct fake f;
	json_t *report;

	(void)state;
	fake_init(&f, "");
	fake_finish(&f);
	report = report_of(&f, true);
	assert_string_equal(text_at(report, "result"), "ok");
	assert_int_equal(json_array_size(json_object_get(report, "findings")), 0);
	json_decref(report);
	f.r.outcome = OUTCOME_INCOMPLETE;
	f.r.exit_code = 2;
	f.r.incomplete = "no evidence";
	report = report_of(&f, true);
	assert_string_equal(text_at(report, "result"), "incomplete");
	assert_string_equal(text_at(report, "incomplete"), "no evidence");
	assert_int_equal(number_at(report, "exit_code"), 2);
	json_decref(report);
	fake_release(&f);
}

/* An array element a line: what diff needs. The longest line is one value, not one report. */
static void test_a_line_an_element(void **state)
{
	struct render_options options = { .width = 79 };
	unsigned int n = 0;
	struct fake f;
	char *text;

	(void)state;
	fake_2001(&f);
	text = fake_render(&f, "json", &options);
	for (const char *p = text; (p = strstr(p, "\n    {\"rule\": \"defined-not-exported\""));
	     p++)
		n++;
	assert_int_equal(n, 56);
	free(text);
	fake_release(&f);
}

/* A full disk is known when all is done, and does no harm before. */
static void test_write_error(void **state)
{
	struct render_options options = { .width = 79 };
	struct arena *scratch = arena_new();
	FILE *file = fopen("/dev/full", "w");
	struct sink sink;
	struct fake f;

	(void)state;
	if (!file)
		skip();
	fake_2001(&f);
	sink_init(&sink, file);
	render_find("json")(&sink, &f.r, &options, scratch);
	assert_int_equal(sink_finish(&sink), ENOSPC);
	fclose(file);
	arena_free(scratch);
	fake_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_causes_modules_findings),
		cmocka_unit_test(test_only_targets),
		cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_nothing_at_all),
		cmocka_unit_test(test_a_line_an_element),
		cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests_name("render_json", tests, NULL, NULL);
}
