/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader keeps all that a module has; a kernel sees the part that its version looks at.
 */
#ifndef MODCHECK_VIEW_H
#define MODCHECK_VIEW_H

#include <stdint.h>

#include "model/module.h"

struct arena;

/*
 * Take away what a kernel of this version (KERNEL_VERSION_CODE, 0: not known, then nothing) does
 * not see, and add a fault where it would miss something. Arrays are replaced, never changed.
 */
void view_as_kernel(struct module *modules, uint32_t n_modules, uint32_t version, struct arena *a);

#endif
