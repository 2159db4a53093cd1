/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.dep, a line a module:
 *
 *   kernel/fs/fat/vfat.ko: kernel/fs/fat/fat.ko
 *
 * All that has to be loaded first is in the line, providers of providers too: modprobe looks at no
 * other. modules.dep.bin has the same lines as values of an index by module name, and is the one
 * that kmod's modprobe reads; that of busybox reads the text. modutils and module-init-tools wrote
 * absolute paths, and continued a line behind a backslash.
 */
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "index/index.h"
#include "index/trie.h"

struct dep_reader {
	struct index *x;
	const char *moddir;
	size_t moddir_length;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

/* The number of a path, NAME_NONE if it is none. */
static nameid add_path(const struct dep_reader *d, const char *path, size_t length)
{
	size_t n = d->moddir_length;

	if (length > n + 2 && path[0] == '/' && memcmp(path + 1, d->moddir, n) == 0 &&
	    path[n + 1] == '/') {
		path += n + 2;
		length -= n + 2;
	}
	if (length > LIMIT_NAME_BYTES)
		return NAME_NONE;
	return names_add(d->x->names, path, length);
}

static void add_line(void *arg, const char *line, size_t length)
{
	const struct dep_reader *d = arg;
	struct index *x = d->x;
	const char *colon = memchr(line, ':', length), *end = line + length;

	if (!colon || colon == line || x->n_dep_paths > UINT32_MAX / 2)
		return;
	struct index_dep dep = { .path = add_path(d, line, (size_t)(colon - line)),
				 .first = (uint32_t)x->n_dep_paths };
	if (dep.path == NAME_NONE)
		return;
	for (const char *s = colon + 1; s < end;) {
		const char *word = s;
		while (s < end && !is_blank(*s))
			s++;
		nameid id = s > word ? add_path(d, word, (size_t)(s - word)) : NAME_NONE;
		if (id != NAME_NONE)
			VEC_PUSH(x->dep_paths, x->n_dep_paths, x->cap_dep_paths) = id;
		while (s < end && is_blank(*s))
			s++;
	}
	dep.n = (uint32_t)x->n_dep_paths - dep.first;
	VEC_PUSH(x->deps, x->n_deps, x->cap_deps) = dep;
}

void index_read_dep(struct index *x, const char *text, size_t size, const char *moddir)
{
	struct dep_reader d = { .x = x, .moddir = moddir, .moddir_length = strlen(moddir) };
	const char *end = text + size;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		while (stop && stop > text && stop[-1] == '\\')
			stop = memchr(stop + 1, '\n', (size_t)(end - stop - 1));
		size_t length = (size_t)((stop ? stop : end) - text);
		if (text[0] != '#')
			add_line(&d, text, length);
		text += length + 1;
	}
}

const char *index_read_dep_bin(struct index *x, const char *bytes, size_t size, const char *moddir)
{
	struct dep_reader d = { .x = x, .moddir = moddir, .moddir_length = strlen(moddir) };

	return trie_read(bytes, size, add_line, &d);
}
