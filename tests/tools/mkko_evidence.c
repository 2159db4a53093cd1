// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a kernel says of its symbols, from lines `export NAME` and `define NAME`:
 *
 *   symvers      Module.symvers: CRC, name, module, EXPORT_SYMBOL[_GPL], namespace, by tabs;
 *                the exports of the recipe's modules below kernel/ are in it too
 *   system-map   address, letter, name; `r __ksymtab_NAME` says that a symbol is exported, the
 *                GPL-only ones between the labels of their table. 2.4: `? __kstrtab_NAME` and
 *                `? __ksymtab_NAME` as well
 *   ksyms        a copy of a 2.4 /proc/ksyms: address, name, and [module] if one has it
 */
#include <string.h>

#include "mkko.h"

static void check_line(const struct line *l)
{
	line_word(l, 1, "a symbol");
	if (strcmp(l->words[0], "export") && strcmp(l->words[0], "define"))
		die(l, "export or define, not %s", l->words[0]);
}

static bool is_export(const struct line *l)
{
	return !strcmp(l->words[0], "export");
}

static void add_symvers_row(struct buf *out, uint32_t crc, const char *name, const char *module,
			    bool is_gpl, const char *ns)
{
	buf_printf(out, "0x%08x\t%s\t%s\tEXPORT_SYMBOL%s\t%s\n", crc, name, module,
		   is_gpl ? "_GPL" : "", ns ? ns : "");
}

/* "lib/modules/6.1.0/kernel/fs/fat/fat.ko.xz" -> "fs/fat/fat"; NULL if not below kernel/ */
static char *source_path(const char *path)
{
	const char *kernel = strstr(path, "/kernel/");
	const char *end = kernel ? strstr(kernel, ".ko") : NULL;

	return end ? copy_string(kernel + 8, (size_t)(end - kernel - 8)) : NULL;
}

static void write_symvers(const struct recipe *r, const struct entry *e, struct buf *out)
{
	bool has_crcs = !line_has(&e->head, "no-crcs");

	for (size_t i = 0; i < e->n_lines && !damage_is_known(e->lines[i].words[0]); i++) {
		const struct line *l = &e->lines[i];
		const char *crc = line_option(l, "crc");
		const char *module = line_option(l, "module");
		uint32_t value = crc ? (uint32_t)line_number(l, crc) : crc_of_name(l->words[1]);

		check_line(l);
		add_symvers_row(out, has_crcs ? value : 0, l->words[1], module ? module : "vmlinux",
				line_has(l, "gpl"), line_option(l, "ns"));
	}
	for (size_t i = 0; i < r->n_entries; i++) {
		const struct module *m = r->entries[i].module;
		char *path = m && !m->is_24 ? source_path(m->path) : NULL;

		if (!path || line_has(&e->head, "no-modules"))
			continue;
		for (size_t k = 0; k < m->n_exports; k++)
			add_symvers_row(
				out, has_crcs && !m->exports[k].no_crc ? m->exports[k].crc : 0,
				m->exports[k].name, path, m->exports[k].is_gpl, m->exports[k].ns);
	}
}

struct map {
	const struct entry *entry;
	struct buf *out;
	uint64_t address;
	unsigned int digits;
	bool is_24;
};

static void add_map_line(struct map *m, char type, const char *prefix, const char *name,
			 unsigned int step)
{
	buf_printf(m->out, "%0*llx %c %s%s\n", (int)m->digits, (unsigned long long)m->address, type,
		   prefix, name);
	m->address += step;
}

enum { MAP_ALL, MAP_PLAIN, MAP_GPL };

static void add_map_exports(struct map *m, const char *prefix, int which, unsigned int step)
{
	for (size_t i = 0; i < m->entry->n_lines; i++) {
		const struct line *l = &m->entry->lines[i];

		if (damage_is_known(l->words[0]))
			return;
		if (!is_export(l) || (which == MAP_PLAIN && line_has(l, "gpl")) ||
		    (which == MAP_GPL && !line_has(l, "gpl")))
			continue;
		add_map_line(m, m->is_24 ? '?' : 'r', prefix, l->words[1], step);
	}
}

static void write_system_map(const struct entry *e, struct buf *out)
{
	bool is_24 = line_has(&e->head, "2.4");
	bool is_32 = is_24 || line_has(&e->head, "32");
	struct map m = { .entry = e,
			 .out = out,
			 .address = is_32 ? 0xc0100000 : 0xffffffff81000000,
			 .digits = is_32 ? 8 : 16,
			 .is_24 = is_24 };

	add_map_line(&m, is_24 ? 'A' : 'T', "", "_text", 16);
	for (size_t i = 0; i < e->n_lines && !damage_is_known(e->lines[i].words[0]); i++) {
		const char *type = line_option(&e->lines[i], "type");

		check_line(&e->lines[i]);
		add_map_line(&m, type ? type[0] : 'T', "", e->lines[i].words[1], 96);
	}
	if (is_24) {
		add_map_exports(&m, "__kstrtab_", MAP_ALL, 16);
		add_map_line(&m, '?', "", "__start___ksymtab", 0);
		add_map_exports(&m, "__ksymtab_", MAP_ALL, 8);
		add_map_line(&m, '?', "", "__stop___ksymtab", 0);
	} else {
		add_map_line(&m, 'R', "", "__start___ksymtab", 0);
		add_map_exports(&m, "__ksymtab_", MAP_PLAIN, 12);
		add_map_line(&m, 'R', "", "__start___ksymtab_gpl", 0);
		add_map_line(&m, 'R', "", "__stop___ksymtab", 0);
		add_map_exports(&m, "__ksymtab_", MAP_GPL, 12);
		add_map_line(&m, 'R', "", "__stop___ksymtab_gpl", 0);
	}
	add_map_line(&m, 'A', "", "_end", 0);
}

static void write_ksyms(const struct entry *e, struct buf *out)
{
	uint64_t address = 0xc0100000;

	for (size_t i = 0; i < e->n_lines && !damage_is_known(e->lines[i].words[0]); i++) {
		const struct line *l = &e->lines[i];
		const char *module = line_option(l, "module");

		check_line(l);
		address += 96;
		if (!is_export(l))
			die(l, "ksyms holds exports alone");
		buf_printf(out, "%08llx %s%s%s%s\n", (unsigned long long)address, l->words[1],
			   module ? "\t[" : "", module ? module : "", module ? "]" : "");
	}
}

bool evidence_is_known(const char *word)
{
	return !strcmp(word, "symvers") || !strcmp(word, "system-map") || !strcmp(word, "ksyms");
}

void evidence_write(const struct recipe *r, const struct entry *e, struct buf *out)
{
	if (!strcmp(e->head.words[0], "symvers"))
		write_symvers(r, e, out);
	else if (!strcmp(e->head.words[0], "system-map"))
		write_system_map(e, out);
	else
		write_ksyms(e, out);
}
