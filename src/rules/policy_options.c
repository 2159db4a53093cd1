/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/policy_options.h"

#include <string.h>

void policy_options_init(struct policy_options *p)
{
	*p = (struct policy_options) { .fail_on = SEV_ERROR };
}

/* Set is_ignored of all rules that the word names. False if it names none. */
static bool apply_word(struct policy_options *p, const char *word, bool is_ignored)
{
	enum rule_id rule = rule_find(word);
	bool is_known = rule < N_RULES || !strcmp(word, "preempt");

	if (rule < N_RULES)
		p->is_ignored[rule] = is_ignored;
	if (!strcmp(word, "preempt"))
		*(is_ignored ? &p->never_preempt : &p->only_preempt) = true;
	for (int i = 0; i < N_RULES; i++) {
		if (strcmp(rule_table[i].group, word) != 0)
			continue;
		is_known = true;
		p->is_ignored[i] = is_ignored;
	}
	return is_known;
}

static bool apply_list(struct policy_options *p, const char *list, bool is_ignored, struct err *err)
{
	char word[64];

	while (*list) {
		size_t length = strcspn(list, ",");
		if (length < sizeof(word)) {
			memcpy(word, list, length);
			word[length] = '\0';
		}
		if (length && (length >= sizeof(word) || !apply_word(p, word, is_ignored)))
			return err_set(err,
				       "no rule and no group of rules is called '%.*s' "
				       "(modcheck rules lists them)",
				       (int)(length < 64 ? length : 64), list);
		list += length;
		list += *list == ',';
	}
	return true;
}

bool policy_options_select(struct policy_options *p, const char *list, bool is_first,
			   struct err *err)
{
	if (is_first)
		memset(p->is_ignored, true, sizeof(p->is_ignored));
	return apply_list(p, list, false, err);
}

bool policy_options_ignore(struct policy_options *p, const char *list, struct err *err)
{
	return apply_list(p, list, true, err);
}

bool policy_options_fail_on(struct policy_options *p, const char *word, struct err *err)
{
	p->never_fails = !strcmp(word, "never");
	for (int s = SEV_INFO; s <= SEV_ERROR; s++) {
		if (strcmp(word, severity_name((enum severity)s)) != 0)
			continue;
		p->fail_on = (enum severity)s;
		return true;
	}
	return p->never_fails ||
	       err_set(err, "--fail-on takes error, warning, info or never, not '%s'", word);
}
