/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns are counted in characters, not bytes: text_safe() leaves only well-formed UTF-8, so
 * every byte that is no continuation byte begins a character.
 */
#include "render/page.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/sink.h"
#include "base/text.h"

static bool begins_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static unsigned int columns_of(const char *text, size_t size)
{
	unsigned int n = 0;

	for (size_t i = 0; i < size; i++)
		n += begins_character(text[i]);
	return n;
}

/* Bytes of the first `columns` characters of text. */
static size_t bytes_of(const char *text, size_t size, unsigned int columns)
{
	size_t i = 0;

	for (; i < size; i++) {
		if (begins_character(text[i]) && columns-- == 0)
			break;
	}
	return i;
}

unsigned int page_columns(const struct page *p, const char *text)
{
	const char *safe = text_safe(p->scratch, text);

	return columns_of(safe, strlen(safe));
}

static void put_pending(struct page *p)
{
	if (p->pending)
		sink_printf(p->out, "%*s", (int)p->pending, "");
	p->pending = 0;
}

/* safe: escaped already. */
static void put_bytes(struct page *p, enum page_style style, const char *safe, size_t size)
{
	static const char *const codes[] = {
		[STYLE_INFO] = "\033[1;36m",  [STYLE_WARNING] = "\033[1;33m",
		[STYLE_ERROR] = "\033[1;31m", [STYLE_PLAIN] = "",
		[STYLE_BOLD] = "\033[1m",     [STYLE_GOOD] = "\033[1;32m",
	};
	bool has_style = p->use_color && style != STYLE_PLAIN;
	size_t n_spaces = strspn(safe, " "), end = size;

	if (n_spaces > size)
		n_spaces = size;
	while (end > n_spaces && safe[end - 1] == ' ')
		end--;
	p->column += columns_of(safe, size);
	p->pending += (unsigned int)n_spaces;
	if (!p->out || n_spaces == size)
		return;
	put_pending(p);
	if (has_style)
		sink_puts(p->out, codes[style]);
	sink_write(p->out, safe + n_spaces, end - n_spaces);
	if (has_style)
		sink_puts(p->out, "\033[0m");
	p->pending = (unsigned int)(size - end);
}

void page_put(struct page *p, enum page_style style, const char *text)
{
	const char *safe = text_safe(p->scratch, text);

	put_bytes(p, style, safe, strlen(safe));
}

void page_newline(struct page *p)
{
	if (p->out)
		sink_write(p->out, "\n", 1);
	p->column = 0;
	p->pending = 0;
	p->rows++;
}

void page_pad(struct page *p, unsigned int column)
{
	if (p->column >= column)
		return;
	p->pending += column - p->column;
	p->column = column;
}

void page_put_right(struct page *p, const char *text)
{
	unsigned int n = page_columns(p, text);

	if (p->column && p->column + 2 + n > p->width)
		page_newline(p);
	if (n < p->width)
		page_pad(p, p->width - n);
	page_put(p, STYLE_PLAIN, text);
}

static void next_line(struct page *p, unsigned int indent)
{
	page_newline(p);
	page_pad(p, indent);
}

/* Escaped bytes, broken where the line ends if they are too long even for a line of their own. */
static void put_broken(struct page *p, unsigned int indent, const char *word, size_t size,
		       enum page_style style)
{
	while (columns_of(word, size) + p->column > p->width) {
		size_t n = bytes_of(word, size, p->column < p->width ? p->width - p->column : 1);

		put_bytes(p, style, word, n);
		word += n;
		size -= n;
		if (size)
			next_line(p, indent);
	}
	put_bytes(p, style, word, size);
}

static void put_word(struct page *p, unsigned int indent, const char *word, size_t size,
		     enum page_style style, bool is_first)
{
	unsigned int n = columns_of(word, size) + !is_first;

	page_pad(p, indent);
	if (p->column + n > p->width && p->column > indent)
		next_line(p, indent);
	else if (!is_first)
		put_bytes(p, STYLE_PLAIN, " ", 1);
	put_broken(p, indent, word, size, style);
}

void page_word(struct page *p, unsigned int indent, const char *word, bool is_first)
{
	const char *safe = text_safe(p->scratch, word);

	put_word(p, indent, safe, strlen(safe), STYLE_PLAIN, is_first);
}

void page_wrap(struct page *p, unsigned int indent, const char *text, const char *bold)
{
	const char *word = text_safe(p->scratch, text);
	size_t bold_size = 0;
	bool is_first = true;

	if (bold) {
		bold = text_safe(p->scratch, bold);
		bold_size = strlen(bold);
	}
	while (*(word += strspn(word, " "))) {
		size_t size = strcspn(word, " ");
		bool is_bold = bold && size == bold_size && memcmp(word, bold, size) == 0;

		put_word(p, indent, word, size, is_bold ? STYLE_BOLD : STYLE_PLAIN, is_first);
		word += size;
		is_first = false;
	}
}

const char *page_count(struct arena *a, unsigned long long n, const char *noun)
{
	return arena_printf(a, "%s %s%s", text_count(a, n), noun, n == 1 ? "" : "s");
}
