/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the walk found below a module directory, before any module is read.
 */
#ifndef MODCHECK_TREE_H
#define MODCHECK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/module.h"

#define ENTRY_NONE UINT32_MAX

/* One file whose name says that it is a module. */
struct entry {
	const char *path;      /* below the module directory (or absolute: depmod.d's `external`) */
	const char *name;      /* module name: no directory, no extension, '-' as '_' */
	const char *open_path; /* what to open */
	uint64_t size;         /* bytes on disk, 0 if not known */
	uint32_t winner;       /* ENTRY_NONE, or the entry that shadows this one (same name) */
	bool has_fault;        /* not to be opened: fault and detail say why */
	enum fault_kind fault;
	const char *detail;
};

/* Something in the tree that is wrong and is no module. */
enum problem_kind {
	PROBLEM_DANGLING_LINK,  /* a link named like a module, or to a directory, to nowhere */
	PROBLEM_LINK_LOOP,      /* a link that leads back to where it is */
	PROBLEM_UNREADABLE_DIR, /* what is in it is not known */
	PROBLEM_LIMIT,          /* depth or number of files over a limit; the rest was not seen */
};

struct problem {
	enum problem_kind kind;
	const char *path;   /* below the module directory */
	const char *detail; /* a phrase: where the link points, strerror */
};

struct tree {
	const char *basedir;   /* of -b, "" for the root */
	const char *moddir;    /* below basedir: "lib/modules/6.1.0-50-amd64" */
	const char *directory; /* basedir/moddir */
	const char *release;
	struct entry *entries; /* sorted by path */
	uint32_t n_entries;
	struct problem *problems; /* sorted by path */
	uint32_t n_problems;
	uint32_t n_config_files; /* of depmod.d, that were read */
};

#endif
