/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of /proc/kallsyms: like a System.map, with the symbols of loaded modules behind.
 */
#ifndef MODCHECK_KALLSYMS_H
#define MODCHECK_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/listing.h"

/* Does the text look like one that lists modules, too? (Without any it is a System.map.) */
bool kallsyms_is(const char *bytes, size_t size);

/* Append the symbols of the kernel itself to *l; those of modules are judged by their files. */
void kallsyms_read(struct listing *l, const char *bytes, size_t size, struct names *names);

#endif
