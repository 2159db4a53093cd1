/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version magic: "6.1.0-50-amd64 SMP preempt mod_unload modversions ", each word with the space
 * behind it. The kernel compares it whole, or from the first space on.
 */
#ifndef MODCHECK_VERMAGIC_H
#define MODCHECK_VERMAGIC_H

#include "model/kernel.h"

struct arena;

/*
 * What the kernel of this release and configuration has (include/linux/vermagic.h and
 * asm/vermagic.h, 2.6.30 to 7.2), in the arena; NULL where the configuration is not at hand or
 * does not tell (some architectures, randomised structures).
 */
const char *vermagic_of_config(const struct kernel *kernel, struct arena *a);

/*
 * The words in which two differ, the release left out, as "built with preempt_rt, the
 * kernel with preempt", in the arena. "" if they have the same words.
 */
const char *vermagic_differences(const char *kernel, const char *module, struct arena *a);

#endif
