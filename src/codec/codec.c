/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of codecs, and the buffer they share. The buffer grows by doubling and is kept for
 * the next file; what one giant module needed is given back when the next file is small.
 */
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "codec/decoder.h"

#define FIRST_BYTES ((size_t)64 << 10)
#define SLACK_BYTES 64 /* lets a decoder see its end marker without growing an exact buffer */
#define USUAL_RATIO 4  /* of compressed modules, where the size is not known beforehand */

/* Indices are those of codec_buffer.state. */
static const struct codec *const codecs[] = {
	&codec_gzip, &codec_xz, &codec_zstd, &codec_bzip2, &codec_lzma, &codec_lzo, &codec_lz4,
};

#define N_CODECS (sizeof(codecs) / sizeof(codecs[0]))
_Static_assert(N_CODECS <= sizeof(((struct codec_buffer *)0)->state) / sizeof(void *),
	       "codec_buffer has a state for each codec");

void codec_buffer_init(struct codec_buffer *b)
{
	*b = (struct codec_buffer) { 0 };
}

void codec_buffer_release(struct codec_buffer *b)
{
	for (size_t i = 0; i < N_CODECS; i++)
		if (b->state[i])
			codecs[i]->release(b->state[i]);
	free(b->bytes);
	codec_buffer_init(b);
}

static void set_capacity(struct codec_buffer *b, size_t capacity)
{
	if (b->size == 0) {
		/* Nothing to keep: realloc() would copy what is in there. */
		free(b->bytes);
		b->bytes = NULL;
	}
	b->bytes = mem_resize(b->bytes, capacity, 1);
	b->capacity = capacity;
}

void codec_reserve(struct codec_buffer *b, const struct codec_task *t, uint64_t expected,
		   uint32_t ratio)
{
	uint64_t need = expected ? expected : (uint64_t)t->size * USUAL_RATIO;
	uint64_t possible = (uint64_t)t->size * ratio + FIRST_BYTES;
	uint64_t most = t->limit + 1;

	need = need < possible ? need : possible;
	need = need < most ? need : most;
	need += b->size + SLACK_BYTES;
	bool oversized = b->size == 0 && b->capacity > CODEC_KEEP_BYTES && need <= CODEC_KEEP_BYTES;
	if (need <= b->capacity && !oversized)
		return;
	size_t capacity = FIRST_BYTES;
	while (capacity < need)
		capacity *= 2;
	/* A big file gets what it says it needs; whatever grows bit by bit must double. */
	bool exact = b->size == 0 && capacity > CODEC_KEEP_BYTES;
	set_capacity(b, exact ? (size_t)need : capacity);
}

size_t codec_room(struct codec_buffer *b, const struct codec_task *t)
{
	if (b->size > t->limit)
		return 0;
	if (b->size == b->capacity)
		set_capacity(b, b->capacity ? b->capacity * 2 : FIRST_BYTES);
	uint64_t room = b->capacity - b->size, allowed = t->limit + 1 - b->size;
	return (size_t)(room < allowed ? room : allowed);
}

static const struct codec *codec_of(const unsigned char *bytes, size_t size, bool is_kernel,
				    size_t *index)
{
	for (size_t i = 0; i < N_CODECS; i++) {
		const struct codec *c = codecs[i];
		*index = i;
		if (!c->is_of_modules && !is_kernel)
			continue;
		if (size >= c->magic_size && memcmp(bytes, c->magic, c->magic_size) == 0)
			return c;
	}
	return NULL;
}

const char *codec_name(const unsigned char *bytes, size_t size)
{
	size_t index;
	const struct codec *c = codec_of(bytes, size, false, &index);

	return c ? c->name : NULL;
}

const char *codec_kernel_name(const unsigned char *bytes, size_t size)
{
	size_t index;
	const struct codec *c = codec_of(bytes, size, true, &index);

	return c ? c->name : NULL;
}

static const char *const default_detail[] = {
	[CODEC_OK] = "",
	[CODEC_DAMAGED] = "the compressed data is damaged",
	[CODEC_TRUNCATED] = "the compressed data ends too early",
	[CODEC_LIMIT] = "the data unpacks to more than the limit",
	[CODEC_UNKNOWN] = "not compressed by gzip, xz or zstd",
};

static enum codec_result run(struct codec_buffer *b, struct codec_task *t, const char **detail)
{
	size_t index;
	enum codec_result result = CODEC_UNKNOWN;
	const struct codec *c = codec_of(t->bytes, t->size, t->is_kernel, &index);

	b->size = 0;
	if (c)
		result = c->unpack(b, &b->state[index], t);
	if (t->is_kernel && b->size > t->limit) {
		b->size = (size_t)t->limit;
		result = CODEC_OK;
	}
	if (result == CODEC_OK && b->size > t->limit)
		result = CODEC_LIMIT;
	if (result == CODEC_OK)
		return CODEC_OK;
	b->size = 0;
	*detail = t->detail ? t->detail : default_detail[result];
	return result;
}

static uint64_t usable_limit(uint64_t limit)
{
	uint64_t most = SIZE_MAX / 4;

	return limit < most ? limit : most;
}

enum codec_result codec_unpack(struct codec_buffer *b, const unsigned char *bytes, size_t size,
			       uint64_t limit, const char **detail)
{
	struct codec_task t = { .bytes = bytes, .size = size, .limit = usable_limit(limit) };

	return run(b, &t, detail);
}

enum codec_result codec_unpack_kernel(struct codec_buffer *b, const unsigned char *bytes,
				      size_t size, uint64_t want, const char **detail)
{
	struct codec_task t = {
		.bytes = bytes, .size = size, .limit = usable_limit(want), .is_kernel = true
	};

	return run(b, &t, detail);
}
