/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module.symvers: what modpost wrote down of every export of the kernel and its modules.
 */
#ifndef MODCHECK_SYMVERS_H
#define MODCHECK_SYMVERS_H

#include <stddef.h>

#include "kernel/listing.h"

/*
 * Append all rows to *l, those of modules too (their provider is the path without .ko). Lines that
 * make no sense are counted and passed over.
 */
void symvers_read(struct listing *l, const char *bytes, size_t size, struct names *names);

#endif
