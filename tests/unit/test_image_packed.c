/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernels are packed in: each compression, and each program that carries a packed kernel. The
 * packers are the libraries' own; lzop's frame is written as its sources say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <bzlib.h>
#include <cmocka.h>
#include <elf.h>
#include <lz4.h>
#include <lzma.h>
#include <lzo/lzo1x.h>
#include <zlib.h>
#include <zstd.h>

#include "image/kernelimage.h"
#include "image_fixture.h"

#define ROOM (4 * IMAGE_ROOM)

struct packed_bytes {
	unsigned char bytes[ROOM];
	size_t size;
};

typedef void packer(struct packed_bytes *out, const unsigned char *in, size_t size);

static void pack_gzip(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)in;
	z.avail_in = (uInt)size;
	z.next_out = out->bytes;
	z.avail_out = ROOM;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out->size = z.total_out;
	deflateEnd(&z);
}

static void pack_xz(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	out->size = 0;
	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, in, size, out->bytes,
						 &out->size, ROOM),
			 LZMA_OK);
}

static void pack_lzma(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_options_lzma options;

	lzma_lzma_preset(&options, 1);
	assert_int_equal(lzma_alone_encoder(&z, &options), LZMA_OK);
	z.next_in = in;
	z.avail_in = size;
	z.next_out = out->bytes;
	z.avail_out = ROOM;
	assert_int_equal(lzma_code(&z, LZMA_FINISH), LZMA_STREAM_END);
	out->size = z.total_out;
	lzma_end(&z);
}

static void pack_zstd(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	out->size = ZSTD_compress(out->bytes, ROOM, in, size, 3);
	assert_false(ZSTD_isError(out->size));
}

static void pack_bzip2(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	unsigned int n = ROOM;

	assert_int_equal(BZ2_bzBuffToBuffCompress((char *)out->bytes, &n, (char *)(uintptr_t)in,
						  (unsigned int)size, 1, 0, 0),
			 BZ_OK);
	out->size = n;
}

static void pack_lz4(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	static const unsigned char magic[] = { 0x02, 0x21, 0x4c, 0x18 };
	int n = LZ4_compress_default((const char *)in, (char *)out->bytes + 8, (int)size, ROOM - 8);

	assert_true(n > 0);
	memcpy(out->bytes, magic, 4);
	for (int i = 0; i < 4; i++)
		out->bytes[4 + i] = (unsigned char)(n >> 8 * i);
	out->size = 8 + (size_t)n;
}

static void append_be(struct packed_bytes *out, uint64_t value, size_t n)
{
	while (n-- > 0)
		out->bytes[out->size++] = (unsigned char)(n < 8 ? value >> 8 * n : 0);
}

/* lzop 1.04 -1: version 0x1040, library 0x20a0, 0x0940 needed, method 1, level 1, adler32. */
static void pack_lzo(struct packed_bytes *out, const unsigned char *in, size_t size)
{
	static const unsigned char magic[] = { 0x89, 'L', 'Z', 'O', 0, '\r', '\n', 0x1a, '\n' };
	static unsigned char packed[ROOM];
	static long work[LZO1X_1_MEM_COMPRESS / sizeof(long) + 1];
	lzo_uint n = 0;

	memcpy(out->bytes, magic, sizeof(magic));
	out->size = sizeof(magic);
	append_be(out, 0x104020a00940, 6);
	append_be(out, 0x0101, 2);
	append_be(out, 0x00000001, 4); /* flags */
	append_be(out, 0, 4 + 4 + 4);  /* mode, mtime */
	append_be(out, 0, 1 + 4);      /* no name, checksum */
	assert_int_equal(lzo1x_1_compress(in, size, packed, &n, work), LZO_E_OK);
	append_be(out, size, 4);
	append_be(out, n, 4);
	append_be(out, 0, 4);
	memcpy(out->bytes + out->size, packed, n);
	out->size += n;
	append_be(out, 0, 4); /* the end */
}

static const struct {
	const char *name;
	packer *pack;
} packers[] = {
	{ "gzip", pack_gzip },   { "xz", pack_xz },   { "lzma", pack_lzma }, { "zstd", pack_zstd },
	{ "bzip2", pack_bzip2 }, { "lz4", pack_lz4 }, { "lzo", pack_lzo },
};
#define N_PACKERS (sizeof(packers) / sizeof(*packers))

static void put_le(unsigned char *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> 8 * i);
}

static void assert_reads(const unsigned char *bytes, size_t size, const struct made *m,
			 const char *format, const char *compression)
{
	struct kernel_image im;
	struct err err = { "" };

	if (!kernel_image_read(&im, bytes, size, &err))
		fail_msg("%s, %s: %s", format, compression, err.text);
	assert_string_equal(im.format, format);
	assert_string_equal(im.compression, compression);
	assert_int_equal(im.n_exports, m->n);
	assert_int_equal(im.exports[5].crc, made_crc(5));
	assert_int_equal(im.vermagic_length, strlen(fixture_vermagic));
	kernel_image_release(&im);
}

/* Whatever of it is cut off: never more than was there, and no crash. */
static void assert_survives_cuts(const unsigned char *bytes, size_t size)
{
	for (size_t n = 0; n < size; n += 1 + size / 50) {
		struct kernel_image im;
		struct err err = { "" };
		unsigned char *copy = malloc(n ? n : 1);
		memcpy(copy, bytes, n);
		assert_true(kernel_image_read(&im, copy, n, &err) || err.text[0]);
		kernel_image_release(&im);
		free(copy);
	}
}

static struct made *arm64_kernel(void)
{
	static struct made m = { .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4 };

	make_kernel(&m);
	memcpy(m.bytes + 0x38, "ARM\x64", 4);
	return &m;
}

static void packed_images(void **state)
{
	static struct packed_bytes p;
	struct made *m = arm64_kernel();

	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		packers[i].pack(&p, m->bytes, m->size);
		assert_reads(p.bytes, p.size, m, "packed kernel", packers[i].name);
		assert_survives_cuts(p.bytes, p.size);
	}
}

static void zboot_images(void **state)
{
	static struct packed_bytes p;
	static unsigned char file[ROOM + 0x1000];
	struct made *m = arm64_kernel();

	(void)state;
	memcpy(file, "MZ\0\0zimg", 8);
	for (size_t i = 0; i < N_PACKERS; i++) {
		packers[i].pack(&p, m->bytes, m->size);
		put_le(file + 8, 0x1000);
		put_le(file + 12, (uint32_t)p.size);
		memcpy(file + 0x1000, p.bytes, p.size);
		assert_reads(file, 0x1000 + p.size, m, "EFI zboot image", packers[i].name);
	}
	put_le(file + 12, 0xffffffff);
	struct kernel_image im;
	struct err err;
	assert_false(kernel_image_read(&im, file, 0x1000 + p.size, &err));
	kernel_image_release(&im);
}

/* The linker put other things around it, one of which only begins like something packed. */
static void arm_images(void **state)
{
	static struct made m = { .n_fields = 3, .word = 4, .crc_bytes = 4, .base = 0xc0208000 };
	static struct packed_bytes p;
	static unsigned char file[ROOM];

	(void)state;
	make_kernel(&m);
	pack_xz(&p, m.bytes, m.size);
	put_le(file + 0x24, 0x016f2818);
	put_le(file + 0x30, 0x04030201);
	memcpy(file + 0x100, p.bytes, 6);
	memcpy(file + 0x223, p.bytes, p.size);
	assert_reads(file, 0x223 + p.size + 100, &m, "zImage", "xz");
}

static void s390_images(void **state)
{
	static struct made m = {
		.n_fields = 3, .word = 8, .crc_bytes = 4, .base = 0x100000, .is_big = true
	};
	static struct packed_bytes p;
	static unsigned char file[ROOM + 0x20000];

	(void)state;
	make_kernel(&m);
	pack_zstd(&p, m.bytes, m.size);
	memcpy(file + 0x10008, "S390EP", 6);
	memcpy(file + 0x12345, p.bytes, p.size);
	assert_reads(file, 0x12345 + p.size + 100, &m, "s390 image", "zstd");
}

/* i386 as ELF without section headers: the tables are in the first segment. */
static size_t make_elf(struct made *m, unsigned char *out)
{
	Elf32_Ehdr h = { .e_type = ET_EXEC,
			 .e_machine = EM_386,
			 .e_phoff = sizeof(h),
			 .e_phnum = 1,
			 .e_phentsize = sizeof(Elf32_Phdr) };
	Elf32_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = 4096 };

	make_kernel(m);
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS32;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	ph.p_filesz = m->size;
	memcpy(out, &h, sizeof(h));
	memcpy(out + sizeof(h), &ph, sizeof(ph));
	memcpy(out + 4096, m->bytes, m->size);
	return 4096 + m->size;
}

static void bzimages(void **state)
{
	static struct made m = { .is_prel = true, .n_fields = 3, .word = 4, .crc_bytes = 4 };
	static struct packed_bytes p;
	static unsigned char elf[2 * IMAGE_ROOM + (1 << 17)], file[ROOM];

	(void)state;
	size_t size = make_elf(&m, elf) + (1 << 17);
	for (size_t i = 0; i < N_PACKERS; i++) {
		packers[i].pack(&p, elf, size);
		memset(file, 0, sizeof(file));
		memcpy(file + 0x202, "HdrS\x0f\x02", 6);
		file[0x1f1] = 2;
		put_le(file + 0x248, 0x55);
		put_le(file + 0x24c, (uint32_t)p.size + 4);
		memcpy(file + 3 * 512 + 0x55, p.bytes, p.size);
		put_le(file + 3 * 512 + 0x55 + p.size, (uint32_t)size);
		assert_reads(file, 3 * 512 + 0x55 + p.size + 4, &m, "bzImage", packers[i].name);
	}
	assert_survives_cuts(file, 3 * 512 + 0x55 + p.size + 4);
}

/* No more is unpacked than the segment with the code. */
static void unpacks_only_what_is_needed(void **state)
{
	static struct packed_bytes p;
	struct codec_buffer b;
	const char *detail;
	struct made *m = arm64_kernel();

	(void)state;
	codec_buffer_init(&b);
	for (size_t i = 0; i < N_PACKERS; i++) {
		packers[i].pack(&p, m->bytes, m->size);
		assert_int_equal(codec_unpack_kernel(&b, p.bytes, p.size, 5000, &detail), CODEC_OK);
		assert_int_equal(b.size, 5000);
		assert_memory_equal(b.bytes, m->bytes, 5000);
		assert_int_equal(codec_unpack_kernel(&b, p.bytes, p.size, 1 << 20, &detail),
				 CODEC_OK);
		assert_int_equal(b.size, m->size);
		assert_memory_equal(b.bytes, m->bytes, m->size);
	}
	/* modules are packed by three of them alone */
	pack_lz4(&p, m->bytes, m->size);
	assert_null(codec_name(p.bytes, p.size));
	assert_int_equal(codec_unpack(&b, p.bytes, p.size, 1 << 20, &detail), CODEC_UNKNOWN);
	codec_buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_images), cmocka_unit_test(zboot_images),
		cmocka_unit_test(arm_images),    cmocka_unit_test(s390_images),
		cmocka_unit_test(bzimages),      cmocka_unit_test(unpacks_only_what_is_needed),
	};

	return cmocka_run_group_tests_name("image_packed", tests, NULL, NULL);
}
