/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lzo through liblzo2, in the frame of lzop, which liblzo2 leaves to its callers; as
 * lib/decompress_unlzo.c of the kernel reads it (CONFIG_KERNEL_LZO). Numbers are big-endian:
 *
 *   magic 9 | version 2 | library 2 | needed 2 if version >= 0x0940 | method 1 |
 *   level 1 if version >= 0x0940 | flags 4 | filter 4 if flags & 0x800 | mode 4 | mtime 4 |
 *   mtime, high half 4 if version >= 0x0940 | length of the name 1 | name | checksum 4
 *
 * and then blocks until one of size 0:
 *
 *   size 4 | packed size 4 | checksums of what is unpacked | of what is packed, if it is packed |
 *   the block, not packed if both sizes are the same
 */
#include <string.h>

#include <lzo/lzo1x.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/decoder.h"

#define MAGIC_BYTES 9
#define FLAG_FILTER 0x800u
#define FLAG_ADLER32 0x001u
#define FLAG_ADLER32_PACKED 0x002u
#define FLAG_CRC32 0x100u
#define FLAG_CRC32_PACKED 0x200u
#define BLOCK_BYTES (64u << 20) /* lzop's own limit; it writes 256 KiB */
#define LZO_RATIO 256

/* A place in the file. Reading past the end gives zeros and is noticed in the end. */
struct cursor {
	const struct codec_task *t;
	size_t pos;
	bool is_past;
};

static const unsigned char *take(struct cursor *c, size_t n)
{
	static const unsigned char zeros[4];

	if (!bytes_has_range(c->t->size, c->pos, n)) {
		c->is_past = true;
		return zeros;
	}
	c->pos += n;
	return c->t->bytes + c->pos - n;
}

static uint32_t take32(struct cursor *c)
{
	return bytes_get32(take(c, 4), true);
}

/* Returns the flags. */
static uint32_t take_head(struct cursor *c)
{
	take(c, MAGIC_BYTES);
	bool is_new = bytes_get16(take(c, 2), true) >= 0x0940;
	take(c, 2);
	if (is_new)
		take(c, 2);
	take(c, 1);
	if (is_new)
		take(c, 1);
	uint32_t flags = take32(c);
	if (flags & FLAG_FILTER)
		take(c, 4);
	take(c, 4);
	take(c, 4);
	if (is_new)
		take(c, 4);
	take(c, take(c, 1)[0]);
	take(c, 4);
	return flags;
}

static void skip_checksums(struct cursor *c, uint32_t flags, bool is_packed)
{
	if (flags & FLAG_ADLER32)
		take(c, 4);
	if (flags & FLAG_CRC32)
		take(c, 4);
	if (is_packed && (flags & FLAG_ADLER32_PACKED))
		take(c, 4);
	if (is_packed && (flags & FLAG_CRC32_PACKED))
		take(c, 4);
}

static void make_room(struct codec_buffer *b, size_t n)
{
	while (b->capacity - b->size < n) {
		size_t more = b->capacity ? b->capacity * 2 : n;
		b->bytes = mem_resize(b->bytes, more, 1);
		b->capacity = more;
	}
}

static enum codec_result unpack_block(struct codec_buffer *b, struct cursor *c, uint32_t size,
				      uint32_t packed)
{
	const unsigned char *from = take(c, packed);
	lzo_uint n = size;

	if (c->is_past)
		return CODEC_TRUNCATED;
	make_room(b, size);
	if (packed == size)
		memcpy(b->bytes + b->size, from, size);
	else if (lzo1x_decompress_safe(from, packed, b->bytes + b->size, &n, NULL) != LZO_E_OK ||
		 n != size)
		return CODEC_DAMAGED;
	b->size += size;
	return CODEC_OK;
}

static enum codec_result lzo_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	struct cursor c = { .t = t };

	(void)state;
	uint32_t flags = take_head(&c);
	codec_reserve(b, t, codec_kernel_expected(t), LZO_RATIO);
	while (b->size <= t->limit && !c.is_past) {
		uint32_t size = take32(&c);
		if (size == 0)
			break;
		uint32_t packed = take32(&c);
		if (!c.is_past && (size > BLOCK_BYTES || packed == 0 || packed > size))
			return CODEC_DAMAGED;
		skip_checksums(&c, flags, packed < size);
		enum codec_result result = unpack_block(b, &c, size, packed);
		if (result != CODEC_OK)
			return result;
	}
	return c.is_past ? CODEC_TRUNCATED : CODEC_OK;
}

const struct codec codec_lzo = {
	.name = "lzo",
	.magic = { 0x89, 'L', 'Z', 'O', 0x00, 0x0d },
	.magic_size = 6,
	.unpack = lzo_unpack,
};
