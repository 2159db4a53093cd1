/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's checks on the ELF header and the section table, made on bytes, so that each
 * damaged field has a finding of its own and what is read later is inside the file.
 */
#ifndef MODCHECK_ELFCHECK_H
#define MODCHECK_ELFCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct module;

#define ELF_HEADER_MAX 64 /* bytes of the larger of the two ELF headers */

/* The fields of the ELF header that matter, in the host's order. */
struct elf_header {
	bool is_64, is_big;
	uint16_t type, machine;
	uint32_t flags;
	uint16_t shentsize, shnum, shstrndx;
	uint64_t shoff;
};

#define NOT_LOADED SIZE_MAX

/* One entry of the section table, in the host's order. */
struct section {
	uint32_t name; /* sh_name */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size;
	bool is_bad; /* its bytes are not in the file */
	size_t at;   /* where in the image its bytes are, NOT_LOADED if they are not there */
	const unsigned char *late; /* its bytes, if they were read after the image was made */
};

/*
 * Check the header in the first `size` bytes of a file of file_size bytes and decode it into *h.
 * Returns false, with a fault of m, if the section table cannot be read.
 */
bool elfcheck_header(struct elf_header *h, const unsigned char *p, size_t size, uint64_t file_size,
		     struct module *m, struct arena *a);

/* Decode entry i of the section table; nothing is checked. */
void elfcheck_decode(struct section *s, const struct elf_header *h, const unsigned char *table,
		     uint32_t i);

/*
 * Check all sections; `names` (names_size bytes) is the section name table, NULL if it is
 * not usable. Sections whose bytes are not in the file become is_bad.
 */
void elfcheck_sections(struct section *sections, const struct elf_header *h, const char *names,
		       uint64_t names_size, uint64_t file_size, struct module *m, struct arena *a);

/* The name of a section for a message: "" if there is none or it is not terminated. */
const char *elfcheck_name(const struct section *s, const char *names, uint64_t names_size);

#endif
