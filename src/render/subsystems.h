/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules by subsystem: the table in the block of a cause.
 *
 *     drivers/block       2 of  2   floppy loop
 *     net/ipv4/netfilter  9 of 13   ip_conntrack ip_conntrack_ftp
 *                                   ip_nat_ftp ip_tables ...
 *
 * A row is a set of subsystems that have at least one of the modules; "n of m" are those
 * modules, and all modules, of that set. Where there are more rows than the reader has room for,
 * the smallest are folded into the directory above, again and again: big ones stay visible
 * however deep they are. A row stands for all that lies below its directory, except what has a
 * row of its own. Where even then the names do not fit, they are left out, and
 * rows stand side by side.
 */
#ifndef MODCHECK_SUBSYSTEMS_H
#define MODCHECK_SUBSYSTEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/result.h"

struct arena;
struct page;

struct subsystem_row {
	const char *name; /* of its only subsystem; with more, the first `length` bytes count */
	size_t length;
	uint32_t n_subsystems;
	uint32_t n, total;    /* modules: in the table, in these subsystems */
	size_t name_columns;  /* of the modules' names, with a space after each */
	uint32_t merged_into; /* index of the row that took this one, or its own */
};

struct subsystem_hit {
	const char *subsystem, *name; /* of one module */
	uint32_t in_subsystem;        /* modules in that subsystem */
	uint32_t row;                 /* index into rows */
};

struct subsystem_table {
	struct subsystem_row *rows;
	uint32_t n_rows;
	struct subsystem_hit *hits; /* grouped by row, sorted by name */
	uint32_t n_hits;
	const char **affected; /* the subsystems before any folding, sorted */
	uint32_t n_affected;
	bool has_names;
	bool has_totals;   /* it is known how many modules a subsystem has */
	bool has_absorbed; /* totals count subsystems below a row that have no module here */
};

enum { SUBSYSTEM_INDENT = 4, SUBSYSTEM_GAP = 3 }; /* columns */

/* Where the parts of a table go, in columns. */
struct subsystem_columns {
	unsigned int label, n, total; /* widest of each */
	unsigned int names;           /* where module names begin */
	unsigned int cells;           /* rows side by side, when there are no names */
	unsigned int cell;            /* columns from one to the next */
};

struct subsystem_columns subsystem_table_measure(const struct subsystem_table *t,
						 unsigned int width);

/* As strcmp(), but '/' comes before all other bytes: a directory's contents follow it. */
int subsystem_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/* The table of these modules (indices into r->modules; targets only count), unfolded. */
void subsystem_table_build(struct subsystem_table *t, const struct result *r,
			   const uint32_t *modules, uint32_t n_modules, struct arena *a);

/* Fold it until it takes at most max_lines on a page of this width, or can be folded no more. */
void subsystem_table_fit(struct subsystem_table *t, unsigned int max_lines, unsigned int width,
			 struct arena *a);

/*
 * Count the modules of subsystems that are not affected with the row of the directory above
 * them, if there is one: "fs 12 of 18" and not "fs 12 of 14" beside "not affected: fs/nls 4".
 */
void subsystem_table_absorb(struct subsystem_table *t, const struct result *r);

/* Bytes of the row's name to show. */
size_t subsystem_row_label(const struct subsystem_row *row);

/* Has the subsystem any of the table's modules? */
bool subsystem_table_has(const struct subsystem_table *t, const char *subsystem);

/* The row that stands for the subsystem, the nearest, NULL if there is none. */
const struct subsystem_row *subsystem_table_above(const struct subsystem_table *t,
						  const char *subsystem);

/* max_names: in one row, 0: all. */
void subsystem_table_put(struct page *p, const struct subsystem_table *t, uint32_t max_names);

/*
 * "not affected: drivers/cdrom 1, ...": the subsystems of the result without a row. Where that
 * would take more than two lines: how many they are, unless is_verbose.
 */
void subsystem_table_put_others(struct page *p, const struct subsystem_table *t,
				const struct result *r, bool is_verbose);

#endif
