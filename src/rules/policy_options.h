/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user wants to hear of: --select, --ignore and --fail-on.
 */
#ifndef MODCHECK_POLICY_OPTIONS_H
#define MODCHECK_POLICY_OPTIONS_H

#include <stdbool.h>

#include "base/err.h"
#include "rules/table.h"

struct policy_options {
	bool is_ignored[N_RULES];
	bool only_preempt; /* --select preempt: of the rules not selected, symbols of that family */
	bool never_preempt; /* --ignore preempt: none of that family */
	bool never_fails;   /* --fail-on never */
	enum severity fail_on;
};

/* Everything is told, and errors fail. */
void policy_options_init(struct policy_options *p);

/*
 * Take a comma separated list of ids, names and groups of rules. The first --select leaves out all
 * else. Returns false and sets *err for a word that is none of these.
 */
bool policy_options_select(struct policy_options *p, const char *list, bool is_first,
			   struct err *err);
bool policy_options_ignore(struct policy_options *p, const char *list, struct err *err);

/* "error", "warning", "info" or "never". */
bool policy_options_fail_on(struct policy_options *p, const char *word, struct err *err);

#endif
