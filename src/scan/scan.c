/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stage: find the directory, read depmod.d, walk, sort, decide who wins.
 */
#include "scan/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "scan/depmodd.h"
#include "scan/modname.h"
#include "scan/root.h"
#include "scan/walk.h"
#include "scan/winners.h"

static const char *const usual_moddirs[] = { "lib/modules", "usr/lib/modules" };
#define N_USUAL_MODDIRS (sizeof(usual_moddirs) / sizeof(usual_moddirs[0]))

/* A release is one component of a path: anything else would lead to another directory. */
static bool is_release(const char *release)
{
	return release && release[0] && strcmp(release, ".") != 0 && strcmp(release, "..") != 0 &&
	       !strchr(release, '/');
}

/* A path without slashes at its beginning (if asked for) and end; "/" becomes "". */
static const char *trim_slashes(const char *path, bool at_start, struct arena *a)
{
	size_t n;

	if (!path)
		return "";
	path += at_start ? strspn(path, "/") : 0;
	for (n = strlen(path); n > 0 && path[n - 1] == '/'; n--)
		;
	return arena_strndup(a, path, n);
}

/* Where a module directory is. */
struct place {
	struct root root;
	const char *basedir, *moddir; /* moddir: with the release */
	struct target target;
};

/* false with errno set: what is wrong with a place that is there, else ENOENT. */
static bool find_below(struct place *p, const struct scan_options *o, struct arena *a)
{
	size_t n = o->moddir ? 1 : N_USUAL_MODDIRS;
	int worst = ENOENT;

	for (size_t i = 0; i < n; i++) {
		const char *moddir =
			o->moddir ? trim_slashes(o->moddir, true, a) : usual_moddirs[i];

		p->moddir = moddir[0] ? arena_printf(a, "%s/%s", moddir, o->release) : o->release;
		bool is_there = root_resolve(&p->root, p->moddir, a, &p->target);
		if (is_there && S_ISDIR(p->target.mode))
			return true;
		if (is_there || errno != ENOENT)
			worst = is_there ? ENOTDIR : errno;
	}
	errno = worst;
	return false;
}

/* Fill in the place; root_release() is due if that worked. */
static bool find_place(struct place *p, const struct scan_options *o, struct arena *a,
		       struct err *err)
{
	int error;

	if (!is_release(o->release))
		return err_set(err, "'%s' is not a kernel release", o->release ? o->release : "");
	p->basedir = trim_slashes(o->basedir, false, a);
	if (!root_init(&p->root, p->basedir, a))
		return err_set(err, "%s: %s", p->basedir, strerror(errno));
	if (find_below(p, o, a))
		return true;
	error = errno;
	root_release(&p->root);
	if (error == ENOENT && !o->moddir)
		return err_set(err, "no modules of %s: neither %s/%s/%s nor %s/%s/%s exists",
			       o->release, p->basedir, usual_moddirs[0], o->release, p->basedir,
			       usual_moddirs[1], o->release);
	return err_set(err, "%s/%s: %s", p->basedir, p->moddir, strerror(error));
}

const char *scan_find_moddir(const struct scan_options *options, struct arena *a)
{
	struct place place;
	struct err ignored;

	if (!find_place(&place, options, a, &ignored))
		return NULL;
	root_release(&place.root);
	return place.moddir;
}

/*
 * basedir/moddir, as the user would write it; but what an absolute link below basedir leads to
 * (lib -> /usr/lib) others would look for on the host, so that is told by its real path.
 */
static const char *directory_of(const struct place *p, struct arena *a)
{
	const char *path = arena_printf(a, "%s/%s", p->basedir, p->moddir);
	char *real = p->basedir[0] ? realpath(path, NULL) : NULL;
	bool is_same = !p->basedir[0] || (real && strcmp(real, p->target.real) == 0);

	free(real);
	return is_same ? path : p->target.real;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int compare_problems(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (int)x->kind - (int)y->kind;
}

static struct modname says(const char *path)
{
	const char *base = modname_base(path);

	return modname_of(base, strlen(base));
}

/* Forget what is named .o where that means nothing. */
static void drop_objects(struct walk *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_entries; i++)
		if (says(w->entries[i].path).kind != MODNAME_O)
			w->entries[n++] = w->entries[i];
	w->n_entries = n;
	n = 0;
	for (size_t i = 0; i < w->n_problems; i++)
		if (w->problems[i].kind == PROBLEM_UNREADABLE_DIR ||
		    w->problems[i].kind == PROBLEM_LIMIT ||
		    says(w->problems[i].path).kind != MODNAME_O)
			w->problems[n++] = w->problems[i];
	w->n_problems = n;
}

static bool has_ko(const struct walk *w)
{
	for (size_t i = 0; i < w->n_entries; i++)
		if (says(w->entries[i].path).kind == MODNAME_KO)
			return true;
	return false;
}

/* The vectors of the walk, sorted, into the tree. */
static void fill_tree(struct tree *tree, struct walk *w, struct arena *a)
{
	if (!modname_objects_count(tree->release, has_ko(w)))
		drop_objects(w);
	if (w->n_entries)
		qsort(w->entries, w->n_entries, sizeof(*w->entries), compare_entries);
	if (w->n_problems)
		qsort(w->problems, w->n_problems, sizeof(*w->problems), compare_problems);
	tree->n_entries = (uint32_t)w->n_entries;
	tree->n_problems = (uint32_t)w->n_problems;
	tree->entries = arena_array(a, w->n_entries + 1, sizeof(*tree->entries));
	tree->problems = arena_array(a, w->n_problems + 1, sizeof(*tree->problems));
	if (w->n_entries)
		memcpy(tree->entries, w->entries, w->n_entries * sizeof(*w->entries));
	if (w->n_problems)
		memcpy(tree->problems, w->problems, w->n_problems * sizeof(*w->problems));
}

static bool walk_tree(struct tree *tree, const struct place *p, const struct depmodd *config,
		      struct arena *a, struct err *err)
{
	struct walk w;
	int error;

	walk_init(&w, p->target.real, &p->root, config, a);
	error = walk_top(&w);
	if (error) {
		walk_release(&w);
		return err_set(err, "%s: %s", tree->directory, strerror(error));
	}
	for (const struct depmodd_word *e = config->externals; e; e = e->next)
		walk_external(&w, e->text);
	walk_links(&w);
	fill_tree(tree, &w, a);
	winners_decide(tree, &w, config);
	walk_release(&w);
	return true;
}

bool scan_tree(struct tree *tree, const struct scan_options *options, struct arena *a,
	       struct err *err)
{
	struct depmodd config;
	struct place place;
	bool is_ok;

	if (!find_place(&place, options, a, err))
		return false;
	*tree = (struct tree) {
		.basedir = place.basedir,
		.moddir = place.moddir,
		.directory = directory_of(&place, a),
		.release = arena_strdup(a, options->release),
	};
	depmodd_init(&config, tree->release, a);
	is_ok = depmodd_load(&config, &place.root, options->config_paths, options->n_config_paths,
			     err) &&
		walk_tree(tree, &place, &config, a, err);
	tree->n_config_files = config.n_files;
	root_release(&place.root);
	return is_ok;
}
