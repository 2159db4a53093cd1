/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of an ELF file that are needed, in a buffer that is kept from file to file. A small
 * file is read whole; of a large one only the header, the section table and the sections that
 * somebody wants are read and packed one after another. So the buffer stays small, and hot in the
 * cache. Every byte up to `size` was read from this file: a short read is an error, never bytes of
 * the file before.
 *
 *   large file   | header | .text ... | .modinfo | ... | .symtab .strtab | ... | names, table |
 *   image        | header | names, table | .modinfo | .symtab .strtab |
 */
#ifndef MODCHECK_IMAGE_H
#define MODCHECK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/elfcheck.h"

enum image_result {
	IMAGE_OK,
	IMAGE_SHORT, /* the file has become shorter */
	IMAGE_ERROR, /* errno says why */
};

struct range {
	uint64_t offset, end; /* in the file */
	size_t at;            /* in the image */
};

/* A section that was asked for after the image was made. */
struct late {
	struct late *next;
	unsigned char bytes[];
};

struct image {
	unsigned char *bytes; /* own, or somebody else's; aligned for any object */
	size_t size;
	unsigned char *own;
	size_t capacity;
	int fd; /* -1: bytes are the whole file */
	uint64_t file_size;
	uint64_t elf_size; /* of the ELF file: without the signature behind it */
	size_t table;      /* where the section table is */
	size_t names;      /* where the section names are, NOT_LOADED if they are not usable */
	uint64_t names_size;
	struct range *ranges; /* read so far: the table's, then others by offset */
	size_t n_ranges, cap_ranges;
	struct late *lates;
	uint64_t late_bytes;
};

void image_init(struct image *img);
void image_release(struct image *img);

/* Forget the file before, give back what a huge one left behind. */
void image_reset(struct image *img);

/* Files up to this size are read whole, by image_open(). */
#define IMAGE_WHOLE_BYTES ((uint64_t)32 << 10)

/* Start on a file of file_size bytes: read all of it if it is small, else its ELF header. */
enum image_result image_open(struct image *img, int fd, uint64_t file_size);

/* Read all of the file. */
enum image_result image_read_whole(struct image *img);

/* The image is these bytes, which must stay there, private to it and aligned. */
void image_borrow(struct image *img, unsigned char *bytes, size_t size);

/* A private copy of these bytes. */
void image_copy(struct image *img, const unsigned char *bytes, size_t size);

static inline bool image_is_whole(const struct image *img)
{
	return img->fd < 0;
}

/* Read the section table that the header describes, and what is likely to be its names. */
enum image_result image_read_table(struct image *img, const struct elf_header *h);

/* Read the section names: section s, whose extent has been checked. */
enum image_result image_read_names(struct image *img, const struct section *s);

/*
 * Read the sections whose `wanted` is set (not is_bad, not NOBITS) and set `at` of every
 * section that is in the image now.
 */
enum image_result image_read_sections(struct image *img, const struct elf_header *h,
				      struct section *sections, const uint16_t *wanted,
				      size_t n_wanted);

/* The bytes of a section, read now if they were not yet; NULL if they cannot be had. */
const unsigned char *image_section(struct image *img, struct section *s);

/*
 * `size` bytes at this offset of the file, in the image or, read now, in the buffer; NULL if they
 * cannot be had.
 */
const unsigned char *image_bytes(struct image *img, uint64_t offset, unsigned char *buffer,
				 size_t size);

#endif
