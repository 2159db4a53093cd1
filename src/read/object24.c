/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of 2.4 and before, which insmod links (modutils 2.4, insmod.c and depmod.c). Such a
 * file has no struct module in it. So has a 2.6 module that modpost never saw, and any object
 * file; what makes it one of 2.4 is that it names no vermagic, and that either .modinfo has a
 * kernel_version or the file is called .o, as all modules were then.
 *
 * insmod resolves only what a relocation uses. It takes exports from __ksymtab if there
 * is such a section (EXPORT_NO_SYMBOLS leaves an empty one that is not loaded); if there is
 * none, every global symbol is exported except those that insmod itself hides.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "read/reader.h"

bool object24_is(const struct elffile *f, const char *path)
{
	if (f->parts[PART_THIS_MODULE] || f->m->info.vermagic)
		return false;
	return f->m->info.kernel_version || text_has_suffix(path, ".o") ||
	       text_has_suffix(path, ".o.gz");
}

/* Note the symbols that the relocations in section `index` use. */
static void note_used(struct elffile *f, uint32_t index, unsigned char *is_used)
{
	struct elftable t;

	if (!file_relocs(f, index, &t)) {
		file_fault(f, FAULT_ELF, "section %u %.200s cannot be read as relocations", index,
			   sections_name(f, index));
		return;
	}
	for (size_t i = 0; i < t.n; i++) {
		struct elf_reloc r = elftable_reloc(&t, i);
		if (r.type != 0 && r.symbol < f->symbols.n)
			is_used[r.symbol] = 1;
	}
}

/*
 * Sections of a real file do not overlap, so all relocations together are no larger than the file;
 * one made so that they were would be a day's work.
 */
static void note_all_used(struct elffile *f, unsigned char *is_used)
{
	uint64_t room = f->reader->image.file_size;

	for (uint32_t i = 1; i < f->header.shnum; i++) {
		const struct section *s = &f->sections[i];
		if ((s->type != SHT_REL && s->type != SHT_RELA) || s->link != f->symtab ||
		    s->is_bad || s->at == NOT_LOADED)
			continue;
		if (s->size > room) {
			file_fault(f, FAULT_ELF, "the sections of relocations overlap");
			return;
		}
		room -= s->size;
		note_used(f, i, is_used);
	}
}

/* Let the import that symbol i stands for be one that is used. */
static void clear_unreferenced(struct elffile *f, size_t i)
{
	struct reader *r = f->reader;
	struct elf_symbol s = elftable_symbol(&f->symbols, i);
	const char *name = file_symbol_name(f, &s);

	if (s.shndx != SHN_UNDEF || !name)
		return;
	nameid id = names_find(r->names, name, strnlen(name, LIMIT_NAME_BYTES));
	if (id != NAME_NONE && id < r->cap_marks && r->marks[id].generation == r->generation)
		r->imports[r->marks[id].import].flags &= (uint8_t)~IMPORT_UNREFERENCED;
}

void object24_mark_unreferenced(struct elffile *f)
{
	unsigned char *is_used = mem_zalloc(f->symbols.n + 1);

	for (size_t i = 0; i < f->reader->n_imports; i++)
		f->reader->imports[i].flags |= IMPORT_UNREFERENCED;
	note_all_used(f, is_used);
	for (size_t i = 1; i < f->symbols.n; i++)
		if (is_used[i])
			clear_unreferenced(f, i);
	free(is_used);
}

/* hide_special_symbols() in insmod.c: these stay the module's own. */
static bool is_hidden(const char *name)
{
	static const char *const hidden[] = { "init_module", "cleanup_module", "kernel_version" };

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (strcmp(hidden[i], name) == 0)
			return true;
	return false;
}

void object24_export_globals(struct elffile *f)
{
	struct reader *r = f->reader;

	for (size_t i = 1; i < f->symbols.n; i++) {
		struct elf_symbol s = elftable_symbol(&f->symbols, i);
		const char *name = file_symbol_name(f, &s);
		struct export e = { .licence = LICENCE_ANY };
		if (s.bind != STB_GLOBAL || s.shndx == SHN_UNDEF || !name || is_hidden(name))
			continue;
		if (file_add_name(f, name, strnlen(name, LIMIT_NAME_BYTES + 1), &e.name) &&
		    e.name != NAME_NONE)
			VEC_PUSH(r->exports, r->n_exports, r->cap_exports) = e;
	}
}
