/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Export tables in memory of which nothing is known. They are found by what they cannot help
 * looking like (include/asm-generic/vmlinux.lds.h, RO_DATA):
 *
 *   __ksymtab | __ksymtab_gpl | __kcrctab | __kcrctab_gpl | __ksymtab_strings     3.0 to 7.1
 *   __ksymtab | __kcrctab | __kflagstab | __ksymtab_strings                       7.2
 *
 * without gaps; entries are sorted by name, and every string is pointed to by some entry, so the
 * lowest pointer of all is where the strings begin, and how far that is from the last entry tells
 * which CRCs and flags lie between. Where entries hold addresses, the same distance tells
 * where the kernel believes to be in memory.
 *
 * A probe looks for some entries in a row at regular distances, less than the smallest tables are
 * long; what it hits is then followed in both directions.
 */
#include "image/body.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "model/module.h"

#define MAX_FIELDS 3
#define MIN_ENTRIES 100 /* of both tables together */
#define PROBE_BYTES 512 /* less than MIN_ENTRIES of the smallest entries */
#define PROBE_ENTRIES 6
#define STRINGS_BYTES ((uint64_t)4 << 20) /* strings are within this of each other */
#define MAX_LOOKS (4 * LIMIT_SYMBOLS)     /* at entries, so that made-up files cost no time */

struct search {
	struct kernel_image *im;
	const struct body *b;
	const struct layout *l;
	uint32_t entry;            /* bytes */
	uint64_t from[MAX_FIELDS]; /* for each way to align entries: all before was looked at */
	uint64_t budget;           /* looks at entries that are left */
};

/* Entries at [start, end), and the lowest of their pointers to texts. */
struct run {
	uint64_t start, end;
	uint64_t lowest;
};

static bool has_entry(const struct search *s, uint64_t at)
{
	return bytes_has_range(s->b->size, at, s->entry);
}

/* Distances become offsets: the body's addresses are not known yet, and not needed. */
static uint64_t field(const struct search *s, uint64_t at, uint32_t i)
{
	return layout_field(s->l, s->b, at, at, i);
}

/* Could the pointers of this entry be to strings of one section with `near`? */
static bool is_near(uint64_t pointer, uint64_t near)
{
	return pointer - near + STRINGS_BYTES < 2 * STRINGS_BYTES;
}

static bool is_entry(const struct search *s, uint64_t at, uint64_t near)
{
	if (!has_entry(s, at))
		return false;
	uint64_t name = field(s, at, 1);
	if (name == 0 || !is_near(name, near))
		return false;
	if (s->l->is_prel && (name <= at || name >= s->b->size))
		return false;
	if (s->l->n_fields < 3)
		return true;
	uint64_t ns = field(s, at, 2);
	return ns == 0 || is_near(ns, near);
}

/* A few entries in a row, no two of them of the same name. */
static bool probe(const struct search *s, uint64_t at)
{
	if (!has_entry(s, at))
		return false;
	uint64_t near = field(s, at, 1);
	if (!is_entry(s, at, near))
		return false;
	for (uint32_t i = 1; i < PROBE_ENTRIES; i++) {
		if (!is_entry(s, at + (uint64_t)i * s->entry, near) ||
		    field(s, at + (uint64_t)i * s->entry, 1) ==
			    field(s, at + (uint64_t)(i - 1) * s->entry, 1))
			return false;
	}
	return true;
}

static struct run follow(const struct search *s, uint64_t at, uint64_t from)
{
	uint64_t near = field(s, at, 1);
	struct run r = { .start = at, .end = at };

	while (r.start >= from + s->entry && is_entry(s, r.start - s->entry, near))
		r.start -= s->entry;
	while (is_entry(s, r.end, near))
		r.end += s->entry;
	return r;
}

static int compare(const struct text *a, const struct text *b)
{
	int c = memcmp(a->s, b->s, a->n < b->n ? a->n : b->n);

	return c ? c : (a->n > b->n) - (a->n < b->n);
}

/*
 * Cut the run into tables, each of which is sorted. Returns their number, 0 if a name is none or
 * there are more than two.
 */
static uint32_t cut(struct search *s, const struct run *r, const struct map *m, uint64_t base,
		    struct table tables[2])
{
	struct text name, ns, last = { "", 0 };
	uint32_t n = 0;

	for (uint64_t at = r->start; at < r->end; at += s->entry) {
		if (s->budget == 0)
			return 0;
		s->budget--;
		if (!layout_texts(s->l, s->b, m, at, base + at, &name, &ns))
			return 0;
		if (n == 0 || compare(&last, &name) >= 0) {
			if (n == 2)
				return 0;
			tables[n] = (struct table) { .offset = at, .address = base + at };
			tables[n].licence = n == 0 ? LICENCE_ANY : LICENCE_GPL;
			n++;
		}
		tables[n - 1].n++;
		last = name;
	}
	return n;
}

/*
 * Is the entry in front of the run one more of the first table? Then the tables begin earlier, and
 * whatever was wrong with that must not make a half of them pass for all.
 */
static bool continues_backwards(const struct search *s, const struct run *r, const struct map *m,
				uint64_t base)
{
	struct text name, first, ns;
	uint64_t before = r->start - s->entry;

	return r->start >= s->entry &&
	       layout_texts(s->l, s->b, m, before, base + before, &name, &ns) &&
	       layout_texts(s->l, s->b, m, r->start, base + r->start, &first, &ns) &&
	       compare(&name, &first) < 0;
}

/* What lies between entries and strings, in bytes an entry; for entries of how many fields. */
static const struct tail {
	uint8_t min_fields, max_fields;
	uint8_t n_tables;
	uint8_t crc_bytes;
	bool has_flags;
} tails[] = {
	{ 2, 3, 2, 4, false }, { 2, 3, 2, 0, false }, { 2, 2, 2, 8, false },
	{ 3, 3, 1, 4, true },  { 3, 3, 1, 0, true },
};

static bool read_as(struct search *s, const struct run *r, const struct tail *tail)
{
	uint64_t n = (r->end - r->start) / s->entry;
	uint64_t strings = r->end + n * (tail->crc_bytes + (tail->has_flags ? 1u : 0u));
	uint64_t base = s->l->is_prel ? 0 : r->lowest - strings;
	struct map m = map_flat(s->b, base);
	struct table tables[2];

	if (s->l->n_fields < tail->min_fields || s->l->n_fields > tail->max_fields)
		return false;
	if (strings >= s->b->size || (s->l->is_prel && strings != r->lowest))
		return false;
	if (cut(s, r, &m, base, tables) != tail->n_tables || continues_backwards(s, r, &m, base))
		return false;
	s->im->n_exports = 0;
	uint64_t crc = r->end;
	for (uint32_t i = 0; i < tail->n_tables; i++) {
		tables[i].crc_bytes = tail->crc_bytes;
		tables[i].crc_offset = crc;
		tables[i].has_flags = tail->has_flags;
		tables[i].flags_offset = r->end + n * tail->crc_bytes;
		crc += (uint64_t)tables[i].n * tail->crc_bytes;
		if (!table_read(s->im, s->b, &m, s->l, &tables[i]))
			return false;
	}
	return true;
}

/* lowest[i]: the lowest pointer to a text from entry i of the run on. To be freed. */
static uint64_t *find_lowest(const struct search *s, const struct run *r, size_t n)
{
	uint64_t *lowest = mem_resize(NULL, n, sizeof(*lowest));

	for (size_t i = n; i-- > 0;) {
		uint64_t least = i + 1 < n ? lowest[i + 1] : UINT64_MAX;
		for (uint32_t k = 1; k < s->l->n_fields; k++) {
			uint64_t pointer = field(s, r->start + i * s->entry, k);
			if (pointer && pointer < least)
				least = pointer;
		}
		lowest[i] = least;
	}
	return lowest;
}

/*
 * What lies in front of the tables may look like entries, too, where these are addresses: so each
 * entry of the run may be the first. The earliest that makes sense of all that follow is.
 */
static bool read_run(struct search *s, struct run r)
{
	uint64_t n = (r.end - r.start) / s->entry;
	bool is_read = false;

	if (n > LIMIT_SYMBOLS) {
		r.start += (n - LIMIT_SYMBOLS) * s->entry;
		n = LIMIT_SYMBOLS;
	}
	uint64_t *lowest = find_lowest(s, &r, (size_t)n);
	for (uint64_t i = 0; !is_read && i + MIN_ENTRIES <= n && s->budget; i++) {
		struct run rest = { r.start + i * s->entry, r.end, lowest[i] };
		for (size_t k = 0; !is_read && k < sizeof(tails) / sizeof(*tails); k++)
			is_read = read_as(s, &rest, &tails[k]);
	}
	free(lowest);
	return is_read;
}

static bool read_at(struct search *s, uint64_t at, uint32_t step)
{
	uint64_t *from = &s->from[at % s->entry / step];

	if (at < *from || !probe(s, at))
		return false;
	struct run r = follow(s, at, *from);
	*from = r.end;
	return read_run(s, r);
}

static bool read_layout(struct search *s)
{
	uint32_t step = s->l->is_prel ? 4 : s->b->word;

	s->entry = layout_entry_bytes(s->l, s->b);
	s->budget = MAX_LOOKS;
	for (uint64_t at = 0; at < s->b->size; at += PROBE_BYTES)
		for (uint64_t p = at; p < at + s->entry; p += step)
			if (read_at(s, p, step))
				return true;
	return false;
}

bool shape_read(struct kernel_image *im, const struct body *b)
{
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		struct search s = { .im = im, .b = b, .l = &layouts[i] };
		if (read_layout(&s))
			return true;
		im->n_exports = 0;
	}
	im->has_crcs = im->has_namespaces = false;
	return false;
}
