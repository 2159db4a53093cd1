/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that are nearly the same: for a user who asks for a symbol that is not there.
 */
#ifndef MODCHECK_NEAR_H
#define MODCHECK_NEAR_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

/* How far apart two names are; larger is further. NEAR_NONE: they have nothing to do with each
 * other. */
#define NEAR_NONE 255u
unsigned int near_distance(const char *a, const char *b);

/* The number of bytes to change, put in or take out to make b of a; NEAR_NONE if that is more than
 * two and their lengths show it, or a name is longer than 64. */
unsigned int near_changes(const char *a, const char *b);

struct near {
	nameid name;
	unsigned int distance;
};

/*
 * Insert a candidate into a list of at most `room` that is sorted by distance, then name. Returns
 * the new number of elements.
 */
size_t near_insert(struct near *list, size_t n, size_t room, struct near candidate,
		   const struct names *names);

#endif
