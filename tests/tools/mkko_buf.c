// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Growing bytes and arrays, and words of either byte order.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mkko.h"

static void *need_memory(void *p)
{
	if (!p)
		die(NULL, "out of memory");
	return p;
}

void buf_add(struct buf *b, const void *bytes, size_t size)
{
	if (b->room - b->size < size) {
		b->room = (b->size + size) * 2;
		b->data = need_memory(realloc(b->data, b->room));
	}
	if (size)
		memcpy(b->data + b->size, bytes, size);
	b->size += size;
}

void buf_fill(struct buf *b, unsigned char value, size_t n)
{
	unsigned char *bytes = need_memory(malloc(n + 1));

	memset(bytes, value, n);
	buf_add(b, bytes, n);
	free(bytes);
}

void buf_align(struct buf *b, size_t align)
{
	if (align > 1 && b->size % align)
		buf_fill(b, 0, align - b->size % align);
}

size_t buf_add_string(struct buf *b, const char *s)
{
	size_t at = b->size;

	buf_add(b, s, strlen(s) + 1);
	return at;
}

void put_word(unsigned char *at, uint64_t value, unsigned int width, bool big)
{
	for (unsigned int i = 0; i < width; i++)
		at[big ? width - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

uint64_t get_word(const unsigned char *at, unsigned int width, bool big)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < width; i++)
		value |= (uint64_t)at[big ? width - 1 - i : i] << (8 * i);
	return value;
}

void buf_add_word(struct buf *b, uint64_t value, unsigned int width, bool big)
{
	unsigned char bytes[8];

	put_word(bytes, value, width, big);
	buf_add(b, bytes, width);
}

void buf_printf(struct buf *b, const char *format, ...)
{
	char text[4096];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(text))
		die(NULL, "line too long");
	buf_add(b, text, (size_t)n);
}

/* The room doubles at powers of two, so that long arrays do not cost quadratic time. */
void *grow(void *array, size_t n, size_t element)
{
	if (n & (n - 1))
		return array;
	array = need_memory(realloc(array, (n ? n * 2 : 1) * element));
	memset((char *)array + n * element, 0, (n ? n : 1) * element);
	return array;
}

char *copy_string(const char *s, size_t length)
{
	char *copy = need_memory(malloc(length + 1));

	memcpy(copy, s, length);
	copy[length] = '\0';
	return copy;
}
