/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log/pattern.h"

#include <stdbool.h>
#include <string.h>

#include "scan/modname.h"

/* So many bytes of a pattern have to be there before a line is taken for the beginning of one. */
#define LEAST_BEGINNING 4

/* What load_module() says where a module does not tell its name. */
static const char nameless[] = "(missing .modinfo section or name field)";

struct cursor {
	const char *at, *end;
	size_t n_literal; /* bytes outside of fields that fit so far */
};

int span_is_module_file(struct span s)
{
	const char *slash = memrchr(s.at, '/', s.length);
	const char *base = slash ? slash + 1 : s.at;

	return modname_of(base, (size_t)(s.at + s.length - base)).kind != MODNAME_NONE;
}

static bool is_module_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("_-.+,", c);
}

/* The loader shows what it finds in a file, be it a name in C or not. */
static bool is_symbol_byte(char c)
{
	return c > ' ' ? !strchr("\"'(),:;", c) : c < 0;
}

static size_t word_length(char letter, const struct cursor *c)
{
	size_t n = 0, most = (size_t)(c->end - c->at);

	if (letter == 'm' && most >= strlen(nameless) && !memcmp(c->at, nameless, strlen(nameless)))
		return strlen(nameless);
	while (n < most && c->at[n] &&
	       (letter == 'm'   ? is_module_byte(c->at[n])
		: letter == 's' ? is_symbol_byte(c->at[n])
				: c->at[n] >= '0' && c->at[n] <= '9'))
		n++;
	return n;
}

static enum pattern_result take_word(char letter, const char *after, struct cursor *c, size_t *n)
{
	*n = word_length(letter, c);
	if (*n == 0)
		return PATTERN_NO;
	if (c->at + *n < c->end || !*after)
		return PATTERN_MATCH;
	return c->n_literal >= LEAST_BEGINNING ? PATTERN_OPEN : PATTERN_NO;
}

/* Does the text end within the literal, after LEAST_BEGINNING bytes of it? */
static bool ends_within(const struct cursor *c, const char *literal, size_t length)
{
	size_t most = (size_t)(c->end - c->at);

	for (size_t n = length - 1; n >= LEAST_BEGINNING; n--) {
		if (n <= most && memcmp(c->end - n, literal, n) == 0)
			return true;
	}
	return false;
}

static enum pattern_result take_text(const char *after, struct cursor *c, size_t *n)
{
	size_t length = strcspn(after, "%");

	*n = (size_t)(c->end - c->at);
	if (length == 0)
		return PATTERN_MATCH;
	const char *found = memmem(c->at, *n, after, length);
	/* what ends the pattern ends the text, though a version may have the same dot in it */
	if (found && !after[length] && memcmp(c->end - length, after, length) == 0)
		found = c->end - length;
	if (found) {
		*n = (size_t)(found - c->at);
		return PATTERN_MATCH;
	}
	return c->n_literal >= LEAST_BEGINNING || ends_within(c, after, length) ? PATTERN_OPEN
										: PATTERN_NO;
}

/* Directories above the modules may have blanks in their names. */
static bool is_one_path(struct span s)
{
	const char *blank = memrchr(s.at, ' ', s.length);

	if (!blank)
		return true;
	return s.at[0] == '/' && !memmem(s.at, s.length, ": ", 2) &&
	       memmem(blank, (size_t)(s.at + s.length - blank), "/lib/modules/", 13);
}

/* A last path is one word, so that what a mail program put behind it is none of it. */
static enum pattern_result take_path(const char *after, struct cursor *c, size_t *n)
{
	if (*after) {
		enum pattern_result result = take_text(after, c, n);
		struct span path = { c->at, *n };
		if (result != PATTERN_MATCH)
			return result;
		return is_one_path(path) && span_is_module_file(path) ? PATTERN_MATCH : PATTERN_NO;
	}
	const char *blank = memchr(c->at, ' ', (size_t)(c->end - c->at));
	*n = (size_t)((blank ? blank : c->end) - c->at);
	if (span_is_module_file((struct span) { c->at, *n }))
		return PATTERN_MATCH;
	return blank ? PATTERN_NO : PATTERN_OPEN;
}

static enum pattern_result take_field(char letter, const char *after, struct cursor *c, size_t *n)
{
	bool may_be_empty = !*after && strchr("adx*", letter);

	*n = 0;
	if (c->at == c->end && !may_be_empty)
		return c->n_literal >= LEAST_BEGINNING ? PATTERN_OPEN : PATTERN_NO;
	switch (letter) {
	case 'm':
	case 's':
	case 'e':
		return take_word(letter, after, c, n);
	case 'p':
		return take_path(after, c, n);
	default:
		return take_text(after, c, n);
	}
}

/* Nothing, or the path of a module: lines are glued so where two programs write at once. */
static bool may_follow(struct cursor *c)
{
	if (c->at < c->end && *c->at == ' ')
		c->at++;
	return c->at == c->end || *c->at == '/';
}

enum pattern_result pattern_match(const char *pattern, const char *text, size_t length,
				  struct pattern_match *m)
{
	struct cursor c = { .at = text, .end = text + length };

	*m = (struct pattern_match) { 0 };
	while (*pattern) {
		if (*pattern == '%') {
			char letter = pattern[1];
			size_t n;
			pattern += 2;
			enum pattern_result result = take_field(letter, pattern, &c, &n);
			if (result != PATTERN_MATCH)
				return result;
			if (letter != '*')
				m->fields[letter - 'a'] = (struct span) { c.at, n };
			c.at += n;
			continue;
		}
		if (c.at == c.end)
			return c.n_literal >= LEAST_BEGINNING ? PATTERN_OPEN : PATTERN_NO;
		if (*c.at != *pattern)
			return PATTERN_NO;
		m->n_literal = ++c.n_literal;
		c.at++;
		pattern++;
	}
	if (!may_follow(&c))
		return PATTERN_NO;
	m->rest = c.at < c.end ? c.at : NULL;
	return PATTERN_MATCH;
}
