/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a log as lines to be compared with messages: marks of quoting (> ) and terminal
 * colours are taken away, blanks and control characters are one space each run, and what a mail
 * program glued together is cut where a new message of depmod begins. Lines that it wrapped are
 * not joined here: only who knows the messages knows which is incomplete.
 */
#ifndef MODCHECK_LOG_LINES_H
#define MODCHECK_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest message of the loader has a symbol of 511 bytes; a path has 4,096. */
#define LINE_BYTES 8192

struct log_line {
	size_t length;
	uint32_t number; /* in the log, from 1 */
	bool is_fresh;   /* it has a time stamp, or begins as messages do: nothing goes on here */
	bool is_kernel;  /* a kernel message by what is in front of it */
	bool is_cut;     /* it is longer, and only its beginning is here */
	char text[LINE_BYTES];
};

struct log_lines {
	const char *at, *end;
	const char *newline;    /* the next one */
	const char *markers[3]; /* where a message of depmod begins next, for each beginning */
	uint32_t number;        /* of the line that `at` is in, from 1 */
	bool is_inside;         /* `at` is inside of it */
};

/* bytes: not changed, and alive as long as *l is used. */
void log_lines_init(struct log_lines *l, const char *bytes, size_t size);

/* The next line that is not empty; false at the end. */
bool log_lines_next(struct log_lines *l, struct log_line *line);

/* Append the next line to one that goes on there. False if there is no room for it. */
bool log_line_append(struct log_line *line, const struct log_line *next, bool with_space);

#endif
