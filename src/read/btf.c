/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As btf_parse_module() and what it calls (kernel/bpf/btf.c, 6.12) look at it:
 *
 *   u16 magic 0xeb9f; u8 version 1; u8 flags 0; u32 hdr_len;
 *   u32 type_off, type_len, str_off, str_len, from the end of the header
 *
 * A header may be shorter, then what is not there is 0, or longer (layouts, from 7.1 on). Types
 * begin at a multiple of 4; strings end with NUL. With the header of 24 bytes nothing else is
 * there: no gaps, and the strings are at the end.
 */
#include "read/btf.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "read/btftypes.h"
#include "read/reader.h"

#define BTF_MAGIC 0xeb9fu
#define BTF_VERSION 1
#define KERNEL_ENOTSUPP 524 /* include/linux/errno.h: programs have no name for it */
#define HEADER_BYTES 24
#define LEAST_BYTES 8 /* up to and with hdr_len */
#define MAX_NAME_OFFSET 0xffffffu

enum { TYPE_OFF = 8, TYPE_LEN = 12, STR_OFF = 16, STR_LEN = 20 };

static uint32_t field(const unsigned char *header, unsigned int at, bool is_big)
{
	return bytes_get32(header + at, is_big);
}

/* What is wrong with the extents of types and strings in the `room` bytes behind the header? */
static const char *check_extents(const unsigned char *header, const unsigned char *data,
				 uint64_t room, bool is_big, bool is_short)
{
	uint32_t str_off = field(header, STR_OFF, is_big), str_len = field(header, STR_LEN, is_big);
	uint32_t type_off = field(header, TYPE_OFF, is_big);
	uint32_t type_len = field(header, TYPE_LEN, is_big);

	if (type_off % 4 != 0)
		return "type_off is no multiple of 4";
	if (!bytes_has_range(room, type_off, type_len))
		return "the types are not inside the section";
	if (!bytes_has_range(room, str_off, str_len))
		return "the strings are not inside the section";
	if (str_len > 0 && data[(uint64_t)str_off + str_len - 1] != '\0')
		return "the strings do not end with NUL";
	if (is_short &&
	    (type_off != 0 || str_off != type_len || str_off + (uint64_t)str_len != room))
		return "types and strings do not fill the section";
	return NULL;
}

static const char *check_header(const unsigned char *header, uint32_t *error)
{
	if (header[2] != BTF_VERSION || header[3] != 0)
		*error = KERNEL_ENOTSUPP;
	if (header[2] != BTF_VERSION)
		return "its version is not 1";
	return header[3] ? "its flags are not 0" : NULL;
}

/* Strings of a .BTF.base: there have to be some, the first one empty. */
static const char *check_own_strings(const struct btf_types *t)
{
	if (t->strings_size == 0 || t->strings_size - 1 > MAX_NAME_OFFSET || t->strings[0])
		return "it has no sound table of strings";
	return NULL;
}

static const char *check_types(struct btf_types *t, const struct btf_base *base,
			       struct btf_base *found, uint32_t *error)
{
	static const struct btf_base none = { "", 0, 1 };
	const char *wrong = base ? NULL : check_own_strings(t);

	t->base = base ? *base : none;
	t->is_distilled = !base;
	if (!wrong)
		wrong = btftypes_refusal(t, error);
	if (!wrong && found)
		*found = (struct btf_base) { t->strings, t->strings_size, t->n_types + 1 };
	return wrong;
}

const char *btf_refusal(const unsigned char *p, uint64_t size, bool is_big,
			const struct btf_base *base, struct btf_base *found, uint32_t *error)
{
	unsigned char header[HEADER_BYTES] = { 0 };

	*error = EINVAL;
	if (size < LEAST_BYTES)
		return "it is shorter than its header";
	uint32_t length = bytes_get32(p + 4, is_big);
	if (length > size)
		return "hdr_len is beyond the section";
	memcpy(header, p, length < HEADER_BYTES ? length : HEADER_BYTES);
	if (bytes_get16(header, is_big) != BTF_MAGIC)
		return "the magic is not 0xeb9f";
	const char *wrong = check_header(header, error);
	const unsigned char *data = p + length;
	if (!wrong)
		wrong = check_extents(header, data, size - length, is_big, length <= HEADER_BYTES);
	if (wrong)
		return wrong;
	struct btf_types types = {
		.bytes = data + field(header, TYPE_OFF, is_big),
		.size = field(header, TYPE_LEN, is_big),
		.strings = (const char *)data + field(header, STR_OFF, is_big),
		.strings_size = field(header, STR_LEN, is_big),
		.is_big = is_big,
	};
	return check_types(&types, base, found, error);
}

/* The bytes of the first section of that name, NULL if there is none or it is empty. */
static const unsigned char *find(struct elffile *f, const char *name, uint64_t *size)
{
	for (uint32_t i = 1; i < f->header.shnum; i++) {
		struct section *s = &f->sections[i];
		if (strcmp(sections_name(f, i), name) != 0)
			continue;
		*size = s->size;
		return s->size && !s->is_bad ? image_section(&f->reader->image, s) : NULL;
	}
	return NULL;
}

static void tell(struct elffile *f, enum fault_kind kind, const char *name, uint32_t error,
		 const char *wrong)
{
	check_fault(f, kind, ELF_BTF, error, 0, "section %s is damaged: %s", name, wrong);
}

void btf_check(struct elffile *f)
{
	const bool is_big = f->header.is_big;
	struct btf_base base = f->reader->btf_base;
	uint64_t size, base_size;
	uint32_t error;
	const unsigned char *bytes = find(f, ".BTF", &size);
	const unsigned char *own = bytes ? find(f, ".BTF.base", &base_size) : NULL;
	const char *wrong = own ? btf_refusal(own, base_size, is_big, NULL, &base, &error) : NULL;

	if (!bytes)
		return;
	if (wrong) {
		tell(f, FAULT_BTF_BASE, ".BTF.base", error, wrong);
		return;
	}
	wrong = btf_refusal(bytes, size, is_big, &base, NULL, &error);
	if (wrong)
		tell(f, own ? FAULT_BTF_BASE : FAULT_BTF, ".BTF", error, wrong);
}
