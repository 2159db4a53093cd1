/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table: what the module needs. simplify_symbols() (kernel/module/main.c) walks all
 * entries from index 1, whatever their binding and whether or not a relocation uses them:
 *
 *   SHN_UNDEF   resolved, STB_LOCAL ones too
 *   SHN_ABS, SHN_LIVEPATCH (0xff20)   taken as they are
 *   SHN_COMMON  refused, unless the name begins with __gnu_lto
 *   others      must be a section: >= e_shnum is refused (from 6.1; 5.10 reads wild memory)
 */
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "read/reader.h"

#define SHN_LIVEPATCH 0xff20
#define STT_SPARC_REGISTER 13

/* Why is there no string table? */
static enum elf_check strings_check(const struct elffile *f)
{
	if (f->strtab == 0)
		return ELF_SYMTAB_LINK;
	return f->sections[f->strtab].size == 0 ? ELF_STRINGS_EMPTY : ELF_NOT_CHECKED;
}

/*
 * Before 7.2 the last string of a table may lack its NUL, and goes on with what lies behind it in
 * the file: a copy of the table with that.
 */
static const char *terminate(struct elffile *f, const unsigned char *bytes, const struct section *s)
{
	char *copy = arena_bytes(f->reader->arena, (size_t)s->size + LIMIT_NAME_BYTES + 2);
	char *end = copy + s->size;
	unsigned char buffer;

	memcpy(copy, bytes, (size_t)s->size);
	for (size_t n = 0; n <= LIMIT_NAME_BYTES; n++) {
		const unsigned char *byte =
			image_bytes(&f->reader->image, s->offset + s->size + n, &buffer, 1);
		if (!byte || *byte == '\0')
			break;
		*end++ = (char)*byte;
	}
	*end = '\0';
	return copy;
}

/* The string table of the symbols. */
static void open_strings(struct elffile *f)
{
	struct section *s = &f->sections[f->strtab];
	const unsigned char *bytes = f->strtab ? image_section(&f->reader->image, s) : NULL;

	if (!bytes || s->size == 0) {
		check_fault(f, FAULT_ELF, strings_check(f), f->sections[f->symtab].link,
			    f->header.shnum,
			    "the symbol table (section %u) has no string table: "
			    "sh_link is %u",
			    f->symtab, f->sections[f->symtab].link);
		return;
	}
	if (s->type != SHT_STRTAB)
		check_fault(f, FAULT_ELF_6_12, ELF_STRINGS_TYPE, s->type, 0,
			    "section %u, the symbols' string table, has sh_type %u", f->strtab,
			    s->type);
	f->strings = (const char *)bytes;
	f->strings_size = s->size;
	if (bytes[0] == '\0' && bytes[s->size - 1] == '\0')
		return;
	check_fault(f, FAULT_ELF_7_2, bytes[0] ? ELF_STRINGS_BEGINNING : ELF_STRINGS_END, 0, 0,
		    "section %u %.200s does not begin and end with NUL", f->strtab,
		    sections_name(f, f->strtab));
	if (bytes[s->size - 1] != '\0')
		f->strings = terminate(f, bytes, s);
}

bool symbols_open(struct elffile *f)
{
	if (f->symtab == 0) {
		check_fault(f, FAULT_STRIPPED, ELF_SYMTAB_ABSENT, 0, 0,
			    "there is no symbol table (stripped?)");
		return false;
	}
	struct section *s = &f->sections[f->symtab];
	if (s->is_bad)
		return false;
	if (s->size / elfview_entry_bytes(f->header.is_64, SHT_SYMTAB) > LIMIT_SYMBOLS) {
		file_fault(f, FAULT_LIMIT, "section %u %.200s has more than %llu symbols",
			   f->symtab, sections_name(f, f->symtab),
			   (unsigned long long)LIMIT_SYMBOLS);
		return false;
	}
	const unsigned char *bytes = image_section(&f->reader->image, s);
	if (!elfview_symbols(&f->view, bytes, (size_t)s->size, &f->symbols)) {
		file_fault(f, FAULT_ELF, "section %u %.200s cannot be read as a symbol table",
			   f->symtab, sections_name(f, f->symtab));
		return false;
	}
	open_strings(f);
	return f->strings_size > 0;
}

static uint32_t imports_so_far(const struct elffile *f)
{
	return (uint32_t)(f->reader->n_imports + f->reader->n_pending);
}

static void common_fault(struct elffile *f, const char *name)
{
	struct fault *fault = file_fault(f, FAULT_COMMON_SYMBOL, "%.500s", name);

	if (fault)
		fault->order = imports_so_far(f);
}

static void index_fault(struct elffile *f, uint16_t index, size_t symbol, const char *name)
{
	struct fault *fault =
		file_fault(f, FAULT_SYMBOL_INDEX,
			   "symbol %zu %.200s has an invalid section index %u (%u sections)",
			   symbol, name, index, f->header.shnum);

	fault_set_check(fault, ELF_SYMBOL_INDEX, index, f->header.shnum - 1u);
	if (!fault)
		return;
	fault->name = arena_strndup(f->reader->arena, name, strnlen(name, LIMIT_NAME_BYTES));
	fault->order = imports_so_far(f);
}

/* A symbol that is neither undefined nor in a section of the file. */
static void check_special(struct elffile *f, const struct elf_symbol *s, size_t i)
{
	const char *name = file_symbol_name(f, s);

	if (s->shndx == SHN_ABS || s->shndx == SHN_LIVEPATCH)
		return;
	if (s->shndx != SHN_COMMON) {
		index_fault(f, s->shndx, i, name ? name : "");
		return;
	}
	if (name && !f->m->is_object_24 && strncmp(name, "__gnu_lto", 9) != 0)
		common_fault(f, name);
}

/* Names that the architecture defines or rewrites before symbols are resolved (NULL: no import). */
static const char *import_name(const struct elffile *f, const struct elf_symbol *s,
			       const char *name)
{
	switch (f->header.machine) {
	case EM_SPARC:
	case EM_SPARC32PLUS:
	case EM_SPARCV9:
		return s->type == STT_SPARC_REGISTER ? NULL : name;
	case EM_PPC64:
		if (strcmp(name, ".TOC.") == 0)
			return NULL;
		return name[0] == '.' ? name + 1 : name;
	default:
		return name;
	}
}

static struct mark *mark_of(struct reader *r, nameid id)
{
	if (id >= r->cap_marks) {
		size_t old = r->cap_marks;
		r->marks = mem_grow(r->marks, &r->cap_marks, (size_t)id + 1, sizeof(*r->marks));
		memset(r->marks + old, 0, (r->cap_marks - old) * sizeof(*r->marks));
	}
	return &r->marks[id];
}

/* A name that is listed twice is one import, weak only if it is so each time. */
static void add_import(struct elffile *f, const struct pending *p)
{
	struct reader *r = f->reader;
	nameid id;

	if (!file_add_announced(f, p->name, p->length, p->announced, &id) || id == NAME_NONE)
		return;
	struct mark *mark = mark_of(r, id);
	if (mark->generation == r->generation) {
		r->imports[mark->import].flags &= p->flags;
		return;
	}
	*mark = (struct mark) { r->generation, (uint32_t)r->n_imports };
	r->import_texts = mem_grow(r->import_texts, &r->cap_import_texts, r->n_imports + 1,
				   sizeof(*r->import_texts));
	r->import_texts[r->n_imports] = p->name;
	VEC_PUSH(r->imports, r->n_imports, r->cap_imports) =
		(struct import) { .name = id, .flags = p->flags };
}

/* Most of the time goes into waiting for memory, so names are looked up many at a time. */
static void add_pending(struct elffile *f)
{
	struct reader *r = f->reader;

	for (size_t i = 0; i < r->n_pending; i++)
		names_await(r->names, r->pending[i].announced);
	for (size_t i = 0; i < r->n_pending; i++)
		add_import(f, &r->pending[i]);
	r->n_pending = 0;
}

static void announce(struct elffile *f, const char *name, uint8_t flags)
{
	struct reader *r = f->reader;
	size_t length = strnlen(name, LIMIT_NAME_BYTES + 1);

	r->pending[r->n_pending++] = (struct pending) { name, (uint32_t)length, flags,
							names_announce(r->names, name, length) };
	if (r->n_pending == MAX_PENDING)
		add_pending(f);
}

void symbols_read_imports(struct elffile *f)
{
	for (size_t i = 1; i < f->symbols.n; i++) {
		struct elf_symbol s = elftable_symbol(&f->symbols, i);
		if (s.name >= f->strings_size)
			check_fault(
				f, s.shndx == SHN_UNDEF ? FAULT_ELF : FAULT_ELF_7_2,
				ELF_SYMBOL_NAME, 0, 0,
				"symbol %zu: st_name %u is beyond the string table of %llu bytes",
				i, s.name, (unsigned long long)f->strings_size);
		if (s.shndx != SHN_UNDEF) {
			if (s.shndx >= f->header.shnum)
				check_special(f, &s, i);
			continue;
		}
		const char *name = file_symbol_name(f, &s);
		name = name ? import_name(f, &s, name) : NULL;
		if (name && name[0] == '\0')
			file_fault(f, FAULT_UNNAMED, "symbol %zu is undefined and has no name", i);
		else if (name)
			announce(f, name, s.bind == STB_WEAK ? IMPORT_WEAK : 0);
	}
	add_pending(f);
}

struct import *symbols_find_import(struct elffile *f, const char *name)
{
	struct reader *r = f->reader;
	nameid id = names_find(r->names, name, strnlen(name, LIMIT_NAME_BYTES + 1));

	if (id == NAME_NONE || id >= r->cap_marks || r->marks[id].generation != r->generation)
		return NULL;
	return &r->imports[r->marks[id].import];
}
