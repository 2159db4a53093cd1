/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xz (the .xz file format 1.2.0) through liblzma. A file is streams and padding:
 *
 *   header 12 | block ... | index | footer 12 | zeros, a multiple of 4 | header 12 | ...
 *
 * The index holds the unpacked size of each block, so the size of the last stream is known
 * before the first byte is unpacked. Anything else behind a footer is an error, as in xz and kmod.
 */
#include <stdlib.h>

#include <lzma.h>

#include "base/mem.h"
#include "codec/decoder.h"

#define INDEX_BYTES ((uint64_t)16 << 20) /* the most that reading an index may allocate */
#define LZMA_RATIO 8192                  /* seen at its best: zeros, 1 to 7,000 */

/* The unpacked size that the last stream's index tells; 0 if there is none that can be read. */
static uint64_t size_from_index(const unsigned char *bytes, size_t size)
{
	lzma_stream_flags footer;
	lzma_index *index = NULL;
	uint64_t memlimit = INDEX_BYTES, total;

	while (size >= 4 && !bytes[size - 1] && !bytes[size - 2] && !bytes[size - 3] &&
	       !bytes[size - 4])
		size -= 4;
	if (size < 2 * LZMA_STREAM_HEADER_SIZE)
		return 0;
	size -= LZMA_STREAM_HEADER_SIZE;
	if (lzma_stream_footer_decode(&footer, bytes + size) != LZMA_OK ||
	    footer.backward_size > size)
		return 0;
	size_t pos = size - (size_t)footer.backward_size;
	if (lzma_index_buffer_decode(&index, &memlimit, NULL, bytes, &pos, size) != LZMA_OK)
		return 0;
	total = lzma_index_uncompressed_size(index);
	lzma_index_end(index, NULL);
	return total;
}

static void xz_release(void *state)
{
	lzma_end(state);
	free(state);
}

/* Initialising a stream that was used before keeps its allocations, the dictionary above all. */
static lzma_stream *ready_stream(void **state, const struct codec_task *t)
{
	lzma_stream *z = *state;

	if (!z) {
		z = mem_zalloc(sizeof(*z));
		*z = (lzma_stream)LZMA_STREAM_INIT;
		*state = z;
	}
	uint32_t flags = t->is_kernel ? 0 : LZMA_CONCATENATED;
	if (lzma_stream_decoder(z, CODEC_DECODER_BYTES, flags) != LZMA_OK)
		mem_exhausted();
	return z;
}

static enum codec_result result_of(lzma_ret status, struct codec_task *t)
{
	switch (status) {
	case LZMA_STREAM_END:
		return CODEC_OK;
	case LZMA_BUF_ERROR:
		return CODEC_TRUNCATED;
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR:
		t->detail = "the compressed data needs a dictionary larger than the limit";
		return CODEC_LIMIT;
	case LZMA_OPTIONS_ERROR:
		t->detail = "the compressed data uses options that liblzma does not know";
		return CODEC_DAMAGED;
	case LZMA_FORMAT_ERROR:
		t->detail = "garbage follows the compressed data";
		return CODEC_DAMAGED;
	default:
		return CODEC_DAMAGED;
	}
}

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
		if (status != LZMA_OK)
			return result_of(status, t);
	}
}

static enum codec_result xz_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	uint64_t expected =
		t->is_kernel ? codec_kernel_expected(t) : size_from_index(t->bytes, t->size);

	if (expected > t->limit)
		return CODEC_LIMIT;
	codec_reserve(b, t, expected, LZMA_RATIO);
	lzma_stream *z = ready_stream(state, t);
	z->next_in = t->bytes;
	z->avail_in = t->size;
	enum codec_result result = decode(z, b, t);
	if (lzma_memusage(z) > CODEC_KEEP_BYTES) {
		xz_release(z);
		*state = NULL;
	}
	return result;
}

const struct codec codec_xz = {
	.name = "xz",
	.magic = { 0xfd, '7', 'z', 'X', 'Z', 0x00 },
	.magic_size = 6,
	.is_of_modules = true,
	.unpack = xz_unpack,
	.release = xz_release,
};
