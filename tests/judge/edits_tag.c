// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits of .modinfo ("NAME=VALUE" strings, a NUL behind each) and of the module's names.
 */
#include "edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entry NAME=..., NULL if there is none; `from`: where to begin. */
static char *find_tag(const struct elfedit *e, size_t from, const char *name)
{
	unsigned int i = elf_need(e, ".modinfo");
	size_t size = elf_section(e, i).sh_size, n = strlen(name);
	char *text = (char *)elf_bytes(e, i);

	for (size_t at = from; at < size; at += strnlen(text + at, size - at) + 1) {
		if (size - at > n && !memcmp(text + at, name, n) && text[at + n] == '=')
			return text + at;
	}
	return NULL;
}

const char *edit_tag_value(const struct elfedit *e, const char *name)
{
	const char *entry = find_tag(e, 0, name);

	return entry ? entry + strlen(name) + 1 : NULL;
}

/* A further entry, behind all others. */
static void add_tag(struct elfedit *e, const char *a, const char *b, const char *c)
{
	size_t size = strlen(a) + strlen(b) + 2;
	char *entry = (char *)elf_grow(e, elf_need(e, ".modinfo"), size);

	(void)c;
	snprintf(entry, size, "%s=%s", a, b);
}

/* NULs in the place of an entry are skipped by whoever reads them. */
static void drop_tag(struct elfedit *e, const char *a, const char *b, const char *c)
{
	char *entry;

	(void)b, (void)c;
	if (!find_tag(e, 0, a))
		fail("there is no tag %s", a);
	while ((entry = find_tag(e, 0, a)))
		memset(entry, 0, strlen(entry));
}

static void set_tag(struct elfedit *e, const char *a, const char *b, const char *c)
{
	if (find_tag(e, 0, a))
		drop_tag(e, a, "", "");
	add_tag(e, a, b, c);
}

/* The first OLD in the value becomes NEW. */
static void replace_in_tag(struct elfedit *e, const char *a, const char *b, const char *c)
{
	const char *old = edit_tag_value(e, a), *found = old ? strstr(old, b) : NULL;
	char value[512];

	if (!found)
		fail("no tag %s with %s in it", a, b);
	snprintf(value, sizeof(value), "%.*s%s%s", (int)(found - old), old, c, found + strlen(b));
	set_tag(e, a, value, "");
}

static void trim_tag(struct elfedit *e, const char *a, const char *b, const char *c)
{
	const char *old = edit_tag_value(e, a);
	char value[512];

	(void)b, (void)c;
	if (!old || !*old)
		fail("no tag %s", a);
	snprintf(value, sizeof(value), "%.*s", (int)strlen(old) - 1, old);
	set_tag(e, a, value, "");
}

/* The name in struct module stands behind its state and its list pointers. */
static void set_struct_name(struct elfedit *e, const char *a, const char *b, const char *c)
{
	size_t room = e->is_64 ? 56 : 60, size = strnlen(a, room);
	char *name = (char *)elf_bytes(e, elf_need(e, ".gnu.linkonce.this_module")) +
		     (e->is_64 ? 24 : 12);

	(void)b, (void)c;
	memset(name, 0, room);
	memcpy(name, a, size);
	snprintf(e->name, sizeof(e->name), "%s", a);
}

static void set_name(struct elfedit *e, const char *a, const char *b, const char *c)
{
	set_struct_name(e, a, b, c);
	set_tag(e, "name", a, "");
}

const struct edit edits_tag[] = {
	{ "tag", 2, set_tag },       { "add-tag", 2, add_tag },
	{ "drop-tag", 1, drop_tag }, { "replace-in-tag", 3, replace_in_tag },
	{ "trim-tag", 1, trim_tag }, { "struct-name", 1, set_struct_name },
	{ "name", 1, set_name },     { 0 },
};
