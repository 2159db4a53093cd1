/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last stage: a result, written in one of several formats. A format is one file in this folder
 * and one row of the table in render.c. A renderer changes nothing and decides nothing but its
 * layout.
 */
#ifndef MODCHECK_RENDER_H
#define MODCHECK_RENDER_H

#include <stdbool.h>

#include "model/result.h"

struct sink;
struct arena;

struct render_options {
	unsigned int width;     /* columns, at least 40: 79 on a pipe */
	unsigned int height;    /* rows of the terminal, 0 on a pipe */
	unsigned int max_items; /* --max-items: names listed in one row, causes told in full; 0: the
				   renderer decides */
	bool use_color;
	bool is_quiet;         /* -q: nothing when all is well */
	bool is_verbose;       /* -v */
	bool list_all;         /* --all */
	const char *directory; /* absolute path of the module directory, for the depmod format; ""
				  if none */
};

typedef void render_function(struct sink *out, const struct result *r,
			     const struct render_options *options, struct arena *scratch);

/* The renderer of this name ("text", "short", "json", "depmod"), NULL if there is none. */
render_function *render_find(const char *name);

/* The names, comma separated, for messages; in the arena. */
const char *render_names(struct arena *a);

#endif
