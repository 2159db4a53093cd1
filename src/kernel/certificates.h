/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The certificates of the keys that a kernel takes signatures of. Which of them signed a module
 * says the module; other keys that a running kernel may know (of the firmware, of the machine's
 * owner) are not in any file.
 */
#ifndef MODCHECK_CERTIFICATES_H
#define MODCHECK_CERTIFICATES_H

#include <stddef.h>

struct arena;
struct evidence_options;

/* X.509 in DER, or what looks like it. */
struct certificate {
	struct certificate *next;
	const unsigned char *bytes;
	size_t size;
};

/* Of the build directory, lib/modules/K/build/certs. In the arena; NULL if there are none. */
const struct certificate *certificates_of_build(const struct evidence_options *options,
						struct arena *a);

/* Of the kernel image, named or found. This takes a second, as all of it has to be unpacked. */
const struct certificate *certificates_of_image(const struct evidence_options *options,
						struct arena *a);

#endif
