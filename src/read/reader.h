/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of src/read only: what a reader keeps from file to file, and the file it
 * is at. Each reading function adds to the module what its section says, and faults.
 */
#ifndef MODCHECK_READER_H
#define MODCHECK_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "codec/codec.h"
#include "model/module.h"
#include "read/btf.h"
#include "read/elfcheck.h"
#include "read/elfview.h"
#include "read/image.h"
#include "read/read.h"

/* Export tables: each of these has its own pair of __ksymtab and __kcrctab. */
#define EXPORT_TABLES 5

/* Sections that are looked for by name; the first of its name counts. */
enum part {
	PART_MODINFO,
	PART_THIS_MODULE,
	PART_VERSIONS,
	PART_EXT_CRCS,
	PART_EXT_NAMES,
	PART_KFLAGS,
	PART_STRINGS,
	PART_KSYMTAB, /* one for each export table */
	PART_KCRCTAB = PART_KSYMTAB + EXPORT_TABLES,
	N_PARTS = PART_KCRCTAB + EXPORT_TABLES,
};

/* Which import has this name? Valid for the module whose generation it is. */
struct mark {
	uint32_t generation;
	uint32_t import;
};

/* An import whose name is being looked up. */
struct pending {
	const char *name;
	uint32_t length;
	uint8_t flags; /* enum import_flags */
	uint64_t announced;
};

#define MAX_PENDING 64

struct reader {
	struct names *names;
	struct arena *arena;
	struct image image;
	bool is_thorough;
	struct btf_base btf_base; /* the kernel's */
	bool is_seen_regular;
	char *dir; /* directory of the last file, with its last '/' */
	size_t dir_length, cap_dir;
	int dir_fd; /* of dir, -1: not opened */
	struct codec_buffer unpacked;
	pthread_mutex_t *giants; /* held while something larger than GIANT_BYTES is unpacked */
	int shortage;            /* errno */
	struct section *sections;
	size_t cap_sections;
	struct mark *marks; /* by nameid */
	size_t cap_marks;
	uint32_t generation;
	struct import *imports;
	size_t n_imports, cap_imports;
	struct pending pending[MAX_PENDING];
	size_t n_pending;
	const char **import_texts; /* imports[i] is written import_texts[i] in .strtab */
	size_t cap_import_texts;
	struct export *exports;
	size_t n_exports, cap_exports;
	uint32_t *places; /* exports.c: the relocation at each place of a table */
	size_t cap_places;
	uint16_t *wanted; /* sections to read */
	size_t n_wanted, cap_wanted;
};

/* The file that is being read. */
struct elffile {
	struct reader *reader;
	struct module *m;
	struct elf_header header;
	struct section *sections;       /* header.shnum of them */
	uint32_t parts[N_PARTS];        /* section index, 0: there is none */
	uint32_t relocs[N_PARTS];       /* of the relocations for the part, 0: there are none */
	uint32_t symtab, strtab;        /* section index, 0: there is none */
	bool has_ctors, has_init_array; /* loaded ones */
	bool has_ksymtab;               /* a __ksymtab of any kind, even one that is never loaded */
	struct elfview view;
	struct elftable symbols;
	const char *strings; /* of strtab; every string in it ends inside of it */
	uint64_t strings_size;
	uint64_t name_bytes; /* of names stored so far */
};

/* Bytes of names stored for one module; the largest real module needs 600 KB. */
#define MODULE_NAME_BYTES ((uint64_t)16 << 20)

#define file_fault(f, ...) module_add_fault((f)->m, (f)->reader->arena, __VA_ARGS__)

/* A fault that is a failed check, with its two numbers (0 where it has fewer). */
#define check_fault(f, kind, check, a, b, ...)                                                     \
	fault_set_check(file_fault(f, kind, __VA_ARGS__), check, a, b)

/* sections.c: find the parts, choose what to read. */
void sections_find(struct elffile *f);
enum image_result sections_read(struct elffile *f);
const char *sections_name(const struct elffile *f, uint32_t index);

/* The bytes of a part and their number; NULL if there is no such section or it has no bytes. */
const unsigned char *sections_part(struct elffile *f, enum part part, uint64_t *size);

/* The relocations of section `index`, of type SHT_REL or SHT_RELA; false if they are not there. */
bool file_relocs(struct elffile *f, uint32_t index, struct elftable *t);

/* A name of at most LIMIT_NAME_BYTES into *id; false, with a fault, if it is over a limit. */
bool file_add_name(struct elffile *f, const char *s, size_t length, nameid *id);

/* The same with what names_announce() said. */
bool file_add_announced(struct elffile *f, const char *s, size_t length, uint64_t announced,
			nameid *id);

/* A string in a section: NULL if it does not end inside of it or the section has no bytes. */
const char *file_string(struct elffile *f, uint32_t section, uint64_t offset);

/* The bytes of st_name; NULL if out of bounds. */
static inline const char *file_symbol_name(const struct elffile *f, const struct elf_symbol *s)
{
	return s->name < f->strings_size ? f->strings + s->name : NULL;
}

/* symbols.c: imports. */
bool symbols_open(struct elffile *f);
void symbols_read_imports(struct elffile *f);

/* The import of that name, NULL if there is none; valid until the next is added. */
struct import *symbols_find_import(struct elffile *f, const char *name);

/* versions.c, exports.c, modinfo.c */
void versions_read(struct elffile *f);
void exports_read(struct elffile *f);
void modinfo_read(struct elffile *f);
void this_module_read(struct elffile *f);

/* signature.c: sets image.elf_size, too. Only once a file. */
void signature_read(struct reader *r, struct module *m);

/* archsections.c: which sections of its machine does it lack? */
void archsections_find(struct elffile *f);

/* btf.c: are .BTF and .BTF.base sound? */
void btf_check(struct elffile *f);

/* relocs.c */
void relocs_read(struct elffile *f);

/*
 * relocvalue.c: a fault where the loader refuses relocation i of that section for its value or its
 * place; false: it ends there. And: mark the imports that are keys of static calls, if the section
 * is that of .static_call_sites.
 */
bool relocvalue_check(struct elffile *f, uint32_t section, size_t i, const struct elf_reloc *r);
void relocvalue_note_static_calls(struct elffile *f, uint32_t section, const struct elftable *t);

/*
 * klp.c: what becomes of a section of relocations that is marked for live patches; a fault where
 * the kernel refuses it.
 */
enum klp_relocs {
	KLP_NOW,   /* they are applied as all others */
	KLP_LATER, /* with the object that they are for */
	KLP_REFUSED,
};
enum klp_relocs klp_check(struct elffile *f, uint32_t section, const struct elftable *t);

/* object24.c: what is different in objects for the insmod of 2.4. */
bool object24_is(const struct elffile *f, const char *path);
void object24_mark_unreferenced(struct elffile *f);
void object24_export_globals(struct elffile *f);

#endif
