/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of .BTF, as btf_parse_hdr() and what it calls (kernel/bpf/btf.c, 6.12) look at it:
 *
 *   u16 magic 0xeb9f; u8 version 1; u8 flags 0; u32 hdr_len;
 *   u32 type_off, type_len, str_off, str_len, from the end of the header
 *
 * A header may be shorter, then what is not there is 0, or longer (layouts, from 7.1 on). Types
 * begin at a multiple of 4; strings end with NUL. The types themselves, which refer to those of
 * the kernel, are not looked at.
 */
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "read/reader.h"

#define BTF_MAGIC 0xeb9fu
#define BTF_VERSION 1
#define KERNEL_ENOTSUPP 524 /* include/linux/errno.h: programs have no name for it */
#define HEADER_BYTES 24
#define LEAST_BYTES 8 /* up to and with hdr_len */

enum { TYPE_OFF = 8, TYPE_LEN = 12, STR_OFF = 16, STR_LEN = 20 };

static uint32_t field(const unsigned char *header, unsigned int at, bool is_big)
{
	return bytes_get32(header + at, is_big);
}

/* What is wrong with the extents of types and strings in the `room` bytes behind the header? */
static const char *check_extents(const unsigned char *header, const unsigned char *data,
				 uint64_t room, bool is_big)
{
	uint32_t str_off = field(header, STR_OFF, is_big), str_len = field(header, STR_LEN, is_big);

	if (field(header, TYPE_OFF, is_big) % 4 != 0)
		return "type_off is no multiple of 4";
	if (!bytes_has_range(room, field(header, TYPE_OFF, is_big),
			     field(header, TYPE_LEN, is_big)))
		return "the types are not inside the section";
	if (!bytes_has_range(room, str_off, str_len))
		return "the strings are not inside the section";
	if (str_len > 0 && data[(uint64_t)str_off + str_len - 1] != '\0')
		return "the strings do not end with NUL";
	return NULL;
}

static const char *check_header(const unsigned char *p, uint64_t size, bool is_big, uint32_t *error)
{
	unsigned char header[HEADER_BYTES] = { 0 };

	if (size < LEAST_BYTES)
		return "it is shorter than its header";
	uint32_t length = bytes_get32(p + 4, is_big);
	if (length > size)
		return "hdr_len is beyond the section";
	memcpy(header, p, length < HEADER_BYTES ? length : HEADER_BYTES);
	if (bytes_get16(header, is_big) != BTF_MAGIC)
		return "the magic is not 0xeb9f";
	if (header[2] != BTF_VERSION) {
		*error = KERNEL_ENOTSUPP;
		return "its version is not 1";
	}
	return check_extents(header, p + length, size - length, is_big);
}

void btf_check(struct elffile *f)
{
	struct section *s = NULL;

	for (uint32_t i = 1; i < f->header.shnum && !s; i++)
		if (strcmp(sections_name(f, i), ".BTF") == 0)
			s = &f->sections[i];
	if (!s || s->size == 0 || s->is_bad)
		return;
	const unsigned char *bytes = image_section(&f->reader->image, s);
	uint32_t error = EINVAL;
	const char *wrong = bytes ? check_header(bytes, s->size, f->header.is_big, &error) : NULL;
	if (wrong)
		check_fault(f, FAULT_BTF, ELF_BTF, error, 0, "section .BTF is damaged: %s", wrong);
}
