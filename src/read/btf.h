/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module's .BTF, and the .BTF.base that it may build on instead of the kernel's types, as the
 * kernel looks at them before it takes the module. Nothing is kept.
 */
#ifndef MODCHECK_READ_BTF_H
#define MODCHECK_READ_BTF_H

#include <stdbool.h>
#include <stdint.h>

#include "model/btfbase.h"

/*
 * What does the kernel refuse in these bytes? A phrase, and *error its errno; NULL: nothing.
 * base: of a module; NULL: the bytes are a .BTF.base, and *found is filled in with what it
 * offers, pointing into the bytes.
 */
const char *btf_refusal(const unsigned char *p, uint64_t size, bool is_big,
			const struct btf_base *base, struct btf_base *found, uint32_t *error);

#endif
