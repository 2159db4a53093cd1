// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits of symbols, of what __versions says of them, and of exports.
 */
#include "edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_ENTRY 64 /* struct modversion_info: a long with the CRC, then the name */

static size_t crc_size(const struct elfedit *e)
{
	return e->is_64 ? 8 : 4;
}

/* The entry of that name in __versions, NULL if there is none. */
static unsigned char *find_version(const struct elfedit *e, const char *name)
{
	unsigned int i = elf_find(e, "__versions");
	size_t size = i ? elf_section(e, i).sh_size : 0;

	for (size_t at = 0; at + VERSION_ENTRY <= size; at += VERSION_ENTRY) {
		unsigned char *entry = elf_bytes(e, i) + at;

		if (!strncmp((char *)entry + crc_size(e), name, VERSION_ENTRY - crc_size(e)))
			return entry;
	}
	return NULL;
}

static unsigned char *need_version(const struct elfedit *e, const char *name)
{
	unsigned char *entry = find_version(e, name);

	if (!entry)
		fail("__versions has no %s", name);
	return entry;
}

/* Lines of Module.symvers: 0x<crc>, name, exporter, kind, namespace, with tabs between. */
static bool look_up_crc(const struct elfedit *e, const char *name, uint32_t *crc)
{
	FILE *file = e->symvers ? fopen(e->symvers, "r") : NULL;
	char line[1024];
	bool is_found = false;

	while (!is_found && file && fgets(line, sizeof(line), file)) {
		char *start = strchr(line, '\t');
		size_t n = start ? strcspn(start + 1, "\t") : 0;

		if (!start || n != strlen(name) || strncmp(start + 1, name, n))
			continue;
		*crc = (uint32_t)strtoul(line, NULL, 16);
		is_found = true;
	}
	if (file)
		fclose(file);
	return is_found;
}

static void add_version(struct elfedit *e, const char *name)
{
	unsigned int i = elf_find(e, "__versions");
	unsigned char *entry;
	uint32_t crc;

	if (!i || find_version(e, name) || !look_up_crc(e, name, &crc))
		return;
	entry = elf_grow(e, i, VERSION_ENTRY);
	memcpy(entry, &crc, sizeof(crc));
	snprintf((char *)entry + crc_size(e), VERSION_ENTRY - crc_size(e), "%s", name);
}

/* An undefined symbol as a compiler makes it, with the version that modpost would add. */
static void use(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned char bind = *b ? (unsigned char)strtoul(b, NULL, 0) : STB_GLOBAL;
	Elf64_Sym s = { .st_info = ELF64_ST_INFO(bind, STT_NOTYPE), .st_shndx = SHN_UNDEF };

	(void)c;
	s.st_name = elf_add_name(e, a);
	elf_add_symbol(e, &s);
	add_version(e, a);
}

static void add_symbol(struct elfedit *e, const char *a, const char *b, const char *c)
{
	Elf64_Sym s = { .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT) };

	s.st_name = elf_add_name(e, a);
	s.st_shndx = (Elf64_Section)strtoul(b, NULL, 0);
	s.st_size = 8;
	s.st_value = *c ? strtoull(c, NULL, 0) : 8; /* of a common symbol: its alignment */
	elf_add_symbol(e, &s);
}

static void rename_symbol(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = elf_need_symbol(e, a);
	uint32_t offset = elf_add_name(e, b);
	Elf64_Sym s = elf_symbol(e, i);

	(void)c;
	s.st_name = offset;
	elf_put_symbol(e, i, &s);
}

static void bind(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = elf_need_symbol(e, a);
	Elf64_Sym s = elf_symbol(e, i);

	(void)c;
	s.st_info = (unsigned char)ELF64_ST_INFO(strtoul(b, NULL, 0), ELF64_ST_TYPE(s.st_info));
	elf_put_symbol(e, i, &s);
}

static void shndx(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = elf_need_symbol(e, a);
	Elf64_Sym s = elf_symbol(e, i);

	(void)c;
	s.st_shndx = (Elf64_Section)strtoul(b, NULL, 0);
	elf_put_symbol(e, i, &s);
}

/* The name of a symbol begins that many bytes behind the end of the string table. */
static void name_outside(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned int i = elf_need_symbol(e, a);
	Elf64_Sym s = elf_symbol(e, i);

	(void)c;
	s.st_name =
		(Elf64_Word)(elf_section(e, elf_need(e, ".strtab")).sh_size + strtoul(b, NULL, 0));
	elf_put_symbol(e, i, &s);
}

static void crc_wrong(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)b, (void)c;
	need_version(e, a)[0] ^= 1;
}

static void crc_missing(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned char *entry = need_version(e, a);

	(void)b, (void)c;
	entry[crc_size(e)] ^= 1; /* now it is the version of another symbol */
}

/* Gives an export another name: in the strings that the kernel reads, and in the labels. */
static void rename_export(struct elfedit *e, const char *a, const char *b, const char *c)
{
	static const char *const labels[] = { "__ksymtab_", "__kstrtab_", "__kstrtabns_",
					      "__crc_" };
	char from[256], to[256];
	unsigned int strings = elf_need(e, "__ksymtab_strings"), i;
	uint64_t offset = elf_section(e, strings).sh_size;
	Elf64_Sym s;

	(void)c;
	memcpy(elf_grow(e, strings, strlen(b) + 1), b, strlen(b) + 1);
	snprintf(from, sizeof(from), "__kstrtab_%s", a);
	i = elf_need_symbol(e, from);
	s = elf_symbol(e, i);
	s.st_value = offset;
	elf_put_symbol(e, i, &s);
	for (size_t k = 0; k < sizeof(labels) / sizeof(labels[0]); k++) {
		snprintf(from, sizeof(from), "%s%s", labels[k], a);
		snprintf(to, sizeof(to), "%s%s", labels[k], b);
		rename_symbol(e, from, to, "");
	}
	rename_symbol(e, a, b, "");
}

const struct edit edits_symbol[] = {
	{ "use", 2, use },
	{ "add-symbol", 3, add_symbol },
	{ "rename", 2, rename_symbol },
	{ "bind", 2, bind },
	{ "shndx", 2, shndx },
	{ "name-outside", 2, name_outside },
	{ "crc-wrong", 1, crc_wrong },
	{ "crc-missing", 1, crc_missing },
	{ "rename-export", 2, rename_export },
	{ 0 },
};
