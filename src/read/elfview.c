/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elfcheck has found the sections already, so libelf is asked for nothing but the byte order: an
 * Elf of its own for each of thousands of modules, with an object for each section, took a
 * twentieth of the time that reading a module takes. Tables in the host's order, which are all in
 * most runs, are walked where they are.
 */
#include "read/elfview.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A table that was brought into the host's order. */
struct converted {
	struct converted *next;
	_Alignas(Elf64_Sym) unsigned char bytes[];
};

void elfview_open(struct elfview *v, bool is_64, bool is_big, uint16_t machine)
{
	*v = (struct elfview) {
		.is_64 = is_64,
		.is_big = is_big,
		.has_mips64_info = is_64 && !is_big && machine == EM_MIPS,
	};
}

void elfview_close(struct elfview *v)
{
	for (struct converted *c = v->converted, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	v->converted = NULL;
}

size_t elfview_entry_bytes(bool is_64, uint32_t type)
{
	switch (type) {
	case SHT_SYMTAB:
		return is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	case SHT_REL:
		return is_64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	case SHT_RELA:
		return is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	default:
		return 0;
	}
}

/* A copy of these bytes in the host's order; NULL if libelf refuses them. */
static const unsigned char *convert(struct elfview *v, const unsigned char *bytes, size_t size,
				    Elf_Type type)
{
	struct converted *c = mem_zalloc(sizeof(*c) + size);
	Elf_Data data = {
		.d_buf = c->bytes, .d_size = size, .d_type = type, .d_version = EV_CURRENT
	};
	unsigned int encoding = v->is_big ? ELFDATA2MSB : ELFDATA2LSB;

	c->next = v->converted;
	v->converted = c;
	memcpy(c->bytes, bytes, size);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	const Elf_Data *to = v->is_64 ? elf64_xlatetom(&data, &data, encoding)
				      : elf32_xlatetom(&data, &data, encoding);
	return to ? c->bytes : NULL;
}

static bool get_table(struct elfview *v, const unsigned char *bytes, size_t size, Elf_Type type,
		      size_t entry_bytes, struct elftable *t)
{
	const bool is_host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	t->n = size / entry_bytes;
	t->is_64 = v->is_64;
	t->has_mips64_info = v->has_mips64_info;
	t->entries = bytes;
	if (bytes && t->n > 0 && v->is_big != is_host_big)
		t->entries = convert(v, bytes, t->n * entry_bytes, type);
	return t->entries;
}

bool elfview_symbols(struct elfview *v, const unsigned char *bytes, size_t size, struct elftable *t)
{
	memset(t, 0, sizeof(*t));
	return get_table(v, bytes, size, ELF_T_SYM, elfview_entry_bytes(v->is_64, SHT_SYMTAB), t);
}

bool elfview_relocs(struct elfview *v, const unsigned char *bytes, size_t size, bool is_rela,
		    struct elftable *t)
{
	memset(t, 0, sizeof(*t));
	t->is_rela = is_rela;
	return get_table(v, bytes, size, is_rela ? ELF_T_RELA : ELF_T_REL,
			 elfview_entry_bytes(v->is_64, is_rela ? SHT_RELA : SHT_REL), t);
}

static struct elf_reloc reloc_64(const struct elftable *t, size_t i)
{
	size_t size = t->is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	Elf64_Rela e = { 0 }; /* an Elf64_Rel is its beginning */

	memcpy(&e, (const char *)t->entries + i * size, size);
	struct elf_reloc r = { .offset = e.r_offset, .addend = e.r_addend };
	if (t->has_mips64_info) {
		r.symbol = (uint32_t)e.r_info;
		r.type = (uint32_t)(e.r_info >> 56);
		return r;
	}
	r.symbol = ELF64_R_SYM(e.r_info);
	r.type = ELF64_R_TYPE(e.r_info);
	return r;
}

struct elf_reloc elftable_reloc(const struct elftable *t, size_t i)
{
	if (t->is_64)
		return reloc_64(t, i);
	size_t size = t->is_rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
	Elf32_Rela e = { 0 };

	memcpy(&e, (const char *)t->entries + i * size, size);
	return (struct elf_reloc) { .offset = e.r_offset,
				    .addend = e.r_addend,
				    .symbol = ELF32_R_SYM(e.r_info),
				    .type = ELF32_R_TYPE(e.r_info) };
}
