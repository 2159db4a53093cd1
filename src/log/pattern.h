/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message of a log, as its printf() format would have it:
 *
 *   "%m: Unknown symbol %s (err -%e)"
 *
 *   %m  name of a module, one word         %a %x  what a module has, and what it should have
 *   %p  path of a module file              %n     namespace
 *   %s  symbol, one word                   %o     owner of a symbol
 *   %e  number                             %d     anything that is worth telling
 *   %*  anything
 *
 * Text has single spaces (lines.h). A field of text ends where the bytes that follow it in the
 * pattern first occur.
 */
#ifndef MODCHECK_LOG_PATTERN_H
#define MODCHECK_LOG_PATTERN_H

#include <stddef.h>

enum pattern_result {
	PATTERN_NO,
	PATTERN_OPEN, /* as far as the text goes it fits, and it ends before the pattern does */
	PATTERN_MATCH,
};

struct span {
	const char *at; /* into the text; NULL: the pattern has no such field */
	size_t length;
};

struct pattern_match {
	struct span fields[26]; /* by letter */
	size_t n_literal;       /* bytes outside of fields that fit, whatever came out */
	const char *rest; /* what follows a whole match and is the path of a file; else NULL */
};

/* Compare. *m is valid after PATTERN_MATCH, and points into the text. */
enum pattern_result pattern_match(const char *pattern, const char *text, size_t length,
				  struct pattern_match *m);

static inline struct span pattern_field(const struct pattern_match *m, char letter)
{
	return m->fields[letter - 'a'];
}

/* Is the last component of this path a file name of a module? */
int span_is_module_file(struct span s);

#endif
