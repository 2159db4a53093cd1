/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel functions are renamed in a few ways: underscores in front (printk, _printk), a suffix
 * (preempt_schedule, preempt_schedule_thunk); the rest are typing errors. The first two
 * count as one step, whatever their length; else the number of single changes, up to two.
 */
#include "cli/near.h"

#include <string.h>

#define MAX_NAME 64
#define MAX_CHANGES 2

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* Levenshtein's distance, one row at a time. */
unsigned int near_changes(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned int row[MAX_NAME + 1];

	if (n > MAX_NAME || m > MAX_NAME || n > m + MAX_CHANGES || m > n + MAX_CHANGES)
		return NEAR_NONE;
	for (size_t j = 0; j <= m; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int diagonal = row[0];
		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned int above = row[j];
			row[j] =
				least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

unsigned int near_distance(const char *a, const char *b)
{
	const char *bare_a = a + strspn(a, "_"), *bare_b = b + strspn(b, "_");
	size_t n = strlen(bare_a), m = strlen(bare_b), shorter = n < m ? n : m;

	if (strcmp(bare_a, bare_b) == 0)
		return strcmp(a, b) != 0;
	if (shorter >= 6 && strncmp(bare_a, bare_b, shorter) == 0 &&
	    (bare_a[shorter] == '_' || bare_b[shorter] == '_'))
		return 2;
	/* short names are near to everything */
	unsigned int most = shorter < 5 ? 0 : shorter < 9 ? 1 : MAX_CHANGES;
	unsigned int d = near_changes(bare_a, bare_b);
	return d <= most ? d + 1 : NEAR_NONE;
}

size_t near_insert(struct near *list, size_t n, size_t room, struct near candidate,
		   const struct names *names)
{
	size_t at = n;

	while (at > 0 && (list[at - 1].distance > candidate.distance ||
			  (list[at - 1].distance == candidate.distance &&
			   strcmp(names_text(names, list[at - 1].name),
				  names_text(names, candidate.name)) > 0)))
		at--;
	if (at == room)
		return n;
	size_t last = n < room ? n : room - 1;
	memmove(&list[at + 1], &list[at], (last - at) * sizeof(*list));
	list[at] = candidate;
	return last + 1;
}
