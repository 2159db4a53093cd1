/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two strings that every kernel has in its memory:
 *
 *   linux_banner, init/version.c
 *       "Linux version 6.1.0-50-amd64 (user@host) (gcc ...) #1 SMP ..."
 *   vermagic, kernel/module/main.c
 *       "6.1.0-50-amd64 SMP preempt mod_unload modversions "
 *
 * The banner tells the release that the vermagic begins with. What follows it there are words of
 * letters, digits and underscores (include/linux/vermagic.h, MODULE_ARCH_VERMAGIC of each
 * architecture has dashes, too), each with a blank behind it; the last one may have none.
 */
#include "image/body.h"

#include <ctype.h>
#include <string.h>

#define MAX_BANNER 1024
#define MAX_VERMAGIC 512
#define MAX_RELEASE 64 /* of struct new_utsname, with its NUL */

static const char banner_start[] = "Linux version ";
#define BANNER_START (sizeof(banner_start) - 1)

static const char *find(const char *from, const char *end, const char *text, size_t n)
{
	return memmem(from, (size_t)(end - from), text, n);
}

/* The string at s, up to its NUL or newline. 0 if it has neither within `most` bytes. */
static size_t line_length(const char *s, const char *end, size_t most)
{
	size_t room = (size_t)(end - s);

	room = room < most ? room : most;
	for (size_t i = 0; i < room; i++)
		if (s[i] == '\0' || s[i] == '\n')
			return i;
	return 0;
}

static void find_banner(struct kernel_image *im, const char *s, const char *end)
{
	while ((s = find(s, end, banner_start, BANNER_START))) {
		size_t n = line_length(s, end, MAX_BANNER);
		/* others are "Linux version %s" and the like */
		if (n > BANNER_START && isdigit((unsigned char)s[BANNER_START])) {
			im->banner = s;
			im->banner_length = n;
			return;
		}
		s += BANNER_START;
	}
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == '+';
}

/* Words with one blank between them, perhaps one behind the last. */
static bool is_vermagic(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_blank = s[i] == ' ' && i > 0 && s[i - 1] != ' ';
		if (!is_blank && !is_word_char(s[i]))
			return false;
	}
	return true;
}

static void find_vermagic(struct kernel_image *im, const char *begin, const char *end)
{
	char start[MAX_RELEASE + 1];
	const char *release = im->banner + BANNER_START, *s = begin;
	const char *blank = memchr(release, ' ', im->banner_length - BANNER_START);

	if (!blank || blank - release >= MAX_RELEASE)
		return;
	size_t n = (size_t)(blank - release) + 1; /* with the blank */
	memcpy(start, release, n);
	while ((s = find(s, end, start, n))) {
		size_t room = (size_t)(end - s), most = room < MAX_VERMAGIC ? room : MAX_VERMAGIC;
		size_t length = strnlen(s, most);
		bool is_start = s == begin || (!is_word_char(s[-1]) && s[-1] != ' ');
		if (is_start && length < most && is_vermagic(s, length)) {
			im->vermagic = s;
			im->vermagic_length = length;
			return;
		}
		s += n;
	}
}

void strings_find(struct kernel_image *im, const struct body *b)
{
	const char *begin = (const char *)b->bytes, *end = begin + b->size;

	im->banner = im->vermagic = NULL;
	find_banner(im, begin, end);
	if (im->banner)
		find_vermagic(im, begin, end);
}
