/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of several files with one module name, the one that depmod takes.
 */
#ifndef MODCHECK_WINNERS_H
#define MODCHECK_WINNERS_H

#include "model/tree.h"

struct depmodd;
struct walk;

/*
 * Set entry.winner of all shadowed entries of the tree, which are sorted by path. The walk
 * knows by which other paths depmod reaches them.
 */
void winners_decide(struct tree *tree, const struct walk *w, const struct depmodd *config);

#endif
