/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF, the kernel's own description of its types (Documentation/bpf/btf.rst). Of it the size of
 * `struct module` is wanted, which a module has to have, too; and where numbers and strings end,
 * for those of modules go on from there.
 *
 *   magic 0xeb9f 2 | version 1 | flags 1 | hdr_len 4 | type_off 4 | type_len 4 | str_off 4 |
 *   str_len 4         offsets count from the header's end; all in the kernel's byte order
 *
 * Types follow each other: name_off 4 | info 4 | size or type 4, and then what the kind and the
 * number of members in info ask for. Kinds are only ever added: an unknown one ends the walk, as
 * its length is not known.
 */
#include "image/body.h"

#include <string.h>

#define HEADER_BYTES 24
#define TYPE_BYTES 12
#define KIND_STRUCT 4
#define MAX_TRIES 16 /* of what begins like BTF, so that made-up files cost no time */

struct btf {
	const unsigned char *types, *strings;
	uint32_t types_size, strings_size;
	bool is_big;
};

/* Bytes behind the 12 of each kind: fixed, and for each member. Kinds 0 to 19 (6.0 and later). */
static const struct {
	uint8_t fixed, per_member;
} kinds[] = {
	{ 0, 0 }, { 4, 0 },  { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },
	{ 0, 0 }, { 0, 0 },  { 0, 0 }, { 0, 0 },  { 0, 0 },  { 0, 0 },  { 0, 8 },
	{ 4, 0 }, { 0, 12 }, { 0, 0 }, { 4, 0 },  { 0, 0 },  { 0, 12 },
};

static bool get_header(struct btf *btf, const struct body *b, uint64_t at)
{
	if (!bytes_has_range(b->size, at, HEADER_BYTES))
		return false;
	const unsigned char *h = b->bytes + at;
	uint32_t header = bytes_get32(h + 4, b->is_big), types = bytes_get32(h + 8, b->is_big);
	uint32_t strings = bytes_get32(h + 16, b->is_big);
	btf->is_big = b->is_big;
	btf->types_size = bytes_get32(h + 12, b->is_big);
	btf->strings_size = bytes_get32(h + 20, b->is_big);
	if (h[2] != 1 || header < HEADER_BYTES || header > 256 || btf->strings_size == 0)
		return false;
	if (!bytes_has_range(b->size, at + header + types, btf->types_size) ||
	    !bytes_has_range(b->size, at + header + strings, btf->strings_size))
		return false;
	btf->types = h + header + types;
	btf->strings = h + header + strings;
	return btf->strings[0] == '\0';
}

static bool is_named(const struct btf *btf, uint32_t name, const char *text)
{
	size_t n = strlen(text) + 1;

	return bytes_has_range(btf->strings_size, name, n) &&
	       memcmp(btf->strings + name, text, n) == 0;
}

/* Bytes of the type at this offset, 0 if it is not known or goes beyond the end. */
static uint32_t type_bytes(const struct btf *btf, uint32_t at)
{
	if (btf->types_size - at < TYPE_BYTES)
		return 0;
	uint32_t info = bytes_get32(btf->types + at + 4, btf->is_big);
	uint32_t kind = info >> 24 & 0x1f, n = info & 0xffff;
	if (kind >= sizeof(kinds) / sizeof(*kinds))
		return 0;
	uint32_t more = kinds[kind].fixed + n * kinds[kind].per_member;
	return more > btf->types_size - at - TYPE_BYTES ? 0 : TYPE_BYTES + more;
}

/* The size of the structure of that name, 0 if there is none. */
static uint32_t struct_size(const struct btf *btf, const char *name)
{
	for (uint32_t at = 0, length; (length = type_bytes(btf, at)) != 0; at += length) {
		const unsigned char *t = btf->types + at;
		uint32_t kind = bytes_get32(t + 4, btf->is_big) >> 24 & 0x1f;
		if (kind == KIND_STRUCT && is_named(btf, bytes_get32(t, btf->is_big), name))
			return bytes_get32(t + 8, btf->is_big);
	}
	return 0;
}

/* How many types there are, with void; 0 if one is not known. */
static uint32_t count_types(const struct btf *btf)
{
	uint32_t n = 1, at = 0;

	for (uint32_t length; (length = type_bytes(btf, at)) != 0; at += length)
		n++;
	return at == btf->types_size ? n : 0;
}

void btf_find(struct kernel_image *im, const struct body *b)
{
	static const unsigned char little[] = { 0x9f, 0xeb, 1, 0 }, big[] = { 0xeb, 0x9f, 1, 0 };
	const unsigned char *at = b->bytes, *end = at + b->size;
	unsigned int n_tries = 0;

	while (n_tries < MAX_TRIES &&
	       (at = memmem(at, (size_t)(end - at), b->is_big ? big : little, sizeof(big)))) {
		struct btf btf;
		uint32_t size = 0;
		if (get_header(&btf, b, (uint64_t)(at - b->bytes))) {
			size = struct_size(&btf, "module");
			n_tries++;
		}
		if (size) {
			im->module_struct_size = size;
			im->types = (struct btf_base) { (const char *)btf.strings, btf.strings_size,
							count_types(&btf) };
			return;
		}
		at += sizeof(big);
	}
}
