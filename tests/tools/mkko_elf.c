// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A writer of relocatable ELF objects, on bytes: an object on purpose wrong is easier to make
 * without a library that knows better.
 *
 *   ELF header | sections, as added | .rel(a)* | .symtab .strtab .shstrtab | section headers
 *
 * The symbol table holds the section symbols, the other local ones and then the global ones,
 * each in the order of the recipe; relocations name symbols by their index in the object and
 * are translated when written.
 */
#include <elf.h>
#include <string.h>

#include "mkko.h"

#define SHF_RELA_LIVEPATCH 0x00100000

unsigned int object_word(const struct object *o)
{
	return o->bits / 8;
}

size_t object_add_section(struct object *o, const char *name, uint32_t type, uint64_t flags,
			  uint64_t align)
{
	struct section *s;
	struct symbol *sym;

	o->sections = grow(o->sections, o->n_sections, sizeof(*o->sections));
	s = &o->sections[o->n_sections];
	memset(s, 0, sizeof(*s));
	s->name = name;
	s->type = type;
	s->flags = flags;
	s->align = align;
	o->symbols = grow(o->symbols, o->n_symbols, sizeof(*o->symbols));
	sym = &o->symbols[o->n_symbols++];
	*sym = (struct symbol) { .name = "",
				 .bind = STB_LOCAL,
				 .type = STT_SECTION,
				 .section = (int)o->n_sections,
				 .raw_index = -1,
				 .is_section = true };
	return o->n_sections++;
}

size_t object_add_symbol(struct object *o, const char *name, unsigned char bind, unsigned char type,
			 int section, uint64_t value)
{
	o->symbols = grow(o->symbols, o->n_symbols, sizeof(*o->symbols));
	o->symbols[o->n_symbols] = (struct symbol) { .name = name,
						     .bind = bind,
						     .type = type,
						     .section = section,
						     .raw_index = -1,
						     .value = value };
	return o->n_symbols++;
}

void object_add_reloc(struct object *o, size_t section, uint64_t offset, uint32_t type,
		      size_t symbol, int64_t addend)
{
	struct section *s = &o->sections[section];

	s->relocs = grow(s->relocs, s->n_relocs, sizeof(*s->relocs));
	s->relocs[s->n_relocs++] = (struct reloc) { offset, type, symbol, addend };
	/* A REL object keeps the addend where the relocation applies. */
	if (!o->machine->rela && addend && offset + 4 <= s->data.size)
		put_word(s->data.data + offset, (uint64_t)addend, 4, o->big);
}

int object_find_section(const struct object *o, const char *name)
{
	for (size_t i = 0; i < o->n_sections; i++)
		if (!o->sections[i].is_dropped && !strcmp(o->sections[i].name, name))
			return (int)i;
	return -1;
}

int object_find_symbol(const struct object *o, const char *name)
{
	for (size_t i = 0; i < o->n_symbols; i++)
		if (!o->symbols[i].is_section && !strcmp(o->symbols[i].name, name))
			return (int)i;
	return -1;
}

static bool symbol_is_gone(const struct object *o, const struct symbol *s)
{
	return s->section >= 0 && o->sections[s->section].is_dropped;
}

static unsigned int symbol_shndx(const struct object *o, const struct symbol *s)
{
	if (s->raw_index >= 0)
		return (unsigned int)s->raw_index;
	switch (s->section) {
	case SYMBOL_UNDEF:
		return SHN_UNDEF;
	case SYMBOL_ABS:
		return SHN_ABS;
	case SYMBOL_COMMON:
		return SHN_COMMON;
	default:
		return (unsigned int)o->sections[s->section].index;
	}
}

static void write_symbol(const struct object *o, const struct symbol *s, struct buf *symtab,
			 struct buf *strtab)
{
	uint64_t name = s->name[0] ? buf_add_string(strtab, s->name) : 0;
	uint64_t info = (uint64_t)(s->bind << 4 | s->type);

	buf_add_word(symtab, name, 4, o->big);
	if (o->bits == 32) {
		buf_add_word(symtab, s->value, 4, o->big);
		buf_add_word(symtab, s->size, 4, o->big);
	}
	buf_add_word(symtab, info, 1, o->big);
	buf_add_word(symtab, 0, 1, o->big);
	buf_add_word(symtab, symbol_shndx(o, s), 2, o->big);
	if (o->bits == 64) {
		buf_add_word(symtab, s->value, 8, o->big);
		buf_add_word(symtab, s->size, 8, o->big);
	}
}

/* Section symbols, locals, globals; returns the number of the first global one. */
static size_t write_symbols(struct object *o, struct buf *symtab, struct buf *strtab)
{
	size_t n = 1, first_global = 1;

	buf_fill(symtab, 0, o->bits == 64 ? 24 : 16);
	buf_fill(strtab, 0, 1);
	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < o->n_symbols; i++) {
			struct symbol *s = &o->symbols[i];
			int group = s->is_section ? 0 : s->bind == STB_LOCAL ? 1 : 2;

			if (group != pass || symbol_is_gone(o, s))
				continue;
			write_symbol(o, s, symtab, strtab);
			s->index = n++;
		}
		if (pass < 2)
			first_global = n;
	}
	return first_global;
}

static uint64_t reloc_info(const struct object *o, const struct reloc *r)
{
	uint64_t symbol = o->symbols[r->symbol].index;

	if (o->bits == 32)
		return symbol << 8 | r->type;
	/* 64-bit MIPS has five fields, not two numbers: the type is the last byte. */
	if (o->machine->e_machine == EM_MIPS && !o->big)
		return (uint64_t)r->type << 56 | symbol;
	return symbol << 32 | r->type;
}

static void write_relocs(const struct object *o, const struct section *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_relocs; i++) {
		const struct reloc *r = &s->relocs[i];

		if (symbol_is_gone(o, &o->symbols[r->symbol]))
			continue;
		buf_add_word(out, r->offset, object_word(o), o->big);
		buf_add_word(out, reloc_info(o, r), object_word(o), o->big);
		if (o->machine->rela)
			buf_add_word(out, (uint64_t)r->addend, object_word(o), o->big);
	}
}

/* One of the sections that write_object adds to those of the module. */
static size_t add_table(struct object *o, const char *name, uint32_t type, uint64_t align,
			uint64_t entsize)
{
	size_t i = object_add_section(o, name, type, 0, align);

	o->sections[i].entsize = entsize;
	/* It has no section symbol. */
	o->n_symbols--;
	return i;
}

static void write_header(const struct object *o, struct buf *out, size_t n_headers, size_t names)
{
	unsigned char ident[EI_NIDENT] = { 0x7f, 'E', 'L', 'F' };
	unsigned int word = object_word(o);

	ident[EI_CLASS] = o->bits == 64 ? ELFCLASS64 : ELFCLASS32;
	ident[EI_DATA] = o->big ? ELFDATA2MSB : ELFDATA2LSB;
	ident[EI_VERSION] = EV_CURRENT;
	buf_add(out, ident, sizeof(ident));
	buf_add_word(out, ET_REL, 2, o->big);
	buf_add_word(out, o->machine->e_machine, 2, o->big);
	buf_add_word(out, EV_CURRENT, 4, o->big);
	buf_fill(out, 0, 3 * word); /* e_entry, e_phoff; e_shoff is set at the end */
	buf_add_word(out, o->e_flags, 4, o->big);
	buf_add_word(out, o->bits == 64 ? 64 : 52, 2, o->big);
	buf_fill(out, 0, 4); /* no program headers */
	buf_add_word(out, o->bits == 64 ? 64 : 40, 2, o->big);
	buf_add_word(out, n_headers, 2, o->big);
	buf_add_word(out, names, 2, o->big);
}

struct header {
	uint64_t name, type, flags, offset, size, link, info, align, entsize;
};

static void write_section_header(const struct object *o, const struct header *h, struct buf *out)
{
	unsigned int word = object_word(o);

	buf_add_word(out, h->name, 4, o->big);
	buf_add_word(out, h->type, 4, o->big);
	buf_add_word(out, h->flags, word, o->big);
	buf_add_word(out, 0, word, o->big);
	buf_add_word(out, h->offset, word, o->big);
	buf_add_word(out, h->size, word, o->big);
	buf_add_word(out, h->link, 4, o->big);
	buf_add_word(out, h->info, 4, o->big);
	buf_add_word(out, h->align, word, o->big);
	buf_add_word(out, h->entsize, word, o->big);
}

/* Numbers of the headers: a section is followed by its relocations. */
static size_t number_sections(struct object *o)
{
	size_t n = 1;

	for (size_t i = 0; i < o->n_sections; i++) {
		struct section *s = &o->sections[i];

		if (s->is_dropped)
			continue;
		s->index = n++;
		n += s->n_relocs ? 1 : 0;
	}
	return n;
}

static const char *reloc_section_name(const struct object *o, const struct section *s)
{
	struct buf name = { 0 };

	if (s->klp_name)
		return s->klp_name;
	buf_printf(&name, "%s%s", o->machine->rela ? ".rela" : ".rel", s->name);
	return copy_string((char *)name.data, name.size);
}

static void write_bodies(struct object *o, struct buf *out)
{
	for (size_t i = 0; i < o->n_sections; i++) {
		struct section *s = &o->sections[i];

		if (s->is_dropped)
			continue;
		buf_align(out, s->align);
		s->offset = out->size;
		if (s->type != SHT_NOBITS)
			buf_add(out, s->data.data, s->data.size);
	}
	for (size_t i = 0; i < o->n_sections; i++) {
		struct section *s = &o->sections[i];

		if (s->is_dropped || !s->n_relocs)
			continue;
		buf_align(out, object_word(o));
		s->reloc_offset = out->size;
		write_relocs(o, s, out);
		s->entsize = s->type == SHT_PROGBITS ? 0 : s->entsize;
	}
}

static void write_headers(struct object *o, struct buf *out, const uint64_t *names,
			  const uint64_t *reloc_names, int symtab, size_t first_global)
{
	uint64_t symtab_index = symtab < 0 ? 0 : o->sections[symtab].index;
	unsigned int entry = object_word(o) * (o->machine->rela ? 3 : 2);

	write_section_header(o, &(struct header) { 0 }, out);
	for (size_t i = 0; i < o->n_sections; i++) {
		struct section *s = &o->sections[i];
		struct header h = { names[i], s->type, s->flags, s->offset, s->data.size,
				    0,        0,       s->align, s->entsize };

		if (s->is_dropped)
			continue;
		if (s->type == SHT_NOBITS)
			h.size = s->size;
		if (s->type == SHT_SYMTAB) {
			int strtab = object_find_section(o, ".strtab");

			h.link = strtab < 0 ? 0 : o->sections[strtab].index;
			h.info = first_global;
		}
		s->header = out->size;
		write_section_header(o, &h, out);
		if (!s->n_relocs)
			continue;
		h = (struct header) { reloc_names[i],
				      o->machine->rela ? SHT_RELA : SHT_REL,
				      SHF_INFO_LINK | (s->klp_name ? SHF_RELA_LIVEPATCH : 0),
				      s->reloc_offset,
				      0,
				      symtab_index,
				      s->index,
				      object_word(o),
				      entry };
		for (size_t k = 0; k < s->n_relocs; k++)
			if (!symbol_is_gone(o, &o->symbols[s->relocs[k].symbol]))
				h.size += entry;
		write_section_header(o, &h, out);
	}
}

void object_write(struct object *o, struct buf *out)
{
	bool drop_symtab = false, drop_strtab = false;
	unsigned int shoff_at = 24 + 2 * object_word(o);
	size_t symtab, strtab, shstrtab, n_headers, first_global;
	uint64_t *names, *reloc_names;

	/* "no .symtab" is remembered as a dropped section of that name. */
	for (size_t i = 0; i < o->n_sections; i++) {
		drop_symtab |= o->sections[i].is_dropped && !strcmp(o->sections[i].name, ".symtab");
		drop_strtab |= o->sections[i].is_dropped && !strcmp(o->sections[i].name, ".strtab");
	}
	symtab = add_table(o, ".symtab", SHT_SYMTAB, object_word(o), o->bits == 64 ? 24 : 16);
	strtab = add_table(o, ".strtab", SHT_STRTAB, 1, 0);
	shstrtab = add_table(o, ".shstrtab", SHT_STRTAB, 1, 0);
	o->sections[symtab].is_dropped = drop_symtab;
	o->sections[strtab].is_dropped = drop_strtab;
	n_headers = number_sections(o);
	first_global = write_symbols(o, &o->sections[symtab].data, &o->sections[strtab].data);

	names = grow(NULL, 0, o->n_sections * sizeof(*names));
	reloc_names = grow(NULL, 0, o->n_sections * sizeof(*names));
	buf_fill(&o->sections[shstrtab].data, 0, 1);
	for (size_t i = 0; i < o->n_sections; i++) {
		struct section *s = &o->sections[i];

		if (s->is_dropped)
			continue;
		names[i] = buf_add_string(&o->sections[shstrtab].data, s->name);
		if (s->n_relocs)
			reloc_names[i] = buf_add_string(&o->sections[shstrtab].data,
							reloc_section_name(o, s));
	}
	write_header(o, out, n_headers, o->sections[shstrtab].index);
	write_bodies(o, out);
	buf_align(out, 8);
	put_word(out->data + shoff_at, out->size, object_word(o), o->big);
	write_headers(o, out, names, reloc_names, drop_symtab ? -1 : (int)symtab, first_global);
}
