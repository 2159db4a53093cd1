/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module as it would come out of a build against the headers of the session's kernel, as far as
 * can be told without its source.
 */
#ifndef MODCHECK_REBUILD_H
#define MODCHECK_REBUILD_H

#include "model/readiness.h"
#include "ready/fates.h"

struct arena;
struct module;

struct rebuild {
	struct fates *fates;
	const char *vermagic; /* of the kernel, NULL if not known */
	uint16_t machine;     /* e_machine of the kernel, 0 if not known */
	uint32_t n_names;
	uint32_t *stamp; /* [n_names], zeroed at first: serial number of who needs it already */
	uint32_t serial;
	uint32_t *replaced; /* [n_names]: modules in which the symbol gave way to others */
	struct arena *arena;
};

/*
 * Change *m, which can be read. What the headers may make it need besides goes into *r, if it
 * matters to a module of its licence. New arrays live in the arena.
 */
void rebuild_module(struct rebuild *b, struct module *m, struct module_readiness *r);

#endif
