/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/table.h"

#include <errno.h>
#include <strings.h>

const struct rule rule_table[N_RULES] = {
#define RULE(code, identifier, name, group, severity, stage, error, summary)                       \
	{ code, name, group, severity, stage, error, summary },
#include "rules/rules.def"
#undef RULE
};

enum rule_id rule_find(const char *word)
{
	for (int i = 0; i < N_RULES; i++) {
		if (!strcasecmp(word, rule_table[i].code) || !strcasecmp(word, rule_table[i].name))
			return (enum rule_id)i;
	}
	return N_RULES;
}

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "info", "warning", "error" };

	return names[s];
}
