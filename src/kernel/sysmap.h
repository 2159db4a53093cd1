/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System.map: every symbol that a kernel defines; and, told by their labels, those it exports.
 */
#ifndef MODCHECK_SYSMAP_H
#define MODCHECK_SYSMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/listing.h"

/* Does the text look like one: an address, one letter, a name? */
bool sysmap_is(const char *bytes, size_t size);

/*
 * Append the symbols that the kernel defines to *l, once or more each (listing_join() makes them
 * one), the exported ones marked. Rows of modules, as /proc/kallsyms has them, are left out.
 */
void sysmap_read(struct listing *l, const char *bytes, size_t size, struct names *names);

#endif
