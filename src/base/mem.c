/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Address and leak sanitizers only know of memory that malloc() gave. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

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

void *mem_map(size_t size)
{
	if (IS_SANITIZED)
		return mem_zalloc(size);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		mem_exhausted();
	return p;
}

void mem_unmap(void *p, size_t size)
{
	if (IS_SANITIZED)
		free(p);
	else
		munmap(p, size);
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
