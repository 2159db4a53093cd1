/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.order, modules.builtin (scripts/Makefile.modinst and modfinal, 6.1): a path a line,
 * "kernel/fs/fat/vfat.ko", of what was built as a module, and built in though it could have been
 * a module. The suffix of a compressed module is not in them.
 *
 * modules.builtin.modinfo (scripts/Makefile.vmlinux_o, since 5.2): the .modinfo of the image,
 * "NAME.TAG=VALUE" with a NUL behind each, of all that is built in.
 */
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "index/index.h"

/* The next line that is not empty and not too long; without white space at its end. */
static bool next_line(const char **at, const char *end, const char **line, size_t *length)
{
	while (*at < end) {
		const char *start = *at;
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		size_t n = (size_t)((newline ? newline : end) - start);
		*at = newline ? newline + 1 : end;
		while (n && (start[n - 1] == '\r' || start[n - 1] == ' '))
			n--;
		if (n == 0 || n > LIMIT_NAME_BYTES)
			continue;
		*line = start;
		*length = n;
		return true;
	}
	return false;
}

void index_read_order(struct index *x, const char *text, size_t size)
{
	const char *end = text + size, *line;
	size_t length;

	while (next_line(&text, end, &line, &length))
		VEC_PUSH(x->order, x->n_order, x->cap_order) =
			names_add(x->names, line, text_unpacked_length(line, length));
}

/* The number of a module name, which is written with '_'. */
static nameid add_name(struct index *x, const char *s, size_t length)
{
	char name[LIMIT_NAME_BYTES];

	for (size_t i = 0; i < length; i++)
		name[i] = text_module_char(s[i]);
	return names_add(x->names, name, length);
}

void index_read_builtin(struct index *x, const char *text, size_t size)
{
	const char *end = text + size, *line;
	size_t length;

	while (next_line(&text, end, &line, &length)) {
		const char *slash = memrchr(line, '/', length), *dot;
		const char *base = slash ? slash + 1 : line;
		size_t n = length - (size_t)(base - line);
		dot = memchr(base, '.', n);
		if (dot)
			n = (size_t)(dot - base);
		if (n)
			VEC_PUSH(x->builtins, x->n_builtins, x->cap_builtins) =
				add_name(x, base, n);
	}
}

/*
 * modprobe.d(5): `blacklist NAME`. Other commands do not matter here, nor do lines that are
 * continued by a backslash: blacklist has but one word.
 */
void index_read_modprobe(struct index *x, const char *text, size_t size, const char *file)
{
	static const char command[] = "blacklist";
	const char *end = text + size, *line;
	size_t length;

	while (next_line(&text, end, &line, &length)) {
		const char *stop = line + length, *name;
		while (line < stop && (*line == ' ' || *line == '\t'))
			line++;
		name = line + sizeof(command) - 1;
		if (name >= stop || memcmp(line, command, sizeof(command) - 1) != 0 ||
		    (*name != ' ' && *name != '\t'))
			continue;
		while (name < stop && (*name == ' ' || *name == '\t'))
			name++;
		size_t n = 0;
		while (name + n < stop && name[n] > ' ' && name[n] != '#')
			n++;
		if (n)
			VEC_PUSH(x->blacklist, x->n_blacklist, x->cap_blacklist) =
				(struct index_blacklisted) { add_name(x, name, n), file };
	}
}

/* Does this tag (behind the name and its dot) mean that there is a /sys/module/NAME? */
static bool is_owning(const char *tag, size_t length)
{
	static const char *const tags[] = { "parm=", "parmtype=", "version=" };

	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		size_t n = strlen(tags[i]);
		if (length >= n && memcmp(tag, tags[i], n) == 0)
			return true;
	}
	return false;
}

static void add_owner(struct index *x, const char *s, size_t length)
{
	const char *dot = memchr(s, '.', length);
	size_t n = dot ? (size_t)(dot - s) : 0;

	if (n == 0 || !is_owning(dot + 1, length - n - 1))
		return;
	nameid name = add_name(x, s, n);
	if (x->n_owners && x->owners[x->n_owners - 1].name == name)
		return;
	VEC_PUSH(x->owners, x->n_owners, x->cap_owners) = (struct index_owner) {
		.name = name,
		.tag = arena_strndup(x->arena, dot + 1, length - n - 1),
	};
}

void index_read_modinfo(struct index *x, const char *bytes, size_t size)
{
	const char *end = bytes + size;

	while (bytes < end && x->n_owners < LIMIT_BUILTINS) {
		size_t length = strnlen(bytes, (size_t)(end - bytes));
		if (length <= LIMIT_NAME_BYTES)
			add_owner(x, bytes, length);
		bytes += length + 1;
	}
}
