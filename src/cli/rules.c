/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "cli/verbs.h"
#include "rules/table.h"

int rules_verb(void)
{
	for (int i = 0; i < N_RULES; i++) {
		const struct rule *r = &rule_table[i];
		printf("%s  %-24s %-8s %-8s %s\n", r->code, r->name, severity_name(r->severity),
		       r->group, r->summary);
	}
	return 0;
}
