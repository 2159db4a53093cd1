/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole file into memory, without trust in what the path leads to: it may be a FIFO that
 * nobody writes to, a directory, a device without end, a file of /proc that says it is empty,
 * or one that shrinks while it is read. Read, not mapped, so that a file that is cut meanwhile
 * cannot kill the program.
 */
#ifndef MODCHECK_FILE_H
#define MODCHECK_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct file {
	char *bytes; /* malloc'ed; a NUL follows that is not counted in size */
	size_t size;
};

enum file_result {
	FILE_OK,
	FILE_ABSENT, /* there is nothing of that name */
	FILE_BAD,    /* there is, and it cannot be read */
};

enum file_flags {
	FILE_REGULAR_ONLY = 0, /* for paths that were found */
	FILE_STREAMS = 1,      /* pipes and devices too: for paths that the user named */
};

/*
 * Read all of path, at most `limit` bytes. On failure *file is empty and *err has a phrase that
 * goes after the path, as "Permission denied".
 */
enum file_result file_read(struct file *file, const char *path, enum file_flags flags,
			   uint64_t limit, struct err *err);
void file_release(struct file *file);

#endif
