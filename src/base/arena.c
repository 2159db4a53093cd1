/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks in a list; allocation moves a cursor through the newest. A request larger than a
 * quarter block gets a block of its own, put behind the newest so that its rest is not lost.
 *
 * The first block is small. An arena that fills it is one that will grow, so the next ones are
 * large and come from the kernel with their pages in place: faulting them in one by one
 * costs several times as much as all else that is done with them.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST_BYTES ((size_t)64 << 10)
#define BLOCK_BYTES ((size_t)256 << 10)
#define ALIGNMENT _Alignof(max_align_t)

struct block {
	struct block *next;
	size_t mapped; /* bytes to unmap, 0: of malloc */
	max_align_t data[];
};

struct arena {
	struct block *blocks; /* newest first */
	char *cursor;         /* free bytes of the newest block are cursor..end */
	char *end;
};

struct arena *arena_new(void)
{
	return mem_zalloc(sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		if (b->mapped)
			mem_unmap(b, b->mapped);
		else
			free(b);
	}
	free(a);
}

static struct block *block_of_malloc(size_t size)
{
	if (size > SIZE_MAX / 2)
		mem_exhausted();
	return mem_zalloc(sizeof(struct block) + size);
}

static struct block *block_mapped(void)
{
	struct block *b = mem_map(BLOCK_BYTES);

	b->mapped = BLOCK_BYTES;
	return b;
}

/* Make a block the one to take from. */
static void start_block(struct arena *a, struct block *b, size_t room)
{
	b->next = a->blocks;
	a->blocks = b;
	a->cursor = (char *)b->data;
	a->end = (char *)b->data + room;
}

static void *take(struct arena *a, size_t size, size_t align)
{
	uintptr_t at = ((uintptr_t)a->cursor + align - 1) & ~(uintptr_t)(align - 1);

	if (a->cursor && at <= (uintptr_t)a->end && size <= (uintptr_t)a->end - at) {
		a->cursor = (char *)at + size;
		return (char *)at;
	}
	if (size > BLOCK_BYTES / 4) {
		struct block *own = block_of_malloc(size);
		struct block **behind = a->blocks ? &a->blocks->next : &a->blocks;
		own->next = *behind;
		*behind = own;
		return own->data;
	}
	if (a->blocks || size > FIRST_BYTES)
		start_block(a, block_mapped(), BLOCK_BYTES - sizeof(struct block));
	else
		start_block(a, block_of_malloc(FIRST_BYTES), FIRST_BYTES);
	char *start = a->cursor;
	a->cursor += size;
	return start;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return take(a, size, ALIGNMENT);
}

void *arena_bytes(struct arena *a, size_t size)
{
	return take(a, size, 1);
}

void *arena_array(struct arena *a, size_t n, size_t elem)
{
	size_t size;

	if (__builtin_mul_overflow(n, elem, &size))
		mem_exhausted();
	return arena_alloc(a, size);
}

void *arena_copy(struct arena *a, const void *p, size_t size)
{
	void *copy = take(a, size, 1);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t length)
{
	char *copy = take(a, length + 1, 1);

	memcpy(copy, s, length);
	copy[length] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	char small[256];

	va_start(args, format);
	int length = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (length < 0)
		return arena_strdup(a, "");
	if ((size_t)length < sizeof(small))
		return arena_strndup(a, small, (size_t)length);
	char *text = take(a, (size_t)length + 1, 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}
