/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of sentences that several causes are told with. All text lives in the grouping's arena
 * and may hold bytes from files: renderers escape it.
 */
#ifndef MODCHECK_WORDS_H
#define MODCHECK_WORDS_H

#include "group/group.h"
#include "rules/table.h"

/* Append one sentence to the cause's evidence. */
void words_evidence(const struct grouping *g, struct cause *cause, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The distinct symbols of the cause's findings of a rule (N_RULES: MC201 and MC202), those of most
 * modules first, as "rt_spin_lock (1,324 modules), ... and 27 more". *n is their number; "" and 0
 * if there is none.
 */
const char *words_symbols(const struct grouping *g, const struct cause *cause, enum rule_id rule,
			  uint32_t *n);

/* "System.map line 1234: T preempt_schedule", or without the line where the source has none. */
const char *words_where(const struct grouping *g, uint32_t ksym);

/* "1 module", "56 modules". */
const char *words_modules(const struct grouping *g, uint32_t n);

/* The first finding of the cause with this rule, NULL if it has none. */
const struct finding *words_first(const struct grouping *g, const struct cause *cause,
				  enum rule_id rule);

/* The family of a symbol that may carry a 2.4 suffix. */
const struct family *words_family(const struct grouping *g, nameid symbol);

/* The text of a name. */
const char *words_name(const struct grouping *g, nameid id);

/* The cause is of that family: "CONFIG_PREEMPT=y makes modules call it ..." becomes evidence. */
void words_tell_family(const struct grouping *g, struct cause *c, const struct family *family);

/* As words_symbols(), but of one symbol without the number of its modules. */
const char *words_plain_symbols(const struct grouping *g, const struct cause *c, enum rule_id rule,
				uint32_t *n);

/*
 * Several symbols that only one module misses: its name becomes the title, `what` begins the
 * evidence. False, and nothing is done, if there is but one.
 */
bool words_own(const struct grouping *g, struct cause *c, const struct finding *f, const char *what,
	       const char *hint);

#endif
