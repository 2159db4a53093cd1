/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way of a file: open, unpack if it is compressed, check the headers, read the sections that
 * matter into the image, then let each reader add to the module what its section says.
 */
#include "read/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "base/mem.h"
#include "read/reader.h"

struct reader *reader_new(struct names *names, struct arena *a)
{
	struct reader *r = mem_zalloc(sizeof(*r));

	r->names = names;
	r->arena = a;
	image_init(&r->image);
	r->dir_fd = -1;
	codec_buffer_init(&r->unpacked);
	return r;
}

void reader_set_thorough(struct reader *r, bool is_thorough)
{
	r->is_thorough = is_thorough;
}

void reader_set_seen_regular(struct reader *r, bool is_seen_regular)
{
	r->is_seen_regular = is_seen_regular;
}

void reader_set_btf_base(struct reader *r, const struct btf_base *base)
{
	r->btf_base = *base;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	image_release(&r->image);
	codec_buffer_release(&r->unpacked);
	if (r->dir_fd >= 0)
		close(r->dir_fd);
	free(r->dir);
	free(r->sections);
	free(r->marks);
	free(r->imports);
	free(r->import_texts);
	free(r->exports);
	free(r->places);
	free(r->wanted);
	free(r);
}

static bool check_image(struct reader *r, struct module *m, enum image_result result)
{
	if (result == IMAGE_SHORT)
		module_add_fault(m, r->arena, FAULT_TRUNCATED,
				 "the file became shorter while it was read");
	if (result == IMAGE_ERROR)
		module_add_fault(m, r->arena, FAULT_UNREADABLE, "cannot be read: %s",
				 strerror(errno));
	return result == IMAGE_OK;
}

/* Section names are only used if all of them end inside of their table. */
static bool read_names(struct elffile *f)
{
	struct image *img = &f->reader->image;
	uint32_t index = f->header.shstrndx;

	if (index == 0 || index >= f->header.shnum)
		return true; /* told by elfcheck_header() */
	const struct section *s = &f->sections[index];
	bool has_extent = s->type != SHT_NOBITS && s->type != SHT_NULL;

	if (!bytes_has_range(img->elf_size, s->offset, s->size)) {
		if (!has_extent)
			check_fault(f, FAULT_ELF, ELF_NAMES_EXTENT, index, s->type,
				    "section %u, the section names, is beyond the file", index);
		return true; /* else told by elfcheck_sections() */
	}
	if (s->type != SHT_STRTAB)
		check_fault(f, FAULT_ELF_6_12, ELF_NAMES_TYPE, s->type, 0,
			    "section %u, the section names, has sh_type %u", index, s->type);
	if (s->size == 0) {
		check_fault(f, FAULT_ELF, ELF_NAMES_EMPTY, 0, 0,
			    "section %u, the section names, is empty", index);
		return true;
	}
	if (!check_image(f->reader, f->m, image_read_names(img, s)))
		return false;
	if (img->bytes[img->names + s->size - 1] == '\0')
		return true;
	check_fault(f, FAULT_ELF, ELF_NAMES_END, 0, 0,
		    "section %u, the section names, does not end with NUL", index);
	img->names = NOT_LOADED;
	return true;
}

/* Of the whole file it is known that the section table lies in it. */
static bool check_table(struct elffile *f)
{
	const struct elf_header *h = &f->header;
	uint64_t size = (uint64_t)h->shnum * h->shentsize;

	if (bytes_has_range(f->reader->image.elf_size, h->shoff, size))
		return true;
	check_fault(f, FAULT_ELF, ELF_TABLE, h->shoff, h->shnum,
		    "the section table (e_shoff %llu) reaches into the signature",
		    (unsigned long long)h->shoff);
	return false;
}

/*
 * The header is checked; fill in and check f->sections. The signature is the first thing that the
 * loader looks at, but mostly it lies close to the section table, and is read with it.
 */
static bool read_sections(struct elffile *f)
{
	struct reader *r = f->reader;
	struct image *img = &r->image;

	if (!check_image(r, f->m, image_read_table(img, &f->header)))
		return false;
	signature_read(r, f->m);
	if (!check_table(f))
		return false;
	r->sections =
		mem_grow(r->sections, &r->cap_sections, f->header.shnum, sizeof(*r->sections));
	f->sections = r->sections;
	for (uint32_t i = 0; i < f->header.shnum; i++)
		elfcheck_decode(&f->sections[i], &f->header, img->bytes + img->table, i);
	if (!read_names(f))
		return false;
	const char *names = img->names == NOT_LOADED ? NULL : (const char *)img->bytes + img->names;
	elfcheck_sections(f->sections, &f->header, names, img->names_size, img->elf_size, f->m,
			  r->arena);
	sections_find(f);
	archsections_find(f);
	return check_image(r, f->m, sections_read(f));
}

static void read_symbols(struct elffile *f)
{
	elfview_open(&f->view, f->header.is_64, f->header.is_big, f->header.machine);
	if (!symbols_open(f))
		return;
	f->m->is_readable = true;
	symbols_read_imports(f);
	versions_read(f);
	exports_read(f);
	if (f->reader->is_thorough) {
		relocs_read(f);
		btf_check(f);
	}
	if (!f->m->is_object_24)
		return;
	object24_mark_unreferenced(f);
	if (!f->has_ksymtab)
		object24_export_globals(f);
}

/* Move what was collected to where it stays, at its exact size. */
static void keep_symbols(struct reader *r, struct module *m)
{
	m->n_imports = (uint32_t)r->n_imports;
	m->n_exports = (uint32_t)r->n_exports;
	if (r->n_imports > 0) {
		m->imports = arena_array(r->arena, r->n_imports, sizeof(*m->imports));
		memcpy(m->imports, r->imports, r->n_imports * sizeof(*m->imports));
	}
	if (r->n_exports > 0) {
		m->exports = arena_array(r->arena, r->n_exports, sizeof(*m->exports));
		memcpy(m->exports, r->exports, r->n_exports * sizeof(*m->exports));
	}
	r->n_imports = 0;
	r->n_exports = 0;
}

/* The image holds the whole file or its header. */
static void read_elf(struct reader *r, struct module *m, const char *path)
{
	struct elffile f = { .reader = r, .m = m };
	struct image *img = &r->image;

	r->generation++;
	if (r->is_thorough && !check_image(r, m, image_read_whole(img)))
		return;
	if (image_is_whole(img))
		signature_read(r, m);
	uint64_t size = img->size < img->elf_size ? img->size : img->elf_size;
	if (!elfcheck_header(&f.header, img->bytes, (size_t)size, img->file_size, m, r->arena)) {
		signature_read(r, m);
		return;
	}
	if (!read_sections(&f))
		return;
	modinfo_read(&f);
	m->is_object_24 = object24_is(&f, path);
	this_module_read(&f);
	read_symbols(&f);
	elfview_close(&f.view);
	keep_symbols(r, m);
}

static enum fault_kind codec_fault(enum codec_result result)
{
	switch (result) {
	case CODEC_TRUNCATED:
		return FAULT_TRUNCATED;
	case CODEC_LIMIT:
		return FAULT_LIMIT;
	default:
		return FAULT_COMPRESSION;
	}
}

static enum codec_result unpack(struct reader *r, struct module *m, const char *path,
				const unsigned char *bytes, size_t size, uint64_t limit)
{
	const char *detail = "damaged";
	enum codec_result result = codec_unpack(&r->unpacked, bytes, size, limit, &detail);

	if (result == CODEC_LIMIT && limit < LIMIT_MODULE_BYTES)
		return result; /* the caller tries once more */
	if (result != CODEC_OK) {
		module_add_fault(m, r->arena, codec_fault(result), "%s: %s",
				 codec_name(bytes, size), detail);
		return result;
	}
	image_reset(&r->image);
	image_borrow(&r->image, r->unpacked.bytes, r->unpacked.size);
	read_elf(r, m, path);
	return result;
}

static void read_packed(struct reader *r, struct module *m, const char *path,
			const unsigned char *bytes, size_t size)
{
	if (unpack(r, m, path, bytes, size, GIANT_BYTES) != CODEC_LIMIT)
		return;
	if (r->giants)
		pthread_mutex_lock(r->giants);
	unpack(r, m, path, bytes, size, LIMIT_MODULE_BYTES);
	image_borrow(&r->image, NULL, 0);
	codec_buffer_release(&r->unpacked);
	codec_buffer_init(&r->unpacked);
	if (r->giants)
		pthread_mutex_unlock(r->giants);
}

void reader_share_giants(struct reader *r, pthread_mutex_t *giants)
{
	r->giants = giants;
}

int reader_shortage(const struct reader *r)
{
	return r->shortage;
}

/* The image holds the whole file or its beginning: is it packed? */
static void read_opened(struct reader *r, struct module *m, const char *path)
{
	struct image *img = &r->image;

	if (!codec_name(img->bytes, img->size)) {
		read_elf(r, m, path);
		return;
	}
	if (!check_image(r, m, image_read_whole(img)))
		return;
	read_packed(r, m, path, img->bytes, img->size);
}

/*
 * lseek() says how large a file is in a third of fstat()'s time, which for thousands of small files
 * is a fiftieth of all; it does not say whether it is one. What is odd is left to fstat().
 */
static bool sought_size(const struct reader *r, struct module *m, int fd)
{
	off_t end = r->is_seen_regular ? lseek(fd, 0, SEEK_END) : -1;

	if (end <= 0 || (uint64_t)end > LIMIT_MODULE_BYTES)
		return false;
	m->file_size = (uint64_t)end;
	return true;
}

/* Is it a file of a size that we take? */
static bool check_file(struct reader *r, struct module *m, int fd)
{
	struct stat st;

	if (sought_size(r, m, fd))
		return true;
	if (fstat(fd, &st) != 0) {
		module_add_fault(m, r->arena, FAULT_UNREADABLE, "cannot be read: %s",
				 strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode)) {
		module_add_fault(m, r->arena, FAULT_NOT_REGULAR, "is not a regular file");
		return false;
	}
	m->file_size = (uint64_t)st.st_size;
	if (m->file_size <= LIMIT_MODULE_BYTES)
		return true;
	module_add_fault(m, r->arena, FAULT_LIMIT, "the file has %llu bytes, more than %llu",
			 (unsigned long long)m->file_size, (unsigned long long)LIMIT_MODULE_BYTES);
	return false;
}

/* Remember the directory of path, length bytes long; true if it is that of the last file. */
static bool is_last_dir(struct reader *r, const char *path, size_t length)
{
	if (r->dir_length == length && memcmp(r->dir, path, length) == 0)
		return true;
	if (r->dir_fd >= 0)
		close(r->dir_fd);
	r->dir_fd = -1;
	r->dir = mem_grow(r->dir, &r->cap_dir, length + 1, 1);
	memcpy(r->dir, path, length);
	r->dir[length] = '\0';
	r->dir_length = length;
	return false;
}

/*
 * To look up ten directories anew for each of thousands of files takes a twentieth of all time, so
 * the directory of the second and further files in it is kept open.
 */
static int open_file(struct reader *r, const char *path)
{
	/* O_NONBLOCK: a FIFO is opened at once, and then told to be one. */
	const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;

	if (length == 0 || !is_last_dir(r, path, length))
		return open(path, flags);
	if (r->dir_fd < 0)
		r->dir_fd = open(r->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return r->dir_fd < 0 ? open(path, flags) : openat(r->dir_fd, slash + 1, flags);
}

void reader_read_file(struct reader *r, struct module *m, const char *open_path)
{
	int fd = open_file(r, open_path);

	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		r->shortage = errno;
	if (fd < 0) {
		module_add_fault(m, r->arena, FAULT_UNREADABLE, "cannot be opened: %s",
				 strerror(errno));
		return;
	}
	if (check_file(r, m, fd)) {
		image_reset(&r->image);
		if (check_image(r, m, image_open(&r->image, fd, m->file_size)))
			read_opened(r, m, open_path);
	}
	close(fd);
}

void reader_read_bytes(struct reader *r, struct module *m, const unsigned char *bytes, size_t size)
{
	m->file_size = size;
	image_reset(&r->image);
	if (codec_name(bytes, size)) {
		read_packed(r, m, m->path ? m->path : "", bytes, size);
		return;
	}
	image_copy(&r->image, bytes, size);
	read_elf(r, m, m->path ? m->path : "");
}
