/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stages of diff_run(), in their order; each fills its part of *d from what is there already.
 */
#ifndef MODCHECK_DIFF_STAGES_H
#define MODCHECK_DIFF_STAGES_H

#include "diff/diff.h"

/* d->old_modules, d->new_modules: which module has a counterpart on the other side. */
void diff_modules(struct diff *d);

/* d->exports with their users, and the counts of them. */
void diff_exports(struct diff *d);

/* d->words. */
void diff_vermagic(struct diff *d);

/* d->findings, their counts, and the exit status. */
void diff_judge(struct diff *d, const struct policy_options *policy);

/* The number in d->names of a name of one side, which `map` [name of the side] remembers (0: not
 * yet). A 2.4 name goes without its version suffix. */
nameid diff_name(struct diff *d, const struct side *s, nameid *map, nameid name);

#endif
