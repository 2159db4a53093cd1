/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a rule means, at length: for `modcheck explain` and doc/rules.md.
 */
#ifndef MODCHECK_RULES_EXPLAIN_H
#define MODCHECK_RULES_EXPLAIN_H

#include "rules/table.h"

struct explanation {
	const char *meaning; /* what was found, why the kernel minds; paragraphs end with '\n' */
	const char *message; /* what the kernel says, as in dmesg; NULL if it says nothing */
	const char *fix;     /* what to do */
};

/* Never NULL, and never with an empty meaning or fix. */
const struct explanation *rule_explanation(enum rule_id rule);

#endif
