/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes that lie in a file itself: title, evidence and likely fix, as in
 * describe.c.
 */
#ifndef MODCHECK_DESCRIBE_FILE_H
#define MODCHECK_DESCRIBE_FILE_H

#include "group/group.h"

void describe_file(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_machine(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_stripped(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_write_exec(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_unsigned(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_signature(const struct grouping *g, struct cause *c, const struct finding *f);

#endif
