/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lzma through liblzma: the format of `lzma` and `xz --format=lzma`, older than xz. No module is
 * packed with it, but a kernel may be (CONFIG_KERNEL_LZMA).
 *
 *   properties 1 (0x5d as everyone writes it) | dictionary size 4 | unpacked size 8, or all ones
 */
#include <lzma.h>

#include "base/mem.h"
#include "codec/decoder.h"

#define LZMA_RATIO 8192

static enum codec_result decode(lzma_stream *z, struct codec_buffer *b, struct codec_task *t)
{
	for (;;) {
		size_t room = codec_room(b, t);
		if (room == 0)
			return CODEC_LIMIT;
		z->next_out = b->bytes + b->size;
		z->avail_out = room;
		lzma_ret status = lzma_code(z, LZMA_FINISH);
		b->size += room - z->avail_out;
		if (status == LZMA_STREAM_END)
			return CODEC_OK;
		if (status == LZMA_BUF_ERROR)
			return CODEC_TRUNCATED;
		if (status == LZMA_MEMLIMIT_ERROR || status == LZMA_MEM_ERROR)
			return CODEC_LIMIT;
		if (status != LZMA_OK)
			return CODEC_DAMAGED;
	}
}

static enum codec_result lzma_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	lzma_stream z = LZMA_STREAM_INIT;

	(void)state; /* a kernel is unpacked once: there is nothing to keep */
	if (lzma_alone_decoder(&z, CODEC_DECODER_BYTES) != LZMA_OK)
		mem_exhausted();
	codec_reserve(b, t, codec_kernel_expected(t), LZMA_RATIO);
	z.next_in = t->bytes;
	z.avail_in = t->size;
	enum codec_result result = decode(&z, b, t);
	lzma_end(&z);
	return result;
}

const struct codec codec_lzma = {
	.name = "lzma",
	.magic = { 0x5d, 0x00, 0x00 },
	.magic_size = 3,
	.unpack = lzma_unpack,
};
