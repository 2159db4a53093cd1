/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that two kernels both have: where those that needed a symbol in the one need another in
 * the other, the headers (or the source) made it so. What is read lives until peers_release().
 */
#ifndef MODCHECK_PEERS_H
#define MODCHECK_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ready/fates.h"
#include "scan/scan.h"

struct module;
struct session;
struct worker;

struct peer_tree {
	struct module *modules;
	uint32_t n_modules;
	struct worker **workers;
	unsigned int n_workers;
};

struct peers {
	struct peer_tree before, after; /* after.modules: NULL, or those of the session */
	bool is_same_version;           /* of one source: what changed, the configuration changed */
};

/*
 * Read the modules of the tree into *t; their names go into the session's table. False if there is
 * none that can be read.
 */
bool peers_read(struct peer_tree *t, struct session *s, const struct scan_options *scan,
		unsigned int n_threads);

/*
 * For each name whose wanted[] is set (n_wanted of them; names beyond are not wanted), what became
 * of it from one tree to the other: fates of kind FATE_PEERS, or FATE_GONE.
 */
void peers_look(const struct peers *p, struct session *s, struct fates *fates, const bool *wanted,
		uint32_t n_wanted);

void peers_release(struct peer_tree *t);

#endif
