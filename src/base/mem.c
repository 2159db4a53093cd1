/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void mem_exhausted(void)
{
	static const char text[] = "modcheck: out of memory\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(2);
}

void *mem_zalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		mem_exhausted();
	return p;
}

void *mem_resize(void *old, size_t n, size_t elem)
{
	size_t size;

	if (__builtin_mul_overflow(n, elem, &size))
		mem_exhausted();
	void *p = realloc(old, size ? size : 1);
	if (!p)
		mem_exhausted();
	return p;
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t elem)
{
	if (need <= *cap)
		return old;
	size_t n = *cap < 16 ? 16 : *cap;
	while (n < need) {
		if (n > SIZE_MAX / 2)
			mem_exhausted();
		n *= 2;
	}
	old = mem_resize(old, n, elem);
	*cap = n;
	return old;
}
