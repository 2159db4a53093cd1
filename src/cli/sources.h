/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `modcheck ready` is given: modules, directories with modules, trees of other kernels.
 */
#ifndef MODCHECK_CLI_SOURCES_H
#define MODCHECK_CLI_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "scan/scan.h"

struct names;
struct options;

struct sources {
	struct scan_options tree; /* of the last whole tree; release NULL: none */
	uint32_t n_trees;
	uint32_t n_own_build;  /* modules left out, as TARGET's tree has one of that name */
	struct entry *entries; /* malloc'ed; what they point to lives in the options' arena */
	size_t n_entries, cap_entries;
	struct names *seen; /* real paths of what was taken; while words are */
};

/*
 * Take each word: files into o->session.files, all else into *s. A tree's modules that TARGET has
 * too are left out unless --all asks for them. False and *err for what is not there; free
 * s->entries in either case.
 */
bool sources_take(struct sources *s, struct options *o, const char *const *words, struct err *err);

#endif
