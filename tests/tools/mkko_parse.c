// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the text of a recipe to entries of lines of words. The words are looked at later, by
 * the part that they belong to; the language is described in mkko.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mkko.h"

/* Words that begin a new file of the tree. */
static const char *const heads[] = { "module", "text",    "link",       "fifo",
				     "dir",    "symvers", "system-map", "ksyms" };

static bool is_head(const char *word)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strcmp(word, heads[i]))
			return true;
	return false;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The character after a backslash; moves *p past it. */
static char escaped(const struct line *l, const char **p)
{
	char c = *(*p)++;

	if (c == 'n')
		return '\n';
	if (c == 't')
		return '\t';
	if (c == 'x') {
		int high = hex_digit((*p)[0]);
		int low = high < 0 ? -1 : hex_digit((*p)[1]);

		if (low < 0 || high + low == 0)
			die(l, "\\x needs two hex digits, and not 00");
		*p += 2;
		return (char)(high * 16 + low);
	}
	if (c == '"' || c == '\\')
		return c;
	die(l, "unknown escape \\%c", c);
}

/* One word, quoted in part or not; returns where it ends. */
static const char *read_word(struct line *l, const char *p)
{
	struct buf word = { 0 };
	bool in_quotes = false;

	while (*p && *p != '\n' && (in_quotes || (*p != ' ' && *p != '\t'))) {
		char c = *p++;

		if (c == '"') {
			in_quotes = !in_quotes;
			continue;
		}
		if (c == '\\' && in_quotes)
			c = escaped(l, &p);
		buf_add(&word, &c, 1);
	}
	if (in_quotes)
		die(l, "a quote is not closed");
	l->words = grow(l->words, l->n_words, sizeof(*l->words));
	l->words[l->n_words++] = copy_string(word.size ? (char *)word.data : "", word.size);
	free(word.data);
	return p;
}

/* The words of one line; returns the start of the next. */
static const char *read_line(struct line *l, const char *p)
{
	for (;;) {
		while (*p == ' ' || *p == '\t')
			p++;
		if (*p == '#')
			while (*p && *p != '\n')
				p++;
		if (*p == '\n')
			return p + 1;
		if (!*p)
			return p;
		p = read_word(l, p);
	}
}

/* The lines up to one that is just the end word; counts them in *number. */
static const char *read_here(struct line *l, const char *p, const char *end, unsigned int *number)
{
	while (*p) {
		const char *next = strchr(p, '\n');
		size_t length = next ? (size_t)(next - p) : strlen(p);

		++*number;
		if (length == strlen(end) && !strncmp(p, end, length))
			return next ? next + 1 : p + length;
		buf_add(&l->text, p, length);
		buf_add(&l->text, "\n", 1);
		p += length + (next ? 1 : 0);
	}
	die(l, "the here-document does not end: no line %s", end);
}

static void add_line(struct line **lines, size_t *n, const struct line *l)
{
	*lines = grow(*lines, *n, sizeof(**lines));
	(*lines)[(*n)++] = *l;
}

static void add_entry(struct recipe *r, const struct line *l)
{
	struct entry *e;

	line_word(l, 1, "a path");
	r->entries = grow(r->entries, r->n_entries, sizeof(*r->entries));
	e = &r->entries[r->n_entries++];
	e->head = *l;
	if (strcmp(l->words[0], "module"))
		return;
	for (size_t i = 0; i < r->n_defaults; i++)
		add_line(&e->lines, &e->n_lines, &r->defaults[i]);
}

static void add_default(struct recipe *r, const struct line *l)
{
	struct line rest = *l;

	line_word(l, 1, "a line of a module");
	rest.words++;
	rest.n_words--;
	add_line(&r->defaults, &r->n_defaults, &rest);
}

void recipe_parse(struct recipe *r, const char *file, const char *text)
{
	size_t first = r->n_entries;
	unsigned int number = 0;

	while (*text) {
		struct line l = { .file = file, .number = ++number };
		const char *last;

		text = read_line(&l, text);
		if (!l.n_words)
			continue;
		last = l.words[l.n_words - 1];
		if (!strncmp(last, "<<", 2) && last[2]) {
			text = read_here(&l, text, last + 2, &number);
			l.n_words--;
		}
		if (!strcmp(l.words[0], "default"))
			add_default(r, &l);
		else if (is_head(l.words[0]))
			add_entry(r, &l);
		else if (r->n_entries == first)
			die(&l, "%s is in no file: begin with module, text, ...", l.words[0]);
		else
			add_line(&r->entries[r->n_entries - 1].lines,
				 &r->entries[r->n_entries - 1].n_lines, &l);
	}
}

const char *line_word(const struct line *l, size_t i, const char *what)
{
	if (i >= l->n_words)
		die(l, "%s needs %s", l->words[0], what);
	return l->words[i];
}

const char *line_option(const struct line *l, const char *key)
{
	size_t length = strlen(key);

	for (size_t i = 1; i < l->n_words; i++)
		if (!strncmp(l->words[i], key, length) && l->words[i][length] == '=')
			return l->words[i] + length + 1;
	return NULL;
}

bool line_has(const struct line *l, const char *word)
{
	for (size_t i = 1; i < l->n_words; i++)
		if (!strcmp(l->words[i], word))
			return true;
	return false;
}

int64_t line_number(const struct line *l, const char *word)
{
	char *end;
	bool is_negative = word[0] == '-';
	uint64_t n;

	errno = 0;
	n = strtoull(word + is_negative, &end, 0);
	if (errno || end == word + is_negative || *end)
		die(l, "%s is not a number", word);
	return is_negative ? (int64_t)(0 - n) : (int64_t)n;
}

void line_bytes(const struct line *l, const char *word, struct buf *out)
{
	if (!strncmp(word, "zero:", 5)) {
		int64_t n = line_number(l, word + 5);

		if (n < 0 || n > (int64_t)1 << 30)
			die(l, "zero: from 0 to 1 GiB");
		buf_fill(out, 0, (size_t)n);
		return;
	}
	if (strncmp(word, "hex:", 4) != 0) {
		buf_add(out, word, strlen(word));
		return;
	}
	for (const char *p = word + 4; *p; p += 2) {
		int low = hex_digit(p[0]) < 0 ? -1 : hex_digit(p[1]);

		if (low < 0)
			die(l, "%s: pairs of hex digits are wanted", word);
		buf_add_word(out, (uint64_t)(hex_digit(p[0]) * 16 + low), 1, false);
	}
}
