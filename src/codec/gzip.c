/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gzip (RFC 1952) through zlib: members one after the other, each ending in the CRC32 of its
 * data and ISIZE, its length modulo 2^32. What follows the last member is ignored when it does not
 * begin like another, as gzip and zlib's gzread() (and so kmod) do.
 */
#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/decoder.h"

#define WINDOW_BITS (15 + 16) /* 32 KiB, and a gzip header and nothing else */
#define DEFLATE_RATIO 1032    /* a match of 258 bytes in 2 bits is the best that deflate can do */

static z_stream *ready_stream(void **state)
{
	z_stream *z = *state;

	if (z)
		return inflateReset2(z, WINDOW_BITS) == Z_OK ? z : NULL;
	z = mem_zalloc(sizeof(*z));
	if (inflateInit2(z, WINDOW_BITS) != Z_OK)
		mem_exhausted();
	*state = z;
	return z;
}

static void gzip_release(void *state)
{
	inflateEnd(state);
	free(state);
}

/*
 * One member; z->next_in is behind it afterwards. Z_FINISH makes zlib write straight into the
 * buffer without keeping a window of its own as long as the buffer need not grow.
 */
static enum codec_result unpack_member(z_stream *z, struct codec_buffer *b, struct codec_task *t)
{
	for (;;) {
		size_t room = codec_room(b, t);
		if (room == 0)
			return CODEC_LIMIT;
		uInt offered = room < UINT_MAX ? (uInt)room : UINT_MAX;
		z->next_out = b->bytes + b->size;
		z->avail_out = offered;
		int status = inflate(z, Z_FINISH);
		b->size += offered - z->avail_out;
		if (status == Z_STREAM_END)
			return CODEC_OK;
		if (status == Z_MEM_ERROR)
			mem_exhausted();
		if (status != Z_BUF_ERROR && status != Z_OK)
			return CODEC_DAMAGED;
		if (z->avail_out > 0)
			return CODEC_TRUNCATED;
	}
}

static enum codec_result gzip_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	z_stream *z = ready_stream(state);

	if (!z || t->size > UINT_MAX)
		return CODEC_LIMIT;
	uint64_t expected = t->size >= 4 ? bytes_get32(t->bytes + t->size - 4, false) : 0;
	codec_reserve(b, t, t->is_kernel ? codec_kernel_expected(t) : expected, DEFLATE_RATIO);
	z->next_in = t->bytes;
	z->avail_in = (uInt)t->size;
	for (;;) {
		enum codec_result result = unpack_member(z, b, t);
		if (result != CODEC_OK)
			return result;
		if (t->is_kernel || z->avail_in < 2 || z->next_in[0] != 0x1f ||
		    z->next_in[1] != 0x8b)
			return CODEC_OK;
		inflateReset(z);
	}
}

const struct codec codec_gzip = {
	.name = "gzip",
	.magic = { 0x1f, 0x8b },
	.magic_size = 2,
	.is_of_modules = true,
	.unpack = gzip_unpack,
	.release = gzip_release,
};
