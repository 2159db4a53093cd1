/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A relocatable ELF file of either class, little-endian, held as bytes and changed in place.
 *
 * Content never moves: what grows is copied to the end of the file and its section header points
 * there. So a file differs from the original in what an edit asked for and in nothing else, and
 * stays valid where no edit broke it. It edits sound files only: every failure ends the program,
 * and memory is given back by exit alone.
 */
#ifndef JUDGE_ELFEDIT_H
#define JUDGE_ELFEDIT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elfedit {
	unsigned char *data;
	size_t size;
	bool is_64;
	const char *symvers; /* the kernel's Module.symvers, NULL if none */
	unsigned char *tail; /* what stood behind the module: its signature */
	size_t tail_size;
	bool keep_tail;
	char name[256]; /* the name that it is loaded under: that of its struct module */
};

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Both classes are seen as the 64-bit structures. */
Elf64_Ehdr elf_header(const struct elfedit *e);
void elf_put_header(struct elfedit *e, const Elf64_Ehdr *h);
unsigned int elf_n_sections(const struct elfedit *e);
Elf64_Shdr elf_section(const struct elfedit *e, unsigned int i);
void elf_put_section(struct elfedit *e, unsigned int i, const Elf64_Shdr *s);
const char *elf_section_name(const struct elfedit *e, unsigned int i);
/* The first section of that name; elf_find says 0 if there is none, elf_need fails. */
unsigned int elf_find(const struct elfedit *e, const char *name);
unsigned int elf_need(const struct elfedit *e, const char *name);
/* Where the section's bytes are, until the file grows. */
unsigned char *elf_bytes(const struct elfedit *e, unsigned int i);

/* Room for n more bytes at the end of the section, zeroed; the rest is kept. */
unsigned char *elf_grow(struct elfedit *e, unsigned int i, size_t n);
/* A copy of section i's header at the end of the table, under another name. */
unsigned int elf_copy_section(struct elfedit *e, unsigned int i, const char *name);
void elf_rename_section(struct elfedit *e, unsigned int i, const char *name);

/* The symbol table: index 0 is the null symbol. */
unsigned int elf_n_symbols(const struct elfedit *e);
Elf64_Sym elf_symbol(const struct elfedit *e, unsigned int i);
void elf_put_symbol(struct elfedit *e, unsigned int i, const Elf64_Sym *s);
const char *elf_symbol_name(const struct elfedit *e, unsigned int i);
unsigned int elf_need_symbol(const struct elfedit *e, const char *name);
/* Adds the name to the string table; returns its offset. */
uint32_t elf_add_name(struct elfedit *e, const char *name);
void elf_add_symbol(struct elfedit *e, const Elf64_Sym *s);

/* Relocations of section i, of either kind. */
unsigned int elf_n_relocations(const struct elfedit *e, unsigned int i);
Elf64_Rela elf_relocation(const struct elfedit *e, unsigned int i, unsigned int k);
void elf_put_relocation(struct elfedit *e, unsigned int i, unsigned int k, const Elf64_Rela *r);

#endif
