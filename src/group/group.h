/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The group stage: findings in, causes out. What one mistake explains is told once.
 *
 *   keys.c      which cause a finding belongs to, as the cause's id
 *   group.c     findings of one id joined, modules behind refused providers added
 *   describe.c  title, evidence and likely fix of each cause, in words
 */
#ifndef MODCHECK_GROUP_H
#define MODCHECK_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cause.h"
#include "model/finding.h"
#include "model/kernel.h"
#include "model/module.h"
#include "model/readiness.h"
#include "preemption/preemption.h"
#include "resolve.h"

struct arena;

struct grouping {
	/* input */
	const struct kernel *kernel;
	const struct module *modules;
	uint32_t n_modules;
	const struct resolution *links;
	const struct preemption *preemption;
	const struct readiness *readiness; /* NULL: modules were judged as they are */
	const struct names *names;
	struct finding *findings; /* sorted by module; `cause` is filled in */
	uint32_t n_findings;
	struct arena *arena;
	bool is_log;        /* all findings are from a log: nothing is known but what it says */
	uint8_t log_models; /* of a log: what its modules likely were built for, by what they lack
			     */
	/* output, in the arena */
	struct cause *causes; /* worst first, then those that hit most modules */
	uint32_t n_causes;
};

/*
 * Fill in causes. Only targets are counted in them; a cause that hits no target and is not
 * about the tree is dropped, and its findings keep CAUSE_NONE.
 */
void group_findings(struct grouping *g);

/*
 * Is the evidence of another kernel altogether? Returns a sentence in the arena that says so,
 * else NULL: more than half of the distinct kernel symbols that modules need are not there
 * (and at least 16), or not even printk is.
 */
const char *group_wrong_evidence(const struct grouping *g);

/* For the files of this folder. */

/* keys[i]: id of the cause of findings[i], NULL for MC204, which goes where its provider's goes. */
const char **group_keys(const struct grouping *g);

/* Fill in title, evidence, hint, family, symbol, ns and provider of a cause whose lists are ready.
 */
void group_describe(const struct grouping *g, struct cause *cause);

/* Ids of causes that join many symbols begin with these. */
#define KEY_LAYOUT "MC303:"
#define KEY_VERMAGIC "MC304:"
#define KEY_MODEL "MC501:"
#define KEY_LOG_MODEL "model:"
#define KEY_FAMILY "family:"

#endif
