/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules counted by the preemption model that they were built for.
 */
#ifndef MODCHECK_CENSUS_H
#define MODCHECK_CENSUS_H

#include <stdint.h>

#include "model/result.h"
#include "preemption/preemption.h"

/*
 * How many of the targets were built for the kernel's model, for another, or cannot tell, as a
 * phrase in the arena; "" when the kernel's model is not known.
 */
const char *census_tell(const struct preemption *p, const struct module *modules,
			uint32_t n_modules, struct arena *a);

/* For each model how many, as *n_rows rows in the arena, sorted by name; "unknown" is the last. */
struct model_count *census_count(const struct preemption *p, const struct module *modules,
				 uint32_t n_modules, uint32_t *n_rows, struct arena *a);

#endif
