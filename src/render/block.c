/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Screen lines are the budget. Every cause gets its title; then the first ones, as many as have
 * room, get their evidence and a small table; then the others a line of module names, if all of
 * them can have one; and what is left goes to the tables, from the last to the first, because
 * the causes that come first have the most modules and take what the others leave.
 */
#include "render/block.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "render/page.h"
#include "render/render.h"
#include "render/subsystems.h"
#include "rules/table.h"

enum {
	FULL_CAUSES = 5, /* told in full at most */
	FEW_MODULES = 2, /* up to here no table, but paths */
	LEAST_TABLE = 3, /* lines that a table needs to say something */
	FIRST_TABLE = 5, /* lines for the first cause's, even when there is no room */
};

static const char *count_of(const struct cause *c, struct arena *a)
{
	bool has_behind = c->n_direct && c->n_direct < c->n_modules;

	if (c->n_modules == 0)
		return page_count(a, c->n_findings, "finding");
	if (!has_behind)
		return page_count(a, c->n_modules, "module");
	return arena_printf(a, "%s (+%s behind %s)", page_count(a, c->n_direct, "module"),
			    text_count(a, c->n_modules - c->n_direct),
			    c->n_direct == 1 ? "it" : "them");
}

/* The only module by name, if this line has room for it: a cause told in one line ends here. */
static const char *short_count_of(const struct page *p, const struct result *r,
				  const struct cause *c)
{
	const char *count = count_of(c, p->scratch), *named;

	if (c->n_modules != 1)
		return count;
	named = arena_printf(p->scratch, "1 module: %s", r->modules[c->modules[0]].name);
	return p->column + 2 + page_columns(p, named) <= p->width ? named : count;
}

static void put_title(struct page *p, const struct result *r, const struct cause *c,
		      enum block_form form)
{
	static const char *const letters[] = { "I", "W", "E" };
	const struct rule *rule = &rule_table[c->rule];
	const char *symbol = c->symbol != NAME_NONE ? names_text(r->names, c->symbol) : NULL;

	page_put(p, (enum page_style)c->severity, letters[c->severity]);
	page_put(p, STYLE_PLAIN, arena_printf(p->scratch, " %s %s:", rule->code, rule->name));
	if (c->title && *c->title) {
		page_put(p, STYLE_PLAIN, " ");
		page_wrap(p, 4, c->title, symbol);
	}
	page_put_right(p, form == FORM_LINE ? short_count_of(p, r, c) : count_of(c, p->scratch));
	page_newline(p);
}

static uint32_t n_items_of(const struct cause *c)
{
	return c->n_modules ? c->n_modules : c->n_findings;
}

/* What the cause hits: the i-th module, or for a cause without modules a path in the tree. */
static const char *item_of(const struct result *r, const struct cause *c, uint32_t i)
{
	const char *path;

	if (c->n_modules > FEW_MODULES)
		return r->modules[c->modules[i]].name;
	if (c->n_modules)
		return r->modules[c->modules[i]].path;
	path = r->findings[c->findings[i]].path;
	return path ? path : "";
}

/* As many items as fit into max_lines (0: all), then "+n". Returns whether that was all. */
static bool put_items(struct page *p, const struct result *r, const struct cause *c,
		      unsigned int max_lines)
{
	const unsigned int indent = 4, room_for_rest = 8;
	uint32_t n = n_items_of(c), i = 0;
	unsigned int first_row = p->rows;

	for (; i < n; i++) {
		const char *item = item_of(r, c, i);
		unsigned int rest = i + 1 < n ? room_for_rest : 0;
		bool is_last_line = max_lines && p->rows - first_row + 1 >= max_lines;

		if (is_last_line && i && p->column + 1 + page_columns(p, item) + rest > p->width)
			break;
		page_word(p, indent, item, i == 0);
	}
	if (i < n)
		page_word(p, indent, arena_printf(p->scratch, "+%s", text_count(p->scratch, n - i)),
			  false);
	page_newline(p);
	return i == n;
}

static bool ends_sentence(const char *text)
{
	size_t n = strlen(text);

	return n && strchr(".!?:;", text[n - 1]);
}

static void put_sentence(struct page *p, const char *text)
{
	page_wrap(p, 2, arena_printf(p->scratch, "%s%s", text, ends_sentence(text) ? "" : "."),
		  NULL);
}

/* Evidence as one paragraph, then the fix. Returns whether there was any. */
static bool put_evidence(struct page *p, const struct cause *c, bool has_same_hint)
{
	for (uint32_t i = 0; i < c->n_evidence; i++) {
		page_put(p, STYLE_PLAIN, i ? " " : "  ");
		put_sentence(p, c->evidence[i]);
	}
	if (c->n_evidence)
		page_newline(p);
	if (c->hint) {
		page_put(p, STYLE_PLAIN, "  Likely fix: ");
		put_sentence(p, has_same_hint ? "as above" : c->hint);
		page_newline(p);
	}
	return c->n_evidence || c->hint;
}

static bool put_table(struct page *p, const struct result *r, const struct cause *c,
		      const struct block *block)
{
	struct subsystem_table table;

	subsystem_table_build(&table, r, c->modules, c->n_modules, p->scratch);
	if (block->max_lines)
		subsystem_table_fit(&table, block->max_lines, p->width, p->scratch);
	if (!block->is_verbose)
		subsystem_table_absorb(&table, r);
	/* "n of n" in each row says no more than this. */
	if (!table.has_names && table.n_hits == r->n_targets && table.has_totals) {
		page_put(p, STYLE_PLAIN, "    every module of every subsystem");
		page_newline(p);
		return false;
	}
	subsystem_table_put(p, &table, block->max_names);
	subsystem_table_put_others(p, &table, r, block->is_verbose);
	return table.has_names && !block->max_names;
}

static bool is_path_in_title(const struct result *r, const struct cause *c)
{
	for (uint32_t i = 0; i < n_items_of(c); i++) {
		if (!c->title || !strstr(c->title, item_of(r, c, i)))
			return false;
	}
	return true;
}

/* The kernel's messages have names of modules without their paths. */
static bool has_directories(const struct result *r, const struct cause *c)
{
	for (uint32_t i = 0; r->log && i < c->n_modules; i++) {
		if (strchr(r->modules[c->modules[i]].path, '/'))
			return true;
	}
	return !r->log;
}

bool block_put(struct page *p, const struct result *r, const struct cause *c,
	       const struct block *block)
{
	put_title(p, r, c, block->form);
	if (block->form == FORM_LINE)
		return n_items_of(c) <= FEW_MODULES && is_path_in_title(r, c);
	if (n_items_of(c) <= FEW_MODULES && is_path_in_title(r, c)) {
		if (block->form == FORM_FULL)
			put_evidence(p, c, block->has_same_hint);
		return true;
	}
	if (block->form == FORM_BRIEF)
		return put_items(p, r, c, 1);
	bool has_text = put_evidence(p, c, block->has_same_hint);

	if (c->n_modules <= FEW_MODULES || !has_directories(r, c))
		return put_items(p, r, c, block->max_lines);
	if (has_text)
		page_newline(p);
	return put_table(p, r, c, block);
}

/* Lines that the block takes, with the blank one before it. */
static unsigned int rows_of(const struct page *p, const struct result *r, const struct cause *c,
			    const struct block *block)
{
	struct page trial = *p;

	trial.out = NULL;
	trial.rows = 0;
	trial.column = 0;
	block_put(&trial, r, c, block);
	return trial.rows + (block->form == FORM_FULL);
}

static unsigned int min_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool has_same_hint(const struct cause *a, const struct cause *b)
{
	return a->hint && b->hint && strcmp(a->hint, b->hint) == 0;
}

/* How many causes can be told in full; *left goes down by what they take beyond their title. */
static uint32_t plan_full(struct block *blocks, uint32_t n, const struct page *p,
			  const struct result *r, unsigned int *left)
{
	for (uint32_t i = 0; i < n; i++) {
		struct block block = blocks[i];
		unsigned int rows;

		if (r->causes[i].severity == SEV_INFO)
			return i;
		block.form = FORM_FULL;
		block.max_lines = i ? LEAST_TABLE : FIRST_TABLE;
		block.has_same_hint = i && has_same_hint(&r->causes[i - 1], &r->causes[i]);
		rows = rows_of(p, r, &r->causes[i], &block) -
		       rows_of(p, r, &r->causes[i], &blocks[i]);
		if (i && rows > *left)
			return i;
		*left -= min_of(rows, *left);
		blocks[i] = block;
	}
	return n;
}

/* A line of names for all of the others, or for none. */
static void plan_brief(struct block *blocks, uint32_t n, unsigned int *left)
{
	if (n > *left)
		return;
	*left -= n;
	for (uint32_t i = 0; i < n; i++)
		blocks[i].form = FORM_BRIEF;
}

static void plan_tables(struct block *blocks, uint32_t n, const struct page *p,
			const struct result *r, unsigned int left, unsigned int block_rows)
{
	for (uint32_t i = n; i-- > 0;) {
		struct block block = blocks[i];
		unsigned int now = rows_of(p, r, &r->causes[i], &block);
		unsigned int room = min_of(left / (i + 1), block_rows > now ? block_rows - now : 0);
		unsigned int then;

		block.max_lines += room;
		then = rows_of(p, r, &r->causes[i], &block);
		if (then > now)
			left -= min_of(then - now, left);
		blocks[i] = block;
	}
}

void block_plan(struct block *blocks, uint32_t n, const struct page *p, const struct result *r,
		const struct render_options *options, unsigned int rows, unsigned int block_rows)
{
	uint32_t max_full = options->max_items ? options->max_items : FULL_CAUSES, n_full;
	unsigned int left = rows;

	for (uint32_t i = 0; i < n; i++) {
		blocks[i] = (struct block) {
			.form = options->is_verbose ? FORM_FULL : FORM_LINE,
			.max_names =
				options->height && !options->is_verbose ? options->max_items : 0,
			.is_verbose = options->is_verbose,
		};
	}
	if (options->is_verbose)
		return;
	for (uint32_t i = 0; i < n && left; i++)
		left -= min_of(rows_of(p, r, &r->causes[i], &blocks[i]), left);
	n_full = plan_full(blocks, min_of(max_full, n), p, r, &left);
	plan_brief(blocks + n_full, n - n_full, &left);
	plan_tables(blocks, n_full, p, r, left, block_rows);
}
