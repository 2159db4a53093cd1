/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .BTF of a module: with a base, without one, and as a base itself; the first byte says which, and
 * in which byte order.
 */
#include <stdint.h>
#include <stdlib.h>

#include "read/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct btf_base base = { "\0int\0a b", 9, 2 }, unknown = { NULL, 0, 0 };
	struct btf_base found;
	uint32_t error;

	if (size-- < 1)
		return 0;
	unsigned int way = data[0] / 2 % 3;
	const struct btf_base *from = way == 0 ? &base : way == 1 ? &unknown : NULL;
	const char *wrong = btf_refusal(data + 1, size, data[0] & 1, from, &found, &error);
	if (wrong && (!*wrong || error == 0))
		abort();
	if (!wrong && !from && (found.n_types == 0 || found.strings_size > size))
		abort();
	return 0;
}
