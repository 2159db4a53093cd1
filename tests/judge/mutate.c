// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate [-s SYMVERS] IN OUT [EDIT...]: write a module that is IN but for the edits.
 *
 * Unless the first edit is `signed`, the signature is dropped, because it would only prove that
 * the module was altered, and the module is neutralized: loaded, it runs no code of its own. The
 * name that the kernel will know it by is printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"

#define MARKER "~Module signature appended~\n"

static void read_file(struct elfedit *e, const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t room = 1 << 20, n;

	if (!file)
		fail("%s cannot be read", path);
	do {
		room *= 2;
		e->data = realloc(e->data, room);
		if (!e->data)
			fail("out of memory");
		n = fread(e->data + e->size, 1, room - e->size, file);
		e->size += n;
	} while (e->size == room);
	fclose(file);
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Behind the ELF part: PKCS#7, 12 bytes that end with its length, the marker. */
static void split_signature(struct elfedit *e)
{
	size_t marker = strlen(MARKER), size;

	if (e->size < marker + 12 || memcmp(e->data + e->size - marker, MARKER, marker) != 0)
		return;
	size = marker + 12 + big_endian(e->data + e->size - marker - 4);
	if (size > e->size)
		fail("a signature longer than the file");
	e->tail = malloc(size);
	if (!e->tail)
		fail("out of memory");
	e->size -= size;
	e->tail_size = size;
	memcpy(e->tail, e->data + e->size, size);
}

static void open_module(struct elfedit *e, const char *path)
{
	const char *name;

	read_file(e, path);
	split_signature(e);
	if (e->size < sizeof(Elf64_Ehdr) || memcmp(e->data, ELFMAG, SELFMAG) != 0)
		fail("%s is no ELF file", path);
	e->is_64 = e->data[EI_CLASS] == ELFCLASS64;
	name = edit_tag_value(e, "name");
	snprintf(e->name, sizeof(e->name), "%s", name ? name : "-");
}

static void write_module(const struct elfedit *e, const char *path)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(e->data, 1, e->size, file) != e->size)
		fail("%s cannot be written", path);
	if (e->keep_tail && fwrite(e->tail, 1, e->tail_size, file) != e->tail_size)
		fail("%s cannot be written", path);
	if (fclose(file))
		fail("%s cannot be written", path);
}

static const struct edit *find_edit(const char *name)
{
	static const struct edit *const tables[] = { edits_elf, edits_symbol, edits_tag,
						     edits_file };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct edit *edit = tables[i]; edit->name; edit++) {
			if (!strcmp(edit->name, name))
				return edit;
		}
	}
	fail("there is no edit %s", name);
}

static void apply(struct elfedit *e, char *text)
{
	char none[] = "", *words[3] = { none, none, none };
	char *next = strchr(text, '=');
	const struct edit *edit;

	if (next)
		*next++ = '\0';
	edit = find_edit(text);
	for (int i = 0; i < edit->n_words && next; i++) {
		words[i] = next;
		next = i + 1 < edit->n_words ? strchr(next, ':') : NULL;
		if (next)
			*next++ = '\0';
	}
	edit->apply(e, words[0], words[1], words[2]);
}

int main(int argc, char **argv)
{
	struct elfedit e = { 0 };
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-s")) {
		e.symvers = argv[2];
		i = 3;
	}
	if (argc < i + 2)
		fail("usage: mutate [-s SYMVERS] IN OUT [EDIT...]");
	open_module(&e, argv[i]);
	if (argc == i + 2 || strcmp(argv[i + 2], "signed") != 0)
		edit_neutralize(&e);
	for (int k = i + 2; k < argc; k++)
		apply(&e, argv[k]);
	write_module(&e, argv[i + 1]);
	puts(e.name);
	return 0;
}
