/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * s_show() in kernel/module.c of 2.4:
 *
 *   c013ff20 inode_change_ok_R66fc5011     of the kernel, built with CONFIG_MODVERSIONS
 *   c0115c40 printk_Rsmp_1b7d4074          the same with CONFIG_SMP
 *   c02511e0 GPLONLY_device_register_R...  EXPORT_SYMBOL_GPL(); no name as insmod sees it
 *   d0831000 e100_probe<TAB>[e100]         of a loaded module
 */
#include "kernel/ksyms.h"
#include "base/text.h"

#include <string.h>

#define SNIFF_LINES 1000

static bool row_parse(struct span line, struct span *name, bool *is_module)
{
	struct span word;
	uint64_t address;

	if (!span_next_word(&line, &word) || !span_get_hex(word, &address))
		return false;
	if (!span_next_word(&line, name) || !span_is_name(*name))
		return false;
	*is_module = span_next_word(&line, &word);
	return !*is_module || (word.s[0] == '[' && !span_next_word(&line, &word));
}

bool ksyms_is(const char *bytes, size_t size)
{
	struct lines lines;
	struct span line, name, copy, word;
	uint64_t address;
	bool is_module;

	lines_init(&lines, bytes, size);
	while (lines.number < SNIFF_LINES && lines_next(&lines, &line)) {
		copy = line;
		if (!span_next_word(&copy, &word) || !span_get_hex(word, &address))
			continue;
		return row_parse(line, &name, &is_module) && name.n > 1;
	}
	return false;
}

static bool add_export(struct listing *l, struct span name, uint32_t line, struct names *names)
{
	bool is_gpl = name.n > 8 && span_has_prefix(name, "GPLONLY_");
	struct ksym *sym = listing_add(l);

	if (!sym)
		return false;
	if (is_gpl)
		name = (struct span) { name.s + 8, name.n - 8 };
	sym->name = names_add(names, name.s, name.n);
	sym->line = line;
	sym->is_exported = true;
	sym->licence = is_gpl ? LICENCE_GPL : LICENCE_ANY;
	l->has_suffixes |= symbol_base_length(name.s, name.n) < name.n;
	return true;
}

void ksyms_read(struct listing *l, const char *bytes, size_t size, struct names *names)
{
	struct lines lines;
	struct span line, name;
	bool is_module;

	lines_init(&lines, bytes, size);
	while (lines_next(&lines, &line)) {
		if (line.n == 0)
			continue;
		l->n_lines++;
		if (!row_parse(line, &name, &is_module))
			l->n_bad++;
		else if (!is_module && !add_export(l, name, lines.number, names))
			l->n_bad++;
	}
	l->knows_licences = l->n_syms > 0; /* the strings are the export table's own */
}
