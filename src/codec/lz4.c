/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lz4 through liblz4, in the legacy frame that `lz4 -l` writes and lib/decompress_unlz4.c of the
 * kernel reads (CONFIG_KERNEL_LZ4); liblz4's own frame functions do not know it:
 *
 *   magic 0x184c2102 | size of a packed block 4 | the block ... all numbers little-endian
 *
 * A block unpacks to 8 MiB, the last one to less. Nothing marks the end, so what follows a short
 * block, or is too large for a size, is no longer ours.
 */
#include <lz4.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/decoder.h"

#define MAGIC 0x184c2102u
#define BLOCK_BYTES (8 << 20)
#define MAGIC_BYTES 4

/* Does another block of `packed` bytes follow at pos? A frame may follow a frame, too. */
static bool is_block(const struct codec_task *t, size_t pos, uint32_t packed)
{
	return packed > 0 && packed <= (uint32_t)LZ4_COMPRESSBOUND(BLOCK_BYTES) &&
	       bytes_has_range(t->size, pos, packed);
}

/* Bytes that come of the block: less than BLOCK_BYTES where no more are wanted. -1: damaged. */
static int unpack_block(struct codec_buffer *b, const struct codec_task *t, size_t pos,
			uint32_t packed)
{
	/* it is reserved in whole, so the buffer grows at most twice as large as is wanted */
	uint64_t left = t->limit + 1 - b->size;
	int want = left < BLOCK_BYTES ? (int)left : BLOCK_BYTES;

	while (b->capacity - b->size < (size_t)want) {
		size_t n = b->capacity ? b->capacity * 2 : BLOCK_BYTES;
		b->bytes = mem_resize(b->bytes, n, 1);
		b->capacity = n;
	}
	return LZ4_decompress_safe_partial((const char *)t->bytes + pos, (char *)b->bytes + b->size,
					   (int)packed, want, want);
}

static enum codec_result lz4_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	size_t pos = MAGIC_BYTES;

	(void)state;
	codec_reserve(b, t, codec_kernel_expected(t), 255);
	while (b->size <= t->limit && t->size - pos >= 4) {
		uint32_t packed = bytes_get32(t->bytes + pos, false);
		pos += 4;
		if (packed == MAGIC)
			continue;
		if (!is_block(t, pos, packed))
			return b->size ? CODEC_OK : CODEC_TRUNCATED;
		int n = unpack_block(b, t, pos, packed);
		if (n < 0)
			return CODEC_DAMAGED;
		b->size += (size_t)n;
		pos += packed;
		if (n < BLOCK_BYTES)
			return CODEC_OK;
	}
	return b->size ? CODEC_OK : CODEC_TRUNCATED;
}

const struct codec codec_lz4 = {
	.name = "lz4",
	.magic = { 0x02, 0x21, 0x4c, 0x18 },
	.magic_size = MAGIC_BYTES,
	.unpack = lz4_unpack,
};
