/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What codec.c and the codecs agree on; nothing outside this folder includes it. A codec
 * appends what it unpacks to the buffer: it asks for room, writes, moves b->size on.
 */
#ifndef MODCHECK_DECODER_H
#define MODCHECK_DECODER_H

#include "codec/codec.h"

/* One call of codec_unpack(). */
struct codec_task {
	const unsigned char *bytes;
	size_t size;
	uint64_t limit;     /* at most SIZE_MAX / 4, so sums with it do not overflow */
	const char *detail; /* set by a codec that can say more than its result does */
	/* Only one stream, of which no more than `limit` bytes are wanted: passing it is no error.
	 */
	bool is_kernel;
};

struct codec {
	const char *name;
	unsigned char magic[6];
	size_t magic_size;
	bool is_of_modules; /* modprobe and the kernel unpack modules of it */
	/* *state is kept by the caller from call to call, NULL at first. */
	enum codec_result (*unpack)(struct codec_buffer *b, void **state, struct codec_task *t);
	void (*release)(void *state); /* state is not NULL */
};

extern const struct codec codec_gzip, codec_xz, codec_zstd, codec_bzip2, codec_lzma, codec_lzo,
	codec_lz4;

/* A decoder that holds on to more memory than this after a file is thrown away. */
#define CODEC_KEEP_BYTES ((size_t)16 << 20)

/* The size of a dictionary comes from the file; this is the most a decoder may allocate for it. */
#define CODEC_DECODER_BYTES ((size_t)256 << 20)

/*
 * Prepare for `expected` further bytes, as far as the limit and `ratio`, the most that one byte
 * of this format can stand for, allow: a size that a file claims allocates no more than the file
 * could really hold. 0: not known. More room than that may come of it, never less than 1 byte.
 */
void codec_reserve(struct codec_buffer *b, const struct codec_task *t, uint64_t expected,
		   uint32_t ratio);

/*
 * How many bytes may be written at b->bytes + b->size; grows the buffer when it is full. One byte
 * more than the limit is handed out, so that a full limit and a passed one can be told apart;
 * 0 when it is passed.
 */
size_t codec_room(struct codec_buffer *b, const struct codec_task *t);

/* What to reserve for a part of a kernel: what is wanted, unless that is only meant as a limit. */
static inline uint64_t codec_kernel_expected(const struct codec_task *t)
{
	return t->limit <= CODEC_DECODER_BYTES ? t->limit : 0;
}

#endif
