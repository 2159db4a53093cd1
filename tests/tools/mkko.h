/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of mkko share: the recipe as parsed, the object as it is put together, and
 * the bytes that come out. It is a test tool: every failure ends the program with the line of
 * the recipe, and memory is given back by exit alone.
 */
#ifndef MKKO_H
#define MKKO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Growing bytes. */
struct buf {
	unsigned char *data;
	size_t size, room;
};

void buf_add(struct buf *b, const void *bytes, size_t size);
void buf_fill(struct buf *b, unsigned char value, size_t n);
void buf_align(struct buf *b, size_t align);
/* Append the string with its NUL; returns where it begins. */
size_t buf_add_string(struct buf *b, const char *s);
/* Append `width` bytes of the value. */
void buf_add_word(struct buf *b, uint64_t value, unsigned int width, bool big);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_word(unsigned char *at, uint64_t value, unsigned int width, bool big);
uint64_t get_word(const unsigned char *at, unsigned int width, bool big);

/* Room for one more element: array = grow(array, n, sizeof(*array)). Never NULL. */
void *grow(void *array, size_t n, size_t element);
char *copy_string(const char *s, size_t length);

/* A line of the recipe: words, and for `text` what the here-document holds. */
struct line {
	const char *file;
	unsigned int number;
	char **words;
	size_t n_words;
	struct buf text;
};

/* A file of the tree: its first line says what it is, the others what is in it. */
struct entry {
	struct line head;
	struct line *lines;
	size_t n_lines;
	struct module *module; /* NULL unless it is a module */
};

struct recipe {
	struct entry *entries;
	size_t n_entries;
	struct line *defaults; /* the lines that later modules begin with */
	size_t n_defaults;
};

void die(const struct line *at, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Append the entries of a recipe to *r; text is NUL-terminated. */
void recipe_parse(struct recipe *r, const char *file, const char *text);

/* The i-th word, or an error that names what is missing. */
const char *line_word(const struct line *l, size_t i, const char *what);
/* The value of the word KEY=VALUE from the second word on, NULL if there is none. */
const char *line_option(const struct line *l, const char *key);
bool line_has(const struct line *l, const char *word);
int64_t line_number(const struct line *l, const char *word);
/* The bytes a word stands for: hex:0102, zero:16, or the word itself. */
void line_bytes(const struct line *l, const char *word, struct buf *out);

/* One row of the table of processors: how their objects look. */
struct machine {
	const char *name;
	uint16_t e_machine;
	unsigned char bits; /* 32 or 64 */
	bool big, rela, prel32;
	bool is_x86;
	uint32_t e_flags;
	uint32_t r_word, r_32, r_pc32, r_call; /* relocation types */
	const char *sections[4];               /* that the loader asks for, executable */
};

const struct machine *machine_find(const char *name);

/* --- An object file that grows: mkko_elf.c --- */
enum { SYMBOL_UNDEF = -1, SYMBOL_ABS = -2, SYMBOL_COMMON = -3 };

struct reloc {
	uint64_t offset;
	uint32_t type;
	size_t symbol; /* index into object.symbols */
	int64_t addend;
};

struct section {
	const char *name;
	uint32_t type;
	uint64_t flags, size, align, entsize; /* size: of a NOBITS section */
	struct buf data;
	struct reloc *relocs;
	size_t n_relocs;
	const char *klp_name; /* of the section of its relocations, if they are a live patch's */
	bool is_dropped;
	uint64_t offset, header; /* where it and its header are, once written */
	uint64_t reloc_offset;
	size_t index;
};

struct symbol {
	const char *name;
	unsigned char bind, type;
	int section;       /* index into object.sections or SYMBOL_* */
	int64_t raw_index; /* st_shndx as it is to be written, -1: by section */
	uint64_t value, size;
	bool is_section;
	size_t index; /* in .symtab, once written */
};

struct object {
	const struct machine *machine;
	unsigned int bits;
	bool big;
	uint32_t e_flags;
	struct section *sections;
	size_t n_sections;
	struct symbol *symbols;
	size_t n_symbols;
};

/* Both return an index: pointers do not outlive the next add. */
size_t object_add_section(struct object *o, const char *name, uint32_t type, uint64_t flags,
			  uint64_t align);
size_t object_add_symbol(struct object *o, const char *name, unsigned char bind, unsigned char type,
			 int section, uint64_t value);
void object_add_reloc(struct object *o, size_t section, uint64_t offset, uint32_t type,
		      size_t symbol, int64_t addend);
/* -1 if there is none. */
int object_find_section(const struct object *o, const char *name);
int object_find_symbol(const struct object *o, const char *name);
/* Bytes of a section header, symbol, relocation, or word of this object. */
unsigned int object_word(const struct object *o);
void object_write(struct object *o, struct buf *out);

/* --- What a recipe says of a module: mkko_spec.c --- */
struct import {
	const char *name;
	bool is_weak, is_local, is_unreferenced, no_crc;
	unsigned char type;
	uint32_t crc;
};

struct export
{
	const char *name, *ns;
	bool is_gpl;
	bool no_crc;
	uint32_t crc;
};

struct tag {
	const char *key, *value;
};

enum crc_table { CRC_U32, CRC_ABS, CRC_LONG, CRC_REL };
enum versions { VERSIONS_PLAIN = 1, VERSIONS_EXT = 2, VERSIONS_BOTH = 3, VERSIONS_NONE = 0 };

struct module {
	const char *path, *name;
	const struct machine *machine;
	unsigned int bits;
	bool big;
	uint32_t e_flags;
	bool is_24;
	/* export tables */
	bool prel32, flags, section_relocs, unsorted;
	unsigned int fields; /* 2 or 3: with a namespace */
	enum crc_table crc_table;
	enum versions versions;
	const char *struct_name;
	uint64_t struct_size; /* 0: no .gnu.linkonce.this_module */
	bool no_crcs;         /* CONFIG_MODVERSIONS=n */
	bool no_layout;
	uint32_t layout_crc;
	struct import *imports;
	size_t n_imports;
	struct export *exports;
	size_t n_exports;
	struct import *versions_only; /* entries of __versions that no symbol asks for */
	size_t n_versions_only;
	struct tag *tags;
	size_t n_tags;
	const struct line **raw; /* section, symbol, reloc, no, duplicate: done at the end */
	size_t n_raw;
	size_t n_spec_lines; /* of the entry's lines; the rest change bytes */
	struct object object;
};

/* Read the lines of a module entry up to the first that changes bytes. */
struct module *module_read(const struct entry *e);
/* Tags that nobody set: depends, from the exports of the other modules, and so on. */
void module_complete(struct module *m, const struct recipe *r);
bool module_has_tag(const struct module *m, const char *key);
void module_add_tag(struct module *m, const char *key, const char *value);
/* "kernel/fs/nls/nls_iso8859-1.ko" -> "nls_iso8859_1" */
char *module_name_of(const char *path);
uint32_t crc_of_name(const char *name);

/* Put the object together and write it: mkko_module.c, mkko_export.c */
void module_build(struct module *m, struct buf *out);
void module_build_exports(struct module *m, struct object *o, size_t text);
void module_build_raw(struct module *m, struct object *o);

/* Run one line that changes bytes (o is NULL for a text): mkko_damage.c */
bool damage_is_known(const char *word);
void damage_run(const struct line *l, const struct object *o, struct buf *image);
/* gzip, xz, zstd, lzma: mkko_compress.c */
void compress_bytes(const struct line *l, struct buf *image);

/* Module.symvers, System.map and ksyms: mkko_evidence.c */
void evidence_write(const struct recipe *r, const struct entry *e, struct buf *out);
bool evidence_is_known(const char *word);

#endif
