/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several listings of one kernel made one. Where they differ:
 *
 * - A Module.symvers is believed before any map: it is made from the export tables and knows all
 *   of an export. Several of them add up, as that of a kernel and that of an external module do.
 * - An image holds the export tables themselves and knows as much. Next to a symvers it adds
 *   nothing, but shows whether both are of one build.
 * - A map adds what is defined and not exported. Where neither symvers nor image lists the
 *   kernel's exports, the first map that does tells them.
 * - A later source fills in what an earlier one of the same symbol left out: a licence where the
 *   earlier tells none, a CRC, a namespace.
 * - An export that a later map or image knows and an earlier source does not stays "defined":
 *   the two are of different builds, as they are when a CRC differs. Their number is in
 *   source.contradictions, with those the other way round.
 */
#ifndef MODCHECK_MERGE_H
#define MODCHECK_MERGE_H

#include <stddef.h>

#include "kernel/listing.h"

struct arena;

/*
 * listings[i] belongs to kernel->sources[i] and is joined already; those of sources that are not
 * used are passed over. Fills kernel->syms (in the arena) and the contradictions of sources.
 */
void merge_listings(struct kernel *kernel, const struct listing *listings,
		    const struct names *names, struct arena *a);

#endif
