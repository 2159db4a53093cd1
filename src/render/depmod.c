/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentences of kmod's depmod (tools/depmod.c of kmod 30), word for word, for scripts that
 * look for them: what depmod -e says while it reads files, then of symbols, then of cycles.
 * What kmod does not look at is not told. Two differences: lines are sorted, and bytes
 * that are not safe to show are escaped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sink.h"
#include "base/text.h"
#include "render/formats.h"
#include "rules/table.h"

/* In the order in which depmod comes to them. */
enum remark { REMARK_NONE, REMARK_UNREADABLE, REMARK_UNKNOWN, REMARK_DISAGREES, REMARK_CYCLE };

struct line {
	enum remark remark;
	const char *path, *text; /* text: symbol, error or cycle, as the remark has it */
};

/* The loader's rules that depmod checks too; the others stay REMARK_NONE. */
static const uint8_t remark_of_rule[N_RULES] = {
	[RULE_UNREADABLE_MODULE] = REMARK_UNREADABLE,
	[RULE_UNDEFINED_SYMBOL] = REMARK_UNKNOWN,
	[RULE_DEFINED_NOT_EXPORTED] = REMARK_UNKNOWN,
	[RULE_PROVIDER_NOT_INSTALLED] = REMARK_UNKNOWN,
	[RULE_VERSION_SUFFIX_MISMATCH] = REMARK_UNKNOWN,
	[RULE_CRC_MISMATCH] = REMARK_DISAGREES,
	[RULE_CRC_MISSING_IN_MODULE] = REMARK_DISAGREES,
	[RULE_MODULE_LAYOUT_MISMATCH] = REMARK_DISAGREES,
	[RULE_DEPENDENCY_CYCLE] = REMARK_CYCLE,
};

/* kmod tells apart what has no ELF magic from what is too short to have one. */
static const char *error_of(const struct module *m)
{
	bool is_other = m && m->faults && m->faults->kind == FAULT_NOT_ELF && m->file_size > 0;

	return is_other ? "Exec format error" : "Invalid argument";
}

static const char *text_of(const struct result *r, const struct finding *f, enum remark remark)
{
	const struct module *m = f->module < r->n_modules ? &r->modules[f->module] : NULL;

	if (remark == REMARK_UNREADABLE)
		return error_of(m);
	if (remark == REMARK_CYCLE)
		return f->detail && strstr(f->detail, " -> ") ? f->detail : NULL;
	if (f->symbol != NAME_NONE)
		return names_text(r->names, f->symbol);
	return remark == REMARK_DISAGREES ? "module_layout" : NULL;
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	bool is_x_symbol = x->remark == REMARK_UNKNOWN || x->remark == REMARK_DISAGREES;
	bool is_y_symbol = y->remark == REMARK_UNKNOWN || y->remark == REMARK_DISAGREES;
	int c;

	if (x->remark != y->remark && !(is_x_symbol && is_y_symbol))
		return x->remark < y->remark ? -1 : 1;
	c = strcmp(x->path, y->path);
	if (c == 0)
		c = strcmp(x->text, y->text);
	return c ? c : (int)x->remark - (int)y->remark;
}

/* A cycle is found in each of its modules, and told once. */
static size_t collect_lines(struct line *lines, const struct result *r, size_t *n_in_cycles)
{
	size_t n = 0;

	for (uint32_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->findings[i];
		enum remark remark = remark_of_rule[f->rule];
		const char *text = remark != REMARK_NONE ? text_of(r, f, remark) : NULL;
		const char *path = f->path;

		*n_in_cycles += remark == REMARK_CYCLE;
		if (!path)
			path = f->module < r->n_modules ? r->modules[f->module].path : "";
		if (!text)
			continue;
		lines[n++] = (struct line) { remark, remark == REMARK_CYCLE ? "" : path, text };
	}
	qsort(lines, n, sizeof(*lines), compare_lines);
	return n;
}

static void put_path(struct sink *out, const char *directory, const char *path,
		     struct arena *scratch)
{
	if (*directory && *path != '/') {
		sink_puts(out, text_safe(scratch, directory));
		sink_puts(out, "/");
	}
	sink_puts(out, text_safe(scratch, path));
}

static void put_line(struct sink *out, const struct line *line, const char *directory,
		     struct arena *scratch)
{
	static const char *const before[] = {
		[REMARK_UNREADABLE] = "depmod: ERROR: failed to load symbols from ",
		[REMARK_UNKNOWN] = "depmod: WARNING: ",
		[REMARK_DISAGREES] = "depmod: WARNING: ",
		[REMARK_CYCLE] = "depmod: ERROR: Cycle detected: ",
	};
	static const char *const between[] = {
		[REMARK_UNREADABLE] = ": ",
		[REMARK_UNKNOWN] = " needs unknown symbol ",
		[REMARK_DISAGREES] = " disagrees about version of symbol ",
		[REMARK_CYCLE] = "",
	};

	sink_puts(out, before[line->remark]);
	if (line->remark != REMARK_CYCLE)
		put_path(out, directory, line->path, scratch);
	sink_puts(out, between[line->remark]);
	sink_puts(out, text_safe(scratch, line->text));
	sink_puts(out, "\n");
}

void render_depmod(struct sink *out, const struct result *r, const struct render_options *options,
		   struct arena *scratch)
{
	struct line *lines = arena_array(scratch, r->n_findings, sizeof(*lines));
	const char *directory = options->directory ? options->directory : "";
	size_t n_in_cycles = 0, n;

	/* Silence means "no problem" to those who read this format: it must not come from this. */
	if (r->outcome == OUTCOME_INCOMPLETE) {
		sink_printf(out, "depmod: ERROR: %s\n",
			    text_safe(scratch, r->incomplete ? r->incomplete : "no evidence"));
		return;
	}
	n = collect_lines(lines, r, &n_in_cycles);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_lines(&lines[i - 1], &lines[i]) != 0)
			put_line(out, &lines[i], directory, scratch);
	}
	if (n_in_cycles)
		sink_printf(out, "depmod: ERROR: Found %zu modules in dependency cycles!\n",
			    n_in_cycles);
}
