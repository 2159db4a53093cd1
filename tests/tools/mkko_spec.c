// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a module entry, up to the first that changes bytes: a table of the words, one
 * function a word.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "mkko.h"

/* Both sides of an export agree on it without a word in the recipe. */
uint32_t crc_of_name(const char *name)
{
	return (uint32_t)crc32(0, (const unsigned char *)name, (unsigned int)strlen(name));
}

static uint32_t read_crc(const struct line *l, const char *name, bool *none)
{
	const char *crc = line_option(l, "crc");

	*none = crc && !strcmp(crc, "none");
	if (!crc || *none)
		return crc_of_name(name);
	return (uint32_t)line_number(l, crc);
}

static bool is_yes(const struct line *l, const char *word)
{
	if (!strcmp(word, "yes"))
		return true;
	if (strcmp(word, "no") != 0)
		die(l, "yes or no, not %s", word);
	return false;
}

/* --- one function a word --- */

static void set_machine(struct module *m, const struct line *l)
{
	const char *name = line_word(l, 1, "the name of a machine");

	m->machine = machine_find(name);
	if (!m->machine)
		die(l, "unknown machine %s", name);
	m->bits = m->machine->bits;
	m->big = m->machine->big;
	m->prel32 = m->machine->prel32 && !m->is_24;
	m->e_flags = m->machine->e_flags;
	m->struct_size = m->is_24 ? 0 : m->bits == 64 ? 896 : 576;
}

static void set_class(struct module *m, const struct line *l)
{
	int64_t bits = line_number(l, line_word(l, 1, "32 or 64"));

	if (bits != 32 && bits != 64)
		die(l, "class is 32 or 64");
	m->bits = (unsigned int)bits;
}

static void set_order(struct module *m, const struct line *l)
{
	const char *order = line_word(l, 1, "little or big");

	if (strcmp(order, "little") && strcmp(order, "big"))
		die(l, "order is little or big");
	m->big = !strcmp(order, "big");
}

static void set_object(struct module *m, const struct line *l)
{
	if (strcmp(line_word(l, 1, "2.4"), "2.4") != 0)
		die(l, "the only other kind of object is 2.4");
	m->is_24 = true;
	m->prel32 = m->flags = false;
	m->struct_size = 0;
	m->fields = 2;
}

static void add_import(struct module *m, const struct line *l)
{
	const char *type = line_option(l, "type");
	struct import *i;

	m->imports = grow(m->imports, m->n_imports, sizeof(*m->imports));
	i = &m->imports[m->n_imports++];
	i->name = line_word(l, 1, "a symbol");
	i->is_weak = line_has(l, "weak");
	i->is_local = line_has(l, "local");
	i->is_unreferenced = line_has(l, "unreferenced");
	i->type = type ? (unsigned char)line_number(l, type) : STT_NOTYPE;
	i->crc = read_crc(l, i->name, &i->no_crc);
}

static void add_version(struct module *m, const struct line *l)
{
	struct import *i;

	m->versions_only = grow(m->versions_only, m->n_versions_only, sizeof(*m->versions_only));
	i = &m->versions_only[m->n_versions_only++];
	i->name = line_word(l, 1, "a symbol");
	i->crc = read_crc(l, i->name, &i->no_crc);
}

static void add_export(struct module *m, const struct line *l)
{
	struct export *e;

	m->exports = grow(m->exports, m->n_exports, sizeof(*m->exports));
	e = &m->exports[m->n_exports++];
	e->name = line_word(l, 1, "a symbol");
	e->ns = line_option(l, "ns");
	e->is_gpl = line_has(l, "gpl");
	e->crc = read_crc(l, e->name, &e->no_crc);
}

bool module_has_tag(const struct module *m, const char *key)
{
	for (size_t i = 0; i < m->n_tags; i++)
		if (!strcmp(m->tags[i].key, key))
			return true;
	return false;
}

void module_add_tag(struct module *m, const char *key, const char *value)
{
	m->tags = grow(m->tags, m->n_tags, sizeof(*m->tags));
	m->tags[m->n_tags++] = (struct tag) { key, value };
}

static void split_tag(const struct line *l, struct tag *tag)
{
	const char *word = line_word(l, 1, "KEY=VALUE");
	const char *equals = strchr(word, '=');

	if (!equals)
		die(l, "%s is not KEY=VALUE", word);
	tag->key = copy_string(word, (size_t)(equals - word));
	tag->value = equals + 1;
}

static void add_tag(struct module *m, const struct line *l)
{
	struct tag tag;

	split_tag(l, &tag);
	module_add_tag(m, tag.key, tag.value);
}

static void set_tag(struct module *m, const struct line *l)
{
	struct tag tag;

	split_tag(l, &tag);
	for (size_t i = 0; i < m->n_tags; i++)
		if (!strcmp(m->tags[i].key, tag.key)) {
			m->tags[i].value = tag.value;
			return;
		}
	module_add_tag(m, tag.key, tag.value);
}

/* A tag without a value is left out, and not given its default either. */
static void drop_tag(struct module *m, const struct line *l)
{
	const char *key = line_word(l, 1, "the key of a tag");

	for (size_t i = 0; i < m->n_tags; i++)
		if (!strcmp(m->tags[i].key, key))
			m->tags[i].value = NULL;
	module_add_tag(m, key, NULL);
}

static void set_struct_name(struct module *m, const struct line *l)
{
	m->struct_name = line_word(l, 1, "a name");
}

static void set_struct_size(struct module *m, const struct line *l)
{
	m->struct_size = (uint64_t)line_number(l, line_word(l, 1, "a number"));
}

static void set_e_flags(struct module *m, const struct line *l)
{
	m->e_flags = (uint32_t)line_number(l, line_word(l, 1, "a number"));
}

static void set_crcs(struct module *m, const struct line *l)
{
	m->no_crcs = !is_yes(l, line_word(l, 1, "yes or no"));
}

static void set_layout_crc(struct module *m, const struct line *l)
{
	const char *crc = line_word(l, 1, "a CRC or none");

	m->no_layout = !strcmp(crc, "none");
	if (!m->no_layout)
		m->layout_crc = (uint32_t)line_number(l, crc);
}

static void set_versions(struct module *m, const struct line *l)
{
	static const char *const words[] = { "none", "plain", "ext", "both" };
	const char *word = line_word(l, 1, "none, plain, ext or both");

	for (unsigned int i = 0; i < 4; i++)
		if (!strcmp(word, words[i])) {
			m->versions = (enum versions)i;
			return;
		}
	die(l, "versions are none, plain, ext or both");
}

static void set_layout_word(struct module *m, const struct line *l, const char *w)
{
	static const char *const crc_tables[] = { "crc-u32", "crc-abs", "crc-long", "crc-rel" };

	for (unsigned int i = 0; i < 4; i++)
		if (!strcmp(w, crc_tables[i])) {
			m->crc_table = (enum crc_table)i;
			return;
		}
	if (!strcmp(w, "prel32"))
		m->prel32 = true;
	else if (!strcmp(w, "long"))
		m->prel32 = false;
	else if (!strcmp(w, "namespaces"))
		m->fields = 3;
	else if (!strcmp(w, "no-namespaces"))
		m->fields = 2;
	else if (!strcmp(w, "flags"))
		m->flags = true;
	else if (!strcmp(w, "section-relocs"))
		m->section_relocs = true;
	else if (!strcmp(w, "unsorted"))
		m->unsorted = true;
	else
		die(l, "unknown layout %s", w);
}

static void set_layout(struct module *m, const struct line *l)
{
	line_word(l, 1, "words");
	for (size_t i = 1; i < l->n_words; i++)
		set_layout_word(m, l, l->words[i]);
}

static void add_raw(struct module *m, const struct line *l)
{
	line_word(l, 1, "a name");
	m->raw = grow(m->raw, m->n_raw, sizeof(*m->raw));
	m->raw[m->n_raw++] = l;
}

static const struct {
	const char *word;
	void (*run)(struct module *m, const struct line *l);
} words[] = {
	{ "machine", set_machine },
	{ "class", set_class },
	{ "order", set_order },
	{ "object", set_object },
	{ "import", add_import },
	{ "export", add_export },
	{ "version", add_version },
	{ "tag", set_tag },
	{ "tag+", add_tag },
	{ "no-tag", drop_tag },
	{ "struct-name", set_struct_name },
	{ "struct-size", set_struct_size },
	{ "e-flags", set_e_flags },
	{ "crcs", set_crcs },
	{ "layout-crc", set_layout_crc },
	{ "versions", set_versions },
	{ "layout", set_layout },
	{ "section", add_raw },
	{ "symbol", add_raw },
	{ "reloc", add_raw },
	{ "no", add_raw },
	{ "duplicate", add_raw },
};

static bool run_word(struct module *m, const struct line *l)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, l->words[0])) {
			words[i].run(m, l);
			return true;
		}
	return false;
}

char *module_name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	char *name;

	base = base ? base + 1 : path;
	name = copy_string(base, strcspn(base, "."));
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

struct module *module_read(const struct entry *e)
{
	static const char *const x86_64[] = { "machine", "x86_64" };
	struct line machine = e->head;
	struct module *m = grow(NULL, 0, sizeof(*m));
	char *defaults[2] = { copy_string(x86_64[0], 7), copy_string(x86_64[1], 6) };

	m->path = e->head.words[1];
	m->name = m->struct_name = module_name_of(m->path);
	m->fields = 3;
	m->versions = VERSIONS_PLAIN;
	m->layout_crc = crc_of_name("module_layout");
	machine.words = defaults;
	machine.n_words = 2;
	set_machine(m, &machine);
	for (size_t i = 0; i < e->n_lines; i++) {
		if (damage_is_known(e->lines[i].words[0]))
			break;
		if (!run_word(m, &e->lines[i]))
			die(&e->lines[i], "unknown word %s", e->lines[i].words[0]);
		m->n_spec_lines = i + 1;
	}
	return m;
}

/* The module of the recipe that exports the symbol, NULL if none does. */
static const struct module *find_exporter(const struct recipe *r, const char *symbol)
{
	for (size_t i = 0; i < r->n_entries; i++) {
		const struct module *m = r->entries[i].module;

		for (size_t k = 0; m && k < m->n_exports; k++)
			if (!strcmp(m->exports[k].name, symbol))
				return m;
	}
	return NULL;
}

static const char *find_depends(const struct module *m, const struct recipe *r)
{
	const struct module **seen = NULL;
	size_t n_seen = 0;
	struct buf depends = { 0 };

	for (size_t i = 0; i < m->n_imports; i++) {
		const struct module *p = find_exporter(r, m->imports[i].name);
		size_t k = 0;

		while (k < n_seen && seen[k] != p)
			k++;
		if (!p || p == m || k < n_seen)
			continue;
		seen = grow(seen, n_seen, sizeof(*seen));
		seen[n_seen++] = p;
		buf_printf(&depends, "%s%s", depends.size ? "," : "", p->name);
	}
	return depends.size ? copy_string((char *)depends.data, depends.size) : "";
}

/* In the order in which modpost writes them behind those of the sources. */
void module_complete(struct module *m, const struct recipe *r)
{
	if (!module_has_tag(m, "license"))
		module_add_tag(m, "license", "GPL");
	if (m->is_24)
		return;
	if (!module_has_tag(m, "depends"))
		module_add_tag(m, "depends", find_depends(m, r));
	if (m->machine->is_x86 && !module_has_tag(m, "retpoline"))
		module_add_tag(m, "retpoline", "Y");
	if (!module_has_tag(m, "intree"))
		module_add_tag(m, "intree", "Y");
	if (!module_has_tag(m, "name"))
		module_add_tag(m, "name", m->name);
	if (!module_has_tag(m, "vermagic"))
		module_add_tag(m, "vermagic", "6.1.0 SMP preempt mod_unload modversions ");
}
