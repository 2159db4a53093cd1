/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of depmod (depmod.d(5)): which of several modules of one name counts, which
 * directories outside the tree belong to it, what is left out. Everything lives in the arena.
 *
 *   search DIR...|built-in|external   where modules count first, best first
 *   override MODULE RELEASE DIR       this module from that directory beats all of them
 *   external RELEASE DIR              an absolute directory to be walked as well
 *   exclude NAME...                   files and directories of that name are not looked at
 *   include, make_map_files           known and without effect
 *
 * RELEASE is '*' or an extended regular expression that has to match somewhere in the release.
 */
#ifndef MODCHECK_DEPMODD_H
#define MODCHECK_DEPMODD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct root;

/* A list with the last line first, as kmod keeps them: later lines are asked earlier. */
struct depmodd_word {
	struct depmodd_word *next;
	const char *text;
	size_t length;
};

struct depmodd {
	struct arena *arena;
	const char *release;
	struct depmodd_word *searches;
	struct depmodd_word *overrides; /* "updates/e1000e": directory and module name */
	struct depmodd_word *externals; /* without slash at the end */
	struct depmodd_word *excludes;
	uint32_t n_rules;     /* words for the four lists, at most LIMIT_CONFIG_RULES */
	uint32_t n_bad_lines; /* skipped, as depmod skips them */
	const char **files;   /* as read, in order */
	uint32_t n_files;
};

/* Start with nothing in it. release and the arena must outlive it. */
void depmodd_init(struct depmodd *d, const char *release, struct arena *a);

/* Add the lines of one file, which need not be text at all. Cannot fail. */
void depmodd_parse(struct depmodd *d, const char *text, size_t size);

/* After the last file: with no `search` at all, `updates` goes first, as it always did. */
void depmodd_finish(struct depmodd *d);

/*
 * Read all files: those of the given paths (files or directories), or with n_paths 0 those of
 * the usual directories below the root. Returns false and sets *err if a given path cannot be
 * read; the usual directories may be absent and the files in them unreadable. Includes
 * depmodd_finish().
 */
bool depmodd_load(struct depmodd *d, const struct root *root, const char *const *paths,
		  unsigned int n_paths, struct err *err);

bool depmodd_excludes(const struct depmodd *d, const char *name);

/*
 * How much a path (below the module directory, or absolute in an `external` one) counts; of
 * two modules of one name the greater rank is the module. Between equals depmod takes
 * whichever readdir() told it first, or last.
 */
int64_t depmodd_rank(const struct depmodd *d, const char *path);

#endif
