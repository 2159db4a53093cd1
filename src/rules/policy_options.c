/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/policy_options.h"

#include <string.h>

void policy_options_init(struct policy_options *p)
{
	*p = (struct policy_options) { .fail_on = SEV_ERROR };
}

/* Mark all rules that the word names. False if it names none. */
static bool mark_word(bool *marks, bool *preempt, const char *word)
{
	enum rule_id rule = rule_find(word);
	bool is_known = rule < N_RULES;

	if (is_known)
		marks[rule] = true;
	if (!strcmp(word, "preempt"))
		*preempt = is_known = true;
	for (int i = 0; i < N_RULES; i++) {
		if (strcmp(rule_table[i].group, word) == 0)
			marks[i] = is_known = true;
	}
	return is_known;
}

static bool mark_list(bool *marks, bool *preempt, const char *list, struct err *err)
{
	char word[64];
	bool is_empty = true;

	while (*list) {
		size_t length = strcspn(list, ",");
		if (length < sizeof(word)) {
			memcpy(word, list, length);
			word[length] = '\0';
		}
		if (length && (length >= sizeof(word) || !mark_word(marks, preempt, word)))
			return err_set(err,
				       "no rule and no group of rules is called '%.*s' "
				       "(modcheck rules lists them)",
				       (int)(length < 64 ? length : 64), list);
		is_empty &= length == 0;
		list += length;
		list += *list == ',';
	}
	return !is_empty || err_set(err, "the list of rules is empty");
}

bool policy_options_select(struct policy_options *p, const char *list, struct err *err)
{
	p->has_selection = true;
	return mark_list(p->is_selected, &p->selects_preempt, list, err);
}

bool policy_options_ignore(struct policy_options *p, const char *list, struct err *err)
{
	return mark_list(p->is_ignored, &p->ignores_preempt, list, err);
}

bool policy_options_wants(const struct policy_options *p, enum rule_id rule, bool with_preempt)
{
	if (p->is_ignored[rule] || (with_preempt && p->ignores_preempt))
		return false;
	return !p->has_selection || p->is_selected[rule] || (with_preempt && p->selects_preempt);
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
