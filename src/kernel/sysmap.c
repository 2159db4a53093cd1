/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of `nm -n vmlinux` without what scripts/mksysmap drops; 2.4 to today:
 *
 *   c0113494 T preempt_schedule              address, nm's letter, name
 *   c024f44e ? __kstrtab_printk              the exported name as a string; until 5.x
 *   ffffffff82a1b2c8 r __ksymtab_printk      its entry in the export table; 2.4 to today
 *   ffffffff82a3c000 R __start___ksymtab_gpl
 *
 * EXPORT_SYMBOL() makes the labels __ksymtab_X and __kstrtab_X (include/linux/module.h, since 5.4
 * include/linux/export.h). A symbol with such a label is exported, any other only defined, which
 * does not help a module. GPL-only exports have a table of their own between the labels
 * __start___ksymtab_gpl and __stop___ksymtab_gpl (include/asm-generic/vmlinux.lds.h, 2.6 to
 * 7.1); without these labels, or where addresses are hidden, licences are not known. Neither CRCs
 * nor namespaces can be seen.
 *
 * Debian installs one line instead: "ffffffffffffffff B The real System.map is in the
 * linux-image-<version>-dbg package". It has too many words for a symbol.
 */
#include "kernel/sysmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

/* Lines that a sniff looks at: nm puts the undefined ones, without address, in front. */
#define SNIFF_LINES 1000

/* nm's letters of what is defined; U, w and v are not, N is debugging. 2.4's nm says ? often. */
static const char defined_letters[] = "TtDdBbRrGgSsAWVCiu?";

/* Labels of the export machinery that are no symbols of the kernel's own. */
static const char *const helper_prefixes[] = {
	"__kstrtabns_",     "__crc_",   "__flags_", "__kcrctab_",
	"__export_symbol_", "__start_", "__stop_",
};

/* Export tables that mean another licence than EXPORT_SYMBOL(); the last three until 5.11. */
static const struct {
	const char *start, *stop;
	enum licence licence;
} tables[] = {
	{ "__start___ksymtab_gpl", "__stop___ksymtab_gpl", LICENCE_GPL },
	{ "__start___ksymtab_gpl_future", "__stop___ksymtab_gpl_future", LICENCE_GPL_FUTURE },
	{ "__start___ksymtab_unused", "__stop___ksymtab_unused", LICENCE_UNUSED },
	{ "__start___ksymtab_unused_gpl", "__stop___ksymtab_unused_gpl", LICENCE_UNUSED_GPL },
};
#define N_TABLES (sizeof(tables) / sizeof(*tables))

/* 2.4: labels cannot hold a dot, nor could these begin with two underscores. */
static const struct {
	const char *prefix, *instead;
} encodings[] = {
	{ "__dot_", "." },
	{ "__sparc_dot_", "." },
	{ "__export_priv_", "__" },
};

struct row {
	uint64_t address;
	char type;
	struct span name;
	bool is_module; /* "[name]" behind it */
};

/* An entry of an export table, until it is known which table it is in. */
struct entry {
	uint64_t address;
	size_t sym; /* index into listing.syms */
};

struct map_reader {
	struct listing *listing;
	struct names *names;
	struct entry *entries;
	size_t n_entries, cap_entries;
	uint64_t start[N_TABLES], stop[N_TABLES];
};

enum row_result { ROW_SYMBOL, ROW_UNDEFINED, ROW_BAD };

/* "         U name": nm has no address for what is not defined. */
static bool is_undefined(struct span line)
{
	struct span letter, name, more;

	return line.n && line.s[0] == ' ' && span_next_word(&line, &letter) && letter.n == 1 &&
	       span_next_word(&line, &name) && !span_next_word(&line, &more);
}

static enum row_result row_parse(struct row *row, struct span line)
{
	struct span rest = line, address, letter, more;

	if (is_undefined(line))
		return ROW_UNDEFINED;
	if (!span_next_word(&rest, &address) || !span_get_hex(address, &row->address))
		return ROW_BAD;
	if (!span_next_word(&rest, &letter) || letter.n != 1)
		return ROW_BAD;
	if (!span_next_word(&rest, &row->name) || !span_is_name(row->name))
		return ROW_BAD;
	row->type = letter.s[0];
	row->is_module = span_next_word(&rest, &more);
	if (row->is_module && (more.s[0] != '[' || span_next_word(&rest, &more)))
		return ROW_BAD;
	return ROW_SYMBOL;
}

bool sysmap_is(const char *bytes, size_t size)
{
	struct lines lines;
	struct span line, word;
	uint64_t address;

	lines_init(&lines, bytes, size);
	while (lines.number < SNIFF_LINES && lines_next(&lines, &line)) {
		if (!span_next_word(&line, &word) || !span_get_hex(word, &address))
			continue;
		return span_next_word(&line, &word) && word.n == 1 && span_next_word(&line, &word);
	}
	return false;
}

static bool has_helper_prefix(struct span name)
{
	for (size_t i = 0; i < sizeof(helper_prefixes) / sizeof(*helper_prefixes); i++) {
		if (span_has_prefix(name, helper_prefixes[i]))
			return true;
	}
	return false;
}

/* The label of an export without its prefix. *is_entry: it labels the table's entry itself. */
static bool get_exported(struct span label, struct span *name, bool *is_entry)
{
	*is_entry = span_has_prefix(label, "__ksymtab_");
	if (!*is_entry && !span_has_prefix(label, "__kstrtab_"))
		return false;
	*name = (struct span) { label.s + 10, label.n - 10 };
	return name->n > 0;
}

static nameid add_exported_name(struct names *names, struct span name)
{
	char text[LIMIT_NAME_BYTES + 4];

	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
		if (!span_has_prefix(name, encodings[i].prefix))
			continue;
		size_t cut = strlen(encodings[i].prefix), n = strlen(encodings[i].instead);
		memcpy(text, encodings[i].instead, n);
		memcpy(text + n, name.s + cut, name.n - cut);
		return names_add(names, text, n + name.n - cut);
	}
	return names_add(names, name.s, name.n);
}

static void add_export(struct map_reader *r, const struct row *row, struct span name, bool is_entry,
		       uint32_t line)
{
	bool is_gpl = name.n > 8 && span_has_prefix(name, "GPLONLY_");
	struct ksym *sym = listing_add(r->listing);

	if (!sym) {
		r->listing->n_bad++;
		return;
	}
	if (is_gpl)
		name = (struct span) { name.s + 8, name.n - 8 };
	sym->name = add_exported_name(r->names, name);
	sym->line = line; /* until its definition is seen, which has a letter */
	sym->is_exported = true;
	sym->licence = is_gpl ? LICENCE_GPL : LICENCE_ANY;
	if (is_entry)
		VEC_PUSH(r->entries, r->n_entries, r->cap_entries) =
			(struct entry) { row->address, r->listing->n_syms - 1 };
}

static void note_table(struct map_reader *r, const struct row *row)
{
	for (size_t i = 0; i < N_TABLES; i++) {
		if (span_is(row->name, tables[i].start))
			r->start[i] = row->address;
		if (span_is(row->name, tables[i].stop))
			r->stop[i] = row->address;
	}
}

static void add_row(struct map_reader *r, const struct row *row, uint32_t line)
{
	bool is_entry, is_reserved = span_has_prefix(row->name, "__");
	struct span name;

	if (is_reserved && get_exported(row->name, &name, &is_entry)) {
		add_export(r, row, name, is_entry, line);
		return;
	}
	if (is_reserved && has_helper_prefix(row->name)) {
		note_table(r, row);
		return;
	}
	if (!row->type || !strchr(defined_letters, row->type))
		return;
	struct ksym *sym = listing_add(r->listing);
	if (!sym) {
		r->listing->n_bad++;
		return;
	}
	sym->name = names_add(r->names, row->name.s, row->name.n);
	sym->line = line;
	sym->type = row->type;
}

/* A table that starts at 0 is one whose address is hidden (kptr_restrict). */
static void set_licences(struct map_reader *r)
{
	for (size_t t = 0; t < N_TABLES; t++) {
		if (!r->n_entries || !r->start[t] || r->start[t] > r->stop[t])
			continue;
		r->listing->knows_licences |= tables[t].licence == LICENCE_GPL;
		for (size_t i = 0; i < r->n_entries; i++) {
			const struct entry *e = &r->entries[i];
			if (e->address >= r->start[t] && e->address < r->stop[t])
				r->listing->syms[e->sym].licence = (uint8_t)tables[t].licence;
		}
	}
}

void sysmap_read(struct listing *l, const char *bytes, size_t size, struct names *names)
{
	struct map_reader r = { .listing = l, .names = names };
	struct lines lines;
	struct span line;

	lines_init(&lines, bytes, size);
	while (lines_next(&lines, &line)) {
		struct row row;
		if (line.n == 0)
			continue;
		l->n_lines++;
		enum row_result result = row_parse(&row, line);
		l->n_bad += result == ROW_BAD;
		if (result == ROW_SYMBOL && !row.is_module)
			add_row(&r, &row, lines.number);
	}
	set_licences(&r);
	free(r.entries);
}
