/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes that lie in the files beside the modules: title, evidence and likely fix, as in
 * describe.c.
 */
#ifndef MODCHECK_DESCRIBE_INDEX_H
#define MODCHECK_DESCRIBE_INDEX_H

#include "group/group.h"

void describe_builtin_clash(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_dep(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_order(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_softdep(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_blacklist(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_foreign(const struct grouping *g, struct cause *c, const struct finding *f);
void describe_rt_name(const struct grouping *g, struct cause *c, const struct finding *f);

#endif
