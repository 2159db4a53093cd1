/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where evidence of a kernel usually lies. Only names: whether there is anything is for the one
 * who opens them to see.
 */
#ifndef MODCHECK_DISCOVER_H
#define MODCHECK_DISCOVER_H

#include <stdbool.h>

#include "model/kernel.h"

struct arena;
struct evidence_options;

/*
 * The i-th place, from 0, to look for evidence of this kind, best first. Returns a path below
 * basedir, without leading slash, in the arena; NULL when there are no more. *i is moved
 * on.
 */
const char *discover_next(const struct evidence_options *options, enum source_kind kind,
			  unsigned int *i, struct arena *a);

/*
 * What to open for a path below basedir: symbolic links on the way are followed as if basedir were
 * the root directory, so that an absolute link leads to what belongs to the same system and not to
 * a file of this one. NULL if there are too many links.
 */
const char *discover_resolve(const char *basedir, const char *path, struct arena *a);

#endif
