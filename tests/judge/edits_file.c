// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits of the file as a whole and of the signature behind it:
 *
 *   the module | PKCS#7, sig_len bytes | struct module_signature, 12 bytes | the marker, 28 bytes
 *
 * struct module_signature (include/linux/module_signature.h, 5.10 to 6.12): u8 algo, hash,
 * id_type, signer_len, key_id_len, pad[3]; be32 sig_len.
 */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

#define SIGNATURE_SIZE 12
#define MARKER_SIZE 28

static void keep_signature(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)a, (void)b, (void)c;
	if (!e->tail_size)
		fail("the module is not signed");
	e->keep_tail = true;
}

/* A byte of the PKCS#7 blob. */
static void poke_signature(struct elfedit *e, const char *a, const char *b, const char *c)
{
	size_t size = e->tail_size - SIGNATURE_SIZE - MARKER_SIZE;

	(void)c;
	e->tail[edit_offset(size - 1, a) + (*a == '-')] ^= (unsigned char)strtoul(b, NULL, 0);
}

/* A byte of struct module_signature, by offset: 2 is id_type, 8 the first of sig_len. */
static void poke_trailer(struct elfedit *e, const char *a, const char *b, const char *c)
{
	unsigned char *trailer = e->tail + e->tail_size - SIGNATURE_SIZE - MARKER_SIZE;
	size_t i = edit_offset(SIGNATURE_SIZE - 1, a);

	(void)c;
	trailer[i] = (unsigned char)edit_value(trailer[i], b);
}

/* Of the signature only the last N bytes. */
static void cut_signature(struct elfedit *e, const char *a, const char *b, const char *c)
{
	size_t size = strtoul(a, NULL, 0);

	(void)b, (void)c;
	if (size > e->tail_size)
		fail("the signature is shorter");
	e->tail += e->tail_size - size;
	e->tail_size = size;
}

static void truncate_file(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)b, (void)c;
	e->size = edit_offset(e->size, a);
}

static void replace_file(struct elfedit *e, const char *a, const char *b, const char *c)
{
	(void)b, (void)c;
	if (strlen(a) > e->size)
		fail("too long");
	memcpy(e->data, a, strlen(a));
	e->size = strlen(a);
}

const struct edit edits_file[] = {
	{ "signed", 0, keep_signature },
	{ "poke-signature", 2, poke_signature },
	{ "poke-trailer", 2, poke_trailer },
	{ "cut-signature", 1, cut_signature },
	{ "truncate", 1, truncate_file },
	{ "text", 1, replace_file },
	{ 0 },
};
