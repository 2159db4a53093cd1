/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for the whole program. No function here returns NULL: when memory runs out the
 * program says so on stderr and exits with 2, the only exit outside main.c. Sizes that come
 * from a file are held to limits.h before they get here, so one bad file cannot cause that.
 */
#ifndef MODCHECK_MEM_H
#define MODCHECK_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* size zeroed bytes, to be given to free(). */
void *mem_zalloc(size_t size) __attribute__((malloc, returns_nonnull));

/*
 * size zeroed bytes whose pages are in place: for what will be written to all over, where
 * faulting pages in one by one costs more than all else that is done with them. To be given to
 * mem_unmap() with the same size.
 */
void *mem_map(size_t size) __attribute__((malloc, returns_nonnull));
void mem_unmap(void *p, size_t size);

/* realloc() of n elements of elem bytes each; the new part is not cleared. */
void *mem_resize(void *old, size_t n, size_t elem) __attribute__((returns_nonnull));

/*
 * A vector in three variables: make room for at least `need` elements of `elem` bytes.
 * Returns the (possibly moved) array and updates *cap. Use it through VEC_PUSH.
 */
void *mem_grow(void *old, size_t *cap, size_t need, size_t elem) __attribute__((returns_nonnull));

/* Append one element to the vector (array, n, cap); evaluates to its lvalue, not cleared. */
#define VEC_PUSH(array, n, cap)                                                                    \
	(*({                                                                                       \
		(array) = mem_grow((array), &(cap), (size_t)(n) + 1, sizeof(*(array)));            \
		&(array)[(n)++];                                                                   \
	}))

/* Print "modcheck: out of memory" and exit with status 2. */
void mem_exhausted(void) __attribute__((noreturn));

#endif
