/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding takes the row with the fewest modules, cuts its name at the last '/', and joins it
 * to the row of that name if there is one. (Deepest first would be the plainer rule, but it
 * gives up drivers/net/ethernet with its hundred modules to keep a directory of one.) How many
 * lines a table takes is estimated from the lengths of the names, not laid out each time.
 */
#include "render/subsystems.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	MAX_LABEL = 32, /* a longer label has a line of its own */
	WASTED = 5,     /* columns that stay free at the end of a line of names, on average */
	MAX_FOLDABLE_ROWS = 400,
	PARENTLESS = 4, /* how much dearer it is to fold a row that joins no other */
	ANY_DEPTH = 1000,
};

int subsystem_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t n = a_length < b_length ? a_length : b_length;

	for (size_t i = 0; i < n; i++) {
		int x = a[i] == '/' ? 0 : (unsigned char)a[i];
		int y = b[i] == '/' ? 0 : (unsigned char)b[i];

		if (x != y)
			return x - y;
	}
	return a_length < b_length ? -1 : a_length > b_length;
}

static int compare_by_subsystem(const void *a, const void *b)
{
	const struct subsystem_hit *x = a, *y = b;
	int c = subsystem_compare(x->subsystem, strlen(x->subsystem), y->subsystem,
				  strlen(y->subsystem));

	return c ? c : strcmp(x->name, y->name);
}

static int compare_by_row(const void *a, const void *b)
{
	const struct subsystem_hit *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int compare_rows(const void *a, const void *b)
{
	const struct subsystem_row *x = a, *y = b;

	return subsystem_compare(x->name, x->length, y->name, y->length);
}

static int compare_name(const void *key, const void *element)
{
	return strcmp(key, ((const struct subsystem *)element)->name);
}

static uint32_t modules_in(const struct result *r, const char *subsystem)
{
	const struct subsystem *s = bsearch(subsystem, r->subsystems, r->n_subsystems,
					    sizeof(*r->subsystems), compare_name);

	return s ? s->total : 0;
}

/* Bytes of the first `depth` components. */
static size_t prefix_length(const char *path, unsigned int depth)
{
	size_t i = 0;

	for (; path[i]; i++) {
		if (path[i] == '/' && --depth == 0)
			break;
	}
	return i;
}

static bool is_same_subsystem(const struct subsystem_hit *a, const struct subsystem_hit *b)
{
	return strcmp(a->subsystem, b->subsystem) == 0;
}

/* Rows from hits sorted by subsystem, one for each directory of at most this depth. */
static void make_rows(struct subsystem_table *t, unsigned int depth)
{
	struct subsystem_row *row = NULL;

	t->n_rows = 0;
	for (uint32_t i = 0; i < t->n_hits; i++) {
		struct subsystem_hit *hit = &t->hits[i];
		size_t length = prefix_length(hit->subsystem, depth);
		bool is_new = i == 0 || !is_same_subsystem(hit, hit - 1);

		if (!row ||
		    subsystem_compare(row->name, row->length, hit->subsystem, length) != 0) {
			row = &t->rows[t->n_rows];
			*row = (struct subsystem_row) { .name = hit->subsystem, .length = length };
			row->merged_into = t->n_rows++;
		}
		row->n++;
		row->n_subsystems += is_new;
		row->total += is_new ? hit->in_subsystem : 0;
		row->name_columns += strlen(hit->name) + 1;
		hit->row = row->merged_into;
	}
}

void subsystem_table_build(struct subsystem_table *t, const struct result *r,
			   const uint32_t *modules, uint32_t n_modules, struct arena *a)
{
	*t = (struct subsystem_table) { .has_names = true,
					.has_totals = !r->log || r->log->shows_all };
	t->hits = arena_array(a, n_modules, sizeof(*t->hits));
	t->rows = arena_array(a, n_modules, sizeof(*t->rows));
	for (uint32_t i = 0; i < n_modules; i++) {
		const struct module *m = &r->modules[modules[i]];
		const char *subsystem = r->judged[modules[i]].subsystem;

		if (!m->is_target)
			continue;
		t->hits[t->n_hits++] = (struct subsystem_hit) {
			.subsystem = subsystem ? subsystem : "",
			.name = m->name,
			.in_subsystem = subsystem ? modules_in(r, subsystem) : 0,
		};
	}
	qsort(t->hits, t->n_hits, sizeof(*t->hits), compare_by_subsystem);
	make_rows(t, ANY_DEPTH);
	t->affected = arena_array(a, t->n_rows, sizeof(*t->affected));
	for (uint32_t i = 0; i < t->n_rows; i++)
		t->affected[t->n_affected++] = t->rows[i].name;
}

size_t subsystem_row_label(const struct subsystem_row *row)
{
	return row->n_subsystems == 1 ? strlen(row->name) : row->length;
}

static unsigned int label_columns(const struct subsystem_row *row)
{
	return (unsigned int)subsystem_row_label(row);
}

static unsigned int digits_of(uint32_t n)
{
	unsigned int digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits + (digits - 1) / 3; /* thousands separators */
}

static unsigned int max_of(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

struct subsystem_columns subsystem_table_measure(const struct subsystem_table *t,
						 unsigned int width)
{
	/* Counts need about 20 columns beside a label. */
	unsigned int max_label = width < MAX_LABEL + 20 ? width - 20 : MAX_LABEL;
	struct subsystem_columns c = { 0 };
	bool is_aligned = true;

	for (uint32_t i = 0; i < t->n_rows; i++) {
		const struct subsystem_row *row = &t->rows[i];

		if (row->merged_into != i)
			continue;
		c.label = max_of(c.label, label_columns(row));
		c.n = max_of(c.n, digits_of(row->n));
		c.total = max_of(c.total, digits_of(row->total));
	}
	if (c.label > max_label) {
		c.label = max_label;
		is_aligned = false;
	}
	c.names = SUBSYSTEM_INDENT + c.label + SUBSYSTEM_GAP + c.n + SUBSYSTEM_GAP;
	c.names += t->has_totals ? 4 + c.total : 0;
	c.cell = c.names - SUBSYSTEM_INDENT + 1;
	c.cells =
		width > SUBSYSTEM_INDENT ? (width - SUBSYSTEM_INDENT + SUBSYSTEM_GAP) / c.cell : 1;
	if (c.cells == 0 || !is_aligned)
		c.cells = 1;
	return c;
}

/* Lines that the table will take, about. */
static unsigned int count_lines(const struct subsystem_table *t, unsigned int width)
{
	struct subsystem_columns c = subsystem_table_measure(t, width);
	unsigned int room = width > c.names + WASTED + 8 ? width - c.names - WASTED : 8;
	unsigned int lines = 0, n_rows = 0;

	for (uint32_t i = 0; i < t->n_rows; i++) {
		const struct subsystem_row *row = &t->rows[i];

		if (row->merged_into != i)
			continue;
		lines += (unsigned int)((row->name_columns + room - 1) / room);
		lines += label_columns(row) > MAX_LABEL;
		n_rows++;
	}
	return t->has_names ? lines : (n_rows + c.cells - 1) / c.cells;
}

/* Is the directory above this row's a row as well? */
static bool has_parent(const struct subsystem_table *t, const struct subsystem_row *row)
{
	size_t length = row->length;

	while (row->name[--length] != '/')
		;
	for (uint32_t i = 0; i < t->n_rows; i++) {
		const struct subsystem_row *other = &t->rows[i];
		if (other->merged_into == i && other->length == length &&
		    memcmp(other->name, row->name, length) == 0)
			return true;
	}
	return false;
}

/*
 * The row to fold next: with the fewest modules, of those the deepest, of those the last. One
 * that only goes to join the row above loses less: its modules count a quarter.
 */
static struct subsystem_row *smallest_row(struct subsystem_table *t)
{
	struct subsystem_row *smallest = NULL;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < t->n_rows; i++) {
		struct subsystem_row *row = &t->rows[i];
		uint64_t cost = row->n;

		if (row->merged_into != i || cost > least || !memchr(row->name, '/', row->length))
			continue;
		cost *= has_parent(t, row) ? 1 : PARENTLESS;
		if (cost > least || (cost == least && row->length < smallest->length))
			continue;
		smallest = row;
		least = cost;
	}
	return smallest;
}

static void fold(struct subsystem_table *t, struct subsystem_row *row)
{
	while (row->name[--row->length] != '/')
		;
	for (uint32_t i = 0; i < t->n_rows; i++) {
		struct subsystem_row *other = &t->rows[i];

		if (other == row || other->merged_into != i || compare_rows(row, other) != 0)
			continue;
		other->n += row->n;
		other->total += row->total;
		other->n_subsystems += row->n_subsystems;
		other->name_columns += row->name_columns;
		row->merged_into = i;
		break;
	}
}

static bool fold_once(struct subsystem_table *t)
{
	struct subsystem_row *row = smallest_row(t);

	if (row)
		fold(t, row);
	return row != NULL;
}

/* A row for one module is not worth its line where it can join the row above. */
static void fold_single_modules(struct subsystem_table *t)
{
	for (uint32_t i = t->n_rows; i-- > 0;) {
		struct subsystem_row *row = &t->rows[i];
		if (row->merged_into == i && row->n == 1 && memchr(row->name, '/', row->length) &&
		    has_parent(t, row))
			fold(t, row);
	}
}

/* Drop merged rows, put the others into order, and the hits with them. */
static void settle(struct subsystem_table *t, struct arena *a)
{
	uint32_t *moved = arena_array(a, t->n_rows, sizeof(*moved)), n = 0;

	for (uint32_t i = 0; i < t->n_hits; i++) {
		uint32_t row = t->hits[i].row;

		while (t->rows[row].merged_into != row)
			row = t->rows[row].merged_into;
		t->hits[i].row = row;
	}
	for (uint32_t i = 0; i < t->n_rows; i++) {
		if (t->rows[i].merged_into == i)
			t->rows[n++] = t->rows[i];
	}
	t->n_rows = n;
	qsort(t->rows, n, sizeof(*t->rows), compare_rows);
	for (uint32_t i = 0; i < n; i++) {
		moved[t->rows[i].merged_into] = i;
		t->rows[i].merged_into = i;
	}
	for (uint32_t i = 0; i < t->n_hits; i++)
		t->hits[i].row = moved[t->hits[i].row];
	qsort(t->hits, t->n_hits, sizeof(*t->hits), compare_by_row);
}

/* Folding looks at all rows for each fold: a tree made to have very many starts folded. */
static void start_rows(struct subsystem_table *t)
{
	qsort(t->hits, t->n_hits, sizeof(*t->hits), compare_by_subsystem);
	make_rows(t, ANY_DEPTH);
	for (unsigned int depth = 2; t->n_rows > MAX_FOLDABLE_ROWS && depth > 0; depth--)
		make_rows(t, depth);
}

bool subsystem_table_has(const struct subsystem_table *t, const char *subsystem)
{
	size_t length = strlen(subsystem);
	uint32_t low = 0, high = t->n_affected;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const char *s = t->affected[middle];
		int c = subsystem_compare(s, strlen(s), subsystem, length);

		if (c == 0)
			return true;
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const struct subsystem_row *subsystem_table_above(const struct subsystem_table *t,
						  const char *subsystem)
{
	const struct subsystem_row *best = NULL;

	for (uint32_t i = 0; i < t->n_rows; i++) {
		const struct subsystem_row *row = &t->rows[i];
		size_t length = subsystem_row_label(row);
		if (strncmp(row->name, subsystem, length) == 0 &&
		    (!subsystem[length] || subsystem[length] == '/') &&
		    (!best || length > subsystem_row_label(best)))
			best = row;
	}
	return best;
}

void subsystem_table_absorb(struct subsystem_table *t, const struct result *r)
{
	t->has_absorbed = true;
	for (uint32_t i = 0; i < r->n_subsystems; i++) {
		const struct subsystem *s = &r->subsystems[i];
		if (subsystem_table_has(t, s->name))
			continue;
		const struct subsystem_row *row = subsystem_table_above(t, s->name);
		if (row)
			t->rows[row - t->rows].total += s->total;
	}
}

void subsystem_table_fit(struct subsystem_table *t, unsigned int max_lines, unsigned int width,
			 struct arena *a)
{
	start_rows(t);
	fold_single_modules(t);
	while (count_lines(t, width) > max_lines && fold_once(t))
		;
	if (count_lines(t, width) > max_lines) {
		t->has_names = false;
		start_rows(t);
		while (count_lines(t, width) > max_lines && fold_once(t))
			;
	}
	settle(t, a);
}
