/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A word is the KVER of a tree below basedir, a directory, or a module. A directory that holds what
 * depmod or make modules_install leave in a tree is a tree; any other is a bundle of modules, all
 * of which the user means: of two with one name both, and what cannot be read is told. A file that
 * several words lead to is taken once.
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

static void add_entry(struct sources *s, struct options *o, struct entry e, const char *prefix)
{
	uint32_t n = names_count(s->seen);

	if (!e.has_fault && names_add_string(s->seen, e.open_path) < n)
		return;
	if (*prefix)
		e.path = arena_printf(o->arena, "%s/%s", prefix, e.path);
	VEC_PUSH(s->entries, s->n_entries, s->cap_entries) = e;
}

/* What could not be looked into may hold modules: then nothing can be said of all of them. */
static bool is_whole(const struct tree *tree, struct err *err)
{
	for (uint32_t i = 0; i < tree->n_problems; i++) {
		const struct problem *p = &tree->problems[i];
		if (p->kind == PROBLEM_UNREADABLE_DIR || p->kind == PROBLEM_LIMIT)
			return err_set(err, "%s/%s: %s", tree->directory, p->path, p->detail);
	}
	return true;
}

/* A tree's modules; those in `own` (NULL: none), and those that others shadow, are left out. */
static bool take_modules(struct sources *s, struct options *o, const struct scan_options *scan,
			 const struct names *own, struct err *err)
{
	struct tree tree;

	if (!scan_tree(&tree, scan, o->arena, err) || !is_whole(&tree, err))
		return false;
	for (uint32_t i = 0; i < tree.n_entries; i++) {
		const struct entry *e = &tree.entries[i];
		if (e->winner != ENTRY_NONE)
			continue;
		if (own && names_find(own, e->name, strlen(e->name)))
			s->n_own_build++;
		else
			add_entry(s, o, *e, "");
	}
	return true;
}

/* All that is called a module below a directory, with `prefix` before its path. */
static bool take_bundle(struct sources *s, struct options *o, const struct scan_options *scan,
			const char *prefix, struct err *err)
{
	struct tree tree;

	if (!scan_tree(&tree, scan, o->arena, err) || !is_whole(&tree, err))
		return false;
	for (uint32_t i = 0; i < tree.n_entries; i++)
		add_entry(s, o, tree.entries[i], prefix);
	for (uint32_t i = 0; i < tree.n_problems; i++) {
		const struct problem *p = &tree.problems[i];
		struct entry link = {
			.path = p->path,
			.name = scan_module_name(p->path, o->arena),
			.winner = ENTRY_NONE,
			.has_fault = true,
			.fault = FAULT_UNREADABLE,
			.detail = p->detail,
		};
		if (link.name)
			add_entry(s, o, link, prefix);
	}
	return true;
}

static bool take_tree(struct sources *s, struct options *o, const struct scan_options *scan,
		      struct err *err)
{
	struct names *own = o->list_all ? NULL : own_names(o);
	bool is_ok = take_modules(s, o, scan, own, err);

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
	return take_bundle(s, o, &scan, prefix, err);
}

static void take_file(struct sources *s, struct options *o, const char *word)
{
	char *real = realpath(word, NULL);
	uint32_t n = names_count(s->seen);

	if (names_add_string(s->seen, real ? real : word) >= n)
		o->session.files[o->session.n_files++] = word;
	free(real);
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
	take_file(s, o, word);
	return true;
}

bool sources_take(struct sources *s, struct options *o, const char *const *words, struct err *err)
{
	bool is_ok = true;

	*s = (struct sources) { .seen = names_new() };
	for (size_t i = 0; is_ok && words[i]; i++)
		is_ok = take_word(s, o, words[i], err);
	names_free(s->seen);
	s->seen = NULL;
	return is_ok;
}
