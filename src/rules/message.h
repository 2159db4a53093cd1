/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's log says when it refuses a module: so that a user finds it in dmesg.
 */
#ifndef MODCHECK_MESSAGE_H
#define MODCHECK_MESSAGE_H

#include "model/finding.h"
#include "model/kernel.h"
#include "model/module.h"

struct arena;
struct names;

/*
 * The line for a terminal finding, in the arena, as kernel/module/main.c of 6.1 prints it; NULL if
 * the kernel says nothing, or if what it says is not known.
 */
const char *kernel_message(const struct finding *f, const struct module *m,
			   const struct names *names, struct arena *a);

#endif
