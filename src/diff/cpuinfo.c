/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_cpuinfo() of arch/x86/kernel/cpu/proc.c, a block a processor, blank lines between them:
 *
 *   processor	: 0
 *   vendor_id	: GenuineIntel
 *   cpu family	: 6
 *   model		: 13
 *   model name	: Intel(R) Pentium(R) M processor 1.60GHz
 *   fpu		: yes
 *   flags		: fpu vme de pse tsc msr mce cx8 sep mtrr pge mca cmov pat clflush ...
 *
 * Machines that are not x86 have other keys (arm64: "Features", "CPU architecture"). Flags are
 * those that the running kernel left in: one that was booted with noxsave, say, does not show
 * xsave.
 */
#include "diff/cpuinfo.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/listing.h"

/* A machine has one or two kinds of processors; real lines are of 2,500 bytes at most. */
#define MAX_KINDS 16
#define MAX_FLAGS_BYTES 8192

static struct span trim(struct span s)
{
	while (s.n && isspace((unsigned char)s.s[0]))
		s = (struct span) { s.s + 1, s.n - 1 };
	while (s.n && isspace((unsigned char)s.s[s.n - 1]))
		s.n--;
	return s;
}

static bool split_line(struct span line, struct span *key, struct span *value)
{
	const char *colon = memchr(line.s, ':', line.n);

	if (!colon)
		return false;
	size_t n = (size_t)(colon - line.s);
	*key = trim((struct span) { line.s, n });
	*value = trim((struct span) { colon + 1, line.n - n - 1 });
	return true;
}

static bool get_decimal(struct span s, unsigned int *n)
{
	unsigned int value = 0;

	if (s.n == 0 || s.n > 6)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!isdigit((unsigned char)s.s[i]))
			return false;
		value = value * 10 + (unsigned int)(s.s[i] - '0');
	}
	*n = value;
	return true;
}

/* Text of a file may hold NULs: what follows one is dropped, as strings end there. */
static const char *copy(struct span s, struct arena *a)
{
	return arena_strndup(a, s.s, strnlen(s.s, s.n));
}

/* " fpu vme ": the words of the line, those that `among` has too where it is not NULL. */
static const char *join_flags(struct span line, const struct cpuinfo *among, struct arena *a)
{
	char *text = arena_bytes(a, line.n + 3), *at = text;
	struct span word;

	*at++ = ' ';
	while (span_next_word(&line, &word)) {
		memcpy(at, word.s, word.n);
		at[word.n] = '\0';
		if (memchr(at, '\0', word.n) || (among && !cpuinfo_has(among, at)))
			continue;
		at += word.n;
		*at++ = ' ';
	}
	*at = '\0';
	return text;
}

static void take_line(struct cpuinfo *c, struct span key, struct span value, struct arena *a)
{
	if (span_is(key, "processor"))
		c->n_processors++;
	else if (span_is(key, "cpu family") && !c->family)
		c->is_x86 |= get_decimal(value, &c->family);
	else if (span_is(key, "model") && !c->model)
		get_decimal(value, &c->model);
	else if (span_is(key, "vendor_id") && !*c->vendor)
		c->vendor = copy(value, a);
	else if (span_is(key, "model name") && !*c->name)
		c->name = copy(value, a);
}

void cpuinfo_read(struct cpuinfo *c, const char *bytes, size_t size, struct arena *a)
{
	struct span line, key, value, last = { "", 0 };
	struct lines lines;
	unsigned int n_kinds = 0;

	*c = (struct cpuinfo) { .vendor = "", .name = "", .flags = " " };
	lines_init(&lines, bytes, size);
	while (lines_next(&lines, &line)) {
		if (!split_line(line, &key, &value))
			continue;
		take_line(c, key, value, a);
		if (!span_is(key, "flags") || n_kinds == MAX_KINDS)
			continue;
		if (value.n > MAX_FLAGS_BYTES)
			value.n = MAX_FLAGS_BYTES;
		/* hundreds of processors mostly have the very same line */
		if (n_kinds && last.n == value.n && memcmp(last.s, value.s, value.n) == 0)
			continue;
		c->flags = join_flags(value, n_kinds++ ? c : NULL, a);
		last = value;
	}
	c->is_x86 &= n_kinds > 0;
}

bool cpuinfo_has(const struct cpuinfo *c, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *at = c->flags; (at = strstr(at, flag)); at += n) {
		if (at > c->flags && at[-1] == ' ' && at[n] == ' ')
			return true;
	}
	return false;
}
