/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which options of the configuration differ, and why that matters.
 */
#ifndef MODCHECK_DIFF_CONFIG_H
#define MODCHECK_DIFF_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "model/kernel.h"

struct arena;

struct option_diff {
	const char *name;      /* "CONFIG_X86_PAE" */
	const char *old, *new; /* values as written; "n" for what is not set */
	const char *why;       /* what a module or a machine notices of it; NULL: neither does */
	uint32_t rank;         /* of its row in the table of those; order of importance */
};

struct config_diff {
	bool is_known; /* both sides have a configuration */
	bool is_cut; /* one has more options than base/limits.h allows: the rest is not compared */
	struct option_diff *options; /* those with a why first, by rank, the others by name */
	uint32_t n_options;
	uint32_t n_noticed; /* those with a why */
};

/* In the arena. */
void config_compare(struct config_diff *d, const struct kconfig *old, const struct kconfig *new,
		    struct arena *a);

#endif
