/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From messages to facts. What belongs to more than one line is held until the line that decides
 * it: modutils names the module in one line and its symbols in the next; many a message of the
 * kernel names no module, and modprobe, told of the errno, does it behind.
 */
#ifndef MODCHECK_LOG_FACTS_H
#define MODCHECK_LOG_FACTS_H

#include <stdbool.h>

#include "log/log.h"
#include "log/pattern.h"
#include "log/row.h"

struct facts {
	struct log *log;
	nameid header; /* modutils: whose symbols the next lines are; NAME_NONE: nobody's */
	uint32_t header_line;
	bool has_symbol;         /* there was one since */
	struct log_fact pending; /* one without a module */
	bool has_pending;
};

/* A message: its row, its fields, and the whole line, which is number `line`. False if it turned
 * out to be none that says something to us. */
bool facts_take(struct facts *f, const struct row *row, uint8_t writer,
		const struct pattern_match *m, struct span text, uint32_t line);

/* Paths of modules, and nothing else, in one line. False if that is not what it is. */
bool facts_take_paths(struct facts *f, const char *text);

/* A line of modules.dep, which depmod -n prints: "kernel/fs/fat/vfat.ko: kernel/fs/fat/fat.ko". */
bool facts_take_dep(struct facts *f, const char *text, size_t length);

/* There are no more lines. */
void facts_end(struct facts *f);

#endif
