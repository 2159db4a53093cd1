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
struct btf_base;
struct names;
struct worker;
struct item;

struct load {
	/* input */
	const struct tree *tree; /* NULL: none */
	/* FILEs of the command line, NULL-terminated; NULL: judge the tree */
	const char *const *files;
	const struct entry *given; /* as FILEs, if `files` is not NULL */
	uint32_t n_given;
	const char *const *overlays; /* files that count as installed */
	unsigned int n_overlays;
	unsigned int n_threads;
	bool show_progress;
	const struct btf_base *btf_base; /* the kernel's, NULL: not known */
	bool is_thorough; /* see reader_set_thorough(); of FILEs and overlays it is always so */
	/* output: modules sorted by path, in the arena; names joined into `names` */
	struct module *modules;
	uint32_t n_modules;
	struct worker **workers; /* to be given to load_release() when the session ends */
	unsigned int n_workers;
	int shortage; /* errno if descriptors or memory ran out: what was read is worth nothing */
	/* between load_read() and load_join() */
	struct item *items;
	uint16_t *reader_of; /* [item] index of the worker that read it */
};

/*
 * Read all, in any order, on several threads. A FILE takes the place of the tree's module of the
 * same name. Nobody may change `base` meanwhile: the evidence's names if they are there, else an
 * empty table.
 */
void load_read(struct load *l, const struct names *base, struct arena *a);

/* Join what the workers have read: their names into `names`, modules in order into l->modules. */
void load_join(struct load *l, struct names *names, struct arena *a);

/* When the session ends. */
void load_release(struct worker **workers, unsigned int n_workers);

#endif
