/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only door to libelf: the symbols and relocations in sections that elfcheck has passed, in
 * the host's byte order. What is handed out dies with elfview_close() or with the section's bytes.
 */
#ifndef MODCHECK_ELFVIEW_H
#define MODCHECK_ELFVIEW_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct elfview {
	struct converted *converted; /* owned */
	bool is_64, is_big;
	bool has_mips64_info; /* r_info of little-endian mips64 has its symbol in the low half */
};

/* For a file of this class, byte order and machine. */
void elfview_open(struct elfview *v, bool is_64, bool is_big, uint16_t machine);
void elfview_close(struct elfview *v); /* one that was not opened (all zero) is allowed */

/* A table of one section: an array of n symbols or relocations of the view's class. */
struct elftable {
	const void *entries;
	size_t n;
	bool is_64;
	bool is_rela; /* relocations: entries have an addend */
	bool has_mips64_info;
};

struct elf_symbol {
	uint64_t value;
	uint32_t name; /* st_name */
	uint16_t shndx;
	uint8_t bind, type;
};

struct elf_reloc {
	uint64_t offset;
	int64_t addend; /* 0 if it is in the section */
	uint32_t symbol, type;
};

/*
 * The symbols in `size` bytes of a SHT_SYMTAB section; what is left of the last entry does not
 * count. Returns false if there are no bytes (NULL) or libelf refuses them.
 */
bool elfview_symbols(struct elfview *v, const unsigned char *bytes, size_t size,
		     struct elftable *t);

/* The same of a SHT_RELA or SHT_REL section. */
bool elfview_relocs(struct elfview *v, const unsigned char *bytes, size_t size, bool is_rela,
		    struct elftable *t);

/* Size of an entry of each table, 0 for other types. */
size_t elfview_entry_bytes(bool is_64, uint32_t type);

/* memcpy: a section may begin at any address, and is handed out as it is. */
static inline struct elf_symbol elftable_symbol(const struct elftable *t, size_t i)
{
	if (t->is_64) {
		Elf64_Sym s;
		memcpy(&s, (const char *)t->entries + i * sizeof(s), sizeof(s));
		return (struct elf_symbol) { s.st_value, s.st_name, s.st_shndx,
					     ELF64_ST_BIND(s.st_info), ELF64_ST_TYPE(s.st_info) };
	}
	Elf32_Sym s;
	memcpy(&s, (const char *)t->entries + i * sizeof(s), sizeof(s));
	return (struct elf_symbol) { s.st_value, s.st_name, s.st_shndx, ELF32_ST_BIND(s.st_info),
				     ELF32_ST_TYPE(s.st_info) };
}

struct elf_reloc elftable_reloc(const struct elftable *t, size_t i);

#endif
