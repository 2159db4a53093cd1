/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.alias: lines "alias PATTERN MODULE"; built-ins have theirs as NAME.alias=PATTERN in
 * modules.builtin.modinfo. To modprobe '-' is '_' in either (alias_normalize(), kmod 30). There
 * are twenty thousand patterns and few words, so most are passed over for their first character.
 */
#include <string.h>

#include "base/text.h"
#include "index/index.h"

#define MAX_PATTERN 512 /* bytes; the longest of a Debian kernel has 150 */

struct lookup {
	const char *const *words;
	bool *is_found;
	size_t n;
	bool begins[256]; /* some word begins with this character, or it is a wildcard */
};

static void try_pattern(struct lookup *l, const char *s, size_t length)
{
	char pattern[MAX_PATTERN];

	if (length == 0 || length >= sizeof(pattern) || !l->begins[(unsigned char)s[0]])
		return;
	for (size_t i = 0; i < length; i++)
		pattern[i] = text_module_char(s[i]);
	pattern[length] = '\0';
	for (size_t i = 0; i < l->n; i++) {
		if (!l->is_found[i])
			l->is_found[i] = text_glob(pattern, l->words[i]);
	}
}

static void read_aliases(struct lookup *l, const char *text, size_t size)
{
	static const char key[] = "alias ";
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		size_t length = (size_t)(stop - text), n = sizeof(key) - 1;
		if (length > n && memcmp(text, key, n) == 0) {
			const char *space = memchr(text + n, ' ', length - n);
			if (space)
				try_pattern(l, text + n, (size_t)(space - text) - n);
		}
		text = stop + 1;
	}
}

static void read_builtins(struct lookup *l, const char *bytes, size_t size)
{
	static const char key[] = ".alias=";
	const char *end = bytes + size;

	while (bytes < end) {
		size_t length = strnlen(bytes, (size_t)(end - bytes)), n = sizeof(key) - 1;
		const char *dot = memchr(bytes, '.', length);
		size_t rest = dot ? length - (size_t)(dot - bytes) : 0;
		if (rest > n && memcmp(dot, key, n) == 0)
			try_pattern(l, dot + n, rest - n);
		bytes += length + 1;
	}
}

void index_find_aliases(const struct index *x, const char *const *words, bool *is_found, size_t n)
{
	struct lookup l = { .words = words, .is_found = is_found, .n = n };

	l.begins['*'] = l.begins['?'] = true;
	for (size_t i = 0; i < n; i++) {
		if (is_found[i])
			continue;
		l.begins[(unsigned char)words[i][0]] = true;
		if (words[i][0] == '_')
			l.begins['-'] = true;
	}
	read_aliases(&l, x->alias.bytes, x->alias.size);
	read_builtins(&l, x->modinfo.bytes, x->modinfo.size);
}
