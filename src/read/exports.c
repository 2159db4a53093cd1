/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module offers. In an object nothing is linked yet: a table of exports is all zero (or
 * addends), and its relocations say what each field will point to
 * (include/linux/export.h, include/asm-generic/export.h, scripts/mod/modpost.c; 2.4 to 7.2):
 *
 *   __ksymtab      | value | name |      | value | name |      ...   2 fields; since 5.4
 *                  | value | name | ns | | value | name | ns | ...   3 fields
 *   field          a pointer, or s32 relative to its own address (x86 and arm64 since 4.19)
 *   __kcrctab      u32 each, from 5.19 as such; before, a relocation to the absolute symbol
 *                  __crc_X, or (REL_CRCS) one relative to a u32 in another section; unsigned
 *                  long before 4.10
 *   __kflagstab    from 7.2: a byte each, bit 0 for GPL-only; before, the section's name tells
 *
 * The symbols __ksymtab_X are not looked at: `strip --strip-unneeded` takes them away. The three
 * sections of a table run in parallel, and their relocations come in any order, so they are
 * first sorted into places[], one for each field.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/mem.h"
#include "read/reader.h"

#define FLAG_GPL_ONLY 1
#define GPLONLY "GPLONLY_" /* 2.4: the mark of GPL-only names */

static const uint8_t table_licences[EXPORT_TABLES] = {
	LICENCE_ANY, LICENCE_GPL, LICENCE_GPL_FUTURE, LICENCE_UNUSED, LICENCE_UNUSED_GPL,
};

/* One section and its relocations, by place. */
struct slots {
	uint32_t index; /* of the section */
	const unsigned char *bytes;
	uint64_t size;
	struct elftable relocs;
	size_t width;     /* bytes of a field */
	uint32_t *places; /* size / width of them: number of the relocation + 1, 0: none */
	size_t n;
};

/* What a relocation points to. */
struct target {
	bool is_absolute; /* value is the number itself */
	uint32_t section; /* SHN_UNDEF: nowhere */
	uint64_t value;   /* where in the section */
};

/*
 * Fields of 4 bytes in an object of 64-bit pointers are relative ones. No need to know the
 * relocation types of each machine: only then is anything relocated in the middle of a pointer.
 */
static size_t field_width(const struct elffile *f, const struct elftable *relocs)
{
	if (!f->header.is_64)
		return 4;
	for (size_t i = 0; i < relocs->n; i++)
		if (elftable_reloc(relocs, i).offset % 8 != 0)
			return 4;
	return 8;
}

static bool open_slots(struct elffile *f, enum part part, struct slots *s)
{
	memset(s, 0, sizeof(*s));
	s->index = f->parts[part];
	s->bytes = sections_part(f, part, &s->size);
	if (!s->bytes || f->relocs[part] == 0)
		return s->bytes;
	uint32_t index = f->relocs[part];
	if (f->sections[index].is_bad || !file_relocs(f, index, &s->relocs)) {
		file_fault(f, FAULT_ELF, "section %u %.200s cannot be read as relocations", index,
			   sections_name(f, index));
		return false;
	}
	return true;
}

static void sort_relocs(struct elffile *f, struct slots *s)
{
	struct reader *r = f->reader;

	s->n = (size_t)s->size / s->width;
	r->places = mem_grow(r->places, &r->cap_places, s->n + 1, sizeof(*r->places));
	s->places = r->places;
	memset(s->places, 0, s->n * sizeof(*s->places));
	for (size_t i = 0; i < s->relocs.n; i++) {
		uint64_t offset = elftable_reloc(&s->relocs, i).offset;
		if (offset % s->width == 0 && offset / s->width < s->n)
			s->places[offset / s->width] = (uint32_t)i + 1;
	}
}

/* REL: the addend is what stands in the section. */
static int64_t addend_in_place(const struct elffile *f, const struct slots *s, size_t place)
{
	const unsigned char *p = s->bytes + place * s->width;

	if (s->width == 8)
		return (int64_t)bytes_get64(p, f->header.is_big);
	return (int32_t)bytes_get32(p, f->header.is_big);
}

/* Where field `place` points to; false if nothing is relocated there. */
static bool find_target(const struct elffile *f, const struct slots *s, size_t place,
			struct target *t)
{
	if (place >= s->n || s->places[place] == 0)
		return false;
	struct elf_reloc r = elftable_reloc(&s->relocs, s->places[place] - 1);
	if (r.symbol >= f->symbols.n)
		return false;
	struct elf_symbol symbol = elftable_symbol(&f->symbols, r.symbol);
	int64_t addend = s->relocs.is_rela ? r.addend : addend_in_place(f, s, place);
	t->value = symbol.value + (uint64_t)addend;
	t->section = symbol.shndx;
	t->is_absolute = symbol.shndx == SHN_ABS;
	return true;
}

static const char *target_string(struct elffile *f, const struct slots *s, size_t place)
{
	struct target t;

	return find_target(f, s, place, &t) ? file_string(f, t.section, t.value) : NULL;
}

/*
 * Fields of an entry. With three, each entry's second is a name, in the section where the first
 * entry has its own; with two read as three, every other "name" is a value.
 */
static size_t count_fields(struct elffile *f, const struct slots *s)
{
	struct target first, t;

	if (s->n % 3 != 0 || !find_target(f, s, 1, &first))
		return 2;
	for (size_t place = 4; place < s->n; place += 3)
		if (!find_target(f, s, place, &t) || t.section != first.section)
			return 2;
	return 3;
}

/* Write down export i of a table whose name is not to be had. */
static void fault_no_name(struct elffile *f, const struct slots *s, size_t i)
{
	file_fault(f, FAULT_ELF, "section %u %.200s: entry %zu has no name", s->index,
		   sections_name(f, s->index), i);
}

static bool read_entry(struct elffile *f, const struct slots *s, size_t place, size_t n_fields,
		       struct export *e)
{
	const char *name = target_string(f, s, place + 1);

	if (!name || name[0] == '\0')
		return false;
	if (f->m->is_object_24 && strncmp(name, GPLONLY, sizeof(GPLONLY) - 1) == 0) {
		name += sizeof(GPLONLY) - 1;
		e->licence = LICENCE_GPL;
	}
	const char *ns = n_fields == 3 ? target_string(f, s, place + 2) : NULL;
	if (ns)
		file_add_name(f, ns, strlen(ns), &e->ns);
	return file_add_name(f, name, strlen(name), &e->name) && e->name != NAME_NONE;
}

/* The u32 that field i of __kcrctab stands for. */
static bool read_crc(struct elffile *f, const struct slots *s, size_t i, uint32_t *crc)
{
	struct target t;
	bool is_big = f->header.is_big;

	if (s->relocs.n == 0) {
		const unsigned char *p = s->bytes + i * s->width;
		*crc = s->width == 8 ? (uint32_t)bytes_get64(p, is_big) : bytes_get32(p, is_big);
		return true;
	}
	if (!find_target(f, s, i, &t))
		return false;
	*crc = 0; /* genksyms failed: a weak symbol without a value */
	if (t.section == SHN_UNDEF)
		return true;
	*crc = (uint32_t)t.value;
	if (t.is_absolute)
		return true;
	if (t.section >= f->header.shnum)
		return false;
	struct section *section = &f->sections[t.section];
	const unsigned char *bytes = image_section(&f->reader->image, section);
	if (!bytes || !bytes_has_range(section->size, t.value, 4))
		return false;
	*crc = bytes_get32(bytes + t.value, is_big);
	return true;
}

/* Give the exports from `first` on the CRCs of this table. */
static void read_crcs(struct elffile *f, enum part part, size_t first, size_t n)
{
	struct reader *r = f->reader;
	struct slots s;

	if (f->parts[part] == 0 || !open_slots(f, part, &s) || n == 0)
		return;
	s.width = s.size == n * 8 ? 8 : 4;
	if (s.size != n * s.width) {
		file_fault(f, FAULT_ELF,
			   "section %u %.200s has %llu bytes for the CRCs of %zu exports", s.index,
			   sections_name(f, s.index), (unsigned long long)s.size, n);
		return;
	}
	sort_relocs(f, &s);
	for (size_t i = 0; i < n; i++) {
		struct export *e = &r->exports[first + i];
		e->has_crc = read_crc(f, &s, i, &e->crc);
	}
}

/* From 7.2 on a flag and not the section says who may use the symbol. */
static void read_flags(struct elffile *f, size_t first, size_t n)
{
	uint64_t size;
	const unsigned char *flags = sections_part(f, PART_KFLAGS, &size);

	f->m->has_flag_table = flags != NULL;
	if (flags && size != n)
		file_fault(f, FAULT_ELF, "__kflagstab has %llu bytes for %zu exports",
			   (unsigned long long)size, n);
	for (size_t i = 0; i < n && i < size; i++)
		if (flags[i] & FLAG_GPL_ONLY)
			f->reader->exports[first + i].licence = LICENCE_GPL;
}

/* Take out those without a name, which kept the table in step with its CRCs. */
static void drop_nameless(struct reader *r, size_t first)
{
	size_t n = first;

	for (size_t i = first; i < r->n_exports; i++)
		if (r->exports[i].name != NAME_NONE)
			r->exports[n++] = r->exports[i];
	r->n_exports = n;
}

static bool check_table(struct elffile *f, struct slots *s)
{
	if (s->relocs.n == 0) {
		file_fault(f, FAULT_ELF, "section %u %.200s has no relocations", s->index,
			   sections_name(f, s->index));
		return false;
	}
	s->width = field_width(f, &s->relocs);
	if (s->size / s->width <= 3 * LIMIT_SYMBOLS)
		return true;
	file_fault(f, FAULT_LIMIT, "section %u %.200s has too many exports", s->index,
		   sections_name(f, s->index));
	return false;
}

static void read_table(struct elffile *f, unsigned int table)
{
	struct reader *r = f->reader;
	size_t first = r->n_exports;
	struct slots s;

	if (!open_slots(f, PART_KSYMTAB + table, &s) || s.size == 0 || !check_table(f, &s))
		return;
	sort_relocs(f, &s);
	size_t n_fields = count_fields(f, &s), n = s.n / n_fields;
	if (s.size != n * n_fields * s.width)
		file_fault(f, FAULT_ELF, "section %u %.200s: %llu bytes are no whole entries",
			   s.index, sections_name(f, s.index), (unsigned long long)s.size);
	for (size_t i = 0; i < n; i++) {
		struct export e = { .licence = table_licences[table], .table = (uint8_t)table };
		if (!read_entry(f, &s, i * n_fields, n_fields, &e)) {
			e.name = NAME_NONE;
			fault_no_name(f, &s, i);
		}
		VEC_PUSH(r->exports, r->n_exports, r->cap_exports) = e;
	}
	read_crcs(f, PART_KCRCTAB + table, first, n);
	if (table == 0)
		read_flags(f, first, n);
	drop_nameless(r, first);
}

void exports_read(struct elffile *f)
{
	for (unsigned int table = 0; table < EXPORT_TABLES; table++)
		if (f->parts[PART_KSYMTAB + table])
			read_table(f, table);
}
