/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line an export, unsorted, columns separated by tabs (write_dump() in scripts/mod/modpost.c):
 *
 *   2.6.0 -          0x4c9d28b0 phys_base vmlinux
 *   2.6.18 -         0x4c9d28b0 phys_base vmlinux EXPORT_SYMBOL
 *   5.4, 5.5.0       0x4c9d28b0 phys_base NAMESPACE vmlinux EXPORT_SYMBOL
 *   5.4.28, 5.6 -    0x4c9d28b0 phys_base vmlinux EXPORT_SYMBOL NAMESPACE
 *
 * NAMESPACE is mostly empty, but its tab is always there. The column that starts with EXPORT_ tells
 * which of them it is. The third word is vmlinux or the path of a module without .ko. All CRCs
 * are 0x00000000 where CONFIG_MODVERSIONS is off; a single zero among others is an export whose
 * CRC could not be made, for which modpost leaves no entry in the __versions of its users.
 */
#include "kernel/symvers.h"
#include "kernel/evidence.h"

#include <string.h>

#define MAX_COLUMNS 6

/* One line, taken apart. */
struct row {
	struct span crc, symbol, module, export, ns;
	bool has_ns; /* there is a column for it */
};

/* export_str() of scripts/mod/modpost.c, 2.6.18 to today. */
static const struct {
	const char *word;
	enum licence licence;
} export_words[] = {
	{ "EXPORT_SYMBOL", LICENCE_ANY },
	{ "EXPORT_SYMBOL_GPL", LICENCE_GPL },
	{ "EXPORT_SYMBOL_GPL_FUTURE", LICENCE_GPL_FUTURE },
	{ "EXPORT_UNUSED_SYMBOL", LICENCE_UNUSED },
	{ "EXPORT_UNUSED_SYMBOL_GPL", LICENCE_UNUSED_GPL },
	{ "(unknown)", LICENCE_ANY }, /* of a module that was built earlier, until 5.11 */
};

const char *licence_word(enum licence licence)
{
	size_t i = 0;

	while (export_words[i].licence != licence)
		i++;
	return export_words[i].word;
}

static bool is_export_word(struct span s)
{
	return span_has_prefix(s, "EXPORT_") || span_is(s, "(unknown)");
}

/* A word of a later kernel still says that the symbol is exported. */
static enum licence licence_of(struct span word)
{
	if (word.n == 0)
		return LICENCE_ANY;
	for (size_t i = 0; i < sizeof(export_words) / sizeof(*export_words); i++) {
		if (span_is(word, export_words[i].word))
			return export_words[i].licence;
	}
	return memmem(word.s, word.n, "_GPL", 4) ? LICENCE_GPL : LICENCE_ANY;
}

/* Files that went through an editor have blanks for tabs: then empty columns are lost. */
static unsigned int split_blanks(struct span line, struct span *columns)
{
	unsigned int n = 0;

	while (n < MAX_COLUMNS && span_next_word(&line, &columns[n]))
		n++;
	return n;
}

static unsigned int split(struct span line, struct span *columns)
{
	const char *p = line.s, *end = p + line.n;
	unsigned int n = 0;

	while (n < MAX_COLUMNS) {
		const char *tab = memchr(p, '\t', (size_t)(end - p));
		const char *stop = tab ? tab : end;
		columns[n++] = (struct span) { p, (size_t)(stop - p) };
		if (!tab)
			break;
		p = tab + 1;
	}
	return n > 1 ? n : split_blanks(line, columns);
}

static bool row_parse(struct row *row, struct span line)
{
	struct span c[MAX_COLUMNS];
	unsigned int n = split(line, c);

	if (n < 3)
		return false;
	*row = (struct row) { .crc = c[0], .symbol = c[1], .module = c[2] };
	if (n >= 4 && is_export_word(c[3])) {
		row->export = c[3];
		row->has_ns = n >= 5;
		row->ns = n >= 5 ? c[4] : row->ns;
		return true;
	}
	if (n >= 5 && is_export_word(c[4])) {
		row->module = c[3];
		row->export = c[4];
		row->has_ns = true;
		row->ns = c[2];
		return true;
	}
	return n == 3 || (n == 4 && c[3].n == 0);
}

static bool get_crc(struct span s, uint32_t *crc)
{
	uint64_t value;

	/* modpost always writes 0x; without it this could be a System.map of 32 bits */
	if (!span_has_prefix(s, "0x"))
		return false;
	s = (struct span) { s.s + 2, s.n - 2 };
	if (!span_get_hex(s, &value) || value > UINT32_MAX)
		return false;
	*crc = (uint32_t)value;
	return true;
}

/* The rows of a module mostly follow each other: its name need not be looked up for each. */
struct provider_cache {
	struct span text;
	nameid name;
};

static nameid provider_of(struct provider_cache *last, struct span module, struct names *names)
{
	if (span_is(module, "vmlinux"))
		return NAME_NONE;
	if (module.n == last->text.n && memcmp(module.s, last->text.s, module.n) == 0)
		return last->name;
	last->text = module;
	if (module.n > 3 && memcmp(module.s + module.n - 3, ".ko", 3) == 0)
		module.n -= 3;
	return last->name = names_add(names, module.s, module.n);
}

static bool add_row(struct listing *l, const struct row *row, uint32_t line,
		    struct provider_cache *last, struct names *names)
{
	uint32_t crc;

	if (!get_crc(row->crc, &crc) || !span_is_name(row->symbol) || !span_is_name(row->module))
		return false;
	if (row->ns.n && !span_is_name(row->ns))
		return false;
	struct ksym *sym = listing_add(l);
	if (!sym)
		return false;
	sym->name = names_add(names, row->symbol.s, row->symbol.n);
	sym->ns = names_add(names, row->ns.s, row->ns.n);
	sym->provider = provider_of(last, row->module, names);
	sym->crc = crc;
	sym->has_crc = true;
	sym->line = line;
	sym->is_exported = true;
	sym->licence = (uint8_t)licence_of(row->export);
	l->has_crcs |= crc != 0;
	l->knows_licences |= row->export.n > 0;
	l->knows_namespaces |= row->has_ns;
	return true;
}

void symvers_read(struct listing *l, const char *bytes, size_t size, struct names *names)
{
	struct provider_cache last = { .text = { "", 0 } };
	struct lines lines;
	struct span line;

	lines_init(&lines, bytes, size);
	while (lines_next(&lines, &line)) {
		struct row row;
		if (line.n == 0)
			continue;
		l->n_lines++;
		if (!row_parse(&row, line) || !add_row(l, &row, lines.number, &last, names))
			l->n_bad++;
	}
	for (size_t i = 0; !l->has_crcs && i < l->n_syms; i++)
		l->syms[i].has_crc = false;
}
