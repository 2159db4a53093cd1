/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A finding: one rule, one module, at most one symbol. What rules leave behind.
 */
#ifndef MODCHECK_FINDING_H
#define MODCHECK_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"

enum severity { SEV_INFO, SEV_WARNING, SEV_ERROR };

/* How sure it is; only of modules judged as if they were built anew (model/readiness.h). */
enum certainty {
	CERTAINTY_NONE,
	CERTAINTY_CERTAIN,  /* the evidence shows it, and nothing suggests otherwise */
	CERTAINTY_LIKELY,   /* by what headers make of such code, or by what other modules show */
	CERTAINTY_POSSIBLE, /* cannot be seen in the module */
};

#define MODULE_NONE UINT32_MAX
#define CAUSE_NONE UINT32_MAX

struct finding {
	uint16_t rule;    /* enum rule_id, index into the rule table (rules/table.h) */
	uint8_t severity; /* enum severity: the rule's own, or what the configuration makes of it */
	uint8_t stage;    /* of the loader, as in the rule table, or what this finding differs in */
	int error;        /* errno of the loader */
	uint8_t certainty; /* enum certainty */
	bool is_terminal;  /* where the kernel itself would stop */
	uint32_t module;   /* index into result.modules, MODULE_NONE if it is about the tree */
	uint32_t order;    /* where in the module the kernel meets it: symbol index and so on */
	uint32_t cause;    /* index into result.causes */
	nameid symbol;     /* NAME_NONE if none */
	nameid ns;         /* NAME_NONE if none */
	uint32_t ksym;     /* index into kernel.syms + 1 of the symbol found there, 0 if none */
	uint32_t behind;   /* index into result.modules of the refused provider (MC204), or of the
			      module that it was built against another build of (MC301); else
			      MODULE_NONE */
	const char *provider;          /* module name or path, "vmlinux"; NULL if none */
	const char *path;              /* module's path, or the path in the tree that it is about */
	const char *expected, *actual; /* NULL if none */
	const char *message; /* NULL, or the kernel's, where the rule knows what it says */
	const char *detail;  /* NULL, or a phrase: bytes from files in it are not yet escaped */
};

#endif
