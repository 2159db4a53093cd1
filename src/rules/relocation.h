/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC106 in detail: which relocations this kernel minds, and what it says of them.
 */
#ifndef MODCHECK_RULES_RELOCATION_H
#define MODCHECK_RULES_RELOCATION_H

#include "rules/check.h"

/* Is it a fault of a relocation, other than a COMMON symbol? */
bool relocation_is(const struct fault *fault);

/* Does this kernel refuse the module for it? */
bool relocation_is_minded(const struct check *c, const struct fault *fault);

/* Stage, errno and message of a finding on such a fault. */
void relocation_place(const struct check *c, const struct module *m, const struct fault *fault,
		      struct finding *f);

/* Findings on imports that are keys of static calls and must not be. */
void check_static_calls(struct check *c, uint32_t module);

#endif
