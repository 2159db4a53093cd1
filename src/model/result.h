/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a run found out: the input of every renderer. Const from here on.
 */
#ifndef MODCHECK_RESULT_H
#define MODCHECK_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "model/cause.h"
#include "model/finding.h"
#include "model/kernel.h"
#include "model/module.h"
#include "model/readiness.h"
#include "model/tree.h"

enum verdict { VERDICT_LOADS, VERDICT_REFUSED, VERDICT_UNKNOWN };

struct judged {
	uint8_t verdict;       /* enum verdict */
	int error;             /* errno the loader returns, 0 unless refused */
	const char *message;   /* what it says then, NULL if nothing */
	uint32_t taints;       /* bits of the kernel's taint flags that loading it sets */
	const char *subsystem; /* "fs", "drivers/net/ppp", "extra" */
	uint32_t n_errors, n_warnings, n_infos;
};

enum outcome { OUTCOME_OK, OUTCOME_FINDINGS, OUTCOME_INCOMPLETE };

struct subsystem {
	const char *name;
	uint32_t total, refused; /* modules */
};

/* Modules by the preemption model that they were built for. */
struct model_count {
	const char *name; /* "PREEMPT_RT", or "unknown" */
	uint32_t n;
};

/* What a report is of that was made from a log. */
struct log_view {
	const char *source; /* the file, or "standard input" */
	uint32_t n_lines;
	bool names_kernel;  /* result.release is in it */
	bool shows_all;     /* all modules that were looked at, so that they can be counted */
	uint32_t n_unknown; /* lines that look like a complaint and were not understood */
	const char *const *unknown; /* some of them */
	uint32_t n_examples;
};

struct result {
	const struct log_view *log; /* NULL unless it is all from a log */
	const struct names *names;
	const struct kernel *kernel;
	const char *release;   /* the kernel judged for */
	const char *tree_path; /* "lib/modules/6.1.0-50-amd64", NULL if only files were judged */
	const char *machine;   /* "x86_64", "i386"; "" if not known */
	const char *vermagic;  /* of the kernel, NULL if not known */
	const char *model;     /* preemption model, "" if not known */
	const char *model_at_boot;   /* "voluntary" of PREEMPT_DYNAMIC, NULL if it has none */
	const char **model_evidence; /* "config", "exports" */
	uint32_t n_model_evidence;
	const char *census;           /* "56 modules built for it, 27 cannot tell" */
	struct model_count *by_model; /* targets only */
	uint32_t n_by_model;
	const struct module *modules; /* sorted by path; judged[i] belongs to modules[i] */
	const struct judged *judged;
	uint32_t n_modules;       /* all that were read */
	uint32_t n_targets;       /* those with is_target: the ones that are counted and shown */
	struct finding *findings; /* sorted by subsystem, path, order, rule, symbol */
	uint32_t n_findings;
	struct cause *causes; /* most important first */
	uint32_t n_causes;
	struct subsystem *subsystems; /* sorted by name, targets only */
	uint32_t n_subsystems;
	uint32_t n_loads, n_refused, n_unknown;
	uint32_t n_errors, n_warnings, n_infos, n_waived;
	const struct readiness *readiness; /* NULL but of `modcheck ready` */
	enum outcome outcome;
	int exit_code;          /* of the program: 0, 1 or 2 */
	const char *incomplete; /* why the evidence is too thin (one sentence), NULL if not */
};

#endif
