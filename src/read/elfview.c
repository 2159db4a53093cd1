/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libelf converts byte order and class-dependent layout, or hands out the bytes of the image
 * where that is not needed. Its arrays are walked as such: gelf_getsym() once a symbol takes
 * a twentieth of the time that reading a module takes.
 */
#include "read/elfview.h"

#include <libelf.h>
#include <stddef.h>
#include <string.h>

bool elfview_open(struct elfview *v, unsigned char *bytes, size_t size, bool is_64)
{
	memset(v, 0, sizeof(*v));
	if (elf_version(EV_CURRENT) == EV_NONE)
		return false;
	v->elf = elf_memory((char *)bytes, size);
	v->is_64 = is_64;
	if (!v->elf)
		return false;
	const char *ident = elf_getident(v->elf, NULL);
	if (!ident || elf_kind(v->elf) != ELF_K_ELF)
		return false;
	if (is_64 && ident[EI_DATA] == ELFDATA2LSB) {
		const Elf64_Ehdr *h = elf64_getehdr(v->elf);
		v->has_mips64_info = h && h->e_machine == EM_MIPS;
	}
	return true;
}

void elfview_close(struct elfview *v)
{
	if (v->elf)
		elf_end(v->elf);
	v->elf = NULL;
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

static bool get_table(struct elfview *v, uint32_t index, Elf_Type type, size_t entry_bytes,
		      struct elftable *t)
{
	Elf_Scn *scn = elf_getscn(v->elf, index);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data || (data->d_size > 0 && (!data->d_buf || data->d_type != type)))
		return false;
	t->entries = data->d_buf;
	t->n = data->d_size / entry_bytes;
	t->is_64 = v->is_64;
	t->has_mips64_info = v->has_mips64_info;
	return true;
}

bool elfview_symbols(struct elfview *v, uint32_t index, struct elftable *t)
{
	memset(t, 0, sizeof(*t));
	return get_table(v, index, ELF_T_SYM, elfview_entry_bytes(v->is_64, SHT_SYMTAB), t);
}

/* libelf may hand out headers where they are, and a made-up section table can be anywhere. */
static bool section_is_rela(struct elfview *v, uint32_t index)
{
	Elf_Scn *scn = elf_getscn(v->elf, index);
	uint32_t type = SHT_NULL;
	const char *header = NULL;

	if (scn)
		header = v->is_64 ? (const char *)elf64_getshdr(scn)
				  : (const char *)elf32_getshdr(scn);
	if (header)
		memcpy(&type, header + offsetof(Elf64_Shdr, sh_type), sizeof(type));
	_Static_assert(offsetof(Elf64_Shdr, sh_type) == offsetof(Elf32_Shdr, sh_type), "");
	return type == SHT_RELA;
}

bool elfview_relocs(struct elfview *v, uint32_t index, struct elftable *t)
{
	memset(t, 0, sizeof(*t));
	t->is_rela = section_is_rela(v, index);
	return get_table(v, index, t->is_rela ? ELF_T_RELA : ELF_T_REL,
			 elfview_entry_bytes(v->is_64, t->is_rela ? SHT_RELA : SHT_REL), t);
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
