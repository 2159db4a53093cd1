/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bzip2 through libbz2. No module is packed with it, but a kernel may be (CONFIG_KERNEL_BZIP2).
 */
#include <limits.h>
#include <stdlib.h>

#include <bzlib.h>

#include "base/mem.h"
#include "codec/decoder.h"

#define BZIP2_RATIO 20000 /* a block of 900 kB of the same byte in 45 bytes */

static enum codec_result result_of(int status, size_t left_over)
{
	if (status == BZ_STREAM_END)
		return CODEC_OK;
	if (status == BZ_MEM_ERROR)
		mem_exhausted();
	if (status == BZ_OK && left_over)
		return CODEC_TRUNCATED;
	return CODEC_DAMAGED;
}

static enum codec_result decode(bz_stream *z, struct codec_buffer *b, struct codec_task *t)
{
	for (;;) {
		size_t room = codec_room(b, t);
		if (room == 0)
			return CODEC_LIMIT;
		unsigned int offered = room < UINT_MAX ? (unsigned int)room : UINT_MAX;
		z->next_out = (char *)b->bytes + b->size;
		z->avail_out = offered;
		int status = BZ2_bzDecompress(z);
		b->size += offered - z->avail_out;
		if (status != BZ_OK || z->avail_out)
			return result_of(status, z->avail_out);
	}
}

static enum codec_result bzip2_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	bz_stream z = { 0 };

	(void)state; /* a kernel is unpacked once: there is nothing to keep */
	if (t->size > UINT_MAX)
		return CODEC_LIMIT;
	if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
		mem_exhausted();
	codec_reserve(b, t, codec_kernel_expected(t), BZIP2_RATIO);
	/* libbz2 has no const, and does not write there */
	z.next_in = (char *)(uintptr_t)t->bytes;
	z.avail_in = (unsigned int)t->size;
	enum codec_result result = decode(&z, b, t);
	BZ2_bzDecompressEnd(&z);
	return result;
}

const struct codec codec_bzip2 = {
	.name = "bzip2",
	.magic = { 'B', 'Z', 'h' },
	.magic_size = 3,
	.unpack = bzip2_unpack,
};
