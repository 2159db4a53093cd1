// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The export tables of a module, in each of the shapes that kernels had:
 *
 *   2.4           __ksymtab {value, name}, .kstrtab; GPL-only names begin with GPLONLY_
 *   to 5.3        __ksymtab, __ksymtab_gpl {value, name}, __ksymtab_strings
 *   5.4 to 7.1    the same with a third field: the namespace
 *   7.2           one __ksymtab, and __kflagstab: a byte each, bit 0 for GPL-only
 *
 * Fields are longs, or 32 bits relative to their place (prel32). CRCs: 32-bit numbers (since
 * 5.19), relocations to absolute symbols __crc_X (to 5.18; longs before 4.10), or offsets to a
 * number elsewhere (CONFIG_MODULE_REL_CRCS of 5.10). From include/linux/export.h,
 * export-internal.h and scripts/mod/modpost.c of 2.4.18, 5.10, 6.1 and 7.2.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mkko.h"

/* The sections of one table, and where the strings go. */
struct table {
	size_t ksymtab, kcrctab, kflagstab, strings, crc_values;
	unsigned int width; /* of a field */
	uint32_t r_field;
	bool has_crcs;
};

static const char *name_with(const char *prefix, const char *name)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s%s", prefix, name);
	return copy_string((char *)b.data, b.size);
}

static int compare_exports(const void *a, const void *b)
{
	return strcmp((*(const struct export *const *)a)->name,
		      (*(const struct export *const *)b)->name);
}

/* Point a field of the entry at a string: through its label, or the section and an offset. */
static void add_string_field(const struct module *m, struct object *o, const struct table *t,
			     const char *label, size_t string, bool is_global)
{
	struct buf *entries = &o->sections[t->ksymtab].data;
	size_t at = entries->size;
	int section_symbol = 0;
	size_t symbol;

	buf_fill(entries, 0, t->width);
	symbol = object_add_symbol(o, label, is_global ? STB_GLOBAL : STB_LOCAL,
				   is_global ? STT_OBJECT : STT_NOTYPE, (int)t->strings, string);
	if (!m->section_relocs) {
		object_add_reloc(o, t->ksymtab, at, t->r_field, symbol, 0);
		return;
	}
	while (!o->symbols[section_symbol].is_section ||
	       o->symbols[section_symbol].section != (int)t->strings)
		section_symbol++;
	object_add_reloc(o, t->ksymtab, at, t->r_field, (size_t)section_symbol, (int64_t)string);
}

static void add_crc(const struct module *m, struct object *o, const struct table *t,
		    const struct export *e)
{
	const char *label = name_with("__crc_", e->name);
	unsigned int width = m->crc_table == CRC_LONG ? object_word(o) : 4;
	uint32_t type = m->crc_table == CRC_LONG ? o->machine->r_word : o->machine->r_32;
	struct buf *crcs = &o->sections[t->kcrctab].data;
	size_t at = crcs->size, symbol;

	if (m->crc_table == CRC_U32) {
		buf_add_word(crcs, e->no_crc ? 0 : e->crc, 4, o->big);
		object_add_symbol(o, label, STB_LOCAL, STT_NOTYPE, (int)t->kcrctab, at);
		return;
	}
	buf_fill(crcs, 0, width);
	if (e->no_crc) { /* genksyms failed: a weak symbol that nobody defines */
		symbol = object_add_symbol(o, label, STB_WEAK, STT_NOTYPE, SYMBOL_UNDEF, 0);
	} else if (m->crc_table == CRC_REL) {
		symbol = object_add_symbol(o, label, STB_GLOBAL, STT_NOTYPE, (int)t->crc_values,
					   o->sections[t->crc_values].data.size);
		buf_add_word(&o->sections[t->crc_values].data, e->crc, 4, o->big);
		type = o->machine->r_pc32;
	} else {
		symbol = object_add_symbol(o, label, STB_GLOBAL, STT_NOTYPE, SYMBOL_ABS, e->crc);
	}
	object_add_reloc(o, t->kcrctab, at, type, symbol, 0);
}

/* The thing exported: eight bytes of .text. */
static size_t add_function(struct object *o, size_t text, const char *name)
{
	struct buf *code = &o->sections[text].data;
	size_t at = code->size, symbol;

	buf_fill(code, 0, 8);
	symbol = object_add_symbol(o, name, STB_GLOBAL, STT_FUNC, (int)text, at);
	o->symbols[symbol].size = 8;
	return symbol;
}

static void add_export(const struct module *m, struct object *o, const struct table *t,
		       const struct export *e, size_t text)
{
	struct buf *strings = &o->sections[t->strings].data;
	size_t function = add_function(o, text, e->name);
	size_t at = o->sections[t->ksymtab].data.size, string, ns = 0;
	unsigned char bind = m->is_24 ? STB_GLOBAL : STB_LOCAL;

	string = strings->size;
	if (m->is_24 && e->is_gpl)
		buf_add(strings, "GPLONLY_", 8);
	buf_add_string(strings, e->name);
	if (m->fields == 3)
		ns = buf_add_string(strings, e->ns ? e->ns : "");
	buf_fill(&o->sections[t->ksymtab].data, 0, t->width);
	object_add_reloc(o, t->ksymtab, at, t->r_field, function, 0);
	add_string_field(m, o, t, name_with("__kstrtab_", e->name), string, m->is_24);
	if (m->fields == 3)
		add_string_field(m, o, t, name_with("__kstrtabns_", e->name), ns, false);
	object_add_symbol(o, name_with("__ksymtab_", e->name), bind, STT_NOTYPE, (int)t->ksymtab,
			  at);
	if (t->has_crcs)
		add_crc(m, o, t, e);
	if (m->flags) {
		object_add_symbol(o, name_with("__flags_", e->name), STB_LOCAL, STT_NOTYPE,
				  (int)t->kflagstab, o->sections[t->kflagstab].data.size);
		buf_add_word(&o->sections[t->kflagstab].data, e->is_gpl, 1, o->big);
	}
}

/* Add the sections and rows of one table; which: -1 all exports, 0 the plain, 1 the GPL ones. */
static void build_table(const struct module *m, struct object *o, struct table *t, int which,
			size_t text)
{
	const struct export **rows = NULL;
	const char *suffix = which == 1 ? "_gpl" : "";
	size_t n = 0;

	for (size_t i = 0; i < m->n_exports; i++) {
		if (which >= 0 && m->exports[i].is_gpl != (which == 1))
			continue;
		rows = grow(rows, n, sizeof(*rows));
		rows[n++] = &m->exports[i];
	}
	if (!n)
		return;
	if (!m->unsorted && !m->is_24) /* the kernel searches by halves */
		qsort(rows, n, sizeof(*rows), compare_exports);
	t->ksymtab = object_add_section(o, name_with("__ksymtab", suffix), SHT_PROGBITS, SHF_ALLOC,
					t->width);
	if (t->has_crcs)
		t->kcrctab = object_add_section(o, name_with("__kcrctab", suffix), SHT_PROGBITS,
						SHF_ALLOC, 4);
	if (m->flags)
		t->kflagstab = object_add_section(o, "__kflagstab", SHT_PROGBITS, SHF_ALLOC, 1);
	for (size_t i = 0; i < n; i++)
		add_export(m, o, t, rows[i], text);
	free(rows);
}

void module_build_exports(struct module *m, struct object *o, size_t text)
{
	struct table t = { .width = m->prel32 ? 4 : object_word(o),
			   .r_field = m->prel32 ? o->machine->r_pc32 : o->machine->r_word,
			   .has_crcs = !m->is_24 && !m->no_crcs };

	if (!m->n_exports) {
		/* EXPORT_NO_SYMBOLS: without a __ksymtab insmod would export every global. */
		if (m->is_24)
			object_add_section(o, "__ksymtab", SHT_PROGBITS, 0, 1);
		return;
	}
	t.strings = object_add_section(o, m->is_24 ? ".kstrtab" : "__ksymtab_strings", SHT_PROGBITS,
				       SHF_ALLOC, 1);
	if (t.has_crcs && m->crc_table == CRC_REL)
		t.crc_values = object_add_section(o, ".rodata", SHT_PROGBITS, SHF_ALLOC, 4);
	if (m->flags || m->is_24) {
		build_table(m, o, &t, -1, text);
		return;
	}
	build_table(m, o, &t, 0, text);
	build_table(m, o, &t, 1, text);
}
