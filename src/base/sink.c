/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void sink_init(struct sink *s, FILE *file)
{
	s->file = file;
	s->error = 0;
}

static void latch(struct sink *s)
{
	if (!s->error)
		s->error = errno ? errno : EIO;
}

void sink_write(struct sink *s, const char *bytes, size_t size)
{
	if (s->error || size == 0)
		return;
	errno = 0;
	if (fwrite(bytes, 1, size, s->file) != size)
		latch(s);
}

void sink_puts(struct sink *s, const char *text)
{
	sink_write(s, text, strlen(text));
}

void sink_printf(struct sink *s, const char *format, ...)
{
	va_list args;

	if (s->error)
		return;
	va_start(args, format);
	errno = 0;
	if (vfprintf(s->file, format, args) < 0)
		latch(s);
	va_end(args);
}

int sink_finish(struct sink *s)
{
	errno = 0;
	if (!s->error && fflush(s->file) != 0)
		latch(s);
	return s->error;
}
