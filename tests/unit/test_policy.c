/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/rules/policy_options.c: --select, --ignore and --fail-on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/policy_options.h"

static bool wants(const struct policy_options *p, enum rule_id rule)
{
	return policy_options_wants(p, rule, false);
}

static bool wants_preempt(const struct policy_options *p, enum rule_id rule)
{
	return policy_options_wants(p, rule, true);
}

static void all_by_default(void **state)
{
	struct policy_options p;

	(void)state;
	policy_options_init(&p);
	for (int i = 0; i < N_RULES; i++) {
		assert_true(wants(&p, (enum rule_id)i));
		assert_true(wants_preempt(&p, (enum rule_id)i));
	}
	assert_int_equal(p.fail_on, SEV_ERROR);
	assert_false(p.never_fails);
}

static void ids_names_and_groups(void **state)
{
	struct policy_options p;
	struct err err;

	(void)state;
	policy_options_init(&p);
	assert_true(policy_options_select(&p, "MC201,defined-not-exported,,tree,", &err));
	for (int i = 0; i < N_RULES; i++) {
		bool is_named = i == RULE_UNDEFINED_SYMBOL || i == RULE_DEFINED_NOT_EXPORTED ||
				strcmp(rule_table[i].group, "tree") == 0;
		assert_int_equal(wants(&p, (enum rule_id)i), is_named);
	}
}

/* In either order, and for a group of which one rule is selected, and the other way round. */
static void ignored_beats_selected(void **state)
{
	struct policy_options p;
	struct err err;

	(void)state;
	for (int order = 0; order < 2; order++) {
		policy_options_init(&p);
		assert_true(order || policy_options_select(&p, "symbol", &err));
		assert_true(policy_options_ignore(&p, "MC201", &err));
		assert_true(!order || policy_options_select(&p, "symbol", &err));
		assert_false(wants(&p, RULE_UNDEFINED_SYMBOL));
		assert_true(wants(&p, RULE_DEFINED_NOT_EXPORTED));
		assert_false(wants(&p, RULE_CRC_MISMATCH));
	}
	policy_options_init(&p);
	assert_true(policy_options_ignore(&p, "symbol", &err));
	assert_true(policy_options_select(&p, "MC201", &err));
	assert_false(wants(&p, RULE_UNDEFINED_SYMBOL));
}

static void preempt_is_a_group_of_symbols(void **state)
{
	struct policy_options p;
	struct err err;

	(void)state;
	policy_options_init(&p);
	assert_true(policy_options_select(&p, "preempt", &err));
	assert_false(wants(&p, RULE_UNDEFINED_SYMBOL));
	assert_true(wants_preempt(&p, RULE_UNDEFINED_SYMBOL));
	assert_true(policy_options_ignore(&p, "MC201", &err));
	assert_false(wants_preempt(&p, RULE_UNDEFINED_SYMBOL));
	assert_true(wants_preempt(&p, RULE_DEFINED_NOT_EXPORTED));

	policy_options_init(&p);
	assert_true(policy_options_ignore(&p, "preempt", &err));
	assert_true(wants(&p, RULE_UNDEFINED_SYMBOL));
	assert_false(wants_preempt(&p, RULE_UNDEFINED_SYMBOL));
	assert_true(policy_options_select(&p, "MC201,preempt", &err));
	assert_false(wants_preempt(&p, RULE_UNDEFINED_SYMBOL));
}

static void mistakes(void **state)
{
	static const char *const lists[] = { "",       ",",    ",,,", "MC999", "MC201,nonsense",
					     " MC201", "error" };
	struct policy_options p;
	struct err err;
	char long_word[200];

	(void)state;
	memset(long_word, 'x', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	policy_options_init(&p);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		err.text[0] = '\0';
		assert_false(policy_options_select(&p, lists[i], &err));
		assert_false(policy_options_ignore(&p, lists[i], &err));
		assert_true(err.text[0] != '\0');
	}
	assert_false(policy_options_select(&p, long_word, &err));
	assert_false(policy_options_select(&p, "MC201,nonsense", &err));
	assert_non_null(strstr(err.text, "'nonsense'"));
}

static void fail_on(void **state)
{
	struct policy_options p;
	struct err err;

	(void)state;
	policy_options_init(&p);
	assert_true(policy_options_fail_on(&p, "warning", &err));
	assert_int_equal(p.fail_on, SEV_WARNING);
	assert_true(policy_options_fail_on(&p, "info", &err));
	assert_int_equal(p.fail_on, SEV_INFO);
	assert_true(policy_options_fail_on(&p, "never", &err));
	assert_true(p.never_fails);
	assert_true(policy_options_fail_on(&p, "error", &err)); /* the last one counts */
	assert_int_equal(p.fail_on, SEV_ERROR);
	assert_false(p.never_fails);
	assert_false(policy_options_fail_on(&p, "", &err));
	assert_false(policy_options_fail_on(&p, "errors", &err));
	assert_non_null(strstr(err.text, "'errors'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_by_default),
		cmocka_unit_test(ids_names_and_groups),
		cmocka_unit_test(ignored_beats_selected),
		cmocka_unit_test(preempt_is_a_group_of_symbols),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(fail_on),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
