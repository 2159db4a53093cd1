/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block of one cause in the text report, in one of three lengths.
 */
#ifndef MODCHECK_BLOCK_H
#define MODCHECK_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/result.h"

struct page;
struct render_options;

enum block_form {
	FORM_LINE,  /* the title and how many modules */
	FORM_BRIEF, /* and a line that names some of them */
	FORM_FULL,  /* title, evidence, fix, and modules by subsystem */
};

struct block {
	enum block_form form;
	unsigned int max_lines; /* of the modules in FORM_FULL; 0: all, unfolded */
	uint32_t max_names;     /* in a row of the table; 0: all */
	bool is_verbose;        /* list what is not affected, however long */
	bool has_same_hint;     /* the cause above was told in full and has the same fix */
};

/* Write it. Returns whether it named all modules that the cause hits. */
bool block_put(struct page *p, const struct result *r, const struct cause *c,
	       const struct block *block);

/*
 * Decide on the form of the first n causes: blocks[i] is filled for causes[i]. rows: lines that all
 * of them may take together; block_rows: that one may take.
 */
void block_plan(struct block *blocks, uint32_t n, const struct page *p, const struct result *r,
		const struct render_options *options, unsigned int rows, unsigned int block_rows);

#endif
