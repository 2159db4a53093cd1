/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of rules, made from rules.def. `modcheck rules`, `explain` and the manual read it.
 */
#ifndef MODCHECK_TABLE_H
#define MODCHECK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "model/finding.h"

enum rule_id {
#define RULE(code, identifier, name, group, severity, stage, error, summary) RULE_##identifier,
#include "rules/rules.def"
#undef RULE
	N_RULES
};

/* The loader's stage that resolves symbols: it alone goes on after an error. */
#define STAGE_SYMBOLS 8

/* Others that a finding may be moved to: the checks of headers, then of the sections that are
 * needed, module_layout, sections of the machine, the exports before symbols, and at the end
 * whoever asked to be told of new modules. */
#define STAGE_ELF 2
#define STAGE_TABLES 3
#define STAGE_LAYOUT 4
#define STAGE_ARCH 6
#define STAGE_EXPORTS 7
#define STAGE_RELOCATIONS 9
#define STAGE_NOTIFIERS 11

struct rule {
	const char *code;  /* "MC202" */
	const char *name;  /* "defined-not-exported" */
	const char *group; /* "symbol" */
	enum severity severity;
	uint8_t stage;       /* order in which the loader gets to it, 0 if it never does */
	int error;           /* errno of the loader */
	const char *summary; /* one line */
};

extern const struct rule rule_table[N_RULES];

/* The rule of this code or name ("mc202", "defined-not-exported"), N_RULES if there is none. */
enum rule_id rule_find(const char *word);

/* "error", "warning", "info". */
const char *severity_name(enum severity s);

#endif
