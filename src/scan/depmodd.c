/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of depmod.d and what they make of a path, after kmod's tools/depmod.c
 * (cfg_file_parse, depmod_module_is_higher_priority) and shared/util.c (freadline_wrapped):
 *
 * - A backslash before a newline joins two lines; before any other character it is dropped and
 *   the character stays, so a regular expression with '\.' arrives as '.'.
 * - Words are separated by blanks and tabs. '#' begins a comment only as a line's first byte.
 * - A NUL ends what is seen of a line.
 */
#include "scan/depmodd.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/modname.h"

/* One more than any rank of a search directory: an override beats them all. */
#define RANK_OVERRIDE ((int64_t)1 << 32)

void depmodd_init(struct depmodd *d, const char *release, struct arena *a)
{
	*d = (struct depmodd) { .arena = a, .release = release };
}

/* May one more word be taken in? Those that do not match the release count as well. */
static bool take_rule(struct depmodd *d)
{
	return d->n_rules < LIMIT_CONFIG_RULES && ++d->n_rules;
}

static void prepend(struct depmodd *d, struct depmodd_word **list, const char *text)
{
	struct depmodd_word *word = arena_alloc(d->arena, sizeof(*word));

	*word = (struct depmodd_word) { .next = *list, .text = text, .length = strlen(text) };
	*list = word;
}

/* The next word of *rest, NULL at the end of the line. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	size_t n = strcspn(word, " \t");

	if (n == 0)
		return NULL;
	*rest = word + n;
	if (word[n]) {
		word[n] = '\0';
		*rest += 1;
	}
	return word;
}

/* The greatest number in a bound, "{2,15}" from its brace on. */
static unsigned long bound_of(const char *p)
{
	unsigned long greatest = 1;
	char *end;

	for (p++; *p && *p != '}'; p = end == p ? p + 1 : end) {
		unsigned long n = strtoul(p, &end, 10);

		greatest = n > greatest ? n : greatest;
	}
	return greatest;
}

/*
 * glibc's regcomp() copies what a '+' or a bound repeats, so that a few bytes like a++++++++ or
 * (a{255}){255} become gigabytes; a row of fifty '*' takes seconds and a back reference years. A
 * tree from elsewhere may bring any expression; those beyond all use are taken as matching nothing.
 */
static bool is_harmless(const char *pattern)
{
	unsigned long copies = 1, repeats = 0;

	if (strlen(pattern) > 128)
		return false;
	for (const char *p = pattern; *p && copies <= 256; p++) {
		repeats += strchr("*?+{", *p) != NULL;
		if (*p == '\\' && isdigit((unsigned char)p[1]))
			return false;
		if (*p == '+')
			copies *= 2;
		if (*p == '{')
			copies *= bound_of(p) > 256 ? 257 : bound_of(p);
	}
	return copies <= 256 && repeats <= 16;
}

static bool release_matches(const struct depmodd *d, const char *pattern)
{
	bool is_match;
	regex_t re;

	if (strcmp(pattern, "*") == 0)
		return true;
	if (!is_harmless(pattern) || regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	is_match = regexec(&re, d->release, 0, NULL, 0) == 0;
	regfree(&re);
	return is_match;
}

/* The commands: each takes the rest of its line and returns false if that makes no sense. */
static bool add_searches(struct depmodd *d, char *rest)
{
	for (const char *word; (word = next_word(&rest)) && take_rule(d);)
		prepend(d, &d->searches, word);
	return true;
}

static bool add_excludes(struct depmodd *d, char *rest)
{
	for (const char *word; (word = next_word(&rest)) && take_rule(d);)
		prepend(d, &d->excludes, word);
	return true;
}

static bool add_override(struct depmodd *d, char *rest)
{
	const char *module = next_word(&rest);
	const char *release = next_word(&rest);
	const char *directory = next_word(&rest);

	if (!module || !release || !directory)
		return false;
	if (take_rule(d) && release_matches(d, release))
		prepend(d, &d->overrides, arena_printf(d->arena, "%s/%s", directory, module));
	return true;
}

static bool add_external(struct depmodd *d, char *rest)
{
	const char *release = next_word(&rest);
	char *directory = next_word(&rest);
	size_t n;

	/* depmod takes a relative one from where it happens to be started. */
	if (!release || !directory || directory[0] != '/')
		return false;
	for (n = strlen(directory); n > 0 && directory[n - 1] == '/'; n--)
		directory[n - 1] = '\0';
	if (take_rule(d) && release_matches(d, release))
		prepend(d, &d->externals, directory);
	return true;
}

static bool add_nothing(struct depmodd *d, char *rest)
{
	(void)d;
	(void)rest;
	return true;
}

static const struct {
	const char *name;
	bool (*run)(struct depmodd *d, char *rest);
} commands[] = {
	{ "search", add_searches },   { "override", add_override },
	{ "external", add_external }, { "exclude", add_excludes },
	{ "include", add_nothing },   { "make_map_files", add_nothing },
};

static void parse_line(struct depmodd *d, char *line)
{
	const char *command;

	if (line[0] == '#')
		return;
	command = next_word(&line);
	if (!command)
		return;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(command, commands[i].name) != 0)
			continue;
		if (!commands[i].run(d, line))
			d->n_bad_lines++;
		return;
	}
	d->n_bad_lines++;
}

/* Undo the backslashes of one line in place; returns where the next one begins. */
static char *unwrap_line(char *line, char *end)
{
	char *in = line, *out = line;

	while (in < end && *in != '\n') {
		bool is_escape = *in == '\\';

		in += is_escape;
		if (in == end)
			break;
		if (is_escape && *in == '\n')
			in++;
		else
			*out++ = *in++;
	}
	*out = '\0';
	return in < end ? in + 1 : end;
}

void depmodd_parse(struct depmodd *d, const char *text, size_t size)
{
	char *line = arena_strndup(d->arena, text, size);
	char *end = line + size, *next;

	for (; line < end; line = next) {
		next = unwrap_line(line, end);
		parse_line(d, line);
	}
}

void depmodd_finish(struct depmodd *d)
{
	if (!d->searches)
		prepend(d, &d->searches, "updates");
}

bool depmodd_excludes(const struct depmodd *d, const char *name)
{
	for (const struct depmodd_word *w = d->excludes; w; w = w->next)
		if (strcmp(w->text, name) == 0)
			return true;
	return false;
}

static bool is_below(const char *path, const struct depmodd_word *directory)
{
	return strncmp(path, directory->text, directory->length) == 0 &&
	       path[directory->length] == '/';
}

/* The last `override` line that names this path: 0 if none does. */
static int64_t override_rank(const struct depmodd *d, const char *path)
{
	const char *base = modname_base(path);
	size_t length = (size_t)(base - path) + modname_stem(base);
	int64_t rank = LIMIT_CONFIG_RULES;

	for (const struct depmodd_word *w = d->overrides; w; w = w->next, rank--)
		if (w->length == length && memcmp(w->text, path, length) == 0)
			return rank;
	return 0;
}

/*
 * The place of a path in the search order, 0 if no search names it and `built-in` is not in
 * the list either. `built-in` stands for whatever nothing else names. In kmod the comparison of
 * two paths below the same search directory depends on which came first; here they are equal.
 */
static int64_t search_rank(const struct depmodd *d, const char *path)
{
	bool is_external = path[0] == '/';
	int64_t i = 1, best = 0, built_in = 0;

	for (const struct depmodd_word *s = d->searches; s; s = s->next, i++) {
		if (strcmp(s->text, "built-in") == 0)
			built_in = i;
		else if (strcmp(s->text, "external") != 0)
			best = !is_external && is_below(path, s) ? i : best;
		else
			for (const struct depmodd_word *e = d->externals; e; e = e->next, i++)
				best = is_external && is_below(path, e) ? i : best;
	}
	return best ? best : built_in;
}

int64_t depmodd_rank(const struct depmodd *d, const char *path)
{
	return override_rank(d, path) * RANK_OVERRIDE + search_rank(d, path);
}
