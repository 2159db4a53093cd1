/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence of a kernel: find it, read it, merge it. Each kind of source has its reader in a file of
 * its own in this folder, entered by (bytes, length); this header is the only door.
 */
#ifndef MODCHECK_EVIDENCE_H
#define MODCHECK_EVIDENCE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/names.h"
#include "model/kernel.h"

struct arena;

struct evidence_options {
	const char *basedir; /* NULL or "": the root directory */
	const char *moddir;  /* module directory below basedir, "lib/modules/6.1.0"; NULL: none */
	const char *release;
	const char *system_map; /* -F, NULL if not given */
	const char **symvers;   /* -E */
	unsigned int n_symvers;
	const char *kernel_config; /* --kernel-config */
	const char *kernel_image;  /* --kernel-image, NULL if not given */
	bool wants_types;          /* kernel->types, too: a few MiB */
	bool is_running;           /* release is that of the running kernel: /proc may be asked */
};

/*
 * Fill *kernel. Names go into `names`, all else into the arena. A file that the user named and that
 * cannot be read, or is no evidence of its kind at all, is an error (false); one that was only
 * discovered is noted in sources[] and set aside. kernel->has_exports tells whether it was enough.
 *
 * What the user named is not added to by what lies about: with an -E that lists the kernel's
 * exports, or an -F or an image that shows them, no other evidence of exports is looked for; with
 * any -F no other map, with a --kernel-config no other configuration. An -E of external modules
 * alone, or an -F that is a stub, leaves the question open and discovery goes on. How sources that
 * say different things are joined is told in merge.h: a Module.symvers decides what is exported,
 * and a map (-E and -F together) then only adds what is defined. -F and -E may be pipes.
 *
 * An image takes long to unpack, so one that was not named is only read where no Module.symvers was
 * found; the kernel's vermagic is not known then.
 */
bool evidence_load(struct kernel *kernel, const struct evidence_options *options,
		   struct names *names, struct arena *a, struct err *err);

/*
 * The value of "CONFIG_X". An option that a configuration does not mention is not set; one with a
 * number or a string is KCONFIG_YES.
 */
enum kconfig_value kconfig_get(const struct kconfig *config, const char *option);

/* The word of Module.symvers for a licence: "EXPORT_SYMBOL_GPL". */
const char *licence_word(enum licence licence);

/* KERNEL_VERSION_CODE of "6.1.0-50-amd64", 0 if it does not begin with a version. */
uint32_t kernel_version_of(const char *release);

#endif
