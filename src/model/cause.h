/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cause: the findings that one mistake explains, told once.
 */
#ifndef MODCHECK_CAUSE_H
#define MODCHECK_CAUSE_H

#include <stdint.h>

#include "base/names.h"
#include "model/finding.h"

struct cause {
	uint16_t rule;      /* of the findings that made it; the leading one if it joins several */
	uint8_t severity;   /* the worst of its findings */
	uint8_t certainty;  /* enum certainty: the least of its findings' */
	const char *id;     /* stable between runs on the same input: "MC202:preempt_schedule" */
	const char *family; /* NULL, or the symbol family: "preemption" */
	nameid symbol;      /* NAME_NONE unless it is about one symbol */
	nameid ns;
	const char *provider;  /* NULL unless it is about one provider */
	const char *title;     /* what follows "RULE name: ", as "preempt_schedule (preemption)" */
	const char **evidence; /* sentences, each with file and line or section */
	uint32_t n_evidence;
	const char *hint;  /* the likely fix, NULL if there is none to give */
	uint32_t *modules; /* ascending indices into result.modules: those it hits */
	uint32_t n_modules;
	uint32_t n_direct; /* modules with a finding of their own; the others wait for a provider */
	uint32_t *findings; /* ascending indices into result.findings */
	uint32_t n_findings;
};

#endif
