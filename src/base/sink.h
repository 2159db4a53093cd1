/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a report is written. The first error (full disk, closed pipe) is kept and everything
 * after it dropped, so writers need no checks: whoever opened the sink asks once, at the end.
 */
#ifndef MODCHECK_SINK_H
#define MODCHECK_SINK_H

#include <stddef.h>
#include <stdio.h>

struct sink {
	FILE *file;
	int error; /* errno of the first failure, 0 while all is well */
};

void sink_init(struct sink *s, FILE *file); /* the file stays the caller's */
void sink_write(struct sink *s, const char *bytes, size_t size);
void sink_puts(struct sink *s, const char *text); /* no newline is added */
void sink_printf(struct sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Flush. Returns 0, or the errno of the first failure since sink_init(). */
int sink_finish(struct sink *s);

#endif
