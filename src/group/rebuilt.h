/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes of modules that were judged as if they were built anew: MC503, MC504, and what the
 * others say then.
 */
#ifndef MODCHECK_REBUILT_H
#define MODCHECK_REBUILT_H

#include "group/group.h"

/* As describe_function in describe.c: fill in title, evidence and hint. */
void rebuilt_describe_needed(const struct grouping *g, struct cause *c, const struct finding *f);
void rebuilt_describe_hidden(const struct grouping *g, struct cause *c, const struct finding *f);

/*
 * Add how certain a cause is that was described like any other, and exchange a fix that is done by
 * building again. Does nothing where g->readiness is NULL.
 */
void rebuilt_qualify(const struct grouping *g, struct cause *c);

#endif
