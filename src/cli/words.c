/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A word is a KVER where a tree of that name exists or it begins with a digit (and is no module
 * file), then a verb, else a file.
 */
#include "cli/words.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "cli/near.h"
#include "cli/options.h"
#include "rules/table.h"

bool words_check_file(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_set(err,
			       "%s is a directory; to check the tree in it: modcheck -b ROOT KVER",
			       path);
	return true;
}

static bool is_module_file(const char *word, struct arena *a)
{
	struct stat st;

	return scan_module_name(word, a) && stat(word, &st) == 0;
}

static bool is_release(struct options *o, const char *word)
{
	struct scan_options scan = o->session.scan;

	if (isdigit((unsigned char)word[0]))
		return !is_module_file(word, o->arena);
	scan.release = word;
	return !strchr(word, '/') && scan_find_moddir(&scan, o->arena);
}

/* The same file, by whatever path, is taken once. */
static bool is_listed(const struct options *o, const char *word)
{
	struct stat st, other;

	for (unsigned int i = 0; stat(word, &st) == 0 && i < o->session.n_files; i++) {
		if (stat(o->session.files[i], &other) == 0 && other.st_dev == st.st_dev &&
		    other.st_ino == st.st_ino)
			return true;
	}
	return false;
}

struct near_tree {
	const char *word, *best;
	unsigned int least;
};

static void look_for_near(struct options *o, const char *moddir, struct near_tree *t)
{
	const char *basedir = o->session.scan.basedir;
	DIR *dir = opendir(arena_printf(o->arena, "%s/%s", basedir ? basedir : "", moddir));

	for (struct dirent *d; dir && (d = readdir(dir));) {
		unsigned int distance = near_distance(t->word, d->d_name);
		if (d->d_name[0] == '.' || distance > t->least ||
		    (distance == t->least && strcmp(d->d_name, t->best) >= 0))
			continue;
		t->least = distance;
		t->best = arena_strdup(o->arena, d->d_name);
	}
	if (dir)
		closedir(dir);
}

/* The tree whose name is most like the word, "" if none is; in the arena. */
static const char *near_release(struct options *o, const char *word)
{
	struct near_tree t = { word, "", NEAR_NONE - 1 };

	if (o->session.scan.moddir) {
		look_for_near(o, o->session.scan.moddir, &t);
		return t.best;
	}
	look_for_near(o, "lib/modules", &t);
	look_for_near(o, "usr/lib/modules", &t);
	return t.best;
}

const char *words_near_release(struct options *o)
{
	return near_release(o, o->session.scan.release ? o->session.scan.release : o->running);
}

static bool take_explain(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_EXPLAIN;
	if (!words[0])
		return err_set(err, "explain needs the name of a rule or a symbol");
	o->subject = words[0];
	if (words[1] && rule_find(words[0]) < N_RULES)
		return err_set(err, "explain takes one rule, and %s is one: %s means nothing to it",
			       words[0], words[1]);
	if (words[1] && words[2])
		return err_set(err, "explain takes one symbol and at most one kernel");
	if (words[1])
		o->session.scan.release = words[1];
	return true;
}

static bool take_symvers(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_SYMVERS;
	o->session.scan.release = words[0];
	return !words[0] || !words[1] || err_set(err, "symvers takes one kernel");
}

static bool take_parse(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_PARSE;
	o->subject = words[0];
	if (o->tree_option)
		return err_set(err, "parse reads a log and nothing else: %s means nothing to it",
			       o->tree_option);
	return !words[0] || !words[1] || err_set(err, "parse takes one log");
}

static bool take_diff(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_DIFF;
	if (!words[0] || !words[1] || words[2])
		return err_set(
			err, "diff takes two kernels, or two Module.symvers files: OLD NEW%s",
			o->cpuinfo ? " (a file for --cpuinfo is written --cpuinfo=FILE)" : "");
	o->old = words[0];
	o->new = words[1];
	return true;
}

static bool take_ready(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_READY;
	if (!words[0])
		return err_set(err, "ready needs the kernel that the modules are to work on "
				    "(modcheck ready KVER [FILE...])");
	if (!is_release(o, words[0])) {
		const char *near = near_release(o, words[0]);
		return err_set(err,
			       "%s: no such kernel%s%s (ready takes the KVER first, then "
			       "modules)",
			       words[0], *near ? "; there is " : "", near);
	}
	o->session.scan.release = words[0];
	for (size_t i = 1; words[i]; i++)
		o->sources[i - 1] = words[i];
	return true;
}

static bool take_help(struct options *o, char **words, struct err *err)
{
	(void)words, (void)err;
	o->verb = VERB_HELP;
	return true;
}

static bool take_rules(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_RULES;
	return !words[0] || err_set(err, "rules takes no argument");
}

/* A verb, and what takes the words behind it. */
static const struct {
	const char *name;
	bool (*take)(struct options *o, char **words, struct err *err);
} verbs[] = {
	{ "diff", take_diff },   { "explain", take_explain }, { "ready", take_ready },
	{ "rules", take_rules }, { "symvers", take_symvers }, { "parse", take_parse },
	{ "help", take_help },
};

#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

/* Verbs are few and short: one change makes another, two in the longer ones (a swap is two). */
static const char *near_verb(const char *word)
{
	const char *best = "";
	unsigned int least = NEAR_NONE;

	for (size_t i = 0; i < N_VERBS; i++) {
		unsigned int distance = near_changes(word, verbs[i].name);
		if (distance < least && distance <= (strlen(word) < 5 ? 1 : 2)) {
			least = distance;
			best = verbs[i].name;
		}
	}
	return best;
}

static bool no_such_word(struct options *o, const char *word, struct err *err)
{
	const char *near = near_release(o, word);

	if (!*near)
		near = near_verb(word);
	return err_set(err, "%s: no such kernel, command or file%s%s (modcheck --help)", word,
		       *near ? "; there is " : "", near);
}

static bool take_file(struct options *o, const char *word, struct err *err)
{
	struct stat st;

	if (lstat(word, &st) != 0 && errno == ENOENT)
		return no_such_word(o, word, err);
	if (stat(word, &st) == 0 && !words_check_file(word, err))
		return false;
	if (is_listed(o, word))
		return true;
	o->session.files[o->session.n_files++] = word;
	return true;
}

bool words_take(struct options *o, char **words, struct err *err)
{
	bool has_release = words[0] && is_release(o, words[0]);

	if (has_release)
		o->session.scan.release = *words++;
	for (size_t i = 0; !has_release && words[0] && i < N_VERBS; i++) {
		if (strcmp(words[0], verbs[i].name) == 0)
			return verbs[i].take(o, words + 1, err);
	}
	for (; *words; words++) {
		if (!take_file(o, *words, err))
			return false;
	}
	return true;
}
