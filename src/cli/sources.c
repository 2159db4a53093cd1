/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A word is the KVER of a tree below basedir, a directory, or a module. A directory that holds what
 * depmod or make modules_install leave in a tree is a tree; any other is a bundle of modules, all
 * of which the user means.
 */
#include "cli/sources.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/names.h"
#include "cli/options.h"
#include "index/index.h"

static bool is_tree(const char *path, struct arena *a)
{
	static const char *const signs[] = { "modules.dep", "modules.order", "modules.builtin",
					     "kernel" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (access(arena_printf(a, "%s/%s", path, signs[i]), F_OK) == 0)
			return true;
	}
	return false;
}

static void add_builtins(struct names *names, const struct options *o)
{
	const char *moddir = scan_find_moddir(&o->session.scan, o->arena);
	struct index index;

	index_init(&index);
	if (moddir)
		index_load(&index, o->session.scan.basedir, moddir);
	for (size_t i = 0; i < index.n_builtins; i++)
		names_add_string(names, names_text(index.names, index.builtins[i]));
	index_release(&index);
}

/* The names of TARGET's modules, and of those that are built in; NULL if it has no tree. */
static struct names *own_names(struct options *o)
{
	struct tree tree;
	struct err err = { "" };
	struct names *names;

	if (!scan_tree(&tree, &o->session.scan, o->arena, &err))
		return NULL;
	names = names_new();
	for (uint32_t i = 0; i < tree.n_entries; i++)
		names_add_string(names, tree.entries[i].name);
	add_builtins(names, o);
	return names;
}

/* Its modules, with `prefix` before their paths; those in `own` (NULL: none) are left out. */
static bool take_scanned(struct sources *s, struct options *o, const struct scan_options *scan,
			 const char *prefix, const struct names *own, struct err *err)
{
	struct tree tree;

	if (!scan_tree(&tree, scan, o->arena, err))
		return false;
	for (uint32_t i = 0; i < tree.n_entries; i++) {
		struct entry e = tree.entries[i];
		if (e.winner != ENTRY_NONE)
			continue;
		if (own && names_find(own, e.name, strlen(e.name))) {
			s->n_own_build++;
			continue;
		}
		if (*prefix)
			e.path = arena_printf(o->arena, "%s/%s", prefix, e.path);
		VEC_PUSH(s->entries, s->n_entries, s->cap_entries) = e;
	}
	return true;
}

static bool take_tree(struct sources *s, struct options *o, const struct scan_options *scan,
		      struct err *err)
{
	struct names *own = o->list_all ? NULL : own_names(o);
	bool is_ok = take_scanned(s, o, scan, "", own, err);

	names_free(own);
	s->tree = *scan;
	s->n_trees++;
	return is_ok;
}

static bool take_directory(struct sources *s, struct options *o, const char *word, struct err *err)
{
	struct scan_options scan = {
		.config_paths = o->session.scan.config_paths,
		.n_config_paths = o->session.scan.n_config_paths,
	};
	char *real = realpath(word, NULL);

	if (!real)
		return err_set(err, "%s: %s", word, strerror(errno));
	char *path = arena_strdup(o->arena, real), *slash = strrchr(path, '/');
	free(real);
	if (slash == path)
		return err_set(err, "%s is no directory of modules", word);
	*slash = '\0';
	scan.moddir = path;
	scan.release = slash + 1;
	if (is_tree(word, o->arena))
		return take_tree(s, o, &scan, err);
	const char *prefix = "";
	if (o->sources[1]) { /* of one directory alone, paths are below it */
		size_t length = strlen(word);
		while (length > 1 && word[length - 1] == '/')
			length--;
		prefix = arena_strndup(o->arena, word, length);
	}
	return take_scanned(s, o, &scan, prefix, NULL, err);
}

static bool is_listed(const struct options *o, const char *word)
{
	for (unsigned int i = 0; i < o->session.n_files; i++) {
		if (strcmp(o->session.files[i], word) == 0)
			return true;
	}
	return false;
}

static bool take_word(struct sources *s, struct options *o, const char *word, struct err *err)
{
	struct scan_options scan = o->session.scan;
	struct stat st;

	scan.release = word;
	if (!strchr(word, '/') && scan_find_moddir(&scan, o->arena))
		return take_tree(s, o, &scan, err);
	if (stat(word, &st) != 0)
		return err_set(err, "%s: %s", word,
			       errno == ENOENT ? "no such kernel, directory or module"
					       : strerror(errno));
	if (S_ISDIR(st.st_mode))
		return take_directory(s, o, word, err);
	if (!is_listed(o, word))
		o->session.files[o->session.n_files++] = word;
	return true;
}

bool sources_take(struct sources *s, struct options *o, const char *const *words, struct err *err)
{
	*s = (struct sources) { .n_trees = 0 };
	for (size_t i = 0; words[i]; i++) {
		if (!take_word(s, o, words[i], err))
			return false;
	}
	return true;
}
