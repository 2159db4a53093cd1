/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which file names are names of modules.
 */
#ifndef MODCHECK_MODNAME_H
#define MODCHECK_MODNAME_H

#include <stdbool.h>
#include <stddef.h>

enum modname_kind {
	MODNAME_NONE,
	MODNAME_KO, /* 2.5.48 and newer */
	MODNAME_O,  /* up to 2.5.47; elsewhere left over from a build */
};

struct modname {
	enum modname_kind kind;
	bool is_packed; /* .gz, .xz, .zst */
};

/* What a file name (length bytes, no directory) says. Allocates nothing. */
struct modname modname_of(const char *name, size_t length);

/* The part of a path after its last slash. */
const char *modname_base(const char *path);

/* Length of a file name up to its extension, as modprobe cuts it: at the first dot. */
size_t modname_stem(const char *name);

/*
 * Do .o files count as modules in the tree of this release? has_ko: there are .ko files.
 */
bool modname_objects_count(const char *release, bool has_ko);

#endif
