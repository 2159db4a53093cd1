/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The edits that mutate knows, a table for each family of them. An edit is written NAME=A:B:C;
 * it gets as many words as its row says, the last one with whatever colons are left.
 */
#ifndef JUDGE_EDITS_H
#define JUDGE_EDITS_H

#include "elfedit.h"

struct edit {
	const char *name;
	int n_words; /* at most; missing ones are "" */
	void (*apply)(struct elfedit *e, const char *a, const char *b, const char *c);
};

/* Each ends with a row without a name. */
extern const struct edit edits_elf[], edits_symbol[], edits_tag[], edits_file[];

/* The number that a word stands for applied to a value: 5 sets, +5 adds, |5 and ~5 set and clear
   bits. */
uint64_t edit_value(uint64_t value, const char *word);

/* The offset that a word stands for in something of that size: -1 is the last byte. */
size_t edit_offset(size_t size, const char *word);

/* No driver code is to run: the relocations that name its init and exit functions become none. */
void edit_neutralize(struct elfedit *e);

/* The first entry NAME= of .modinfo, NULL if there is none. */
const char *edit_tag_value(const struct elfedit *e, const char *name);

#endif
