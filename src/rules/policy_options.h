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
	bool has_selection; /* only what is selected is told */
	bool is_selected[N_RULES];
	bool is_ignored[N_RULES]; /* counts more than is_selected */
	bool selects_preempt;     /* also what is on a symbol of the preemption family */
	bool ignores_preempt;     /* nothing on a symbol of that family */
	bool never_fails;         /* --fail-on never */
	enum severity fail_on;
};

/* Everything is told, and errors fail. */
void policy_options_init(struct policy_options *p);

/*
 * Take a comma separated list of ids, names and groups of rules. Returns false and sets *err for a
 * word that is none of these, and for an empty list.
 */
bool policy_options_select(struct policy_options *p, const char *list, struct err *err);
bool policy_options_ignore(struct policy_options *p, const char *list, struct err *err);

/* "error", "warning", "info" or "never". */
bool policy_options_fail_on(struct policy_options *p, const char *word, struct err *err);

/* Is this rule told of? With_preempt: of a finding on a symbol of the preemption family. */
bool policy_options_wants(const struct policy_options *p, enum rule_id rule, bool with_preempt);

#endif
