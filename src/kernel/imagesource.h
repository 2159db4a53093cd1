/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel image as evidence: its export tables, and what only it tells of a kernel.
 */
#ifndef MODCHECK_IMAGESOURCE_H
#define MODCHECK_IMAGESOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/listing.h"

struct arena;

/*
 * Append the kernel's exports to *l and set kernel->machine, vermagic and module_struct_size; types
 * too, if they are wanted. False with a phrase in *err if the bytes are no image of a kernel, or a
 * damaged one; then nothing was set.
 */
bool imagesource_read(struct listing *l, struct kernel *kernel, const char *bytes, size_t size,
		      bool wants_types, struct names *names, struct arena *a, struct err *err);

/*
 * NULL, or a phrase in the arena: that the image is not of the release that the kernel is taken to
 * have.
 */
const char *imagesource_doubt(const struct kernel *kernel, struct arena *a);

#endif
