/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signature is appended to the ELF file (include/linux/module_signature.h, 5.10 to 7.2):
 *
 *   | ELF file | PKCS#7 | struct module_signature (12 bytes) | "~Module signature appended~\n" |
 *
 *   u8 algo, hash       0: PKCS#7 says it
 *   u8 id_type          2: PKCS#7
 *   u8 signer_len, key_id_len, pad[3]
 *                       0: likewise
 *   be32 sig_len        bytes of PKCS#7
 *
 * The checks are those of mod_verify_sig() and mod_check_sig() (kernel/module/signing.c and
 * kernel/module_signature.c, 6.1), in their order. They come before any check of ELF.
 */
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "read/pkcs7.h"
#include "read/reader.h"

static const char marker[] = "~Module signature appended~\n";

#define MARKER_BYTES (sizeof(marker) - 1)
#define TRAILER_BYTES 12
#define TYPE_PKCS7 2

/* The beginning of a message: two heads of DER and the type of the contents. */
#define HEAD_BYTES 17

static bool has_marker(struct image *img)
{
	unsigned char buffer[MARKER_BYTES];

	if (img->file_size <= MARKER_BYTES)
		return false;
	const unsigned char *p =
		image_bytes(img, img->file_size - MARKER_BYTES, buffer, MARKER_BYTES);
	return p && memcmp(p, marker, MARKER_BYTES) == 0;
}

static void set_state(struct reader *r, struct module *m, enum signature_state state,
		      const char *detail)
{
	m->signature = (uint8_t)state;
	m->signature_detail = arena_strdup(r->arena, detail);
}

/*
 * SEQUENCE { OBJECT IDENTIFIER 1.2.840.113549.1.7.2 (signedData) ...: that much is cheap to see for
 * each module, and few kinds of damage leave it whole.
 */
static bool looks_like_message(const unsigned char *p, uint32_t available, uint32_t size)
{
	static const unsigned char signed_data[] = { 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86,
						     0xf7, 0x0d, 0x01, 0x07, 0x02 };
	uint32_t head = 2, length = 0;

	if (available < 2 || p[0] != 0x30)
		return false;
	if (p[1] < 0x80)
		length = p[1];
	else
		head += p[1] & 0x7f;
	if (head > 6 || head + sizeof(signed_data) > available)
		return false;
	for (uint32_t i = 2; i < head; i++)
		length = length << 8 | p[i];
	if (p[1] != 0x80 && length > size - head) /* 0x80: the length is not told */
		return false;
	return memcmp(p + head, signed_data, sizeof(signed_data)) == 0;
}

/* Look at all of the message; the image is the whole file. */
static void read_message(struct reader *r, struct module *m, uint32_t size)
{
	const struct image *img = &r->image;
	const unsigned char *message = img->bytes + img->elf_size;

	if (size > LIMIT_SIGNATURE_BYTES)
		return;
	struct signed_content *s = arena_alloc(r->arena, sizeof(*s));

	switch (pkcs7_read(s, message, size, img->bytes, (size_t)img->elf_size)) {
	case PKCS7_OK:
		s->message = arena_copy(r->arena, message, size);
		s->message_size = size;
		m->signed_content = s;
		return;
	case PKCS7_DAMAGED:
		set_state(r, m, SIGNATURE_MESSAGE, "its PKCS#7 message is damaged");
		return;
	case PKCS7_ATTRIBUTES:
		set_state(r, m, SIGNATURE_ATTRIBUTES, "it signs attributes, not the module alone");
		return;
	case PKCS7_UNKNOWN:
		return;
	}
}

static void check_message(struct reader *r, struct module *m, uint32_t size)
{
	struct image *img = &r->image;
	unsigned char buffer[HEAD_BYTES];
	uint32_t available = size < HEAD_BYTES ? size : HEAD_BYTES;
	const unsigned char *head = image_bytes(img, img->elf_size, buffer, available);

	if (!head)
		return; /* the file is changing */
	if (looks_like_message(head, available, size)) {
		if (r->is_thorough)
			read_message(r, m, size);
		return;
	}
	set_state(r, m, SIGNATURE_MESSAGE, "what is there is no PKCS#7 message");
	img->elf_size = img->file_size; /* where it begins is not known */
}

/* algo, hash, signer_len, key_id_len, pad */
static bool has_parameters(const unsigned char *trailer)
{
	static const unsigned char zero[5];

	return trailer[0] || trailer[1] || memcmp(trailer + 3, zero, sizeof(zero)) != 0;
}

/* end: where the marker begins. */
static void check_trailer(struct reader *r, struct module *m, uint64_t end)
{
	struct image *img = &r->image;
	unsigned char buffer[TRAILER_BYTES];

	if (end <= TRAILER_BYTES) {
		set_state(r, m, SIGNATURE_LENGTH, "the file ends before it");
		return;
	}
	end -= TRAILER_BYTES;
	const unsigned char *trailer = image_bytes(img, end, buffer, TRAILER_BYTES);
	if (!trailer)
		return;
	uint32_t size = bytes_get32(trailer + 8, true);
	if (size >= end) {
		set_state(r, m, SIGNATURE_LENGTH, "it is said to be longer than the file");
	} else if (trailer[2] != TYPE_PKCS7) {
		img->elf_size = end + TRAILER_BYTES;
		m->signature = SIGNATURE_OTHER_TYPE;
	} else if (has_parameters(trailer)) {
		set_state(r, m, SIGNATURE_PARAMETERS,
			  "fields of its trailer that must be 0 are not");
	} else {
		img->elf_size = end - size;
		check_message(r, m, size);
	}
}

void signature_read(struct reader *r, struct module *m)
{
	if (m->signature != SIGNATURE_UNKNOWN)
		return;
	m->has_signature = has_marker(&r->image);
	m->signature = m->has_signature ? SIGNATURE_PRESENT : SIGNATURE_NONE;
	if (m->has_signature)
		check_trailer(r, m, r->image.file_size - MARKER_BYTES);
}
