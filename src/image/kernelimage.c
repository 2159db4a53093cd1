/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacking takes nearly all of the time that an image costs, so no more is unpacked than is
 * needed: of a kernel that turns out to be ELF first its head, then the segment with its code, in
 * which everything that is wanted lies. Only where it cannot be found there all of the rest is
 * unpacked, and looked for by section.
 */
#include "image/kernelimage.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "image/body.h"

#define PEEK_BYTES ((uint64_t)64 << 10)
#define MAX_TRIES 64 /* of what looks like the beginning of a packed kernel */

/* Formats that carry a packed kernel. machine: of what is in it when it is raw, 0: it is ELF. */
static const struct wrapper {
	const char *name;
	bool (*is)(const unsigned char *bytes, size_t size);
	bool (*find)(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p);
	uint16_t machine;
	uint8_t word;
} wrappers[] = {
	{ "bzImage", bzimage_is, bzimage_find, 0, 0 },
	{ "EFI zboot image", zboot_is, zboot_find, 0, 0 },
	{ "zImage", zimage_is, zimage_find, EM_ARM, 4 },
	{ "s390 image", s390_is, s390_find, EM_S390, 8 },
};

/* Raw kernels with a head of their own. */
static bool get_raw_head(struct body *b, const unsigned char *bytes, size_t size)
{
	return arm64_head(b, bytes, size) || riscv_head(b, bytes, size);
}

/* What wraps a raw kernel says what it is. */
static bool get_wrapped_head(struct body *b, const struct wrapper *w, const unsigned char *file)
{
	if (!w || !w->machine)
		return false;
	b->machine = w->machine;
	b->word = w->word;
	b->is_big = w->machine == EM_S390 ||
		    (w->machine == EM_ARM && bytes_get32(file + 0x30, true) == 0x04030201u);
	return true;
}

static void finish(struct kernel_image *im, const struct body *b)
{
	im->machine = b->machine;
	im->is_big_endian = b->is_big;
	strings_find(im, b);
	btf_find(im, b);
}

/* A kernel of which all bytes are there. */
static bool read_elf(struct kernel_image *im, const struct body *b, struct err *err)
{
	bool has_sections;

	if (!elf_read(im, b, &has_sections, err)) {
		if (has_sections || !shape_read(im, b))
			return false;
	}
	finish(im, b);
	return true;
}

static bool read_raw(struct kernel_image *im, const struct body *b, struct err *err)
{
	if (!shape_read(im, b))
		return err_set(err, "no export tables can be found in it");
	finish(im, b);
	return true;
}

static bool unpack(struct kernel_image *im, const struct packed *p, uint64_t want, struct err *err)
{
	struct codec_buffer *buffer = &im->buffer;
	const char *detail = "";

	if (codec_unpack_kernel(buffer, p->bytes, p->size, want, &detail) != CODEC_OK)
		return err_set(err, "%s: %s", im->compression ? im->compression : "packed kernel",
			       detail);
	im->n_unpacked = buffer->size;
	return true;
}

static bool unpack_all(struct kernel_image *im, const struct packed *p, struct err *err)
{
	if (!unpack(im, p, LIMIT_IMAGE_BYTES, err))
		return false;
	if (im->n_unpacked < LIMIT_IMAGE_BYTES)
		return true;
	return err_set(err, "it unpacks to more than %llu MiB",
		       (unsigned long long)LIMIT_IMAGE_BYTES >> 20);
}

/* Try to make do with the segment that has the code. *b holds the head. */
static bool read_beginning(struct kernel_image *im, struct body *b, const struct packed *p)
{
	struct err ignored;
	uint64_t end = elf_code_end(b);

	if (end <= b->size || end > LIMIT_IMAGE_BYTES || !unpack(im, p, end, &ignored))
		return false;
	b->bytes = im->buffer.bytes;
	b->size = im->buffer.size;
	if (b->size < end || !shape_read(im, b))
		return false;
	finish(im, b);
	return im->vermagic != NULL;
}

static bool read_packed_elf(struct kernel_image *im, struct body *b, const struct packed *p,
			    struct err *err)
{
	const struct codec_buffer *buffer = &im->buffer;

	if (!elf_head(b, buffer->bytes, buffer->size, err))
		return false;
	b->bytes = buffer->bytes;
	b->size = buffer->size;
	if (read_beginning(im, b, p))
		return true;
	if (!unpack_all(im, p, err))
		return false;
	b->bytes = buffer->bytes;
	b->size = buffer->size;
	return read_elf(im, b, err);
}

/* A packed kernel, of whatever kind. file: the whole file, for what its head tells. */
static bool read_packed(struct kernel_image *im, const struct wrapper *w, const unsigned char *file,
			const struct packed *p, struct err *err)
{
	const struct codec_buffer *buffer = &im->buffer;
	struct body b = { 0 };

	im->compression = codec_kernel_name(p->bytes, p->size);
	if (!unpack(im, p, PEEK_BYTES, err))
		return false;
	if (elf_is(buffer->bytes, buffer->size))
		return read_packed_elf(im, &b, p, err);
	if (!get_raw_head(&b, buffer->bytes, buffer->size) && !get_wrapped_head(&b, w, file))
		return err_set(err, "what is packed in it is no kernel");
	if (!unpack_all(im, p, err))
		return false;
	b.bytes = buffer->bytes;
	b.size = buffer->size;
	return read_raw(im, &b, err);
}

static bool read_wrapped(struct kernel_image *im, const struct wrapper *w,
			 const unsigned char *bytes, size_t size, struct err *err)
{
	struct packed p;
	uint32_t i = 0;

	im->format = w->name;
	err_set(err, "a %s without a packed kernel in it", w->name);
	for (int n_tries = 0; n_tries < MAX_TRIES && w->find(bytes, size, &i, &p); n_tries++)
		if (read_packed(im, w, bytes, &p, err))
			return true;
	return false;
}

/* Unpacked by the boot loader, if at all: arm64's Image.gz is a plain gzip file. */
static bool read_bare(struct kernel_image *im, const unsigned char *bytes, size_t size,
		      struct err *err)
{
	struct body b = { .bytes = bytes, .size = size };

	if (elf_is(bytes, size)) {
		im->format = "vmlinux";
		return elf_head(&b, bytes, size, err) && read_elf(im, &b, err);
	}
	if (!get_raw_head(&b, bytes, size))
		return err_set(err, "no kernel image");
	im->format = "Image";
	return read_raw(im, &b, err);
}

static bool read_file(struct kernel_image *im, const unsigned char *bytes, size_t size,
		      struct err *err)
{
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++)
		if (wrappers[i].is(bytes, size))
			return read_wrapped(im, &wrappers[i], bytes, size, err);
	return read_bare(im, bytes, size, err);
}

bool kernel_image_read(struct kernel_image *im, const unsigned char *bytes, size_t size,
		       struct err *err)
{
	struct packed p = { bytes, size };

	*im = (struct kernel_image) { 0 };
	if (!codec_kernel_name(bytes, size))
		return read_file(im, bytes, size, err);
	im->format = "packed kernel";
	return read_packed(im, NULL, bytes, &p, err);
}

static bool find_packed_certificates(struct kernel_image *im, const struct packed *p,
				     struct err *err)
{
	if (!unpack_all(im, p, err))
		return false;
	certificates_find(im, im->buffer.bytes, im->buffer.size);
	return true;
}

static bool find_wrapped_certificates(struct kernel_image *im, const struct wrapper *w,
				      const unsigned char *bytes, size_t size, struct err *err)
{
	struct packed p;
	uint32_t i = 0;

	err_set(err, "a %s without a packed kernel in it", w->name);
	for (int n_tries = 0; n_tries < MAX_TRIES && w->find(bytes, size, &i, &p); n_tries++)
		if (find_packed_certificates(im, &p, err))
			return true;
	return false;
}

bool kernel_image_read_certificates(struct kernel_image *im, const unsigned char *bytes,
				    size_t size, struct err *err)
{
	struct packed p = { bytes, size };

	*im = (struct kernel_image) { 0 };
	if (codec_kernel_name(bytes, size))
		return find_packed_certificates(im, &p, err);
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++)
		if (wrappers[i].is(bytes, size))
			return find_wrapped_certificates(im, &wrappers[i], bytes, size, err);
	certificates_find(im, bytes, size);
	return true;
}

void kernel_image_release(struct kernel_image *im)
{
	codec_buffer_release(&im->buffer);
	free(im->exports);
	free(im->certificates);
	*im = (struct kernel_image) { 0 };
}
