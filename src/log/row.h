/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of messages. A message is one row.
 */
#ifndef MODCHECK_LOG_ROW_H
#define MODCHECK_LOG_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "log/log.h"

enum row_kind {
	ROW_FINDING, /* rule, on the module (%m or %p) and symbol (%s) */
	ROW_SYMBOL,  /* ... by the errno that the message ends with */
	ROW_VERSION, /* ... a symbol's version; module_layout is another rule */
	ROW_CYCLE,   /* "a -> b -> a": on each of them */
	ROW_HEADER,  /* modutils: lines with symbols of this module follow */
	ROW_LISTED,  /* modutils: such a symbol */
	ROW_FAILURE, /* it was not loaded; %d is the error's text */
	ROW_ABSENT,  /* ... because there is no such module */
	ROW_SEEN,    /* names a module and complains of nothing */
	ROW_BANNER,  /* the kernel's version */
	ROW_BLIND,   /* depmod looked at no symbol */
	ROW_CALM,    /* known, and nothing to tell */
	ROW_OTHER,   /* a complaint that no rule is for */
};

/* severity of a row that has its rule's own */
#define SEV_OF_RULE 3

struct row {
	const char *pattern;
	uint8_t kind;
	uint16_t rule;
	uint8_t severity;
	int error;          /* 0: the rule's own, of the kernel's messages */
	const char *detail; /* NULL: %d */
};

/* One table for each writer, in its file, which says where its words are from. */
struct row_table {
	const struct row *rows;
	size_t n;
	uint8_t writer;
};

extern const struct row_table modutils_rows, kmod_rows, tools_rows, loader_rows;

/* What strerror() and the tools say of an errno. 0: nothing that a loader returns. */
int log_error_of(const char *text, size_t length);

#endif
