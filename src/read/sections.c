/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which sections matter. The loader finds them by name, only among those that are loaded
 * (find_sec(), kernel/module/main.c) unless the table says otherwise; relocations belong to
 * the section that their sh_info names, whatever they are called.
 *
 * What a kernel from 6.12 on refuses although older ones do not look is a fault too: a second
 * symbol table, .modinfo or this_module.
 */
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "read/reader.h"

struct part_name {
	const char *name;
	uint8_t length;
	uint8_t part;
	bool is_any_flags; /* else only with SHF_ALLOC */
	bool is_unique;
};

#define NAME(name) name, sizeof(name) - 1

static const struct part_name part_names[] = {
	{ NAME(".modinfo"), PART_MODINFO, true, true },
	{ NAME(".gnu.linkonce.this_module"), PART_THIS_MODULE, true, true },
	{ NAME("__versions"), PART_VERSIONS, false, false },
	{ NAME("__version_ext_crcs"), PART_EXT_CRCS, false, false },
	{ NAME("__version_ext_names"), PART_EXT_NAMES, false, false },
	{ NAME("__kflagstab"), PART_KFLAGS, false, false },
	{ NAME("__ksymtab_strings"), PART_STRINGS, true, false },
	{ NAME("__ksymtab"), PART_KSYMTAB, false, false },
	{ NAME("__ksymtab_gpl"), PART_KSYMTAB + 1, false, false },
	{ NAME("__ksymtab_gpl_future"), PART_KSYMTAB + 2, false, false },
	{ NAME("__ksymtab_unused"), PART_KSYMTAB + 3, false, false },
	{ NAME("__ksymtab_unused_gpl"), PART_KSYMTAB + 4, false, false },
	{ NAME("__kcrctab"), PART_KCRCTAB, false, false },
	{ NAME("__kcrctab_gpl"), PART_KCRCTAB + 1, false, false },
	{ NAME("__kcrctab_gpl_future"), PART_KCRCTAB + 2, false, false },
	{ NAME("__kcrctab_unused"), PART_KCRCTAB + 3, false, false },
	{ NAME("__kcrctab_unused_gpl"), PART_KCRCTAB + 4, false, false },
};

#define N_PART_NAMES (sizeof(part_names) / sizeof(part_names[0]))

const char *sections_name(const struct elffile *f, uint32_t index)
{
	const struct image *img = &f->reader->image;

	if (img->names == NOT_LOADED)
		return "";
	return elfcheck_name(&f->sections[index], (const char *)img->bytes + img->names,
			     img->names_size);
}

/* Most sections are told apart by two characters, most of the others by their length. */
static const struct part_name *find_name(const char *name)
{
	if (!(name[0] == '_' && name[1] == '_') &&
	    !(name[0] == '.' && (name[1] == 'm' || name[1] == 'g')))
		return NULL;
	size_t length = strlen(name);
	for (size_t i = 0; i < N_PART_NAMES; i++)
		if (part_names[i].length == length && memcmp(part_names[i].name, name, length) == 0)
			return &part_names[i];
	return NULL;
}

static void note_part(struct elffile *f, const struct part_name *p, uint32_t index)
{
	const struct section *s = &f->sections[index];

	if (p->part == PART_KSYMTAB)
		f->has_ksymtab = true;
	if (!p->is_any_flags && !(s->flags & SHF_ALLOC))
		return;
	if (f->parts[p->part] == 0)
		f->parts[p->part] = index;
	else if (p->is_unique)
		check_fault(f, FAULT_ELF_6_12,
			    p->part == PART_MODINFO ? ELF_MODINFO_TWICE : ELF_MODULE_TWICE, 0, 0,
			    "sections %u and %u are both %s, there must be one", f->parts[p->part],
			    index, p->name);
}

/*
 * Old compilers put constructors into .ctors, newer ones into .init_array; a kernel that runs those
 * of modules takes only one kind (find_module_sections()).
 */
static void note_constructors(struct elffile *f, const char *name, uint64_t flags)
{
	if (name[0] != '.' || (name[1] != 'c' && name[1] != 'i') || !(flags & SHF_ALLOC))
		return;
	f->has_ctors |= strcmp(name, ".ctors") == 0;
	f->has_init_array |= strcmp(name, ".init_array") == 0;
}

static void note_symtab(struct elffile *f, uint32_t index)
{
	if (f->symtab == 0)
		f->symtab = index;
	else
		check_fault(f, FAULT_ELF_6_12, ELF_SYMTAB_TWICE, 0, 0,
			    "sections %u and %u are both symbol tables, there must be one",
			    f->symtab, index);
}

/* Relocations of a part that needs them. */
static void note_relocs(struct elffile *f, uint32_t index)
{
	uint32_t target = f->sections[index].info;

	for (unsigned int p = PART_KSYMTAB; target != 0 && p < N_PARTS; p++)
		if (f->parts[p] == target && f->relocs[p] == 0)
			f->relocs[p] = index;
}

static bool has_export_tables(const struct elffile *f)
{
	for (unsigned int p = PART_KSYMTAB; p < PART_KCRCTAB; p++)
		if (f->parts[p])
			return true;
	return false;
}

void sections_find(struct elffile *f)
{
	for (uint32_t i = 1; i < f->header.shnum; i++) {
		uint32_t type = f->sections[i].type;
		if (type == SHT_SYMTAB)
			note_symtab(f, i);
		if (type == SHT_NULL || type == SHT_RELA || type == SHT_REL || type == SHT_SYMTAB)
			continue;
		const char *name = sections_name(f, i);
		const struct part_name *p = find_name(name);
		if (p)
			note_part(f, p, i);
		else
			note_constructors(f, name, f->sections[i].flags);
	}
	if (f->has_ctors && f->has_init_array)
		check_fault(f, FAULT_CONSTRUCTORS, ELF_CONSTRUCTORS, 0, 0,
			    "has both .ctors and .init_array: built by two kinds of compiler");
	if (f->symtab) {
		uint32_t link = f->sections[f->symtab].link;
		f->strtab = link < f->header.shnum ? link : 0;
	}
	if (!has_export_tables(f))
		return;
	for (uint32_t i = 1; i < f->header.shnum; i++)
		if (f->sections[i].type == SHT_RELA || f->sections[i].type == SHT_REL)
			note_relocs(f, i);
}

static void want(struct elffile *f, uint32_t index)
{
	struct reader *r = f->reader;

	if (index)
		VEC_PUSH(r->wanted, r->n_wanted, r->cap_wanted) = (uint16_t)index;
}

enum image_result sections_read(struct elffile *f)
{
	struct reader *r = f->reader;

	r->n_wanted = 0;
	want(f, f->symtab);
	want(f, f->strtab);
	for (unsigned int p = 0; p < N_PARTS; p++) {
		want(f, f->parts[p]);
		want(f, f->relocs[p]);
	}
	/* An object for insmod: which symbols do its relocations use? */
	for (uint32_t i = 1; !f->parts[PART_THIS_MODULE] && i < f->header.shnum; i++)
		if (f->sections[i].type == SHT_RELA || f->sections[i].type == SHT_REL)
			want(f, i);
	for (uint32_t i = 1; r->is_thorough && i < f->header.shnum; i++)
		if (f->sections[i].type == SHT_RELA || f->sections[i].type == SHT_REL)
			want(f, i);
	return image_read_sections(&r->image, &f->header, f->sections, r->wanted, r->n_wanted);
}

const unsigned char *sections_part(struct elffile *f, enum part part, uint64_t *size)
{
	uint32_t index = f->parts[part];

	*size = 0;
	if (index == 0)
		return NULL;
	const unsigned char *bytes = image_section(&f->reader->image, &f->sections[index]);
	if (bytes)
		*size = f->sections[index].size;
	return bytes;
}

bool file_relocs(struct elffile *f, uint32_t index, struct elftable *t)
{
	struct section *s = &f->sections[index];
	const unsigned char *bytes = image_section(&f->reader->image, s);

	return elfview_relocs(&f->view, bytes, (size_t)s->size, s->type == SHT_RELA, t);
}

/* Is the name within the limits? If not, that is a fault. */
static bool check_name(struct elffile *f, const char *s, size_t length)
{
	if (length > LIMIT_NAME_BYTES) {
		file_fault(f, FAULT_LIMIT, "a symbol name has more than %u bytes: %.64s...",
			   LIMIT_NAME_BYTES, s);
		return false;
	}
	if (f->name_bytes > MODULE_NAME_BYTES)
		return false;
	f->name_bytes += length;
	if (f->name_bytes > MODULE_NAME_BYTES) {
		file_fault(f, FAULT_LIMIT, "the symbol names have more than %llu bytes together",
			   (unsigned long long)MODULE_NAME_BYTES);
		return false;
	}
	return true;
}

bool file_add_name(struct elffile *f, const char *s, size_t length, nameid *id)
{
	bool is_ok = check_name(f, s, length);

	*id = is_ok ? names_add(f->reader->names, s, length) : NAME_NONE;
	return is_ok;
}

bool file_add_announced(struct elffile *f, const char *s, size_t length, uint64_t announced,
			nameid *id)
{
	bool is_ok = check_name(f, s, length);

	*id = is_ok ? names_add_announced(f->reader->names, s, length, announced) : NAME_NONE;
	return is_ok;
}

const char *file_string(struct elffile *f, uint32_t section, uint64_t offset)
{
	if (section == 0 || section >= f->header.shnum)
		return NULL;
	struct section *s = &f->sections[section];
	const unsigned char *bytes = image_section(&f->reader->image, s);
	if (!bytes || offset >= s->size)
		return NULL;
	uint64_t room = s->size - offset;
	/* A name longer than this is over a limit anyway. */
	size_t most = room > LIMIT_NAME_BYTES + 2 ? LIMIT_NAME_BYTES + 2 : (size_t)room;
	return memchr(bytes + offset, '\0', most) ? (const char *)bytes + offset : NULL;
}
