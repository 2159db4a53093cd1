/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A listing: what one file of evidence says, before it is merged with others. The readers of
 * this folder fill it in from (bytes, length). Its symbols are malloc'ed and freed with it;
 * names go into the table of the session and stay.
 */
#ifndef MODCHECK_LISTING_H
#define MODCHECK_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "model/kernel.h"

struct listing {
	struct ksym *syms;
	size_t n_syms, cap_syms;
	uint32_t n_lines; /* that are not blank */
	uint32_t n_bad;   /* of these, not understood: the reader went on behind them */
	uint32_t n_kernel_exports;
	bool is_cut; /* at LIMIT_SYMBOLS: what followed is among the bad lines */
	bool knows_licences;
	bool knows_namespaces;
	bool has_crcs;
	bool has_suffixes;
};

/* Part of a line; not NUL-terminated, dies with the file's bytes. */
struct span {
	const char *s;
	size_t n;
};

/* A walk over the lines of a text. */
struct lines {
	const char *at, *end;
	uint32_t number; /* of the line that lines_next() gave last, from 1 */
};

void lines_init(struct lines *l, const char *bytes, size_t size);

/* The next line without its \n or \r\n; the last one needs no newline. False at the end. */
bool lines_next(struct lines *l, struct span *line);

/*
 * The next word of *rest, up to a blank or tab, which is taken off *rest. False if there are only
 * blanks left.
 */
bool span_next_word(struct span *rest, struct span *word);

/* Inline, as the texts are constants and these are asked several times a line. */
static inline bool span_has_prefix(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.s, prefix, n) == 0;
}

static inline bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && span_has_prefix(s, text);
}

/* Hexadecimal digits and nothing else, at least one and at most 16. */
bool span_get_hex(struct span s, uint64_t *value);

/* May this be a symbol's name: not empty, not over the limit, no NUL in it? */
bool span_is_name(struct span s);

/* Append a zeroed symbol. NULL when the listing has as many as base/limits.h allows. */
struct ksym *listing_add(struct listing *l);
void listing_release(struct listing *l);

/*
 * Make it one symbol a name and provider, and count the kernel's exports. An export and a
 * definition of the same name become one exported symbol with the definition's line and letter; of
 * two definitions a global one wins, else the first.
 */
void listing_join(struct listing *l, const struct names *names);

#endif
