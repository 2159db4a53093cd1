/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths below a base directory, with that directory as the root: an absolute link in an image
 * or a chroot leads to where it would lead there, never out to the host, as it would for depmod.
 */
#ifndef MODCHECK_ROOT_H
#define MODCHECK_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct arena;

struct root {
	int fd;           /* -1: the root of the process */
	const char *real; /* canonical path of the base directory, "" for the root */
	size_t real_length;
};

/* What a path leads to once all links are followed. */
struct target {
	const char *real; /* canonical path, as the process sees it; in the arena */
	mode_t mode;      /* st_mode */
	off_t size;
};

/* basedir "": the root itself. Returns false with errno set; else root_release() is due. */
bool root_init(struct root *r, const char *basedir, struct arena *a);
void root_release(struct root *r);

/*
 * Follow a path that is meant below the root ("/opt/x", "lib/modules"), or in _real a canonical
 * path of the process whose last component may be a link. Nothing is opened for reading, so a
 * FIFO or a device is safe. Returns false with errno set.
 */
bool root_resolve(const struct root *r, const char *path, struct arena *a, struct target *t);
bool root_resolve_real(const struct root *r, const char *path, struct arena *a, struct target *t);

/*
 * The canonical path of what is there, found without openat2() and /proc, for systems that have
 * not both: in the arena, NULL with errno set.
 */
const char *root_follow(const struct root *r, const char *path, struct arena *a);

#endif
