// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From what a recipe says of a module to the sections of an object as the kernel's build
 * leaves them:
 *
 *   .text        one call a symbol that is needed, with a relocation
 *   __ksymtab*   the exports (mkko_export.c)
 *   .modinfo     KEY=VALUE strings
 *   __versions   {unsigned long crc; char name[]} of 64 bytes (include/linux/module.h)
 *   .gnu.linkonce.this_module   struct module: its name, pointers to init and exit
 *
 * A 2.4 object has no __versions and no this_module; insmod finds init_module by name.
 */
#include <elf.h>
#include <string.h>

#include "mkko.h"

#define ALLOC SHF_ALLOC
#define TEXT (SHF_ALLOC | SHF_EXECINSTR)
#define DATA (SHF_ALLOC | SHF_WRITE)

#define CALL_SIZE 8

/* Undefined symbols, and a place in .text that calls each. */
static void build_imports(const struct module *m, struct object *o, size_t text)
{
	for (size_t i = 0; i < m->n_imports; i++) {
		const struct import *import = &m->imports[i];
		unsigned char bind = import->is_weak ? STB_WEAK : STB_GLOBAL;
		size_t symbol, at = o->sections[text].data.size;

		if (import->is_local)
			bind = STB_LOCAL;
		symbol = object_add_symbol(o, import->name, bind, import->type, SYMBOL_UNDEF, 0);
		buf_fill(&o->sections[text].data, 0, CALL_SIZE);
		if (!import->is_unreferenced)
			object_add_reloc(o, text, at + 4, o->machine->r_call, symbol,
					 m->machine->is_x86 ? -4 : 0);
	}
}

static void build_modinfo(const struct module *m, struct object *o)
{
	size_t s = object_add_section(o, ".modinfo", SHT_PROGBITS, ALLOC, 1);
	struct buf *out = &o->sections[s].data;

	for (size_t i = 0; i < m->n_tags; i++) {
		if (!m->tags[i].value)
			continue;
		buf_printf(out, "%s=", m->tags[i].key);
		buf_add_string(out, m->tags[i].value);
	}
}

static void add_version(const struct object *o, struct buf *out, const char *name, uint32_t crc)
{
	size_t room = 64 - object_word(o);

	/* modpost refuses longer names; here they are cut, so that damage can be made. */
	buf_add_word(out, crc, object_word(o), o->big);
	buf_add(out, name, strlen(name) < room ? strlen(name) : room);
	buf_fill(out, 0, strlen(name) < room ? room - strlen(name) : 0);
}

static void add_ext_version(const struct object *o, size_t crcs, const char *name, uint32_t crc)
{
	buf_add_word(&o->sections[crcs].data, crc, 4, o->big);
	buf_add_string(&o->sections[crcs + 1].data, name);
}

/* The names and CRCs of __versions one by one; false at the end. */
static bool next_version(const struct module *m, size_t i, const char **name, uint32_t *crc,
			 bool *skip)
{
	const struct import *import;

	if (i == 0) {
		*name = "module_layout";
		*crc = m->layout_crc;
		*skip = m->no_layout;
		return true;
	}
	i--;
	if (i >= m->n_imports + m->n_versions_only)
		return false;
	import = i < m->n_imports ? &m->imports[i] : &m->versions_only[i - m->n_imports];
	*name = import->name;
	*crc = import->crc;
	*skip = import->no_crc;
	return true;
}

/*
 * __versions, and from 6.14 on (CONFIG_EXTENDED_MODVERSIONS) __version_ext_crcs and
 * __version_ext_names, which hold names of any length.
 */
static void build_versions(const struct module *m, struct object *o)
{
	const char *name;
	uint32_t crc;
	bool skip;
	size_t plain = 0, ext = 0;

	if (m->is_24 || m->no_crcs)
		return;
	if (m->versions & VERSIONS_PLAIN)
		plain = object_add_section(o, "__versions", SHT_PROGBITS, ALLOC, 32);
	if (m->versions & VERSIONS_EXT) {
		ext = object_add_section(o, "__version_ext_crcs", SHT_PROGBITS, ALLOC, 4);
		object_add_section(o, "__version_ext_names", SHT_PROGBITS, ALLOC, 1);
	}
	for (size_t i = 0; next_version(m, i, &name, &crc, &skip); i++) {
		if (skip)
			continue;
		if (m->versions & VERSIONS_PLAIN)
			add_version(o, &o->sections[plain].data, name, crc);
		if (m->versions & VERSIONS_EXT)
			add_ext_version(o, ext, name, crc);
	}
}

/*
 * struct module begins with a state and a list head, so the name is at 24 or 12 bytes. Where
 * the pointers to init and exit are depends on the configuration; these are places of 6.1.
 */
static void build_this_module(const struct module *m, struct object *o, size_t init, size_t exit)
{
	unsigned int word = object_word(o);
	size_t s, name_at = 3 * word, size = (size_t)m->struct_size;
	struct buf *out;

	if (!m->struct_size)
		return;
	s = object_add_section(o, ".gnu.linkonce.this_module", SHT_PROGBITS, DATA, 64);
	out = &o->sections[s].data;
	buf_fill(out, 0, size);
	for (size_t i = 0; m->struct_name[i] && i + name_at < size; i++)
		out->data[name_at + i] = (unsigned char)m->struct_name[i];
	if (size < 64 * (size_t)word)
		return;
	object_add_reloc(o, s, 39 * word, o->machine->r_word, init, 0);
	object_add_reloc(o, s, size - 6 * word, o->machine->r_word, exit, 0);
}

/* Sections that the loader fills with jumps or trampolines, and will not do without. */
static void build_machine_sections(const struct module *m, struct object *o)
{
	for (size_t i = 0; i < 4 && m->machine->sections[i] && !m->is_24; i++) {
		size_t s = object_add_section(o, m->machine->sections[i], SHT_PROGBITS, TEXT, 1);

		buf_fill(&o->sections[s].data, 0, 1);
	}
}

void module_build(struct module *m, struct buf *out)
{
	struct object *o = &m->object;
	size_t text, init_text, init, exit, bss;

	o->machine = m->machine;
	o->bits = m->bits;
	o->big = m->big;
	o->e_flags = m->e_flags;
	text = object_add_section(o, ".text", SHT_PROGBITS, TEXT, 16);
	buf_fill(&o->sections[text].data, 0, 16);
	init_text = object_add_section(o, m->is_24 ? ".text.init" : ".init.text", SHT_PROGBITS,
				       TEXT, m->is_24 ? 16 : 1);
	buf_fill(&o->sections[init_text].data, 0, 16);
	init = object_add_symbol(o, "init_module", STB_GLOBAL, STT_FUNC, (int)init_text, 0);
	exit = object_add_symbol(o, "cleanup_module", STB_GLOBAL, STT_FUNC, (int)text, 0);
	build_imports(m, o, text);
	module_build_exports(m, o, text);
	build_machine_sections(m, o);
	build_modinfo(m, o);
	build_versions(m, o);
	object_add_section(o, ".data", SHT_PROGBITS, DATA, 4);
	build_this_module(m, o, init, exit);
	bss = object_add_section(o, ".bss", SHT_NOBITS, DATA, 4);
	o->sections[bss].size = 16;
	module_build_raw(m, o);
	object_write(o, out);
}
