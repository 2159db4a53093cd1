/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk below one or several directories: everything named like a module, and everything
 * that keeps part of the tree from being seen. What it finds is in no particular order.
 *
 * Directories come first and links after them, so a file that is reached both ways is known by
 * its direct path. Links are followed once per real path (as realpath() has it), which ends
 * all loops. Real paths, not device and inode: hard links are two files to modprobe, and
 * overlay file systems show one inode in readdir() and another in stat().
 */
#ifndef MODCHECK_WALK_H
#define MODCHECK_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "model/tree.h"

struct arena;
struct depmodd;
struct root;

struct walk_dir {
	const char *path; /* as entries show it; "" for the module directory */
	const char *real; /* canonical */
	uint32_t depth;
};

struct walk_link {
	const char *path; /* as entries show it */
	const char *real; /* canonical up to the link itself */
	uint32_t depth;   /* of what it leads to */
};

/* Another way to a real path: depmod's search order may know it by this one. */
struct walk_alias {
	const char *path, *real;
};

struct walk {
	struct arena *a; /* for all strings */
	const struct root *root;
	const struct depmodd *config;
	const char *top;         /* canonical path of the module directory */
	struct walk_dir *dirs;   /* seen and to come; malloc'ed like all vectors here */
	struct walk_link *links; /* not yet followed */
	struct entry *entries;
	struct problem *problems;
	struct walk_alias *aliases;
	size_t n_dirs, n_links, n_entries, n_problems, n_aliases;
	size_t cap_dirs, cap_links, cap_entries, cap_problems, cap_aliases;
	size_t next_dir;     /* the first one still to come */
	struct names *known; /* real paths seen; NULL until the first link needs it */
	uint32_t n_names;    /* of anything, held to LIMIT_TREE_FILES */
};

/* top: canonical. All pointers must outlive the walk; walk_release() is due. */
void walk_init(struct walk *w, const char *top, const struct root *root,
	       const struct depmodd *config, struct arena *a);
void walk_release(struct walk *w);

/* Walk the module directory, without its links. Returns 0, or the errno of reading it. */
int walk_top(struct walk *w);

/* Walk an `external` directory too; one that does not exist is nothing to tell. */
void walk_external(struct walk *w, const char *path);

/* Follow the links that were met so far, and those met on the way (walk_links.c). */
void walk_links(struct walk *w);

/* For walk_links.c alone. */
void walk_add_entry(struct walk *w, const struct entry *e);
void walk_add_problem(struct walk *w, enum problem_kind kind, const char *path, const char *detail);
void walk_add_alias(struct walk *w, const char *path, const char *real);
const char *walk_irregular(unsigned int mode); /* the phrase for a file type, S_IFMT */
bool walk_knows(struct walk *w, const char *real);
/* Is `directory` the path itself or a directory around it? Both canonical. */
bool walk_is_around(const char *directory, const char *path);
void walk_drain(struct walk *w, struct walk_dir dir);

#endif
