/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of the two kernels that are compared: an installed tree, or a Module.symvers alone.
 */
#ifndef MODCHECK_DIFF_SIDE_H
#define MODCHECK_DIFF_SIDE_H

#include <stdbool.h>

#include "base/err.h"
#include "session.h"

struct side {
	const char *label; /* as it is called in reports: the release, or the file's path */
	bool is_tree;      /* else a Module.symvers; then there are no modules in the session */
	struct session session;
	const char *vermagic;      /* of the kernel, or of most of its modules; NULL if not known */
	const char *built_release; /* the first word of that of most modules, "" if not known */
	uint16_t machine;          /* e_machine, 0 if not known */
	uint8_t elf_class;
};

/*
 * Read the side that `word` names: KVER below the options' -b, ROOT:KVER, a directory that ends in
 * lib/modules/KVER, or a Module.symvers. symvers: NULL, or the exports of the tree, instead of what
 * lies about. Returns false and sets *err if there is no such thing, it cannot be read, or it does
 * not tell what is exported. side_release() has to follow in either case.
 */
bool side_load(struct side *s, const char *word, const char *symvers,
	       const struct session_options *options, struct err *err);
void side_release(struct side *s);

#endif
