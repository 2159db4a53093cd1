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

/*
 * A text of the tables in elf.c, arch.c and relocation.c with what stands for: $1 and $2, the
 * numbers of the fault, $x the first in hexadecimal, $s its name, $t its type of relocation, $i the
 * module's name in .modinfo, $m that in its struct module. NULL of NULL.
 */
const char *message_expand(const char *text, const struct module *m, const struct fault *fault,
			   struct arena *a);

#endif
