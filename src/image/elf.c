/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel as ELF: vmlinux, or what is packed in a bzImage, which is vmlinux without its symbols.
 * The sections keep their names, so the export tables are known by them. Headers are read by hand
 * and not through libelf, as only the beginning of the file may be at hand.
 *
 * The first segment with code holds .text, .rodata and the export tables, on x86 .BTF as well;
 * then data follow, then what is thrown away after the start, then the section headers.
 */
#include "image/body.h"

#include <elf.h>
#include <string.h>

#include "model/module.h"

struct section {
	const char *name; /* NUL-terminated */
	uint64_t address, offset, size, flags;
	uint32_t type;
};

struct elf {
	const struct body *b;
	bool is_64;
	uint64_t shoff;
	uint32_t shnum, shstrndx;
	uint64_t names_offset, names_size;
};

/* The export tables of 2.6.17 to 5.11; 5.12 has two of them, 7.2 one. */
static const struct {
	const char *ksymtab, *kcrctab;
	enum licence licence;
} tables[MAX_TABLES] = {
	{ "__ksymtab", "__kcrctab", LICENCE_ANY },
	{ "__ksymtab_gpl", "__kcrctab_gpl", LICENCE_GPL },
	{ "__ksymtab_gpl_future", "__kcrctab_gpl_future", LICENCE_GPL_FUTURE },
	{ "__ksymtab_unused", "__kcrctab_unused", LICENCE_UNUSED },
	{ "__ksymtab_unused_gpl", "__kcrctab_unused_gpl", LICENCE_UNUSED_GPL },
};

bool elf_is(const unsigned char *bytes, size_t size)
{
	return size >= sizeof(Elf32_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

/* A field of 4 bytes in one class and of 8 in the other. */
static uint64_t get_word(const struct body *b, uint64_t at)
{
	const unsigned char *p = b->bytes + at;

	return b->word == 8 ? bytes_get64(p, b->is_big) : bytes_get32(p, b->is_big);
}

bool elf_head(struct body *b, const unsigned char *bytes, size_t size, struct err *err)
{
	bool is_64 = bytes[EI_CLASS] == ELFCLASS64;

	if (size < (is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return err_set(err, "truncated in the ELF header");
	b->word = is_64 ? 8 : 4;
	b->is_big = bytes[EI_DATA] == ELFDATA2MSB;
	b->machine = bytes_get16(bytes + 18, b->is_big);
	uint16_t type = bytes_get16(bytes + 16, b->is_big);
	if (type != ET_EXEC && type != ET_DYN)
		return err_set(err, "an ELF file, but not a kernel");
	return true;
}

/* One row of the program headers: is it code, and what part of the file is it? */
static bool get_code(const struct body *b, uint64_t at, uint64_t *end)
{
	bool is_64 = b->word == 8;
	const unsigned char *p = b->bytes + at;
	uint32_t flags = bytes_get32(p + (is_64 ? 4 : 24), b->is_big);
	uint64_t offset = get_word(b, at + (is_64 ? 8 : 4));
	uint64_t filesz = get_word(b, at + (is_64 ? 32 : 16));

	*end = offset + filesz;
	return bytes_get32(p, b->is_big) == PT_LOAD && (flags & PF_X) && *end >= offset;
}

uint64_t elf_code_end(const struct body *b)
{
	bool is_64 = b->word == 8;
	uint64_t phoff = get_word(b, is_64 ? 32 : 28), end;
	uint16_t phentsize = bytes_get16(b->bytes + (is_64 ? 54 : 42), b->is_big);
	uint16_t phnum = bytes_get16(b->bytes + (is_64 ? 56 : 44), b->is_big);

	if (phentsize != (is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return 0;
	if (!bytes_has_range(b->size, phoff, (uint64_t)phnum * phentsize))
		return 0;
	for (uint32_t i = 0; i < phnum; i++)
		if (get_code(b, phoff + (uint64_t)i * phentsize, &end))
			return end;
	return 0;
}

/* Section i, without its name; its bytes lie in the file unless it has none. */
static bool get_section(const struct elf *e, uint32_t i, struct section *s)
{
	const struct body *b = e->b;
	uint64_t at = e->shoff + (uint64_t)i * (e->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));

	s->type = bytes_get32(b->bytes + at + 4, b->is_big);
	s->flags = get_word(b, at + 8);
	s->address = get_word(b, at + (e->is_64 ? 16 : 12));
	s->offset = get_word(b, at + (e->is_64 ? 24 : 16));
	s->size = get_word(b, at + (e->is_64 ? 32 : 20));
	if (s->type == SHT_NOBITS)
		s->size = 0;
	return bytes_has_range(b->size, s->offset, s->size);
}

static bool get_named_section(const struct elf *e, uint32_t i, struct section *s)
{
	uint64_t at = e->shoff + (uint64_t)i * (e->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	uint32_t name = bytes_get32(e->b->bytes + at, e->b->is_big);

	if (!get_section(e, i, s) || name >= e->names_size)
		return false;
	s->name = (const char *)e->b->bytes + e->names_offset + name;
	return memchr(s->name, '\0', (size_t)(e->names_size - name)) != NULL;
}

static bool open_sections(struct elf *e, const struct body *b)
{
	struct section names;
	size_t entry = b->word == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	*e = (struct elf) { .b = b, .is_64 = b->word == 8 };
	e->shoff = get_word(b, e->is_64 ? 40 : 32);
	e->shnum = bytes_get16(b->bytes + (e->is_64 ? 60 : 48), b->is_big);
	e->shstrndx = bytes_get16(b->bytes + (e->is_64 ? 62 : 50), b->is_big);
	if (bytes_get16(b->bytes + (e->is_64 ? 58 : 46), b->is_big) != entry)
		return false;
	if (e->shoff == 0 || !bytes_has_range(b->size, e->shoff, (uint64_t)e->shnum * entry))
		return false;
	if (e->shstrndx >= e->shnum || !get_section(e, e->shstrndx, &names))
		return false;
	e->names_offset = names.offset;
	e->names_size = names.size;
	return true;
}

static bool find_section(const struct elf *e, const char *name, struct section *s)
{
	for (uint32_t i = 1; i < e->shnum; i++)
		if (get_named_section(e, i, s) && s->size && strcmp(s->name, name) == 0)
			return true;
	return false;
}

/* A file that `vmlinux.h` and the like are made of has types and no code. */
static bool has_code(const struct elf *e)
{
	struct section s;

	for (uint32_t i = 1; i < e->shnum; i++)
		if (get_section(e, i, &s) && s.size && s.type == SHT_PROGBITS &&
		    (s.flags & SHF_EXECINSTR))
			return true;
	return false;
}

/*
 * Where the strings lie. Sections next to each other are mostly one piece, but not where linkers
 * align them.
 */
static struct map make_map(const struct elf *e)
{
	struct map m = { .n = 0 };
	static const char *const names[] = { "__ksymtab_strings", ".rodata", ".init.rodata",
					     ".text", ".data" };
	struct section s;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (find_section(e, names[i], &s))
			m.ranges[m.n++] = (struct range) { s.address, s.offset, s.size };
	return m;
}

/* The tables that there are, with this layout. False if their sizes do not go with it. */
static bool get_tables(const struct elf *e, const struct layout *l, struct table *found,
		       uint32_t *n_found)
{
	uint32_t entry = layout_entry_bytes(l, e->b);
	struct section s;

	*n_found = 0;
	for (size_t i = 0; i < MAX_TABLES; i++) {
		struct table *t = &found[*n_found];
		if (!find_section(e, tables[i].ksymtab, &s))
			continue;
		if (s.size % entry || s.size / entry > UINT32_MAX)
			return false;
		*t = (struct table) { .offset = s.offset,
				      .address = s.address,
				      .n = (uint32_t)(s.size / entry),
				      .licence = (uint8_t)tables[i].licence };
		++*n_found;
		if (!find_section(e, tables[i].kcrctab, &s))
			continue;
		if (s.size != t->n * 4ull && s.size != t->n * 8ull)
			return false;
		t->crc_offset = s.offset;
		t->crc_bytes = (uint8_t)(s.size / t->n);
	}
	if (*n_found && found[0].licence == LICENCE_ANY && find_section(e, "__kflagstab", &s)) {
		found[0].has_flags = true;
		found[0].flags_offset = s.offset;
		return s.size == found[0].n;
	}
	return true;
}

static bool read_layout(struct kernel_image *im, const struct elf *e, const struct map *m,
			const struct layout *l)
{
	struct table found[MAX_TABLES];
	uint32_t n = 0;

	im->n_exports = 0;
	if (!get_tables(e, l, found, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!table_read(im, e->b, m, l, &found[i]))
			return false;
	return true;
}

bool elf_read(struct kernel_image *im, const struct body *b, bool *has_sections, struct err *err)
{
	struct elf e;

	*has_sections = open_sections(&e, b);
	if (!*has_sections)
		return err_set(err, "an ELF file without section headers");
	if (!has_code(&e))
		return err_set(err, "an ELF file without code, as one of types (BTF) alone");
	struct map m = make_map(&e);
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		im->has_crcs = im->has_namespaces = false;
		if (read_layout(im, &e, &m, &layouts[i]))
			return true;
	}
	im->n_exports = 0;
	return err_set(err, "its export tables are of no layout that is known");
}
