/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that two kernels both have: where those that needed a symbol in the one need another in
 * the other, the headers (or the source) made it so. What is read lives as long as the session.
 */
#ifndef MODCHECK_PEERS_H
#define MODCHECK_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ready/fates.h"
#include "scan/scan.h"

struct module;
struct session;

struct peer_tree {
	const struct module *modules;
	uint32_t n_modules;
};

struct peers {
	struct peer_tree before, after;
	bool is_same_version; /* of one source: what changed, the configuration changed */
};

/*
 * Read the modules of the tree into *t; their names go into the session's table. False if there is
 * none that can be read. Not more often than session.also has room.
 */
bool peers_read(struct peer_tree *t, struct session *s, const struct scan_options *scan,
		unsigned int n_threads);

/*
 * For each name whose wanted[] is set (n_wanted of them; names beyond are not wanted), what became
 * of it from one tree to the other: fates of kind FATE_PEERS, or FATE_GONE.
 */
void peers_look(const struct peers *p, struct session *s, struct fates *fates, const bool *wanted,
		uint32_t n_wanted);

#endif
