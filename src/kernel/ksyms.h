/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of /proc/ksyms of Linux 2.4: what the kernel exports, with version suffixes.
 */
#ifndef MODCHECK_KSYMS_H
#define MODCHECK_KSYMS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/listing.h"

/* Does the text look like one: an address, a name, perhaps a module in brackets? */
bool ksyms_is(const char *bytes, size_t size);

/* Append the kernel's exports to *l, names with their suffix. Rows of modules are left out. */
void ksyms_read(struct listing *l, const char *bytes, size_t size, struct names *names);

#endif
