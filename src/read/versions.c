/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRCs that the module was built against (include/linux/module.h, struct modversion_info;
 * scripts/mod/modpost.c, add_versions() and add_extended_versions(); 5.10 to 7.2):
 *
 *   __versions   entries of 64 bytes: unsigned long crc, then a name padded with NUL
 *   __version_ext_crcs    u32 each, and
 *   __version_ext_names   NUL-terminated names, one after another; used instead where present
 *
 * One entry is for module_layout (struct_module before 2.6.28), the layout of struct module.
 * modpost mostly writes the names in the order of the symbol table, so the next import is
 * tried first and the table of names only asked if it is another one.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "read/reader.h"

#define ENTRY_BYTES 64

static bool is_string(const char *s, size_t length, const char *want)
{
	return length == strlen(want) && memcmp(s, want, length) == 0;
}

/* The import of this name, or n_imports; `next` is the likely one. */
static size_t find_import(const struct reader *r, const char *name, size_t length, size_t next)
{
	if (next < r->n_imports && strncmp(r->import_texts[next], name, length) == 0 &&
	    r->import_texts[next][length] == '\0')
		return next;
	nameid id = names_find(r->names, name, length);
	if (id == NAME_NONE || id >= r->cap_marks || r->marks[id].generation != r->generation)
		return r->n_imports;
	return r->marks[id].import;
}

/* The first entry for a name counts, as in check_version(). Returns the next likely import. */
static size_t add_version(struct elffile *f, const char *name, size_t length, uint32_t crc,
			  size_t next)
{
	struct reader *r = f->reader;

	if (f->header.machine == EM_PPC64 && length > 1 && name[0] == '.') {
		name++;
		length--;
	}
	size_t i = find_import(r, name, length, next);
	if (i < r->n_imports) {
		if (!(r->imports[i].flags & IMPORT_HAS_CRC))
			r->imports[i].crc = crc;
		r->imports[i].flags |= IMPORT_HAS_CRC;
		return i + 1;
	}
	if (!f->m->has_layout_crc && (is_string(name, length, "module_layout") ||
				      is_string(name, length, "struct_module"))) {
		f->m->has_layout_crc = true;
		f->m->layout_crc = crc;
		f->m->layout_symbol = names_add(r->names, name, length);
	}
	return next;
}

static void read_plain(struct elffile *f, const unsigned char *p, uint64_t size)
{
	size_t crc_bytes = f->header.is_64 ? 8 : 4, next = 0;
	bool is_big = f->header.is_big;

	for (; size >= ENTRY_BYTES; size -= ENTRY_BYTES, p += ENTRY_BYTES) {
		const char *name = (const char *)p + crc_bytes;
		uint32_t crc =
			crc_bytes == 8 ? (uint32_t)bytes_get64(p, is_big) : bytes_get32(p, is_big);
		next = add_version(f, name, strnlen(name, ENTRY_BYTES - crc_bytes), crc, next);
	}
}

static void read_extended(struct elffile *f, const unsigned char *crcs, uint64_t crcs_size,
			  const char *names, uint64_t names_size)
{
	uint64_t n = crcs_size / 4;
	size_t next = 0;

	for (uint64_t i = 0; i < n; i++) {
		const char *end = memchr(names, '\0', (size_t)names_size);
		if (!end) {
			check_fault(
				f, FAULT_ELF_7_2, ELF_VERSIONS_SHORT, 0, 0,
				"__version_ext_names has fewer names than there are CRCs (%llu)",
				(unsigned long long)n);
			return;
		}
		size_t length = (size_t)(end - names);
		if (length <= LIMIT_NAME_BYTES)
			next = add_version(f, names, length,
					   bytes_get32(crcs + 4 * i, f->header.is_big), next);
		names_size -= length + 1;
		names = end + 1;
	}
}

void versions_read(struct elffile *f)
{
	uint64_t size, crcs_size, names_size;
	const unsigned char *plain = sections_part(f, PART_VERSIONS, &size);
	const unsigned char *crcs = sections_part(f, PART_EXT_CRCS, &crcs_size);
	const unsigned char *names = sections_part(f, PART_EXT_NAMES, &names_size);

	f->m->has_versions = plain || crcs || names;
	if (crcs && names) {
		read_extended(f, crcs, crcs_size, (const char *)names, names_size);
		return;
	}
	if (crcs || names)
		check_fault(f, FAULT_ELF_7_2, ELF_VERSIONS_HALF, 0, 0,
			    "only one of __version_ext_crcs and __version_ext_names is there");
	if (plain)
		read_plain(f, plain, size);
}
