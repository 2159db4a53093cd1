/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of rules: a rule begins a line, and what it finds goes on below itself where 79 columns
 * do not hold it. A terminal and a pipe get the same.
 */
#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"
#include "rules/table.h"

#define WIDTH 79

static int longest_name(void)
{
	size_t longest = 0;

	for (int i = 0; i < N_RULES; i++) {
		size_t length = strlen(rule_table[i].name);
		if (length > longest)
			longest = length;
	}
	return (int)longest;
}

/* Print words from column `indent` on, where the line stands already. */
static void print_hanging(const char *text, int indent)
{
	int column = indent;

	while (*text) {
		int length = (int)strcspn(text, " ");
		if (column > indent && column + 1 + length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			column += printf(" ");
		}
		column += printf("%.*s", length, text);
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

int rules_verb(void)
{
	int width = longest_name();

	for (int i = 0; i < N_RULES; i++) {
		const struct rule *r = &rule_table[i];
		int indent = printf("%s %-*s %-7s %-7s ", r->code, width, r->name,
				    severity_name(r->severity), r->group);
		print_hanging(r->summary, indent);
	}
	return 0;
}
