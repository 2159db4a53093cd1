/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module files are never mapped: a file that shrinks would end the program with SIGBUS, and
 * page faults of several threads contend for one lock. Reads that lie close together are made
 * as one: copying a few KiB costs less than a system call.
 */
#include "read/image.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"

#define GAP_BYTES ((uint64_t)4 << 10)      /* read over gaps up to this size */
#define NAMES_GUESS_BYTES ((uint64_t)1024) /* the names mostly end where the table begins */
#define KEEP_BYTES ((size_t)4 << 20)       /* a larger buffer is not kept for the next file */
#define ALIGNMENT ((size_t)16)

void image_init(struct image *img)
{
	memset(img, 0, sizeof(*img));
	img->fd = -1;
}

static void free_lates(struct image *img)
{
	for (struct late *l = img->lates, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	img->lates = NULL;
	img->late_bytes = 0;
}

void image_release(struct image *img)
{
	free_lates(img);
	free(img->own);
	free(img->ranges);
}

void image_reset(struct image *img)
{
	free_lates(img);
	if (img->capacity > KEEP_BYTES) {
		free(img->own);
		img->own = NULL;
		img->capacity = 0;
	}
	img->bytes = img->own;
	img->size = 0;
	img->fd = -1;
	img->names = NOT_LOADED;
	img->names_size = 0;
	img->n_ranges = 0;
}

static void reserve(struct image *img, size_t size)
{
	img->own = mem_grow(img->own, &img->capacity, size, 1);
	img->bytes = img->own;
}

static enum image_result read_at(const struct image *img, unsigned char *to, size_t size,
				 uint64_t offset)
{
	while (size > 0) {
		ssize_t n = pread(img->fd, to, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? IMAGE_ERROR : IMAGE_SHORT;
		to += n;
		size -= (size_t)n;
		offset += (uint64_t)n;
	}
	return IMAGE_OK;
}

enum image_result image_open(struct image *img, int fd, uint64_t file_size)
{
	size_t size = ELF_HEADER_MAX;

	if (file_size <= IMAGE_WHOLE_BYTES)
		size = (size_t)file_size;
	reserve(img, size + 1);
	img->fd = fd;
	img->file_size = file_size;
	img->elf_size = file_size;
	enum image_result result = read_at(img, img->bytes, size, 0);
	img->size = size;
	if (size == file_size)
		img->fd = -1;
	return result;
}

enum image_result image_read_whole(struct image *img)
{
	if (image_is_whole(img))
		return IMAGE_OK;
	reserve(img, (size_t)img->file_size);
	enum image_result result =
		read_at(img, img->bytes + img->size, (size_t)img->file_size - img->size, img->size);
	img->size = (size_t)img->file_size;
	img->fd = -1;
	return result;
}

void image_borrow(struct image *img, unsigned char *bytes, size_t size)
{
	img->bytes = bytes;
	img->size = size;
	img->file_size = size;
	img->elf_size = size;
	img->fd = -1;
}

void image_copy(struct image *img, const unsigned char *bytes, size_t size)
{
	reserve(img, size + 1);
	if (size)
		memcpy(img->bytes, bytes, size);
	image_borrow(img, img->bytes, size);
}

/* Read [offset, end) behind what is there, with the same alignment as in the file. */
static enum image_result append(struct image *img, uint64_t offset, uint64_t end, size_t *at)
{
	size_t size = (size_t)(end - offset);
	size_t start = (img->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + offset % ALIGNMENT;

	reserve(img, start + size);
	memset(img->bytes + img->size, 0, start - img->size);
	img->size = start + size;
	*at = start;
	return read_at(img, img->bytes + start, size, offset);
}

/* Where [offset, offset + size) is in the image, if it is in this range. */
static size_t within(const struct range *r, uint64_t offset, uint64_t size)
{
	if (offset < r->offset || offset > r->end || size > r->end - offset)
		return NOT_LOADED;
	return r->at + (size_t)(offset - r->offset);
}

/* The first range is that of the section table, the others are sorted and do not overlap. */
static size_t find_loaded(const struct image *img, uint64_t offset, uint64_t size)
{
	size_t low = 1, high = img->n_ranges;

	if (img->n_ranges == 0)
		return NOT_LOADED;
	size_t at = within(&img->ranges[0], offset, size);
	if (at != NOT_LOADED)
		return at;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (img->ranges[middle].end < offset + size)
			low = middle + 1;
		else
			high = middle;
	}
	return low < img->n_ranges ? within(&img->ranges[low], offset, size) : NOT_LOADED;
}

enum image_result image_read_table(struct image *img, const struct elf_header *h)
{
	uint64_t size = (uint64_t)h->shnum * h->shentsize, end = h->shoff + size;

	if (image_is_whole(img)) {
		img->table = (size_t)h->shoff;
		return IMAGE_OK;
	}
	/* Up to the end of the file, where the trailer of a signature would be. */
	if (img->file_size - end <= GAP_BYTES)
		end = img->file_size;
	uint64_t start = h->shoff > NAMES_GUESS_BYTES ? h->shoff - NAMES_GUESS_BYTES : 0;
	struct range r = { start, end, 0 };
	enum image_result result = append(img, start, end, &r.at);
	VEC_PUSH(img->ranges, img->n_ranges, img->cap_ranges) = r;
	img->table = r.at + (size_t)(h->shoff - start);
	return result;
}

enum image_result image_read_names(struct image *img, const struct section *s)
{
	enum image_result result = IMAGE_OK;
	size_t at = (size_t)s->offset;

	if (!image_is_whole(img)) {
		at = find_loaded(img, s->offset, s->size);
		if (at == NOT_LOADED)
			result = append(img, s->offset, s->offset + s->size, &at);
	}
	img->names = at;
	img->names_size = s->size;
	return result;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Join neighbours among ranges[first..], which are sorted. */
static void join_ranges(struct image *img, size_t first)
{
	size_t n = first;

	for (size_t i = first; i < img->n_ranges; i++) {
		struct range *last = n > first ? &img->ranges[n - 1] : NULL;
		if (!last || img->ranges[i].offset > last->end + GAP_BYTES)
			img->ranges[n++] = img->ranges[i];
		else if (img->ranges[i].end > last->end)
			last->end = img->ranges[i].end;
	}
	img->n_ranges = n;
}

static bool is_readable(const struct section *s)
{
	return !s->is_bad && s->type != SHT_NOBITS && s->type != SHT_NULL;
}

static enum image_result read_ranges(struct image *img, const struct section *sections,
				     const uint16_t *wanted, size_t n_wanted)
{
	size_t first = img->n_ranges;

	for (size_t i = 0; i < n_wanted; i++) {
		const struct section *s = &sections[wanted[i]];
		struct range r = { s->offset, s->offset + s->size, 0 };
		if (is_readable(s) && s->size > 0 &&
		    within(&img->ranges[0], s->offset, s->size) == NOT_LOADED)
			VEC_PUSH(img->ranges, img->n_ranges, img->cap_ranges) = r;
	}
	if (img->n_ranges > first)
		qsort(img->ranges + first, img->n_ranges - first, sizeof(*img->ranges),
		      compare_ranges);
	join_ranges(img, first);
	for (size_t i = first; i < img->n_ranges; i++) {
		struct range *r = &img->ranges[i];
		enum image_result result = append(img, r->offset, r->end, &r->at);
		if (result != IMAGE_OK)
			return result;
	}
	return IMAGE_OK;
}

enum image_result image_read_sections(struct image *img, const struct elf_header *h,
				      struct section *sections, const uint16_t *wanted,
				      size_t n_wanted)
{
	if (image_is_whole(img)) {
		for (uint32_t i = 1; i < h->shnum; i++)
			if (is_readable(&sections[i]))
				sections[i].at = (size_t)sections[i].offset;
		return IMAGE_OK;
	}
	enum image_result result = read_ranges(img, sections, wanted, n_wanted);
	if (result != IMAGE_OK)
		return result;
	for (size_t i = 0; i < n_wanted; i++) {
		struct section *s = &sections[wanted[i]];
		if (is_readable(s))
			s->at = s->size > 0 ? find_loaded(img, s->offset, s->size) : 0;
	}
	return IMAGE_OK;
}

/*
 * Sections of a real file do not overlap, so all that is read late is no more than the file;
 * a file made so that more would be read gets no more.
 */
const unsigned char *image_section(struct image *img, struct section *s)
{
	if (s->at != NOT_LOADED)
		return img->bytes + s->at;
	if (s->late || !is_readable(s) || image_is_whole(img))
		return s->late;
	if (s->size > img->file_size - img->late_bytes)
		return NULL;
	img->late_bytes += s->size;
	struct late *l = mem_zalloc(sizeof(*l) + (size_t)s->size);
	l->next = img->lates;
	img->lates = l;
	if (read_at(img, l->bytes, (size_t)s->size, s->offset) == IMAGE_OK)
		s->late = l->bytes;
	return s->late;
}

const unsigned char *image_bytes(struct image *img, uint64_t offset, unsigned char *buffer,
				 size_t size)
{
	if (!bytes_has_range(img->file_size, offset, size))
		return NULL;
	if (image_is_whole(img))
		return img->bytes + offset;
	size_t at = find_loaded(img, offset, size);
	if (at != NOT_LOADED)
		return img->bytes + at;
	return read_at(img, buffer, size, offset) == IMAGE_OK ? buffer : NULL;
}
