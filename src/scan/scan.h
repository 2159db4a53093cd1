/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first stage: walk a module directory and decide which file of each name is the module.
 */
#ifndef MODCHECK_SCAN_H
#define MODCHECK_SCAN_H

#include <stdbool.h>

#include "base/err.h"
#include "model/tree.h"

struct arena;

struct scan_options {
	const char *basedir; /* NULL or "": the root directory */
	const char *moddir;  /* -m, below basedir; NULL: lib/modules, else usr/lib/modules */
	const char *release; /* KVER */
	const char *
		*config_paths; /* -C, files or directories; n_config_paths 0: the usual places */
	unsigned int n_config_paths;
};

/*
 * Walk basedir/moddir/release. Everything in *tree lives in the arena. Returns false and sets
 * *err if the directory does not exist or cannot be read; whatever is wrong further down is a
 * fault of an entry or a problem of the tree.
 */
bool scan_tree(struct tree *tree, const struct scan_options *options, struct arena *a,
	       struct err *err);

/* Is there such a tree? (No error is told.) */
bool scan_has_tree(const struct scan_options *options);

/*
 * The module name in a path: no directory, no extension, '-' as '_'; in the arena. Returns
 * NULL if the file name is not one of a module (.ko .o, with or without .gz .xz .zst).
 */
const char *scan_module_name(const char *path, struct arena *a);

#endif
