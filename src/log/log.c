/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message may begin anywhere behind a "] ", a ": " or a "> ": in front of it are time stamps,
 * hosts, programs. Rows are found by the first byte of their text, or the first one behind the
 * module's name, so that few have to be compared.
 *
 * A line that is the beginning of a message is joined to the next, with a space and, where that
 * makes no sense, without (terminals break lines within words), unless the next is a message of its
 * own.
 */
#include "log/log.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "log/facts.h"
#include "log/lines.h"
#include "log/pattern.h"
#include "log/row.h"

enum {
	MAX_ROWS = 192,
	MAX_PREFIX = 300, /* bytes in front of a message */
	MAX_JOINED = 5,   /* lines of one message */
	LEAST_OPEN = 12,  /* bytes of a message that make its beginning worth telling of */
};

struct candidate {
	const struct row *row;
	uint8_t writer;
	uint8_t next; /* of the same list; index + 1 */
};

/* Rows by their first byte, by the first behind "%m: ", those that begin with a path, and others.
 */
struct lists {
	struct candidate rows[MAX_ROWS];
	uint8_t n;
	/* index + 1 of the first, 0: none */
	uint8_t by_text[256], by_name[256], by_path, others;
};

struct reader {
	struct lists lists;
	struct log_lines lines;
	struct facts facts;
	struct log *log;
	struct log_line current, next, joined, saved_current, saved_next;
	bool has_next;
};

struct hit {
	const struct candidate *candidate;
	struct pattern_match match;
	struct span text; /* from where the message begins to the end of its line */
	size_t n_open;    /* bytes of a message that begins here and does not end */
};

static uint8_t *list_of(struct lists *l, const char *pattern)
{
	if (pattern[0] != '%')
		return &l->by_text[(unsigned char)pattern[0]];
	if (!strncmp(pattern, "%m: ", 4) && pattern[4] != '%')
		return &l->by_name[(unsigned char)pattern[4]];
	return pattern[1] == 'p' ? &l->by_path : &l->others;
}

/* Does a path stand here? Without a slash it is one word. */
static bool begins_with_path(const char *text)
{
	size_t n = strcspn(text, " ");

	if (text[0] == '/')
		return true;
	n -= n && text[n - 1] == ':';
	return n && span_is_module_file((struct span) { text, n });
}

/* In front of the list, so tables are added from their ends: rows are tried in their order. */
static void add_table(struct lists *l, const struct row_table *table)
{
	for (size_t i = table->n; i-- > 0 && l->n < MAX_ROWS;) {
		uint8_t *head = list_of(l, table->rows[i].pattern);
		l->rows[l->n] = (struct candidate) { &table->rows[i], table->writer, *head };
		*head = ++l->n;
	}
}

static enum pattern_result try_list(const struct lists *l, uint8_t head, const char *text,
				    size_t length, struct hit *hit)
{
	enum pattern_result best = PATTERN_NO;

	for (; head; head = l->rows[head - 1].next) {
		enum pattern_result result =
			pattern_match(l->rows[head - 1].row->pattern, text, length, &hit->match);
		if (result == PATTERN_MATCH) {
			hit->candidate = &l->rows[head - 1];
			return result;
		}
		if (result > best)
			best = result;
		if (result == PATTERN_OPEN && hit->match.n_literal > hit->n_open)
			hit->n_open = hit->match.n_literal;
	}
	return best;
}

static enum pattern_result try_at(const struct lists *l, const char *text, size_t length,
				  struct hit *hit)
{
	const char *colon = memmem(text, length, ": ", 2);
	const uint8_t heads[] = {
		l->by_text[(unsigned char)text[0]],
		colon ? l->by_name[(unsigned char)colon[2]] : 0,
		begins_with_path(text) ? l->by_path : (uint8_t)0,
		l->others,
	};
	enum pattern_result best = PATTERN_NO;

	for (size_t i = 0; i < sizeof(heads); i++) {
		enum pattern_result result = try_list(l, heads[i], text, length, hit);
		if (result == PATTERN_MATCH)
			return result;
		if (result > best)
			best = result;
	}
	return best;
}

/* Where the next message may begin, NULL if nowhere. A date in front is one word without a colon.
 */
static const char *next_beginning(const char *start, const char *at, const char *end)
{
	const char *blank = at == start && *at == '2' ? memchr(at, ' ', (size_t)(end - at)) : NULL;

	if (blank && blank + 1 < end)
		return blank + 1;
	for (; at + 2 < end; at++) {
		if (at[1] == ' ' && (at[0] == ':' || at[0] == ']' || at[0] == '>'))
			return at + 2;
	}
	return NULL;
}

/* hit->text is where the message begins. */
static enum pattern_result find(const struct lists *l, const struct log_line *line, struct hit *hit)
{
	const char *end = line->text + line->length, *last = line->text + MAX_PREFIX;
	enum pattern_result best = PATTERN_NO;

	for (const char *at = line->text; at && at <= last;
	     at = next_beginning(line->text, at, end)) {
		enum pattern_result result = try_at(l, at, (size_t)(end - at), hit);
		hit->text = (struct span) { at, (size_t)(end - at) };
		if (result == PATTERN_MATCH)
			return result;
		if (result > best)
			best = result;
	}
	return best;
}

static void advance(struct reader *r)
{
	r->has_next = log_lines_next(&r->lines, &r->next);
}

/* Copy without the rest of the buffer. */
static void line_copy(struct log_line *to, const struct log_line *from)
{
	memcpy(to, from, offsetof(struct log_line, text));
	memcpy(to->text, from->text, from->length + 1);
}

/* Does the line end within a path? Then what follows goes on without a space. */
static bool ends_within_path(const struct log_line *line)
{
	const char *blank = memrchr(line->text, ' ', line->length);
	const char *word = blank ? blank + 1 : line->text;
	struct span last = { word, (size_t)(line->text + line->length - word) };

	return memchr(last.at, '/', last.length) && !span_is_module_file(last);
}

static enum pattern_result join_as(struct reader *r, bool with_space, struct hit *hit)
{
	line_copy(&r->joined, &r->current);
	return log_line_append(&r->joined, &r->next, with_space) ? find(&r->lists, &r->joined, hit)
								 : PATTERN_NO;
}

/* The current line and the next in one, if that is (the beginning of) a message. */
static enum pattern_result join(struct reader *r, struct hit *hit)
{
	bool likely = !ends_within_path(&r->current);
	enum pattern_result first = join_as(r, likely, hit);

	if (first == PATTERN_MATCH)
		return first;
	enum pattern_result second = join_as(r, !likely, hit);
	if (second == PATTERN_MATCH || first == PATTERN_NO)
		return second;
	return join_as(r, likely, hit);
}

static bool goes_on(const struct reader *r)
{
	return r->has_next && !r->next.is_fresh;
}

/* Join lines to the current one until it is a message. False, and all as it was, if it gets none.
 */
static bool find_longer(struct reader *r, struct hit *hit)
{
	struct log_lines lines = r->lines;
	enum pattern_result result = PATTERN_OPEN;

	line_copy(&r->saved_current, &r->current);
	if (r->has_next)
		line_copy(&r->saved_next, &r->next);
	bool had_next = r->has_next;
	for (int n = 1; n < MAX_JOINED && result == PATTERN_OPEN && goes_on(r); n++) {
		result = join(r, hit);
		line_copy(&r->current, &r->joined);
		advance(r);
	}
	if (result == PATTERN_MATCH)
		return true;
	line_copy(&r->current, &r->saved_current);
	if (had_next)
		line_copy(&r->next, &r->saved_next);
	r->has_next = had_next;
	r->lines = lines;
	return false;
}

/* Returns whether the current line, perhaps with those behind it, is a message. */
static bool find_message(struct reader *r, struct hit *hit)
{
	enum pattern_result result = find(&r->lists, &r->current, hit);
	/* "Unknown symbol foo" is whole without its "(err -22)" in the next line */
	bool may_go_on = result == PATTERN_OPEN ||
			 (result == PATTERN_MATCH && goes_on(r) && r->next.text[0] == '(');

	if (may_go_on && find_longer(r, hit))
		result = PATTERN_MATCH;
	return result == PATTERN_MATCH && find(&r->lists, &r->current, hit) == PATTERN_MATCH;
}

/* A path that a terminal broke in its middle. */
static bool join_path(struct reader *r)
{
	const char *text = r->current.text;

	if (!goes_on(r) || text[0] != '/' || strchr(text, ' ') || r->next.text[0] == '/' ||
	    !strstr(text, "/lib/modules/"))
		return false;
	line_copy(&r->joined, &r->current);
	if (!log_line_append(&r->joined, &r->next, false) ||
	    !facts_take_paths(&r->facts, r->joined.text))
		return false;
	advance(r);
	return true;
}

static bool looks_like_complaint(const char *text)
{
	static const char *const words[] = {
		"depmod: WARNING",
		"depmod: ERROR",
		"depmod: FATAL",
		"depmod: ***",
		"depmod:",
		"modprobe: ERROR",
		"modprobe: FATAL",
		"insmod: ERROR",
		"nresolved symbol",
		"nknown symbol",
		"version magic",
		"symbol version",
		"taints kernel",
		"tainting kernel",
		"kernel tainted",
		"Invalid ELF",
		"nvalid module",
		"could not insert",
		"odule verification",
		"odule signature",
		"FATAL: Module",
		"ignoring obsolete section",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(text, words[i]))
			return true;
	}
	return false;
}

static void count_unknown(struct log *log, const char *text)
{
	uint32_t n = names_count(log->unknown);

	log->n_unknown++;
	if (log->n_examples < LOG_EXAMPLES && names_add_string(log->unknown, text) == n)
		log->n_examples++;
}

static void take_line(struct reader *r)
{
	struct log *log = r->log;
	struct hit hit = { 0 };

	if (r->current.is_kernel) {
		log->writers |= WRITER_KERNEL;
		log->n_known++;
	}
	log->n_cut += r->current.is_cut;
	if (find_message(r, &hit)) {
		const struct row *row = hit.candidate->row;
		log->n_known++;
		if (hit.match.rest)
			facts_take_paths(&r->facts, hit.match.rest);
		if (!facts_take(&r->facts, row, hit.candidate->writer, &hit.match, hit.text,
				r->current.number))
			count_unknown(log, r->current.text);
		return;
	}
	if (facts_take_paths(&r->facts, r->current.text) || join_path(r) ||
	    facts_take_dep(&r->facts, r->current.text, r->current.length)) {
		log->n_known++;
		return;
	}
	if (hit.n_open >= LEAST_OPEN || looks_like_complaint(r->current.text))
		count_unknown(log, r->current.text);
}

void log_read(struct log *log, const char *bytes, size_t size, struct names *names)
{
	static const struct row_table *const tables[] = { &loader_rows, &tools_rows, &kmod_rows,
							  &modutils_rows };
	struct reader *r = mem_zalloc(sizeof(*r));

	*log = (struct log) {
		.names = names,
		.texts = names_new(),
		.keys = names_new(),
		.modules = names_new(),
		.unknown = names_new(),
	};
	r->log = log;
	r->facts.log = log;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		add_table(&r->lists, tables[i]);
	log_lines_init(&r->lines, bytes, size);
	for (advance(r); r->has_next;) {
		line_copy(&r->current, &r->next);
		advance(r);
		take_line(r);
	}
	facts_end(&r->facts);
	log->n_lines = r->lines.number - 1;
	free(r);
}

void log_release(struct log *log)
{
	names_free(log->texts);
	names_free(log->keys);
	names_free(log->modules);
	names_free(log->unknown);
	free(log->facts);
}
