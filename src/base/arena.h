/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that lives together and dies together. Everything a stage produces lives in the
 * arena it was given until that arena is freed; nothing in it is freed singly. An arena is
 * for one thread at a time: each worker has its own, and the session keeps them all to its
 * end. No call returns NULL (see mem.h).
 */
#ifndef MODCHECK_ARENA_H
#define MODCHECK_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is allowed */

/* size zeroed bytes, aligned for any object. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((malloc, returns_nonnull));

/* The same, not aligned. */
void *arena_bytes(struct arena *a, size_t size) __attribute__((malloc, returns_nonnull));

/* n zeroed elements of elem bytes; a product that overflows ends the program. */
void *arena_array(struct arena *a, size_t n, size_t elem) __attribute__((malloc, returns_nonnull));

/* A copy of size bytes, and of a string of length bytes (a NUL is added). Unaligned. */
void *arena_copy(struct arena *a, const void *p, size_t size) __attribute__((returns_nonnull));
char *arena_strndup(struct arena *a, const char *s, size_t length) __attribute__((returns_nonnull));
char *arena_strdup(struct arena *a, const char *s) __attribute__((returns_nonnull));

/* printf into a new string. */
char *arena_printf(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

#endif
