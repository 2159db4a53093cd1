/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of a .BTF: one after another, with what each kind has to be like. */
#ifndef MODCHECK_READ_BTFTYPES_H
#define MODCHECK_READ_BTFTYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "read/btf.h"

struct btf_types {
	/* input */
	const unsigned char *bytes;
	const char *strings; /* end with NUL, if there are any */
	uint32_t size, strings_size;
	bool is_big;
	bool is_distilled; /* a .BTF.base: only some kinds, all of them named */
	struct btf_base base;
	/* output */
	uint32_t n_types;
};

/* What the kernel refuses, as a phrase, *error (EINVAL before) its errno; NULL: nothing. */
const char *btftypes_refusal(struct btf_types *t, uint32_t *error);

#endif
