/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed data, told by its magic bytes and not by a file's name. A codec is one file in
 * this folder and one row of the table in codec.c.
 */
#ifndef MODCHECK_CODEC_H
#define MODCHECK_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A buffer that grows as data is unpacked into it and is kept from one file to the next, with
 * the state of the decoders, which costs more to set up than a small module to decode. One a
 * thread.
 */
struct codec_buffer {
	unsigned char *bytes;
	size_t size; /* of the data in it */
	size_t capacity;
	void *state[8]; /* one a codec: its decoder, made on first use */
};

void codec_buffer_init(struct codec_buffer *b);
void codec_buffer_release(struct codec_buffer *b);

enum codec_result {
	CODEC_OK,
	CODEC_DAMAGED,   /* the data is not what its format says */
	CODEC_TRUNCATED, /* it ends too early */
	CODEC_LIMIT,     /* it would unpack to more than the limit */
	CODEC_UNKNOWN,   /* none of ours: not compressed, or by something unknown */
};

/* The name of the compression of these bytes ("gzip", "xz", "zstd"), NULL if there is none. */
const char *codec_name(const unsigned char *bytes, size_t size);

/*
 * Unpack all of bytes into b (what was in it is lost). Concatenated streams are taken as gzip, xz
 * and zstd do. No more than `limit` bytes are unpacked. *detail is set to a phrase on failure (a
 * string constant).
 */
enum codec_result codec_unpack(struct codec_buffer *b, const unsigned char *bytes, size_t size,
			       uint64_t limit, const char **detail);

/*
 * The same for what kernels are packed with: also bzip2, lzma, lzo and lz4 (the legacy frame, as
 * `lz4 -l` writes it), which no module may be.
 */
const char *codec_kernel_name(const unsigned char *bytes, size_t size);

/*
 * Unpack the one stream that bytes begin with, and of it the first `want` bytes at most: b->size is
 * smaller when there are no more. What follows the stream does not matter, as a kernel's packed
 * body is followed by its size, or by whatever the linker put there.
 */
enum codec_result codec_unpack_kernel(struct codec_buffer *b, const unsigned char *bytes,
				      size_t size, uint64_t want, const char **detail);

#endif
