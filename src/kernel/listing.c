/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/listing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

void lines_init(struct lines *l, const char *bytes, size_t size)
{
	*l = (struct lines) { .at = bytes, .end = bytes + size };
}

bool lines_next(struct lines *l, struct span *line)
{
	if (l->at == l->end)
		return false;
	size_t rest = (size_t)(l->end - l->at);
	const char *newline = memchr(l->at, '\n', rest);
	*line = (struct span) { l->at, newline ? (size_t)(newline - l->at) : rest };
	l->at = newline ? newline + 1 : l->end;
	l->number++;
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool span_next_word(struct span *rest, struct span *word)
{
	const char *p = rest->s, *end = p + rest->n;

	while (p < end && is_blank(*p))
		p++;
	word->s = p;
	while (p < end && !is_blank(*p))
		p++;
	word->n = (size_t)(p - word->s);
	*rest = (struct span) { p, (size_t)(end - p) };
	return word->n > 0;
}

/* A digit's value + 1, 0 for what is none. */
static const unsigned char hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool span_get_hex(struct span s, uint64_t *value)
{
	uint64_t v = 0;

	if (s.n == 0 || s.n > 16)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned int digit = hex_digits[(unsigned char)s.s[i]];
		if (digit == 0)
			return false;
		v = v << 4 | (digit - 1);
	}
	*value = v;
	return true;
}

bool span_is_name(struct span s)
{
	return s.n > 0 && s.n <= LIMIT_NAME_BYTES && !memchr(s.s, '\0', s.n);
}

struct ksym *listing_add(struct listing *l)
{
	l->is_cut |= l->n_syms >= LIMIT_SYMBOLS;
	if (l->is_cut)
		return NULL;
	struct ksym *sym = &VEC_PUSH(l->syms, l->n_syms, l->cap_syms);
	*sym = (struct ksym) { 0 };
	return sym;
}

void listing_release(struct listing *l)
{
	free(l->syms);
	*l = (struct listing) { 0 };
}

static bool is_global(char type)
{
	return isupper((unsigned char)type);
}

/* The same name again in the same file. */
static void join_symbol(struct ksym *old, const struct ksym *again)
{
	bool is_better = !old->type || (!is_global(old->type) && is_global(again->type));

	if (again->type && is_better) {
		old->type = again->type;
		old->line = again->line;
	}
	old->is_exported |= again->is_exported;
	if (old->licence == LICENCE_ANY)
		old->licence = again->licence;
	if (old->ns == NAME_NONE)
		old->ns = again->ns;
	if (!old->has_crc) {
		old->has_crc = again->has_crc;
		old->crc = again->crc;
	}
}

void listing_join(struct listing *l, const struct names *names)
{
	/* first[name] and next[sym] are an index + 1 into syms, 0 at the end of the list */
	uint32_t *first = mem_zalloc(names_count(names) * sizeof(*first));
	uint32_t *next = mem_resize(NULL, l->n_syms, sizeof(*next));
	uint32_t n = 0;

	l->n_kernel_exports = 0;
	for (size_t i = 0; i < l->n_syms; i++) {
		const struct ksym sym = l->syms[i];
		uint32_t k = first[sym.name];
		while (k && l->syms[k - 1].provider != sym.provider)
			k = next[k - 1];
		if (k) {
			join_symbol(&l->syms[k - 1], &sym);
			continue;
		}
		l->syms[n] = sym;
		next[n] = first[sym.name];
		first[sym.name] = ++n;
	}
	l->n_syms = n;
	for (size_t i = 0; i < l->n_syms; i++)
		l->n_kernel_exports += l->syms[i].is_exported && l->syms[i].provider == NAME_NONE;
	free(first);
	free(next);
}
