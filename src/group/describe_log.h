/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes of a log, in words: what it says and where, and what that likely comes from. Nothing else
 * is known, so nothing is said of what the kernel defines or exports, or of what is installed.
 */
#ifndef MODCHECK_DESCRIBE_LOG_H
#define MODCHECK_DESCRIBE_LOG_H

#include "group/group.h"

/* Fill in title, evidence, hint and the rest. */
void log_describe(const struct grouping *g, struct cause *c);

#endif
