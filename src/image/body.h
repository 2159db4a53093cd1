/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder agree on; nothing outside includes it. The body is the kernel
 * itself, unpacked: an ELF file or a piece of memory, perhaps only its beginning.
 */
#ifndef MODCHECK_IMAGE_BODY_H
#define MODCHECK_IMAGE_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "image/kernelimage.h"

struct body {
	const unsigned char *bytes;
	size_t size;
	uint16_t machine;
	uint8_t word; /* bytes of a pointer: 4 or 8 */
	bool is_big;
};

/* A piece of the body that lies in memory at an address of its own. */
struct range {
	uint64_t address, offset, size;
};

#define MAX_RANGES 8

/* From addresses to offsets in the body. */
struct map {
	struct range ranges[MAX_RANGES];
	uint32_t n;
};

/* The whole body in one piece from this address on. */
struct map map_flat(const struct body *b, uint64_t base);

/* Returns false if no range has the address. */
bool map_offset(const struct map *m, uint64_t address, uint64_t *offset);

/*
 * How an entry of an export table looks (include/linux/export.h and
 * asm-generic/export.h of the kernel do):
 *
 *   value, name          2.6 to 5.3
 *   value, name, ns      5.4 and later
 *
 * Each field is a pointer, or, since 4.19 on x86 and arm64 (CONFIG_HAVE_ARCH_PREL32_RELOCATIONS),
 * a signed 32-bit distance from the field itself.
 */
struct layout {
	bool is_prel;
	uint8_t n_fields;
};

#define N_LAYOUTS 4
extern const struct layout layouts[N_LAYOUTS];

uint32_t layout_entry_bytes(const struct layout *l, const struct body *b);

/* What a field of the entry at `offset` (which lies at `address`) points to; 0 if it is NULL. */
uint64_t layout_field(const struct layout *l, const struct body *b, uint64_t offset,
		      uint64_t address, uint32_t field);

struct text {
	const char *s;
	uint32_t n;
};

/*
 * Name and namespace (empty if there is none) of the entry at `offset`, which has to lie in the
 * body. False if they are not what an export can be called.
 */
bool layout_texts(const struct layout *l, const struct body *b, const struct map *m,
		  uint64_t offset, uint64_t address, struct text *name, struct text *ns);

/* A table of exports and what belongs to it. */
struct table {
	uint64_t offset, address;
	uint32_t n;
	uint8_t licence;
	uint64_t crc_offset; /* of entry 0's CRC */
	uint8_t crc_bytes;   /* 4 or 8; 0: no CRCs */
	uint64_t flags_offset;
	bool has_flags; /* 7.2: a byte an entry, bit 0 is GPL-only */
};

#define MAX_TABLES 5

/* Append the exports of a table whose ranges lie in the body. False if an entry makes no sense. */
bool table_read(struct kernel_image *im, const struct body *b, const struct map *m,
		const struct layout *l, const struct table *t);

/*
 * Find the export tables by their shape alone and read them. False if there is nothing that looks
 * like them.
 */
bool shape_read(struct kernel_image *im, const struct body *b);

/* What an ELF file's headers say. */
bool elf_is(const unsigned char *bytes, size_t size);
/* Fill in *b but for bytes and size. False with *err set if this is no kernel. */
bool elf_head(struct body *b, const unsigned char *bytes, size_t size, struct err *err);
/* Where the first segment with code ends in the file, 0 if that cannot be told. */
uint64_t elf_code_end(const struct body *b);
/* Read the exports through the section headers. *has_sections: there are any at all. */
bool elf_read(struct kernel_image *im, const struct body *b, bool *has_sections, struct err *err);

/* Look for the banner and the vermagic that belongs to it. */
void strings_find(struct kernel_image *im, const struct body *b);

/* Append what looks like certificates. */
void certificates_find(struct kernel_image *im, const unsigned char *bytes, size_t size);

/* Fill in module_struct_size and types from the BTF in the body, if there is one. */
void btf_find(struct kernel_image *im, const struct body *b);

/* A packed kernel in a file. */
struct packed {
	const unsigned char *bytes;
	size_t size;
};

/* Raw memory: fill in machine, word and byte order if the head says that it is this format. */
bool arm64_head(struct body *b, const unsigned char *bytes, size_t size);
bool riscv_head(struct body *b, const unsigned char *bytes, size_t size);

/*
 * Wrappers. *_is() looks at magic numbers only. *_find() finds the packed kernel whose i-th
 * possible place this is, from 0: most have one. False when there are no more.
 */
bool bzimage_is(const unsigned char *bytes, size_t size);
bool bzimage_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p);
bool zboot_is(const unsigned char *bytes, size_t size);
bool zboot_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p);
bool zimage_is(const unsigned char *bytes, size_t size);
bool zimage_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p);
bool s390_is(const unsigned char *bytes, size_t size);
bool s390_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p);

#endif
