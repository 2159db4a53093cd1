/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Export tables, once it is known where they are. CRCs lie in a table of their own, one an entry
 * (scripts/module-common.lds, include/asm-generic/vmlinux.lds.h):
 *
 *   until 4.9    unsigned long
 *   4.10 to 5.18 u32; or, with CONFIG_MODULE_REL_CRCS (5.10: powerpc, s390), a signed distance from
 *                the entry to a u32 elsewhere
 *   since 5.19   u32
 *
 * and from 7.2 on a byte of flags an entry, bit 0 of which stands for EXPORT_SYMBOL_GPL, in place
 * of a second table for those.
 */
#include "image/body.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "model/module.h"

#define FLAG_GPL_ONLY 1
#define MAX_TEXT 1024 /* KSYM_NAME_LEN is 512; a namespace may list modules */

/* Of two layouts with entries of one size the one that makes sense is told by trying. */
const struct layout layouts[N_LAYOUTS] = {
	{ .is_prel = true, .n_fields = 3 },
	{ .is_prel = false, .n_fields = 3 },
	{ .is_prel = true, .n_fields = 2 },
	{ .is_prel = false, .n_fields = 2 },
};

struct map map_flat(const struct body *b, uint64_t base)
{
	return (struct map) { .ranges = { { base, 0, b->size } }, .n = 1 };
}

bool map_offset(const struct map *m, uint64_t address, uint64_t *offset)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct range *r = &m->ranges[i];
		if (address - r->address >= r->size)
			continue;
		*offset = r->offset + (address - r->address);
		return true;
	}
	return false;
}

uint32_t layout_entry_bytes(const struct layout *l, const struct body *b)
{
	return l->n_fields * (l->is_prel ? 4u : b->word);
}

uint64_t layout_field(const struct layout *l, const struct body *b, uint64_t offset,
		      uint64_t address, uint32_t field)
{
	uint64_t at = field * (l->is_prel ? 4u : b->word);
	const unsigned char *p = b->bytes + offset + at;

	if (!l->is_prel)
		return b->word == 8 ? bytes_get64(p, b->is_big) : bytes_get32(p, b->is_big);
	int32_t distance = (int32_t)bytes_get32(p, b->is_big);
	if (distance == 0)
		return 0;
	uint64_t target = address + at + (uint64_t)(int64_t)distance;
	return b->word == 8 ? target : (uint32_t)target;
}

static bool get_text(const struct body *b, const struct map *m, uint64_t address, struct text *t)
{
	uint64_t offset;

	if (!map_offset(m, address, &offset) || offset >= b->size)
		return false;
	uint64_t room = b->size - offset;
	size_t most = room < MAX_TEXT ? (size_t)room : MAX_TEXT;
	t->s = (const char *)b->bytes + offset;
	t->n = (uint32_t)strnlen(t->s, most);
	return t->n < most;
}

static bool is_identifier(const struct text *t)
{
	if (t->n == 0 || (t->s[0] >= '0' && t->s[0] <= '9'))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		unsigned char c = (unsigned char)t->s[i];
		bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			       (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
		if (!is_word)
			return false;
	}
	return true;
}

static bool is_namespace(const struct text *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->s[i] <= ' ' || t->s[i] > '~')
			return false;
	return true;
}

bool layout_texts(const struct layout *l, const struct body *b, const struct map *m,
		  uint64_t offset, uint64_t address, struct text *name, struct text *ns)
{
	*ns = (struct text) { "", 0 };
	if (!get_text(b, m, layout_field(l, b, offset, address, 1), name) || !is_identifier(name))
		return false;
	if (l->n_fields < 3)
		return true;
	uint64_t at = layout_field(l, b, offset, address, 2);
	if (at == 0) /* the first kernels with namespaces: none is NULL, not "" */
		return true;
	return get_text(b, m, at, ns) && is_namespace(ns);
}

/* Where the CRC that a distance stands for lies. */
static bool relative_crc(const struct body *b, uint64_t at, uint64_t *target)
{
	*target = at + (uint64_t)(int64_t)(int32_t)bytes_get32(b->bytes + at, b->is_big);
	return *target < b->size && b->size - *target >= 4;
}

/*
 * CONFIG_MODULE_REL_CRCS leaves no mark. But checksums are spread evenly over 32 bits, so that they
 * all look like distances within the kernel only if they are. (A distance of 0 is a CRC that could
 * not be made.)
 */
static bool has_relative_crcs(const struct body *b, const struct table *t)
{
	uint64_t target;

	if (t->crc_bytes != 4 || t->n < 8)
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		if (!relative_crc(b, t->crc_offset + i * 4ull, &target))
			return false;
	return true;
}

static uint32_t get_crc(const struct body *b, const struct table *t, uint32_t i, bool is_relative)
{
	uint64_t at = t->crc_offset + (uint64_t)i * t->crc_bytes, target;

	if (t->crc_bytes == 0)
		return 0;
	if (t->crc_bytes == 8)
		return (uint32_t)bytes_get64(b->bytes + at, b->is_big);
	if (!is_relative)
		return bytes_get32(b->bytes + at, b->is_big);
	if (!relative_crc(b, at, &target) || target == at)
		return 0;
	return bytes_get32(b->bytes + target, b->is_big);
}

static uint8_t licence_of(const struct body *b, const struct table *t, uint32_t i)
{
	if (!t->has_flags)
		return t->licence;
	return b->bytes[t->flags_offset + i] & FLAG_GPL_ONLY ? LICENCE_GPL : LICENCE_ANY;
}

bool table_read(struct kernel_image *im, const struct body *b, const struct map *m,
		const struct layout *l, const struct table *t)
{
	uint32_t entry = layout_entry_bytes(l, b);
	bool is_relative = has_relative_crcs(b, t);

	if (im->n_exports + t->n > LIMIT_SYMBOLS)
		return false;
	im->exports = mem_resize(im->exports, im->n_exports + t->n, sizeof(*im->exports));
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t at = (uint64_t)i * entry;
		struct text name, ns;
		if (!layout_texts(l, b, m, t->offset + at, t->address + at, &name, &ns))
			return false;
		im->exports[im->n_exports++] = (struct kernel_image_export) {
			.name = name.s,
			.ns = ns.s,
			.name_length = (uint16_t)name.n,
			.ns_length = (uint16_t)ns.n,
			.crc = get_crc(b, t, i, is_relative),
			.licence = licence_of(b, t, i),
		};
	}
	im->has_crcs |= t->crc_bytes != 0;
	im->has_namespaces |= l->n_fields == 3;
	return true;
}
