/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of subsystems on a page. Folding is in subsystems.c.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "render/page.h"
#include "render/subsystems.h"

enum {
	MAX_OTHER_LINES = 2, /* for "not affected" */
	LEAST_NAMES = 16,    /* columns that module names need beside the counts */
};

/* A folded row that is still a single subsystem keeps the name of that. */
static const char *label_of(const struct subsystem_row *row, struct arena *a)
{
	return arena_strndup(a, row->name, subsystem_row_label(row));
}

static void put_counts(struct page *p, const struct subsystem_row *row,
		       const struct subsystem_columns *c, unsigned int column, bool has_totals)
{
	struct arena *a = p->scratch;
	const char *n = text_count(a, row->n);
	uint32_t total = row->total > row->n ? row->total : row->n;

	page_pad(p, column);
	page_word(p, column, label_of(row, a), true);
	if (p->column > column + c->label) {
		page_newline(p);
		page_pad(p, column);
	}
	page_pad(p, column + c->label + SUBSYSTEM_GAP + c->n - (unsigned int)strlen(n));
	page_put(p, STYLE_PLAIN,
		 has_totals ? arena_printf(a, "%s of %s", n, text_count(a, total)) : n);
}

static void put_names(struct page *p, const struct subsystem_hit *hits, uint32_t n,
		      uint32_t max_names, unsigned int column)
{
	uint32_t shown = max_names && max_names < n ? max_names : n;

	for (uint32_t i = 0; i < shown; i++)
		page_word(p, column, hits[i].name, i == 0);
	if (shown < n)
		page_word(p, column, arena_printf(p->scratch, "+%u", n - shown), false);
}

/* Rows side by side, to be read downwards. */
static void put_cells(struct page *p, const struct subsystem_table *t,
		      const struct subsystem_columns *c)
{
	uint32_t n_lines = (t->n_rows + c->cells - 1) / c->cells;

	for (uint32_t line = 0; line < n_lines; line++) {
		for (uint32_t i = line, cell = 0; i < t->n_rows; i += n_lines, cell++)
			put_counts(p, &t->rows[i], c, SUBSYSTEM_INDENT + cell * c->cell,
				   t->has_totals);
		page_newline(p);
	}
}

void subsystem_table_put(struct page *p, const struct subsystem_table *t, uint32_t max_names)
{
	struct subsystem_columns c = subsystem_table_measure(t, p->width);
	uint32_t hit = 0;

	if (!t->has_names) {
		put_cells(p, t, &c);
		return;
	}
	/* A narrow page: names begin further left, below the counts. */
	unsigned int column = c.names + LEAST_NAMES > p->width ? SUBSYSTEM_INDENT + 2 : c.names;

	for (uint32_t i = 0; i < t->n_rows; i++) {
		put_counts(p, &t->rows[i], &c, SUBSYSTEM_INDENT, t->has_totals);
		if (column != c.names)
			page_newline(p);
		put_names(p, &t->hits[hit], t->rows[i].n, max_names, column);
		page_newline(p);
		hit += t->rows[i].n;
	}
}

/* Neither a row nor below one. */
static bool is_other(const struct subsystem_table *t, const struct subsystem *s)
{
	return !subsystem_table_has(t, s->name) &&
	       !(t->has_absorbed && subsystem_table_above(t, s->name));
}

static void put_other_list(struct page *p, const struct subsystem_table *t, const struct result *r,
			   uint32_t n_others)
{
	page_put(p, STYLE_PLAIN, "  not affected:");
	for (uint32_t i = 0; i < r->n_subsystems; i++) {
		const struct subsystem *s = &r->subsystems[i];

		if (!is_other(t, s))
			continue;
		n_others--;
		page_word(p, 4,
			  arena_printf(p->scratch, "%s %s%s", s->name,
				       text_count(p->scratch, s->total), n_others ? "," : ""),
			  false);
	}
	page_newline(p);
}

void subsystem_table_put_others(struct page *p, const struct subsystem_table *t,
				const struct result *r, bool is_verbose)
{
	uint32_t n_modules = 0, n_others = 0;
	struct page trial = *p;

	for (uint32_t i = 0; i < r->n_subsystems; i++) {
		if (!is_other(t, &r->subsystems[i]))
			continue;
		n_others++;
		n_modules += r->subsystems[i].total;
	}
	if (n_others == 0 || !t->has_totals)
		return;
	trial.out = NULL;
	put_other_list(&trial, t, r, n_others);
	if (is_verbose || trial.rows - p->rows <= MAX_OTHER_LINES) {
		put_other_list(p, t, r, n_others);
		return;
	}
	page_put(p, STYLE_PLAIN,
		 arena_printf(p->scratch, "  not affected: %s in %s",
			      page_count(p->scratch, n_modules, "module"),
			      page_count(p->scratch, n_others, "other subsystem")));
	page_newline(p);
}
