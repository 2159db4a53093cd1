// SPDX-License-Identifier: GPL-2.0-or-later
#include "elfedit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("mutate: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* Copies the fields that Elf32_X and Elf64_X share by name, one way or the other. */
#define COPY(to, from, field) ((to)->field = (__typeof__((to)->field))(from)->field)

#define COPY_HEADER(to, from)                                                                      \
	do {                                                                                       \
		memcpy((to)->e_ident, (from)->e_ident, EI_NIDENT);                                 \
		COPY(to, from, e_type), COPY(to, from, e_machine), COPY(to, from, e_version);      \
		COPY(to, from, e_entry), COPY(to, from, e_phoff), COPY(to, from, e_shoff);         \
		COPY(to, from, e_flags), COPY(to, from, e_ehsize), COPY(to, from, e_phentsize);    \
		COPY(to, from, e_phnum), COPY(to, from, e_shentsize), COPY(to, from, e_shnum);     \
		COPY(to, from, e_shstrndx);                                                        \
	} while (0)

#define COPY_SECTION(to, from)                                                                     \
	do {                                                                                       \
		COPY(to, from, sh_name), COPY(to, from, sh_type), COPY(to, from, sh_flags);        \
		COPY(to, from, sh_addr), COPY(to, from, sh_offset), COPY(to, from, sh_size);       \
		COPY(to, from, sh_link), COPY(to, from, sh_info), COPY(to, from, sh_addralign);    \
		COPY(to, from, sh_entsize);                                                        \
	} while (0)

#define COPY_SYMBOL(to, from)                                                                      \
	do {                                                                                       \
		COPY(to, from, st_name), COPY(to, from, st_value), COPY(to, from, st_size);        \
		COPY(to, from, st_info), COPY(to, from, st_other), COPY(to, from, st_shndx);       \
	} while (0)

static unsigned char *at(const struct elfedit *e, uint64_t offset, size_t size)
{
	if (offset > e->size || e->size - offset < size)
		fail("offset %llu is outside the file", (unsigned long long)offset);
	return e->data + offset;
}

Elf64_Ehdr elf_header(const struct elfedit *e)
{
	Elf64_Ehdr h;
	Elf32_Ehdr h32;

	if (e->is_64) {
		memcpy(&h, at(e, 0, sizeof(h)), sizeof(h));
		return h;
	}
	memcpy(&h32, at(e, 0, sizeof(h32)), sizeof(h32));
	COPY_HEADER(&h, &h32);
	return h;
}

void elf_put_header(struct elfedit *e, const Elf64_Ehdr *h)
{
	Elf32_Ehdr h32;

	if (e->is_64) {
		memcpy(at(e, 0, sizeof(*h)), h, sizeof(*h));
		return;
	}
	COPY_HEADER(&h32, h);
	memcpy(at(e, 0, sizeof(h32)), &h32, sizeof(h32));
}

unsigned int elf_n_sections(const struct elfedit *e)
{
	return elf_header(e).e_shnum;
}

static size_t section_entry(const struct elfedit *e)
{
	return e->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static unsigned char *section_at(const struct elfedit *e, unsigned int i)
{
	return at(e, elf_header(e).e_shoff + i * section_entry(e), section_entry(e));
}

Elf64_Shdr elf_section(const struct elfedit *e, unsigned int i)
{
	Elf64_Shdr s;
	Elf32_Shdr s32;

	if (e->is_64) {
		memcpy(&s, section_at(e, i), sizeof(s));
		return s;
	}
	memcpy(&s32, section_at(e, i), sizeof(s32));
	COPY_SECTION(&s, &s32);
	return s;
}

void elf_put_section(struct elfedit *e, unsigned int i, const Elf64_Shdr *s)
{
	Elf32_Shdr s32;

	if (e->is_64) {
		memcpy(section_at(e, i), s, sizeof(*s));
		return;
	}
	COPY_SECTION(&s32, s);
	memcpy(section_at(e, i), &s32, sizeof(s32));
}

unsigned char *elf_bytes(const struct elfedit *e, unsigned int i)
{
	Elf64_Shdr s = elf_section(e, i);

	return at(e, s.sh_offset, s.sh_size);
}

const char *elf_section_name(const struct elfedit *e, unsigned int i)
{
	return (const char *)elf_bytes(e, elf_header(e).e_shstrndx) + elf_section(e, i).sh_name;
}

unsigned int elf_find(const struct elfedit *e, const char *name)
{
	for (unsigned int i = 1; i < elf_n_sections(e); i++) {
		if (!strcmp(elf_section_name(e, i), name))
			return i;
	}
	return 0;
}

unsigned int elf_need(const struct elfedit *e, const char *name)
{
	unsigned int i = elf_find(e, name);

	if (!i)
		fail("there is no section %s", name);
	return i;
}

/* Appends zeros, aligned to 16 as anything in a module may be; returns where they begin. */
static uint64_t append(struct elfedit *e, size_t size)
{
	size_t start = (e->size + 15) & ~(size_t)15;

	e->data = realloc(e->data, start + size);
	if (!e->data)
		fail("out of memory");
	memset(e->data + e->size, 0, start + size - e->size);
	e->size = start + size;
	return start;
}

unsigned char *elf_grow(struct elfedit *e, unsigned int i, size_t n)
{
	Elf64_Shdr s = elf_section(e, i);
	uint64_t to = append(e, s.sh_size + n);

	memcpy(e->data + to, at(e, s.sh_offset, s.sh_size), s.sh_size);
	s.sh_offset = to;
	s.sh_size += n;
	elf_put_section(e, i, &s);
	return e->data + to + s.sh_size - n;
}

static uint32_t add_string(struct elfedit *e, unsigned int table, const char *name)
{
	uint32_t start = (uint32_t)elf_section(e, table).sh_size;

	memcpy(elf_grow(e, table, strlen(name) + 1), name, strlen(name) + 1);
	return start;
}

void elf_rename_section(struct elfedit *e, unsigned int i, const char *name)
{
	uint32_t offset = add_string(e, elf_header(e).e_shstrndx, name);
	Elf64_Shdr s = elf_section(e, i);

	s.sh_name = offset;
	elf_put_section(e, i, &s);
}

unsigned int elf_copy_section(struct elfedit *e, unsigned int i, const char *name)
{
	Elf64_Ehdr h = elf_header(e);
	Elf64_Shdr s = elf_section(e, i);
	size_t size = h.e_shnum * section_entry(e);
	uint64_t to = append(e, size + section_entry(e));

	memcpy(e->data + to, at(e, h.e_shoff, size), size);
	h.e_shoff = to;
	h.e_shnum++;
	elf_put_header(e, &h);
	elf_put_section(e, h.e_shnum - 1u, &s);
	elf_rename_section(e, h.e_shnum - 1u, name);
	return h.e_shnum - 1u;
}

static size_t symbol_entry(const struct elfedit *e)
{
	return e->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

unsigned int elf_n_symbols(const struct elfedit *e)
{
	return (unsigned int)(elf_section(e, elf_need(e, ".symtab")).sh_size / symbol_entry(e));
}

static unsigned char *symbol_at(const struct elfedit *e, unsigned int i)
{
	return elf_bytes(e, elf_need(e, ".symtab")) + i * symbol_entry(e);
}

Elf64_Sym elf_symbol(const struct elfedit *e, unsigned int i)
{
	Elf64_Sym s;
	Elf32_Sym s32;

	if (e->is_64) {
		memcpy(&s, symbol_at(e, i), sizeof(s));
		return s;
	}
	memcpy(&s32, symbol_at(e, i), sizeof(s32));
	COPY_SYMBOL(&s, &s32);
	return s;
}

void elf_put_symbol(struct elfedit *e, unsigned int i, const Elf64_Sym *s)
{
	Elf32_Sym s32;

	if (e->is_64) {
		memcpy(symbol_at(e, i), s, sizeof(*s));
		return;
	}
	COPY_SYMBOL(&s32, s);
	memcpy(symbol_at(e, i), &s32, sizeof(s32));
}

const char *elf_symbol_name(const struct elfedit *e, unsigned int i)
{
	return (const char *)elf_bytes(e, elf_need(e, ".strtab")) + elf_symbol(e, i).st_name;
}

unsigned int elf_need_symbol(const struct elfedit *e, const char *name)
{
	for (unsigned int i = 1; i < elf_n_symbols(e); i++) {
		if (!strcmp(elf_symbol_name(e, i), name))
			return i;
	}
	fail("there is no symbol %s", name);
}

uint32_t elf_add_name(struct elfedit *e, const char *name)
{
	return add_string(e, elf_need(e, ".strtab"), name);
}

void elf_add_symbol(struct elfedit *e, const Elf64_Sym *s)
{
	elf_grow(e, elf_need(e, ".symtab"), symbol_entry(e));
	elf_put_symbol(e, elf_n_symbols(e) - 1, s);
}

static size_t relocation_entry(const struct elfedit *e, const Elf64_Shdr *s)
{
	if (s->sh_type == SHT_RELA)
		return e->is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	if (s->sh_type == SHT_REL)
		return e->is_64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	return 0;
}

unsigned int elf_n_relocations(const struct elfedit *e, unsigned int i)
{
	Elf64_Shdr s = elf_section(e, i);
	size_t entry = relocation_entry(e, &s);

	return entry ? (unsigned int)(s.sh_size / entry) : 0;
}

/* x86 only: 64-bit has SHT_RELA, 32-bit SHT_REL. */
Elf64_Rela elf_relocation(const struct elfedit *e, unsigned int i, unsigned int k)
{
	Elf64_Rela r = { 0 };
	Elf32_Rel r32;

	if (e->is_64) {
		memcpy(&r, elf_bytes(e, i) + k * sizeof(r), sizeof(r));
		return r;
	}
	memcpy(&r32, elf_bytes(e, i) + k * sizeof(r32), sizeof(r32));
	r.r_offset = r32.r_offset;
	r.r_info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(r32.r_info), ELF32_R_TYPE(r32.r_info));
	return r;
}

void elf_put_relocation(struct elfedit *e, unsigned int i, unsigned int k, const Elf64_Rela *r)
{
	Elf32_Rel r32 = { .r_offset = (uint32_t)r->r_offset };

	if (e->is_64) {
		memcpy(elf_bytes(e, i) + k * sizeof(*r), r, sizeof(*r));
		return;
	}
	r32.r_info = (uint32_t)ELF32_R_INFO(ELF64_R_SYM(r->r_info), ELF64_R_TYPE(r->r_info));
	memcpy(elf_bytes(e, i) + k * sizeof(r32), &r32, sizeof(r32));
}
