// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compress gzip | xz | zstd | lzma, with the settings of the kernel's build where it has any:
 * xz with CRC32 and a small dictionary (scripts/Makefile.modinst), gzip without a time.
 */
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "mkko.h"

static size_t pack_gzip(const struct buf *in, unsigned char *out, size_t room)
{
	z_stream z;
	size_t size;

	memset(&z, 0, sizeof(z));
	if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	z.next_in = in->data;
	z.avail_in = (unsigned int)in->size;
	z.next_out = out;
	z.avail_out = (unsigned int)room;
	size = deflate(&z, Z_FINISH) == Z_STREAM_END ? z.total_out : 0;
	deflateEnd(&z);
	return size;
}

static size_t pack_lzma(const struct buf *in, unsigned char *out, size_t room, bool is_xz)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_options_lzma options;
	lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options }, { LZMA_VLI_UNKNOWN, NULL } };
	size_t size;
	lzma_ret ret;

	if (lzma_lzma_preset(&options, 6))
		return 0;
	options.dict_size = 1 << 20;
	ret = is_xz ? lzma_stream_encoder(&z, filters, LZMA_CHECK_CRC32)
		    : lzma_alone_encoder(&z, &options);
	if (ret != LZMA_OK)
		return 0;
	z.next_in = in->data;
	z.avail_in = in->size;
	z.next_out = out;
	z.avail_out = room;
	size = lzma_code(&z, LZMA_FINISH) == LZMA_STREAM_END ? (size_t)z.total_out : 0;
	lzma_end(&z);
	return size;
}

static size_t pack_zstd(const struct buf *in, unsigned char *out, size_t room)
{
	size_t size = ZSTD_compress(out, room, in->data, in->size, 19);

	return ZSTD_isError(size) ? 0 : size;
}

void compress_bytes(const struct line *l, struct buf *image)
{
	const char *how = line_word(l, 1, "gzip, xz, zstd or lzma");
	struct buf out = { 0 };

	buf_fill(&out, 0, image->size + image->size / 8 + 1024);
	if (!strcmp(how, "gzip"))
		out.size = pack_gzip(image, out.data, out.size);
	else if (!strcmp(how, "xz") || !strcmp(how, "lzma"))
		out.size = pack_lzma(image, out.data, out.size, !strcmp(how, "xz"));
	else if (!strcmp(how, "zstd"))
		out.size = pack_zstd(image, out.data, out.size);
	else
		die(l, "unknown compression %s", how);
	if (!out.size)
		die(l, "%s failed", how);
	free(image->data);
	*image = out;
}
