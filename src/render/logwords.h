/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the text report says otherwise where all it is of is a log: it complains of modules or does
 * not, which says nothing of the others, and often not even how many these are.
 */
#ifndef MODCHECK_LOGWORDS_H
#define MODCHECK_LOGWORDS_H

#include "model/result.h"

struct arena;
struct page;
struct render_options;

/* "83 modules", or "56 modules named in the log". */
const char *logwords_modules(const struct result *r, struct arena *a);

/* "the log complains of 56 of 83 modules" */
const char *logwords_sentence(const struct result *r, struct arena *a);

/* The one line of a log without complaint. */
void logwords_put_good_line(struct page *p, const struct result *r);

/* That there are lines that were not understood, and with -v some of them. */
void logwords_put_unknown(struct page *p, const struct result *r,
			  const struct render_options *options);

#endif
