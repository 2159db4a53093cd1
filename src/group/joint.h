/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes that join many symbols: another module_layout, another preemption model, a family of
 * symbols that the kernel lacks.
 */
#ifndef MODCHECK_JOINT_H
#define MODCHECK_JOINT_H

#include <stdbool.h>

#include "group/group.h"

/* Describe the cause if it is such a one. */
bool joint_describe(const struct grouping *g, struct cause *cause);

#endif
