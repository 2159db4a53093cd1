// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits of the ELF header, of section headers and their bytes, and of relocations.
 */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

/* A member of one of the ELF structures, by name. */
struct field {
	const char *name;
	size_t offset, size;
};

#define FIELD(type, prefix, member)                                                                \
	{                                                                                          \
#member, offsetof(type, prefix##member), sizeof(((type *)NULL)->prefix##member)    \
	}

uint64_t edit_value(uint64_t value, const char *word)
{
	uint64_t operand = strtoull(word + (strchr("+|~", *word) != NULL), NULL, 0);

	switch (*word) {
	case '+':
		return value + operand;
	case '|':
		return value | operand;
	case '~':
		return value & ~operand;
	default:
		return operand;
	}
}

size_t edit_offset(size_t size, const char *word)
{
	long long offset = strtoll(word, NULL, 0);
	size_t result = offset < 0 ? size + (size_t)offset : (size_t)offset;

	if (result > size)
		fail("offset %s is outside %zu bytes", word, size);
	return result;
}

static void set_field(const struct field *fields, void *object, const char *name, const char *word)
{
	uint64_t value = 0;

	while (fields->name && strcmp(fields->name, name))
		fields++;
	if (!fields->name)
		fail("there is no field %s", name);
	/* Little-endian, as the machines are that the judge boots. */
	memcpy(&value, (char *)object + fields->offset, fields->size);
	value = edit_value(value, word);
	memcpy((char *)object + fields->offset, &value, fields->size);
}

static void ehdr(struct elfedit *e, const char *a, const char *b, const char *c)
{
	static const struct field fields[] = {
		FIELD(Elf64_Ehdr, e_, type),      FIELD(Elf64_Ehdr, e_, machine),
		FIELD(Elf64_Ehdr, e_, version),   FIELD(Elf64_Ehdr, e_, shoff),
		FIELD(Elf64_Ehdr, e_, shentsize), FIELD(Elf64_Ehdr, e_, shnum),
		FIELD(Elf64_Ehdr, e_, shstrndx),  { 0 },
	};
	Elf64_Ehdr h = elf_header(e);

	(void)c;
	set_field(fields, &h, a, b);
	elf_put_header(e, &h);
}

static void ident(struct elfedit *e, const char *a, const char *b, const char *c)
{
	Elf64_Ehdr h = elf_header(e);
	size_t i = edit_offset(EI_NIDENT - 1, a);

	(void)c;
	h.e_ident[i] = (unsigned char)edit_value(h.e_ident[i], b);
	elf_put_header(e, &h);
}

/* Section 0 has no name, and the name table may be asked for as the header has it. */
static unsigned int section_of(const struct elfedit *e, const char *word)
{
	return strcmp(word, "0") ? elf_need(e, word) : 0;
}

static void shdr(struct elfedit *e, const char *a, const char *b, const char *c)
{
	static const struct field fields[] = {
		FIELD(Elf64_Shdr, sh_, type), FIELD(Elf64_Shdr, sh_, flags),
		FIELD(Elf64_Shdr, sh_, addr), FIELD(Elf64_Shdr, sh_, offset),
		FIELD(Elf64_Shdr, sh_, size), FIELD(Elf64_Shdr, sh_, link),
		FIELD(Elf64_Shdr, sh_, info), FIELD(Elf64_Shdr, sh_, addralign),
		FIELD(Elf64_Shdr, sh_, name), { 0 },
	};
	unsigned int i = section_of(e, a);
	Elf64_Shdr s = elf_section(e, i);

	set_field(fields, &s, b, c);
	elf_put_section(e, i, &s);
}

static void poke(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = elf_need(e, a);
	size_t at = edit_offset(elf_section(e, i).sh_size - 1, b) + (*b == '-'); /* -1: the last */
	unsigned char *byte = elf_bytes(e, i) + at;

	*byte = (unsigned char)edit_value(*byte, c);
}

static void grow(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)c;
	elf_grow(e, elf_need(e, a), strtoul(b, NULL, 0));
}

static void rename_section(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)c;
	elf_rename_section(e, elf_need(e, a), b);
}

static void copy_section(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)c;
	elf_copy_section(e, elf_need(e, a), b);
}

/* The relocations whose target section has that name. */
static unsigned int relocations_of(const struct elfedit *e, const char *target)
{
	unsigned int wanted = elf_need(e, target);

	for (unsigned int i = 1; i < elf_n_sections(e); i++) {
		if (elf_n_relocations(e, i) && elf_section(e, i).sh_info == wanted)
			return i;
	}
	return 0;
}

static unsigned int need_relocations(const struct elfedit *e, const char *target)
{
	unsigned int i = relocations_of(e, target);

	if (!i)
		fail("%s has no relocations", target);
	return i;
}

static void reloc_type(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = need_relocations(e, a);
	Elf64_Rela r = elf_relocation(e, i, 0);

	(void)c;
	r.r_info = ELF64_R_INFO(ELF64_R_SYM(r.r_info), strtoull(b, NULL, 0));
	elf_put_relocation(e, i, 0, &r);
}

/* Relocation c of that section is about symbol b itself. */
static void reloc_symbol(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = need_relocations(e, a);
	size_t k = strtoul(c, NULL, 0);

	if (k >= elf_n_relocations(e, i))
		fail("%s has no relocation %zu", a, k);
	Elf64_Rela r = elf_relocation(e, i, (unsigned int)k);
	r.r_info = ELF64_R_INFO(elf_need_symbol(e, b), ELF64_R_TYPE(r.r_info));
	r.r_addend = 0;
	elf_put_relocation(e, i, (unsigned int)k, &r);
}

/* Something other than zero where the first relocation will write. */
static void reloc_target(struct elfedit *e, const char *a, const char *b, const char *c)
{
	Elf64_Rela r = elf_relocation(e, need_relocations(e, a), 0);

	(void)c;
	if (r.r_offset >= elf_section(e, elf_need(e, a)).sh_size)
		fail("%s: relocation outside", a);
	elf_bytes(e, elf_need(e, a))[r.r_offset] ^= (unsigned char)strtoul(b, NULL, 0);
}

void edit_neutralize(struct elfedit *e)
{
	unsigned int i = relocations_of(e, ".gnu.linkonce.this_module");

	for (unsigned int k = 0; i && k < elf_n_relocations(e, i); k++) {
		Elf64_Rela r = elf_relocation(e, i, k);

		/* i386 knows no type NONE: there the address of the null symbol, 0, is added. */
		r.r_info = e->is_64 ? ELF64_R_INFO(ELF64_R_SYM(r.r_info), R_X86_64_NONE)
				    : ELF64_R_INFO(0, R_386_32);
		elf_put_relocation(e, i, k, &r);
	}
}

const struct edit edits_elf[] = {
	{ "ehdr", 2, ehdr },
	{ "ident", 2, ident },
	{ "shdr", 3, shdr },
	{ "poke", 3, poke },
	{ "grow", 2, grow },
	{ "rename-section", 2, rename_section },
	{ "copy-section", 2, copy_section },
	{ "reloc-type", 2, reloc_type },
	{ "reloc-target", 2, reloc_target },
	{ "reloc-symbol", 3, reloc_symbol },
	{ 0 },
};
