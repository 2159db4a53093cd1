/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codecs against data packed by the libraries' own encoders: what was packed is what must
 * come out, and nothing else ever may.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "codec/codec.h"

#define LIMIT ((uint64_t)64 << 20)
#define MIB ((size_t)1 << 20)

struct bytes {
	unsigned char *data;
	size_t size;
};

static struct bytes bytes_new(size_t size)
{
	struct bytes b = { .data = calloc(1, size ? size : 1), .size = size };

	assert_non_null(b.data);
	return b;
}

/* Text of some redundancy, different at each place. */
static struct bytes sample(size_t size)
{
	struct bytes b = bytes_new(size);
	uint32_t state = 1;

	for (size_t i = 0; i < size; i++) {
		if (i % 16 == 0)
			state = state * 1664525u + 1013904223u;
		b.data[i] = "printk.schedule_"[(state >> (i % 16)) & 15];
	}
	return b;
}

static struct bytes pack_gzip(struct bytes in)
{
	struct bytes out = bytes_new(in.size + in.size / 1000 + 128);
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = in.data;
	z.avail_in = (uInt)in.size;
	z.next_out = out.data;
	z.avail_out = (uInt)out.size;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out.size = z.total_out;
	deflateEnd(&z);
	return out;
}

static struct bytes pack_xz_check(struct bytes in, lzma_check check)
{
	struct bytes out = bytes_new(lzma_stream_buffer_bound(in.size));
	size_t pos = 0;

	assert_int_equal(
		lzma_easy_buffer_encode(1, check, NULL, in.data, in.size, out.data, &pos, out.size),
		LZMA_OK);
	out.size = pos;
	return out;
}

static struct bytes pack_xz(struct bytes in)
{
	return pack_xz_check(in, LZMA_CHECK_CRC32);
}

static struct bytes pack_zstd_with(struct bytes in, int has_content_size)
{
	struct bytes out = bytes_new(ZSTD_compressBound(in.size));
	ZSTD_CCtx *c = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, has_content_size);
	out.size = ZSTD_compress2(c, out.data, out.size, in.data, in.size);
	assert_false(ZSTD_isError(out.size));
	ZSTD_freeCCtx(c);
	return out;
}

static struct bytes pack_zstd(struct bytes in)
{
	return pack_zstd_with(in, 1);
}

static struct bytes pack_zstd_unsized(struct bytes in)
{
	return pack_zstd_with(in, 0);
}

/* Every kind of file that the tests below are run over. */
static const struct kind {
	const char *name;
	struct bytes (*pack)(struct bytes in);
	size_t magic_size;
} kinds[] = {
	{ "gzip", pack_gzip, 2 },
	{ "xz", pack_xz, 6 },
	{ "zstd", pack_zstd, 4 },
	{ "zstd", pack_zstd_unsized, 4 },
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct bytes join(struct bytes a, struct bytes b)
{
	struct bytes out = bytes_new(a.size + b.size);

	memcpy(out.data, a.data, a.size);
	memcpy(out.data + a.size, b.data, b.size);
	return out;
}

/* `packed` in a block of exactly its size, so that a sanitizer sees reads past its end. */
static enum codec_result unpack(struct codec_buffer *b, const unsigned char *packed, size_t size,
				uint64_t limit)
{
	unsigned char *exact = malloc(size ? size : 1);
	const char *detail = NULL;

	assert_non_null(exact);
	memcpy(exact, packed, size);
	enum codec_result result = codec_unpack(b, exact, size, limit, &detail);
	free(exact);
	assert_true(b->size <= limit);
	if (result != CODEC_OK) {
		assert_non_null(detail);
		assert_true(strlen(detail) > 10);
		assert_int_equal(b->size, 0);
	}
	return result;
}

static void assert_unpacks_to(struct codec_buffer *b, struct bytes packed, struct bytes expected)
{
	assert_int_equal(unpack(b, packed.data, packed.size, LIMIT), CODEC_OK);
	assert_int_equal(b->size, expected.size);
	assert_memory_equal(b->bytes, expected.data, expected.size);
}

static void names_are_told_by_magic(void **unused)
{
	struct bytes in = sample(100);

	(void)unused;
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(in);
		assert_string_equal(codec_name(packed.data, packed.size), kinds[k].name);
		assert_null(codec_name(packed.data, kinds[k].magic_size - 1));
		free(packed.data);
	}
	assert_null(codec_name((const unsigned char *)"\177ELF", 4));
	assert_null(codec_name((const unsigned char *)"", 0));
	free(in.data);
}

static void round_trip(void **unused)
{
	static const size_t sizes[] = { 0, 1, 1000, 65535, 65536, 65537, 3 * MIB, 20 * MIB, 70000 };
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct bytes in = sample(sizes[i]);
		for (size_t k = 0; k < N_KINDS; k++) {
			struct bytes packed = kinds[k].pack(in);
			assert_unpacks_to(&b, packed, in);
			free(packed.data);
		}
		free(in.data);
	}
	codec_buffer_release(&b);
}

static void not_compressed(void **unused)
{
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	assert_int_equal(unpack(&b, (const unsigned char *)"\177ELF\2\1\1", 7, LIMIT),
			 CODEC_UNKNOWN);
	assert_int_equal(unpack(&b, (const unsigned char *)"", 0, LIMIT), CODEC_UNKNOWN);
	codec_buffer_release(&b);
}

static void concatenated(void **unused)
{
	struct bytes one = sample(5000), two = sample(200000), both = join(one, two);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes p1 = kinds[k].pack(one), p2 = kinds[k].pack(two), p = join(p1, p2);
		assert_unpacks_to(&b, p, both);
		free(p.data);
		free(p2.data);
		free(p1.data);
	}
	codec_buffer_release(&b);
	free(both.data);
	free(two.data);
	free(one.data);
}

/* gzip takes what follows for padding, as the tool and kmod's gzread() do; xz and zstd do not. */
static void trailing_garbage(void **unused)
{
	static const char *const tails[] = { "x", "garbage, more than a header", "\x1f" };
	struct bytes in = sample(5000);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(in);
		for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
			struct bytes tail = bytes_new(strlen(tails[i]));
			memcpy(tail.data, tails[i], tail.size);
			struct bytes p = join(packed, tail);
			enum codec_result result = unpack(&b, p.data, p.size, LIMIT);
			if (kinds[k].pack == pack_gzip)
				assert_unpacks_to(&b, p, in);
			else
				assert_true(result == CODEC_DAMAGED || result == CODEC_TRUNCATED);
			free(p.data);
			free(tail.data);
		}
		free(packed.data);
	}
	codec_buffer_release(&b);
	free(in.data);
}

/* The .xz format, 2.2: stream padding is zeros, a multiple of four of them. */
static void xz_stream_padding(void **unused)
{
	struct bytes in = sample(5000), packed = pack_xz(in), twice = join(in, in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t n = 0; n <= 9; n++) {
		struct bytes zeros = bytes_new(n), padded = join(packed, zeros);
		if (n % 4 == 0)
			assert_unpacks_to(&b, padded, in);
		else
			assert_int_not_equal(unpack(&b, padded.data, padded.size, LIMIT), CODEC_OK);
		free(padded.data);
		free(zeros.data);
	}
	struct bytes zeros = bytes_new(8), padded = join(packed, zeros),
		     both = join(padded, packed);
	assert_unpacks_to(&b, both, twice);
	free(both.data);
	free(padded.data);
	free(zeros.data);
	codec_buffer_release(&b);
	free(twice.data);
	free(packed.data);
	free(in.data);
}

static void xz_checks(void **unused)
{
	static const lzma_check checks[] = { LZMA_CHECK_NONE, LZMA_CHECK_CRC32, LZMA_CHECK_CRC64,
					     LZMA_CHECK_SHA256 };
	struct bytes in = sample(5000);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t i = 0; i < 4; i++) {
		struct bytes packed = pack_xz_check(in, checks[i]);
		assert_unpacks_to(&b, packed, in);
		free(packed.data);
	}
	codec_buffer_release(&b);
	free(in.data);
}

/* A skippable frame (RFC 8878, 3.1.2) may stand between frames, and one that is cut may not. */
static void zstd_skippable_frame(void **unused)
{
	static const unsigned char skip[] = { 0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c' };
	struct bytes in = sample(5000), packed = pack_zstd(in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	struct bytes frame = bytes_new(sizeof(skip));
	memcpy(frame.data, skip, sizeof(skip));
	struct bytes p = join(packed, frame);
	assert_unpacks_to(&b, p, in);
	assert_int_equal(unpack(&b, p.data, p.size - 1, LIMIT), CODEC_TRUNCATED);
	free(p.data);
	free(frame.data);
	codec_buffer_release(&b);
	free(packed.data);
	free(in.data);
}

static void truncated_at_every_byte(void **unused)
{
	struct bytes in = sample(700);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(in);
		for (size_t n = 0; n < packed.size; n++) {
			enum codec_result expected =
				n < kinds[k].magic_size ? CODEC_UNKNOWN : CODEC_TRUNCATED;
			assert_int_equal(unpack(&b, packed.data, n, LIMIT), expected);
		}
		assert_unpacks_to(&b, packed, in);
		free(packed.data);
	}
	codec_buffer_release(&b);
	free(in.data);
}

/*
 * All three formats carry a checksum here, so no flipped bit may give other data. It may give the
 * same data: gzip's header has a time and a system that nobody checks.
 */
static void every_bit_flipped(void **unused)
{
	struct bytes in = sample(700);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(in);
		size_t n_unknown = 0;
		for (size_t bit = 0; bit < packed.size * 8; bit++) {
			packed.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
			enum codec_result result = unpack(&b, packed.data, packed.size, LIMIT);
			packed.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
			n_unknown += result == CODEC_UNKNOWN;
			if (result != CODEC_OK)
				continue;
			assert_int_equal(b.size, in.size);
			assert_memory_equal(b.bytes, in.data, in.size);
		}
		assert_int_equal(n_unknown, kinds[k].magic_size * 8);
		assert_unpacks_to(&b, packed, in);
		free(packed.data);
	}
	codec_buffer_release(&b);
	free(in.data);
}

static void limit_is_exact(void **unused)
{
	struct bytes in = sample(100000);
	struct codec_buffer b;

	(void)unused;
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(in);
		codec_buffer_init(&b);
		assert_int_equal(unpack(&b, packed.data, packed.size, in.size), CODEC_OK);
		assert_int_equal(unpack(&b, packed.data, packed.size, in.size - 1), CODEC_LIMIT);
		assert_int_equal(unpack(&b, packed.data, packed.size, 0), CODEC_LIMIT);
		assert_int_equal(unpack(&b, packed.data, packed.size, UINT64_MAX), CODEC_OK);
		codec_buffer_release(&b);
		free(packed.data);
	}
	free(in.data);
}

/* 48 MiB of zeros, also hidden in a second stream behind a harmless one. */
static void bombs_stop_at_the_limit(void **unused)
{
	struct bytes zeros = bytes_new(48 * MIB), harmless = sample(1000);
	struct codec_buffer b;

	(void)unused;
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(zeros), first = kinds[k].pack(harmless);
		struct bytes both = join(first, packed);
		codec_buffer_init(&b);
		assert_int_equal(unpack(&b, packed.data, packed.size, MIB), CODEC_LIMIT);
		assert_int_equal(unpack(&b, both.data, both.size, MIB), CODEC_LIMIT);
		assert_true(b.capacity <= 4 * MIB);
		codec_buffer_release(&b);
		free(both.data);
		free(first.data);
		free(packed.data);
	}
	free(harmless.data);
	free(zeros.data);
}

/* RFC 1952, 2.3.1: ISIZE are the last four bytes; a false one is no reason to allocate. */
static void gzip_false_size(void **unused)
{
	struct bytes in = sample(5000), packed = pack_gzip(in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	memset(packed.data + packed.size - 4, 0xff, 4);
	assert_int_equal(unpack(&b, packed.data, packed.size, UINT64_MAX), CODEC_DAMAGED);
	assert_true(b.capacity <= 16 * MIB);
	codec_buffer_release(&b);
	free(packed.data);
	free(in.data);
}

/*
 * RFC 8878, 3.1.1.1: the frame header's descriptor byte has 2 (of 1, 2, 4, 8 bytes) in its two top
 * bits and single-segment in bit 5 here, so the content size is in bytes 5..8.
 */
static void zstd_false_size(void **unused)
{
	struct bytes in = sample(100000), packed = pack_zstd(in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	assert_int_equal(packed.data[4] >> 5, 2 << 1 | 1);
	packed.data[8] = 0x03;
	assert_int_not_equal(unpack(&b, packed.data, packed.size, LIMIT), CODEC_OK);
	packed.data[8] = 0x7f;
	assert_int_equal(unpack(&b, packed.data, packed.size, LIMIT), CODEC_LIMIT);
	packed.data[8] = 0;
	packed.data[5] ^= 1;
	assert_int_equal(unpack(&b, packed.data, packed.size, LIMIT), CODEC_DAMAGED);
	codec_buffer_release(&b);
	free(packed.data);
	free(in.data);
}

/* Replace the index by one that tells of `size` bytes; both sizes take three bytes in it. */
static void forge_xz_index(struct bytes packed, uint64_t size)
{
	lzma_stream_flags footer;
	lzma_index *index = lzma_index_init(NULL);
	lzma_index *old = NULL;
	lzma_index_iter iter;
	uint64_t memlimit = UINT64_MAX;
	size_t end = packed.size - LZMA_STREAM_HEADER_SIZE;

	assert_int_equal(lzma_stream_footer_decode(&footer, packed.data + end), LZMA_OK);
	size_t start = end - (size_t)footer.backward_size, pos = start;
	assert_int_equal(lzma_index_buffer_decode(&old, &memlimit, NULL, packed.data, &pos, end),
			 LZMA_OK);
	lzma_index_iter_init(&iter, old);
	assert_false(lzma_index_iter_next(&iter, LZMA_INDEX_ITER_BLOCK));
	assert_int_equal(lzma_index_append(index, NULL, iter.block.unpadded_size, size), LZMA_OK);
	pos = start;
	assert_int_equal(lzma_index_buffer_encode(index, packed.data, &pos, end), LZMA_OK);
	assert_int_equal(pos, end);
	lzma_index_end(old, NULL);
	lzma_index_end(index, NULL);
}

static void xz_false_size(void **unused)
{
	struct bytes in = sample(100000), packed = pack_xz(in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	forge_xz_index(packed, 2000000);
	assert_int_equal(unpack(&b, packed.data, packed.size, LIMIT), CODEC_DAMAGED);
	forge_xz_index(packed, 20000);
	assert_int_equal(unpack(&b, packed.data, packed.size, LIMIT), CODEC_DAMAGED);
	codec_buffer_release(&b);
	free(packed.data);
	free(in.data);
}

/*
 * The .xz format, 3.1 and 5.3.1: the block header begins at byte 12 with its size / 4 - 1, ends
 * in a CRC32; a size byte, flags, the filter's id 0x21, the size of its properties (1), then the
 * dictionary: 38 is 2 GiB.
 */
static void xz_huge_dictionary(void **unused)
{
	struct bytes in = sample(5000), packed = pack_xz(in);
	unsigned char *header = packed.data + 12;
	size_t size = ((size_t)header[0] + 1) * 4;
	const char *detail = NULL;
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	/* Compressed and uncompressed size may come before the filter: look for it. */
	size_t i = 2;
	while (i + 2 < size && !(header[i] == 0x21 && header[i + 1] == 1))
		i++;
	assert_true(i + 2 < size - 4);
	header[i + 2] = 38;
	uint32_t crc = lzma_crc32(header, size - 4, 0);
	for (size_t n = 0; n < 4; n++)
		header[size - 4 + n] = (unsigned char)(crc >> 8 * n);
	assert_int_equal(codec_unpack(&b, packed.data, packed.size, LIMIT, &detail), CODEC_LIMIT);
	assert_non_null(strstr(detail, "dictionary"));
	codec_buffer_release(&b);
	free(packed.data);
	free(in.data);
}

static void one_giant_does_not_stay(void **unused)
{
	struct bytes giant = bytes_new(40 * MIB), small = sample(1000);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	for (size_t k = 0; k < N_KINDS; k++) {
		struct bytes packed = kinds[k].pack(giant), next = kinds[k].pack(small);
		assert_unpacks_to(&b, packed, giant);
		assert_true(b.capacity >= 40 * MIB);
		assert_unpacks_to(&b, next, small);
		assert_true(b.capacity <= 16 * MIB);
		free(next.data);
		free(packed.data);
	}
	codec_buffer_release(&b);
	free(small.data);
	free(giant.data);
}

static void release_leaves_a_usable_buffer(void **unused)
{
	struct bytes in = sample(1000), packed = pack_xz(in);
	struct codec_buffer b;

	(void)unused;
	codec_buffer_init(&b);
	codec_buffer_release(&b);
	assert_unpacks_to(&b, packed, in);
	codec_buffer_release(&b);
	assert_null(b.bytes);
	free(packed.data);
	free(in.data);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_told_by_magic),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(not_compressed),
		cmocka_unit_test(concatenated),
		cmocka_unit_test(trailing_garbage),
		cmocka_unit_test(xz_stream_padding),
		cmocka_unit_test(xz_checks),
		cmocka_unit_test(zstd_skippable_frame),
		cmocka_unit_test(truncated_at_every_byte),
		cmocka_unit_test(every_bit_flipped),
		cmocka_unit_test(limit_is_exact),
		cmocka_unit_test(bombs_stop_at_the_limit),
		cmocka_unit_test(gzip_false_size),
		cmocka_unit_test(zstd_false_size),
		cmocka_unit_test(xz_false_size),
		cmocka_unit_test(xz_huge_dictionary),
		cmocka_unit_test(one_giant_does_not_stay),
		cmocka_unit_test(release_leaves_a_usable_buffer),
	};

	return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
