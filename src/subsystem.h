/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subsystem of a module: its directory below kernel/.
 */
#ifndef MODCHECK_SUBSYSTEM_H
#define MODCHECK_SUBSYSTEM_H

struct arena;

/*
 * "kernel/drivers/net/ppp/ppp_async.ko" -> "drivers/net/ppp"; a last directory that only
 * repeats the module's name is left out: "kernel/fs/nfs/nfs.ko" -> "fs". extra, updates and
 * misc are subsystems with all that is below them. In the arena.
 */
const char *subsystem_of(const char *path, struct arena *a);

#endif
