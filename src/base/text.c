/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/*
 * Length of the well-formed, printable UTF-8 sequence at s, 0 if there is none. Surrogates,
 * overlong forms, C0 and C1 controls, and the characters that reorder or hide a line (bidi
 * controls, line and paragraph separators) are not printable.
 */
static size_t printable_length(const unsigned char *s)
{
	unsigned long code;
	size_t length;

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f && s[0] != '\\';
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		length = 2, code = s[0] & 0x1f;
	else if ((s[0] & 0xf0) == 0xe0)
		length = 3, code = s[0] & 0x0f;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		length = 4, code = s[0] & 0x07;
	else
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	bool hides = code < 0xa0 || code == 0xfeff || (code >= 0x200b && code <= 0x200f) ||
		     (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f);
	return hides ? 0 : length;
}

static size_t escape_byte(char *out, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";

	out[0] = '\\';
	if (byte == '\\') {
		out[1] = '\\';
		return 2;
	}
	out[1] = 'x';
	out[2] = hex[byte >> 4];
	out[3] = hex[byte & 15];
	return 4;
}

const char *text_safe(struct arena *a, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t n, length = 0;

	while (*p && (n = printable_length(p)) != 0)
		p += n;
	if (!*p)
		return s;
	char *out = arena_alloc(a, strlen(s) * 4 + 1);
	for (p = (const unsigned char *)s; *p; p += n) {
		n = printable_length(p);
		if (n) {
			memcpy(out + length, p, n);
			length += n;
			continue;
		}
		n = 1;
		length += escape_byte(out + length, *p);
	}
	return out;
}

bool text_has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

bool text_has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/*
 * Backtracking over the last star only (a later star makes an earlier one irrelevant) is
 * right for one kind of star; with two kinds a plain `*` can fail at '/' and the last `**`
 * then has to move on, so both are remembered.
 */
bool text_glob(const char *pattern, const char *s)
{
	const char *star = NULL, *star_s = NULL, *deep = NULL, *deep_s = NULL;

	for (;;) {
		if (pattern[0] == '*' && pattern[1] == '*') {
			deep = pattern += 2;
			deep_s = s;
			star = NULL;
			continue;
		}
		if (*pattern == '*') {
			star = ++pattern;
			star_s = s;
			continue;
		}
		if (*s && (*pattern == *s || (*pattern == '?' && *s != '/'))) {
			pattern++;
			s++;
			continue;
		}
		if (!*s && !*pattern)
			return true;
		if (star && *star_s && *star_s != '/') {
			pattern = star;
			s = ++star_s;
			continue;
		}
		if (!deep || !*deep_s)
			return false;
		star = NULL;
		pattern = deep;
		s = ++deep_s;
	}
}

const char *text_count(struct arena *a, unsigned long long n)
{
	char digits[32], *out = arena_alloc(a, 48), *p = out;
	int length = snprintf(digits, sizeof(digits), "%llu", n);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	return out;
}

size_t text_unpacked_length(const char *path, size_t length)
{
	static const char *const suffixes[] = { ".gz", ".xz", ".zst" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t n = strlen(suffixes[i]);
		if (length > n && memcmp(path + length - n, suffixes[i], n) == 0)
			return length - n;
	}
	return length;
}

size_t symbol_base_length(const char *name, size_t length)
{
	size_t digits = 0;

	while (digits < 8 && digits < length && isxdigit((unsigned char)name[length - 1 - digits]))
		digits++;
	if (digits < 8)
		return length;
	/* _R, then words such as smp_ and 2gig_, then the eight digits */
	for (size_t i = length - 8; i >= 2; i--) {
		if (name[i - 2] == '_' && name[i - 1] == 'R' && i > 2)
			return i - 2;
		if (i < length - 8 && !isalnum((unsigned char)name[i]) && name[i] != '_')
			break;
	}
	return length;
}
