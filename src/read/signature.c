/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signature is appended to the ELF file (include/linux/module_signature.h, 5.10 to 7.2):
 *
 *   | ELF file | PKCS#7 | struct module_signature (12 bytes) | "~Module signature appended~\n" |
 */
#include <string.h>

#include "read/reader.h"

static const char marker[] = "~Module signature appended~\n";

bool signature_is_there(struct image *img)
{
	unsigned char buffer[IMAGE_TAIL_BYTES];
	const unsigned char *tail = image_tail(img, buffer, sizeof(marker) - 1);

	return tail && memcmp(tail, marker, sizeof(marker) - 1) == 0;
}
