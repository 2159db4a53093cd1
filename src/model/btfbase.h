/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What numbers and offsets in the BTF of a module go on from: mostly the kernel's types. */
#ifndef MODCHECK_BTFBASE_H
#define MODCHECK_BTFBASE_H

#include <stdint.h>

struct btf_base {
	const char *strings; /* NULL: not known, and nothing is said of what depends on it */
	uint32_t strings_size;
	uint32_t n_types; /* with type 0, void */
};

#endif
