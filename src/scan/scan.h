/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first stage: walk a module directory and decide which file of each name is the module.
 *
 * With -b everything is looked up below basedir: the module directory, what absolute links
 * point to, `external` directories and depmod.d itself. depmod reads the depmod.d of the host
 * whatever -b says, and follows absolute links out of basedir. Who checks an image or a chroot
 * wants to know what happens once that system runs: its own configuration decides then, and
 * this host's never does. -C names other configuration, as the user wrote it, not below
 * basedir; without -b the two readings are the same.
 */
#ifndef MODCHECK_SCAN_H
#define MODCHECK_SCAN_H

#include <stdbool.h>

#include "base/err.h"
#include "model/tree.h"

struct arena;

struct scan_options {
	const char *basedir;       /* NULL or "": the root directory */
	const char *moddir;        /* -m, below basedir; NULL: lib/modules, else usr/lib/modules */
	const char *release;       /* KVER */
	const char **config_paths; /* -C, files or directories; none: the usual places */
	unsigned int n_config_paths;
};

/*
 * Walk basedir/moddir/release. Everything in *tree lives in the arena. Returns false and sets
 * *err if the directory does not exist or cannot be read, or if a path of -C cannot; whatever
 * is wrong further down is a fault of an entry or a problem of the tree.
 */
bool scan_tree(struct tree *tree, const struct scan_options *options, struct arena *a,
	       struct err *err);

/*
 * Where the tree is, below basedir ("lib/modules/6.1.0-50-amd64", in the arena), NULL if there is
 * no such tree.
 */
const char *scan_find_moddir(const struct scan_options *options, struct arena *a);

/*
 * The module name in a path: no directory, no extension, '-' as '_'; in the arena. Returns
 * NULL if the file name is not one of a module (.ko .o, with or without .gz .xz .zst). As in
 * kmod the extension begins at the first dot: modprobe knows foo.old.ko as foo.
 */
const char *scan_module_name(const char *path, struct arena *a);

#endif
