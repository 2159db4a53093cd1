/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that came from a file, made safe to show: control characters, escape sequences and
 * bytes that are not UTF-8 become \xHH, a backslash becomes \\. Also the small string helpers that
 * several stages need.
 */
#ifndef MODCHECK_TEXT_H
#define MODCHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* s itself where it is safe to show, else an escaped copy in the arena. */
const char *text_safe(struct arena *a, const char *s);

/* Does s end with, or start with, the given string? */
bool text_has_suffix(const char *s, const char *suffix);
bool text_has_prefix(const char *s, const char *prefix);

/* A character of a file's or an alias's name as the kernel writes module names: '_' for '-'. */
static inline char text_module_char(char c)
{
	return c == '-' ? '_' : c;
}

/* Length of a path without its compression suffix: that of "kernel/a.ko" for "kernel/a.ko.xz". */
size_t text_unpacked_length(const char *path, size_t length);

/*
 * "printk_R1b7d4074" -> 6, the length without its 2.4 version suffix; the whole length if it
 * has none.
 */
size_t symbol_base_length(const char *name, size_t length);

/*
 * Shell pattern match: `*` and `?` do not match `/`, `**` does, `[...]` is no special
 * character. The whole of s has to match.
 */
bool text_glob(const char *pattern, const char *s);

/* "1,234,567": n with thousands separators, in the arena. */
const char *text_count(struct arena *a, unsigned long long n);

#endif
