/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The read stage on several threads: module files and, beside them, the kernel's evidence.
 */
#ifndef MODCHECK_LOAD_H
#define MODCHECK_LOAD_H

#include <stdbool.h>

#include "base/err.h"
#include "kernel/evidence.h"
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
	const struct evidence_options *evidence;
	unsigned int n_threads;
	bool show_progress;
	/* output: modules sorted by path, in the arena; names joined into `names` */
	struct module *modules;
	uint32_t n_modules;
	struct kernel *kernel;
	struct worker **workers; /* to be given to load_release() when the session ends */
	unsigned int n_workers;
};

/*
 * Read all. A FILE takes the place of the tree's module of the same name. Returns false and sets
 * *err if evidence that the user named cannot be read; load_release() has to follow all the same.
 */
bool load_all(struct load *l, struct names *names, struct arena *a, struct err *err);
void load_release(struct worker **workers, unsigned int n_workers);

#endif
