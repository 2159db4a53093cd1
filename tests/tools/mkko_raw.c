// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sections, symbols and relocations that a recipe asks for by name, and those that it asks to
 * leave out.
 */
#include <elf.h>
#include <string.h>

#include "mkko.h"

struct choice {
	const char *word;
	uint32_t value;
};

static const struct choice section_types[] = { { "progbits", SHT_PROGBITS },
					       { "nobits", SHT_NOBITS },
					       { "note", SHT_NOTE },
					       { "strtab", SHT_STRTAB },
					       { "symtab", SHT_SYMTAB } };
static const struct choice binds[] = { { "local", STB_LOCAL },
				       { "global", STB_GLOBAL },
				       { "weak", STB_WEAK } };
static const struct choice symbol_types[] = { { "notype", STT_NOTYPE },
					      { "object", STT_OBJECT },
					      { "func", STT_FUNC } };

/* The value of an option that is one of some words, or a number. */
static uint32_t pick(const struct line *l, const char *key, const struct choice *choices, size_t n,
		     uint32_t otherwise)
{
	const char *word = line_option(l, key);

	if (!word)
		return otherwise;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(choices[i].word, word))
			return choices[i].value;
	return (uint32_t)line_number(l, word);
}

#define PICK(l, key, choices, otherwise)                                                           \
	pick(l, key, choices, sizeof(choices) / sizeof((choices)[0]), otherwise)

static uint64_t number_option(const struct line *l, const char *key, uint64_t otherwise)
{
	const char *word = line_option(l, key);

	return word ? (uint64_t)line_number(l, word) : otherwise;
}

static uint64_t read_flags(const struct line *l)
{
	const char *p = line_option(l, "flags");
	uint64_t flags = 0;

	for (; p && *p; p++) {
		if (*p == 'W')
			flags |= SHF_WRITE;
		else if (*p == 'A')
			flags |= SHF_ALLOC;
		else if (*p == 'X')
			flags |= SHF_EXECINSTR;
		else
			die(l, "flags are of W, A and X, not %c", *p);
	}
	return flags;
}

static void add_section(struct object *o, const struct line *l)
{
	const char *data = line_option(l, "data");
	uint64_t size = number_option(l, "size", 0);
	size_t i = object_add_section(o, l->words[1], PICK(l, "type", section_types, SHT_PROGBITS),
				      read_flags(l), number_option(l, "align", 1));
	struct section *s = &o->sections[i];

	s->size = size;
	if (data)
		line_bytes(l, data, &s->data);
	else if (s->type != SHT_NOBITS)
		buf_fill(&s->data, 0, size);
}

static void add_symbol(struct object *o, const struct line *l)
{
	const char *where = line_option(l, "section");
	const char *raw = line_option(l, "shndx");
	int section = SYMBOL_UNDEF;
	size_t i;

	if (where && !strcmp(where, "abs"))
		section = SYMBOL_ABS;
	else if (where && !strcmp(where, "common"))
		section = SYMBOL_COMMON;
	else if (where && strcmp(where, "undef") != 0) {
		section = object_find_section(o, where);
		if (section < 0)
			die(l, "no section %s", where);
	}
	i = object_add_symbol(o, l->words[1], (unsigned char)PICK(l, "bind", binds, STB_GLOBAL),
			      (unsigned char)PICK(l, "type", symbol_types, STT_NOTYPE), section,
			      number_option(l, "value", 0));
	o->symbols[i].size = number_option(l, "size", 0);
	if (raw)
		o->symbols[i].raw_index = line_number(l, raw);
}

static void add_reloc(struct object *o, const struct line *l)
{
	const char *name = line_option(l, "symbol");
	int section = object_find_section(o, l->words[1]);
	int symbol = name ? object_find_symbol(o, name) : -1;

	if (section < 0 || symbol < 0)
		die(l, "no such section or symbol");
	object_add_reloc(o, (size_t)section, number_option(l, "offset", 0),
			 (uint32_t)number_option(l, "type", o->machine->r_word), (size_t)symbol,
			 (int64_t)number_option(l, "addend", 0));
	if (line_option(l, "klp"))
		o->sections[section].klp_name = line_option(l, "klp");
}

/* .symtab and .strtab come last; a dropped one of that name is a sign for the writer. */
static void drop_section(struct object *o, const struct line *l)
{
	const char *name = l->words[1];
	int i = object_find_section(o, name);

	if (!strcmp(name, ".symtab") || !strcmp(name, ".strtab"))
		i = (int)object_add_section(o, name, SHT_NULL, 0, 1);
	if (i < 0)
		die(l, "no section %s", name);
	o->sections[i].is_dropped = true;
}

static void duplicate_section(struct object *o, const struct line *l)
{
	int i = object_find_section(o, l->words[1]);
	size_t copy;

	if (i < 0)
		die(l, "no section %s", l->words[1]);
	copy = object_add_section(o, o->sections[i].name, o->sections[i].type, o->sections[i].flags,
				  o->sections[i].align);
	o->sections[copy].size = o->sections[i].size;
	buf_add(&o->sections[copy].data, o->sections[i].data.data, o->sections[i].data.size);
}

static const struct {
	const char *word;
	void (*run)(struct object *o, const struct line *l);
} words[] = { { "section", add_section },
	      { "symbol", add_symbol },
	      { "reloc", add_reloc },
	      { "no", drop_section },
	      { "duplicate", duplicate_section } };

void module_build_raw(struct module *m, struct object *o)
{
	for (size_t i = 0; i < m->n_raw; i++)
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			if (!strcmp(words[k].word, m->raw[i]->words[0]))
				words[k].run(o, m->raw[i]);
}
