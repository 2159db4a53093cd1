/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in front of a kernel message, by where it comes from:
 *
 *   dmesg               [   12.345678] text            [Mon Nov 30 12:00:00 2026] text
 *   dmesg -r, -x        <4>[   12.345678] text         kern  :warn  : [   12.345678] text
 *   dmesg, time iso     2026-11-30T12:00:00,123456+00:00 text
 *   printk callers      [   12.345678][    T1] text
 *   syslog, journalctl  Nov 30 12:00:00 host kernel: [   12.345678] text
 *                       2026-11-30T12:00:00.123+00:00 host kernel: text
 *
 * None of it has to be understood: messages are looked for behind each "] " and ": ". What has to
 * be known is only whether a line has such a beginning.
 */
#include "log/lines.h"

#include <ctype.h>
#include <string.h>

#define ESCAPE '\033'

/* A new message begins with these, wherever in a line they stand. */
static const char *const markers[] = { "depmod: ", "xftw starting at ", "xftw_readdir " };

#define N_MARKERS (sizeof(markers) / sizeof(markers[0]))

void log_lines_init(struct log_lines *l, const char *bytes, size_t size)
{
	*l = (struct log_lines) {
		.at = bytes,
		.end = bytes + size,
		.newline = NULL,
		.markers = { NULL },
		.number = 1,
	};
}

/* Each byte is looked at once for each marker, however many lines or markers there are. */
static const char *find_next(const char *known, const char *from, const char *end, const char *what)
{
	if (known >= from)
		return known;
	const char *found =
		from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
	return found ? found : end;
}

/* Where the piece ends that begins at l->at: at the newline, or where a marker is. */
static const char *piece_end(struct log_lines *l)
{
	l->newline = find_next(l->newline, l->at, l->end, "\n");
	const char *end = l->newline;

	for (size_t i = 0; i < N_MARKERS; i++) {
		l->markers[i] = find_next(l->markers[i], l->at + 1, l->end, markers[i]);
		end = l->markers[i] < end ? l->markers[i] : end;
	}
	return end;
}

/* "> " and "| " in front, as mail programs quote; also several of them. */
static const char *skip_quotes(const char *at, const char *end)
{
	for (;;) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end || (*at != '>' && *at != '|'))
			return at;
		at++;
	}
}

/* ESC [ ... letter: colours. Returns where it ends. */
static const char *skip_escape(const char *at, const char *end)
{
	at++;
	if (at == end || *at != '[')
		return at;
	for (at++; at < end && !isalpha((unsigned char)*at) && *at != '\n'; at++)
		;
	return at < end && *at != '\n' ? at + 1 : at;
}

static void copy_text(struct log_line *line, const char *at, const char *end)
{
	size_t n = 0;
	bool has_blank = false;

	while (at < end) {
		unsigned char c = (unsigned char)*at;
		if (c == ESCAPE) {
			at = skip_escape(at, end);
			continue;
		}
		at++;
		if (c <= ' ' || c == 0x7f) {
			has_blank = n > 0;
			continue;
		}
		if (n + 3 > LINE_BYTES) {
			line->is_cut = true;
			break;
		}
		if (has_blank)
			line->text[n++] = ' ';
		has_blank = false;
		line->text[n++] = (char)c;
	}
	line->text[n] = '\0';
	line->length = n;
}

static bool has_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isdigit((unsigned char)s[i]))
			return false;
	}
	return true;
}

static bool begins_with_one_of(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return true;
	}
	return false;
}

/* "[12.345678] ", "[Mon Nov 30", "<4>": the kernel's own. */
static bool is_kernel_stamp(const char *s)
{
	static const char *const days[] = { "[Mon ", "[Tue ", "[Wed ", "[Thu ",
					    "[Fri ", "[Sat ", "[Sun " };

	if (s[0] == '<' && isdigit((unsigned char)s[1])) {
		s += 1 + strspn(s + 1, "0123456789");
		return *s == '>';
	}
	if (begins_with_one_of(s, days, 7) || !strncmp(s, "kern :", 6))
		return true;
	if (s[0] != '[')
		return false;
	s += 1 + strspn(s + 1, " ");
	size_t n = strspn(s, "0123456789");
	return n && s[n] == '.' && isdigit((unsigned char)s[n + 1]);
}

/* "Nov 30 12:00:00 ", "2026-11-30T12:00:00", "Mon 2026-11-30 ": of syslog and the journal. */
static bool is_log_stamp(const char *s)
{
	static const char *const words[] = { "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ",
					     "Aug ", "Sep ", "Oct ", "Nov ", "Dec ", "Mon ", "Tue ",
					     "Wed ", "Thu ", "Fri ", "Sat ", "Sun " };

	if (begins_with_one_of(s, words, 19))
		return isdigit((unsigned char)s[4]);
	return strnlen(s, 11) == 11 && has_digits(s, 4) && s[4] == '-' && has_digits(s + 5, 2) &&
	       s[7] == '-' && has_digits(s + 8, 2) && (s[10] == 'T' || s[10] == ' ');
}

static void classify(struct log_line *line)
{
	static const char *const beginnings[] = { "WARNING:", "ERROR:",  "FATAL:", "modprobe:",
						  "insmod:",  "depmod:", "xftw" };
	bool is_logged = is_log_stamp(line->text);

	line->is_kernel = is_kernel_stamp(line->text) ||
			  (is_logged && strstr(line->text, " kernel: ") != NULL);
	line->is_fresh =
		line->is_kernel || is_logged || begins_with_one_of(line->text, beginnings, 7);
}

bool log_lines_next(struct log_lines *l, struct log_line *line)
{
	while (l->at < l->end) {
		const char *end = piece_end(l);
		line->number = l->number;
		line->is_cut = false;
		copy_text(line, l->is_inside ? l->at : skip_quotes(l->at, end), end);
		bool is_whole = end == l->end || *end == '\n';
		l->is_inside = !is_whole;
		l->at = is_whole && end < l->end ? end + 1 : end;
		l->number += is_whole;
		if (line->length == 0)
			continue;
		classify(line);
		return true;
	}
	return false;
}

bool log_line_append(struct log_line *line, const struct log_line *next, bool with_space)
{
	if (line->length + next->length + 2 > LINE_BYTES)
		return false;
	if (with_space)
		line->text[line->length++] = ' ';
	memcpy(line->text + line->length, next->text, next->length + 1);
	line->length += next->length;
	return true;
}
