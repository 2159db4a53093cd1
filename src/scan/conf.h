/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration files of kmod's programs: NAME.d below /etc, /run, /usr/local/lib, /usr/lib and
 * /lib.
 */
#ifndef MODCHECK_CONF_H
#define MODCHECK_CONF_H

#include <stddef.h>

struct arena;
struct root;

struct conf_file {
	const char *path;  /* to open */
	const char *shown; /* below the root: "/etc/modprobe.d/x.conf" */
};

/*
 * The files of e.g. "modprobe.d" in the order in which they count, as an array in the arena.
 * Returns their number; what cannot be read is left out.
 */
size_t conf_list(struct conf_file **files, const struct root *root, const char *name,
		 struct arena *a);

#endif
