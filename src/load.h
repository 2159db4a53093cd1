/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The read stage, on several threads.
 */
#ifndef MODCHECK_LOAD_H
#define MODCHECK_LOAD_H

#include <stdbool.h>

#include "model/module.h"
#include "model/tree.h"

struct arena;
struct names;
struct worker;

struct load {
	/* input */
	const struct tree *tree; /* NULL: none */
	const char *const
		*files; /* FILEs of the command line, NULL-terminated; NULL: judge the tree */
	const char *const *overlays; /* files that count as installed */
	unsigned int n_overlays;
	unsigned int n_threads;
	bool show_progress;
	/* output: modules sorted by path, in the arena; names joined into `names` */
	struct module *modules;
	uint32_t n_modules;
	struct worker **workers; /* to be given to load_release() when the session ends */
	unsigned int n_workers;
};

/*
 * Read all. A FILE takes the place of the tree's module of the same name. `names` holds those of
 * the evidence. load_release() has to follow when the session ends.
 */
void load_modules(struct load *l, struct names *names, struct arena *a);
void load_release(struct worker **workers, unsigned int n_workers);

#endif
