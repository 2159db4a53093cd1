/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where each field is in a header of either class stands in a table; the checks are those of
 * elf_validity_check() (kernel/module/main.c, 6.1) and elf_validity_cache_copy() (6.12), in
 * their order:
 *
 *   size of the file, magic, e_type, e_machine, e_shentsize, section table inside the file,
 *   e_shstrndx; section 0 is empty; each section is inside the file; the name table is a string
 *   table that ends with NUL; each name is inside it; no section both writable and executable.
 *
 * The loader takes class and byte order from the kernel that it is part of, so a flipped
 * EI_CLASS or EI_DATA does not stop it. Here they are told by what else is in the header:
 * e_type is 1 in one byte order only, and e_shentsize differs by class.
 */
#include "read/elfcheck.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "model/module.h"
#include "read/read.h"

/* A fault that is a failed check, with its two numbers (0 where it has fewer). */
#define check_fault(m, a, kind, check, first, second, ...)                                         \
	fault_set_check(module_add_fault(m, a, kind, __VA_ARGS__), check, first, second)

struct field {
	uint8_t offset[2]; /* by class: 32, 64 */
	uint8_t size[2];
};

enum { E_TYPE, E_MACHINE, E_SHOFF, E_FLAGS, E_SHENTSIZE, E_SHNUM, E_SHSTRNDX };

static const struct field header_fields[] = {
	[E_TYPE] = { { 16, 16 }, { 2, 2 } },      [E_MACHINE] = { { 18, 18 }, { 2, 2 } },
	[E_SHOFF] = { { 32, 40 }, { 4, 8 } },     [E_FLAGS] = { { 36, 48 }, { 4, 4 } },
	[E_SHENTSIZE] = { { 46, 58 }, { 2, 2 } }, [E_SHNUM] = { { 48, 60 }, { 2, 2 } },
	[E_SHSTRNDX] = { { 50, 62 }, { 2, 2 } },
};

static const uint16_t header_bytes[2] = { sizeof(Elf32_Ehdr), sizeof(Elf64_Ehdr) };
static const uint16_t entry_bytes[2] = { sizeof(Elf32_Shdr), sizeof(Elf64_Shdr) };

static uint64_t get(const unsigned char *p, const struct field *f, bool is_64, bool is_big)
{
	p += f->offset[is_64];
	switch (f->size[is_64]) {
	case 2:
		return bytes_get16(p, is_big);
	case 4:
		return bytes_get32(p, is_big);
	default:
		return bytes_get64(p, is_big);
	}
}

static bool told_big(const unsigned char *p)
{
	const struct field *type = &header_fields[E_TYPE];
	bool is_big = p[EI_DATA] == ELFDATA2MSB;

	if (get(p, type, false, is_big) == ET_REL)
		return is_big;
	return get(p, type, false, !is_big) == ET_REL ? !is_big : is_big;
}

/* p has as many bytes as the larger header. */
static bool told_64(const unsigned char *p, bool is_big)
{
	const struct field *entry = &header_fields[E_SHENTSIZE];
	bool is_64 = p[EI_CLASS] != ELFCLASS32;

	if (get(p, entry, is_64, is_big) == entry_bytes[is_64])
		return is_64;
	return get(p, entry, !is_64, is_big) == entry_bytes[!is_64] ? !is_64 : is_64;
}

/* Machines whose elf_check_arch() looks at EI_CLASS (arch/.../include/asm/elf.h, 6.12). */
static bool checks_class(uint16_t machine)
{
	static const uint16_t machines[] = { EM_S390, 0xa390, EM_RISCV, EM_PARISC, EM_MIPS, 258 };

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i] == machine)
			return true;
	return false;
}

static bool check_magic(const unsigned char *p, size_t size, struct module *m, struct arena *a)
{
	char seen[4 * 3 + 1] = "";

	if (size >= SELFMAG && memcmp(p, ELFMAG, SELFMAG) == 0)
		return true;
	for (size_t i = 0; i < size && i < 4; i++)
		snprintf(seen + 3 * i, 4, " %02x", p[i]);
	if (size == 0)
		module_add_fault(m, a, FAULT_EMPTY, "the file is empty");
	else
		check_fault(m, a, FAULT_NOT_ELF, ELF_MAGIC, size, 0,
			    "no ELF file: begins with%s, not with 7f 45 4c 46", seen);
	return false;
}

static void decode_header(struct elf_header *h, const unsigned char *p)
{
	h->is_big = told_big(p);
	h->is_64 = told_64(p, h->is_big);
	h->type = (uint16_t)get(p, &header_fields[E_TYPE], h->is_64, h->is_big);
	h->machine = (uint16_t)get(p, &header_fields[E_MACHINE], h->is_64, h->is_big);
	h->shoff = get(p, &header_fields[E_SHOFF], h->is_64, h->is_big);
	h->flags = (uint32_t)get(p, &header_fields[E_FLAGS], h->is_64, h->is_big);
	h->shentsize = (uint16_t)get(p, &header_fields[E_SHENTSIZE], h->is_64, h->is_big);
	h->shnum = (uint16_t)get(p, &header_fields[E_SHNUM], h->is_64, h->is_big);
	h->shstrndx = (uint16_t)get(p, &header_fields[E_SHSTRNDX], h->is_64, h->is_big);
}

/*
 * Something that should be beyond the end: was the file cut off, or is the field damaged? An
 * offset that no module reaches was never right.
 */
static enum fault_kind beyond_end(uint64_t offset, uint64_t size)
{
	return bytes_has_range(LIMIT_MODULE_BYTES, offset, size) ? FAULT_TRUNCATED : FAULT_ELF;
}

static bool check_table_place(const struct elf_header *h, uint64_t file_size, struct module *m,
			      struct arena *a)
{
	if (h->shentsize != entry_bytes[h->is_64]) {
		check_fault(m, a, FAULT_ELF, ELF_ENTRY_SIZE, h->shentsize, 0,
			    "ELF header: e_shentsize is %u, not %u", h->shentsize,
			    entry_bytes[h->is_64]);
		return false;
	}
	if (h->shstrndx == 0 || h->shstrndx >= h->shnum) {
		check_fault(m, a, FAULT_ELF, ELF_NAMES_INDEX, h->shstrndx, h->shnum,
			    "ELF header: e_shstrndx is %u, with %u sections (e_shnum)", h->shstrndx,
			    h->shnum);
		if (h->shnum == 0)
			return false;
	}
	uint64_t size = (uint64_t)h->shnum * h->shentsize;
	if (bytes_has_range(file_size, h->shoff, size) && h->shoff >= header_bytes[h->is_64])
		return true;
	/* a table that begins inside the header is inside the file for the loader */
	bool is_early = h->shoff < header_bytes[h->is_64];
	check_fault(m, a, is_early ? FAULT_ELF : beyond_end(h->shoff, size),
		    is_early ? ELF_NOT_CHECKED : ELF_TABLE, h->shoff, h->shnum,
		    "section table (e_shoff %llu, %u entries of %u bytes) is not inside the "
		    "file of %llu bytes",
		    (unsigned long long)h->shoff, h->shnum, h->shentsize,
		    (unsigned long long)file_size);
	return false;
}

bool elfcheck_header(struct elf_header *h, const unsigned char *p, size_t size, uint64_t file_size,
		     struct module *m, struct arena *a)
{
	if (!check_magic(p, size, m, a))
		return false;
	unsigned char copy[ELF_HEADER_MAX] = { 0 };
	memcpy(copy, p, size < sizeof(copy) ? size : sizeof(copy));
	uint8_t stated_class = copy[EI_CLASS];
	decode_header(h, copy);
	if (size < header_bytes[h->is_64]) {
		check_fault(m, a, FAULT_TRUNCATED, ELF_LENGTH, size, 0,
			    "the file has %zu bytes, the ELF header alone has %u", size,
			    header_bytes[h->is_64]);
		return false;
	}
	m->machine = h->machine;
	m->ppc64_abi = h->machine == EM_PPC64 ? h->flags & EF_PPC64_ABI : 0;
	m->elf_class = h->is_64 ? ELFCLASS64 : ELFCLASS32;
	m->is_big_endian = h->is_big;
	if (h->type != ET_REL) {
		check_fault(m, a, FAULT_WRONG_TYPE, ELF_TYPE, h->type, 0,
			    "ELF header: e_type is %u, not 1 (relocatable)", h->type);
		return false;
	}
	if (h->machine == EM_NONE)
		check_fault(m, a, FAULT_ELF, ELF_MACHINE, 0, 0,
			    "ELF header: e_machine is 0 (none)");
	if (stated_class != m->elf_class && checks_class(h->machine))
		check_fault(m, a, FAULT_ELF, ELF_MACHINE, h->machine, 0,
			    "ELF header: EI_CLASS is %u, the section headers are of class %u",
			    stated_class, m->elf_class);
	return check_table_place(h, file_size, m, a);
}

static inline __attribute__((always_inline)) void decode(struct section *s, const unsigned char *p,
							 bool is_64, bool is_big)
{
	s->name = bytes_get32(p, is_big);
	s->type = bytes_get32(p + 4, is_big);
	if (is_64) {
		s->flags = bytes_get64(p + 8, is_big);
		s->addr = bytes_get64(p + 16, is_big);
		s->offset = bytes_get64(p + 24, is_big);
		s->size = bytes_get64(p + 32, is_big);
		s->link = bytes_get32(p + 40, is_big);
		s->info = bytes_get32(p + 44, is_big);
		return;
	}
	s->flags = bytes_get32(p + 8, is_big);
	s->addr = bytes_get32(p + 12, is_big);
	s->offset = bytes_get32(p + 16, is_big);
	s->size = bytes_get32(p + 20, is_big);
	s->link = bytes_get32(p + 24, is_big);
	s->info = bytes_get32(p + 28, is_big);
}

void elfcheck_decode(struct section *s, const struct elf_header *h, const unsigned char *table,
		     uint32_t i)
{
	const unsigned char *p = table + (size_t)i * h->shentsize;

	s->is_bad = false;
	s->at = NOT_LOADED;
	s->late = NULL;
	if (h->is_64 && !h->is_big)
		decode(s, p, true, false);
	else
		decode(s, p, h->is_64, h->is_big);
}

const char *elfcheck_name(const struct section *s, const char *names, uint64_t names_size)
{
	return names && s->name < names_size ? names + s->name : "";
}

static void check_first(const struct section *s, struct module *m, struct arena *a)
{
	if (s->type == SHT_NULL && s->size == 0 && s->addr == 0)
		return;
	check_fault(m, a, FAULT_ELF, ELF_SECTION_0, s->type, 0,
		    "section 0 is not empty: sh_type %u, sh_size %llu, sh_addr %#llx", s->type,
		    (unsigned long long)s->size, (unsigned long long)s->addr);
}

/*
 * What lies in front of the section table is there if the table is, so there a wrong extent is a
 * damaged field. Linkers before 2.28 put .symtab and .strtab behind it: those can be cut off.
 */
static void check_extent(struct section *s, uint32_t i, const struct elf_header *h,
			 const char *name, uint64_t file_size, struct module *m, struct arena *a)
{
	if (s->type == SHT_NULL || s->type == SHT_NOBITS)
		return;
	if (bytes_has_range(file_size, s->offset, s->size))
		return;
	s->is_bad = true;
	check_fault(m, a, s->offset > h->shoff ? beyond_end(s->offset, s->size) : FAULT_ELF,
		    i == h->shstrndx ? ELF_NAMES_EXTENT : ELF_EXTENT, i, s->type,
		    "section %u %.200s: sh_offset %llu + sh_size %llu is beyond the file of "
		    "%llu bytes",
		    i, name, (unsigned long long)s->offset, (unsigned long long)s->size,
		    (unsigned long long)file_size);
}

/* Before 6.12, only the names of sections that are loaded from the file are looked at. */
static enum fault_kind name_fault(const struct section *s)
{
	return (s->flags & SHF_ALLOC) && s->type != SHT_NOBITS ? FAULT_ELF : FAULT_ELF_6_12;
}

static void add_write_exec(uint32_t i, const char *name, struct module *m, struct arena *a)
{
	struct fault *fault =
		module_add_fault(m, a, FAULT_WRITE_EXEC,
				 "section %u %.200s is both writable and executable", i, name);

	fault_set_check(fault, ELF_WRITE_EXEC, i, 0);
	if (fault)
		fault->name = arena_strndup(a, name, strnlen(name, 200));
}

void elfcheck_sections(struct section *sections, const struct elf_header *h, const char *names,
		       uint64_t names_size, uint64_t file_size, struct module *m, struct arena *a)
{
	const uint64_t write_exec = SHF_WRITE | SHF_EXECINSTR;

	check_first(&sections[0], m, a);
	for (uint32_t i = 1; i < h->shnum; i++) {
		struct section *s = &sections[i];
		const char *name = elfcheck_name(s, names, names_size);
		check_extent(s, i, h, name, file_size, m, a);
		if (names && s->name >= names_size && s->type != SHT_NULL)
			check_fault(m, a, name_fault(s), ELF_NAME, i, s->type,
				    "section %u: sh_name is %u, the name table has %llu bytes", i,
				    s->name, (unsigned long long)names_size);
		if ((s->flags & write_exec) == write_exec)
			add_write_exec(i, name, m, a);
	}
}
