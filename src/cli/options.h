/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, taken apart.
 */
#ifndef MODCHECK_OPTIONS_H
#define MODCHECK_OPTIONS_H

#include <stdbool.h>

#include "base/err.h"
#include "render/render.h"
#include "session.h"

enum verb {
	VERB_CHECK,
	VERB_RULES,
	VERB_EXPLAIN,
	VERB_SYMVERS,
	VERB_PARSE,
	VERB_DIFF,
	VERB_READY,
	VERB_HELP,
	VERB_VERSION
};

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* One --format: a renderer and the file that it writes to, NULL for stdout. */
struct output {
	const char *format; /* its name */
	render_function *render;
	const char *path;
};

struct options {
	enum verb verb;
	struct session_options session;
	const char *subject;     /* explain: rule or symbol; parse: the log, NULL: standard input */
	const char *tree_option; /* the last option given that is about a tree or its evidence */
	const char *old, *new;   /* diff: the two kernels */
	const char *cpuinfo;     /* diff: what --cpuinfo names, NULL if it was not given */
	const char **sources;    /* ready: modules, directories, trees; NULL-terminated */
	struct output *outputs;  /* at least one */
	unsigned int n_outputs;
	enum color_mode color;
	unsigned int max_items;
	bool is_quiet, is_verbose, list_all;
	const char *running; /* release of the running kernel */
	struct arena *arena; /* owns what is not of argv */
};

/*
 * Take argv apart. Strings of *o point into argv or live in its arena. Returns false and sets *err
 * for whatever is wrong with it. options_release() has to follow in either case.
 */
bool options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_release(struct options *o);

/* The text of --help. */
extern const char options_help[];

#endif
