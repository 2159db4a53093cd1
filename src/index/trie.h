/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The binary indexes of kmod (modules.dep.bin and its like). Read here and not by libkmod, which
 * (up to version 30 at least) follows any offset that it finds in one: a damaged file kills it. It
 * also takes 20 ms to look up the dependencies of 4,000 modules one by one; all of them in one
 * go take 2.
 */
#ifndef MODCHECK_TRIE_H
#define MODCHECK_TRIE_H

#include <stddef.h>

/* Called for each value, which is not NUL-terminated within length. */
typedef void trie_value(void *arg, const char *value, size_t length);

/*
 * Call each() for all values of the index, in the order of their keys. Returns NULL, or a phrase
 * for what is wrong with the file; values met before that were handed out.
 */
const char *trie_read(const char *bytes, size_t size, trie_value *each, void *arg);

#endif
