/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes that are symbols: title, evidence and likely fix, as in describe.c.
 */
#ifndef MODCHECK_DESCRIBE_SYMBOL_H
#define MODCHECK_DESCRIBE_SYMBOL_H

#include "group/group.h"

void describe_lost(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_undefined(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_not_exported(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_not_installed(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_suffix(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_crc(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_crc_missing(const struct grouping *g, struct cause *c, const struct finding *f);

#endif
