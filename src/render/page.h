/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of text: words, columns and colours. It knows in which column it is and how many
 * lines it has written, and can do the same without writing (out NULL), which is how the text
 * report measures a block before it decides on its form. Every text that is put on a page is
 * escaped on the way (text_safe()), so no caller can forget it.
 */
#ifndef MODCHECK_PAGE_H
#define MODCHECK_PAGE_H

#include <stdbool.h>

struct sink;
struct arena;

enum page_style {
	STYLE_INFO, /* the first three as enum severity */
	STYLE_WARNING,
	STYLE_ERROR,
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_GOOD,
};

struct page {
	struct sink *out;      /* NULL: count only */
	struct arena *scratch; /* for escaped copies */
	unsigned int width;    /* columns of a line */
	bool use_color;
	unsigned int column;  /* of the next character, from 0 */
	unsigned int pending; /* spaces before it that are not written yet: no line ends in one */
	unsigned int rows;    /* finished lines */
};

/* Columns that a text takes once it is escaped; a character is taken to be one column wide. */
unsigned int page_columns(const struct page *p, const char *text);

void page_put(struct page *p, enum page_style style, const char *text);
void page_newline(struct page *p);

/* Spaces up to this column; none if it is passed already. */
void page_pad(struct page *p, unsigned int column);

/* Put text at the right margin, on the next line if there is no room left on this one. */
void page_put_right(struct page *p, const char *text);

/*
 * Put the words of text, beginning where the page is; lines that do not fit go on at `indent`.
 * A word that is longer than a line is broken, for a page never gets wider than it was asked
 * to be. The word equal to `bold` (NULL: none) is put in bold. Ends without newline.
 */
void page_wrap(struct page *p, unsigned int indent, const char *text, const char *bold);

/*
 * One more word, after a space unless it is the first, and on a new line, at `indent`, if this one
 * has no room for it.
 */
void page_word(struct page *p, unsigned int indent, const char *word, bool is_first);

/* "1 module", "1,234 modules", in the arena. */
const char *page_count(struct arena *a, unsigned long long n, const char *noun);

#endif
