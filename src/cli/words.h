/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is left of the command line once its options are taken: kernels, commands and files.
 */
#ifndef MODCHECK_CLI_WORDS_H
#define MODCHECK_CLI_WORDS_H

#include <stdbool.h>

#include "base/err.h"

struct options;

/* Take them into *o: the verb, its subject, release and files. False and *err for what is wrong. */
bool words_take(struct options *o, char **words, struct err *err);

/*
 * There is no tree of the release: that of the most similar name, "" if no tree is like it; in o's
 * arena.
 */
const char *words_near_release(struct options *o);

/* Is there such a file, and is it no directory? False and *err if not. */
bool words_check_file(const char *path, struct err *err);

#endif
