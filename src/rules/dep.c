/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC604: modules.dep against the tree. Beside each module it has all that is to be loaded before
 * it, and modprobe looks no further, so what the module really needs, however deep, has to be in
 * its own line. Where depmod has not been at all (a package's build root) there is nothing to say.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "index/index.h"
#include "rules/check.h"
#include "scan/root.h"
#include "scan/scan.h"

#define UNLISTED UINT32_MAX
#define MAX_TOLD 3 /* missing dependencies that one finding names */

struct dep {
	struct check *c;
	const struct index *x;
	nameid *id_of;     /* [module] of its path, NAME_NONE if no line has it */
	uint32_t *line_of; /* [module] of x->deps, or UNLISTED */
	bool *is_in_tree;  /* [module] it is the tree's, and no overlay */
	bool *is_there;    /* [nameid] a file of the tree */
	uint32_t *dep_of;  /* [nameid] index + 1 of the line that begins with this path */
	/* providers of each module, one after the other: those of m from start[m] on */
	uint32_t *start, *providers;
	size_t n_providers, cap_providers;
	uint32_t *listed; /* [nameid] module + 1 in whose line it was met last */
	uint32_t *seen;   /* [module] the same, of providers */
	uint32_t *stack;  /* of modules */
	size_t n_stack, cap_stack;
};

static void dep_init(struct dep *d, struct check *c)
{
	size_t n_names = names_count(c->index->names), n = (size_t)c->n_modules + 1;

	*d = (struct dep) { .c = c, .x = c->index };
	d->id_of = mem_zalloc(n * sizeof(*d->id_of));
	d->line_of = mem_zalloc(n * sizeof(*d->line_of));
	d->is_in_tree = mem_zalloc(n * sizeof(*d->is_in_tree));
	d->is_there = mem_zalloc(n_names * sizeof(*d->is_there));
	d->dep_of = mem_zalloc(n_names * sizeof(*d->dep_of));
	d->start = mem_zalloc((n + 1) * sizeof(*d->start));
	d->listed = mem_zalloc(n_names * sizeof(*d->listed));
	d->seen = mem_zalloc(n * sizeof(*d->seen));
}

static void dep_release(struct dep *d)
{
	free(d->id_of);
	free(d->line_of);
	free(d->is_in_tree);
	free(d->is_there);
	free(d->dep_of);
	free(d->start);
	free(d->providers);
	free(d->listed);
	free(d->seen);
	free(d->stack);
}

/* Mostly they are the same string. */
static int compare_paths(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* Modules and the tree's entries are sorted by path alike. */
static void find_lines(struct dep *d)
{
	const struct tree *tree = d->c->tree;
	const struct module *modules = d->c->modules;
	uint32_t m = 0;

	for (size_t i = d->x->n_deps; i-- > 0;)
		d->dep_of[d->x->deps[i].path] = (uint32_t)i + 1;
	d->dep_of[NAME_NONE] = 0;
	memset(d->line_of, 0xff, d->c->n_modules * sizeof(*d->line_of));
	for (uint32_t e = 0; e < tree->n_entries; e++) {
		const char *path = tree->entries[e].path;
		nameid id = names_find(d->x->names, path, strlen(path));
		d->is_there[id] = true;
		int order = -1;
		while (m < d->c->n_modules && (order = compare_paths(modules[m].path, path)) < 0)
			m++;
		if (m == d->c->n_modules || order != 0)
			continue;
		d->is_in_tree[m] = true;
		d->id_of[m] = id;
		d->line_of[m] = d->dep_of[id] - 1; /* 0 becomes UNLISTED */
	}
}

/* What a module cannot do without, one step deep. */
static void find_providers(struct dep *d)
{
	const struct check *c = d->c;

	for (uint32_t m = 0; m < c->n_modules; m++) {
		d->start[m] = (uint32_t)d->n_providers;
		for (uint32_t i = 0; i < c->modules[m].n_imports; i++) {
			const struct link *link = &c->links->links[m][i];
			if (link->state != LINK_MODULE || link->target == m ||
			    d->seen[link->target] == m + 1 ||
			    (c->modules[m].imports[i].flags & IMPORT_WEAK))
				continue;
			d->seen[link->target] = m + 1;
			VEC_PUSH(d->providers, d->n_providers, d->cap_providers) = link->target;
		}
	}
	d->start[c->n_modules] = (uint32_t)d->n_providers;
	memset(d->seen, 0, c->n_modules * sizeof(*d->seen));
}

/*
 * Mark what the line of a module lists. modprobe of modutils (2.4) went on with the lines of
 * these; that of kmod does not.
 */
static void mark_listed(struct dep *d, uint32_t line, uint32_t mark, bool is_recursive)
{
	const struct index_dep *dep = &d->x->deps[line];

	d->n_stack = 0;
	for (;;) {
		for (uint32_t i = 0; i < dep->n; i++) {
			nameid id = d->x->dep_paths[dep->first + i];
			if (d->listed[id] == mark)
				continue;
			d->listed[id] = mark;
			if (is_recursive && d->dep_of[id])
				VEC_PUSH(d->stack, d->n_stack, d->cap_stack) = d->dep_of[id] - 1;
		}
		if (d->n_stack == 0)
			return;
		dep = &d->x->deps[d->stack[--d->n_stack]];
	}
}

struct missing {
	uint32_t n;
	const char *names; /* of the first ones */
	uint32_t first;
};

static void add_missing(struct dep *d, struct missing *missing, uint32_t provider)
{
	const char *name = d->c->modules[provider].name;

	if (missing->n == 0)
		missing->first = provider;
	if (missing->n < MAX_TOLD)
		missing->names = missing->n
					 ? arena_printf(d->c->arena, "%s, %s", missing->names, name)
					 : name;
	missing->n++;
}

static struct missing find_missing(struct dep *d, uint32_t module)
{
	struct missing missing = { 0 };

	d->n_stack = 0;
	VEC_PUSH(d->stack, d->n_stack, d->cap_stack) = module;
	d->seen[module] = module + 1;
	while (d->n_stack) {
		uint32_t m = d->stack[--d->n_stack];
		for (uint32_t i = d->start[m]; i < d->start[m + 1]; i++) {
			uint32_t p = d->providers[i];
			if (d->seen[p] == module + 1 || !d->is_in_tree[p])
				continue;
			d->seen[p] = module + 1;
			VEC_PUSH(d->stack, d->n_stack, d->cap_stack) = p;
			if (d->listed[d->id_of[p]] != module + 1) /* of NAME_NONE: never */
				add_missing(d, &missing, p);
		}
	}
	return missing;
}

static void check_line(struct dep *d, uint32_t module)
{
	bool is_old =
		d->c->kernel->version && d->c->kernel->version < KERNEL_VERSION_CODE(2, 5, 48);
	struct finding *f;

	if (d->start[module] == d->start[module + 1])
		return;
	mark_listed(d, d->line_of[module], module + 1, is_old);
	struct missing missing = find_missing(d, module);
	if (missing.n == 0)
		return;
	f = check_add(d->c, RULE_MODULES_DEP_STALE, module);
	if (!f)
		return;
	f->provider = d->c->modules[missing.first].path;
	f->detail =
		missing.n > MAX_TOLD
			? arena_printf(d->c->arena, "needs %s and %u more, which %s does not list",
				       missing.names, missing.n - MAX_TOLD,
				       index_file_name(d->x->dep_file))
			: arena_printf(d->c->arena, "needs %s, which %s does not list",
				       missing.names, index_file_name(d->x->dep_file));
}

/* The lines by module name: what modprobe finds under that of a module without a line. */
static struct names *line_names(const struct dep *d, uint32_t **line_of_name)
{
	struct names *names = names_new();
	struct arena *scratch = arena_new();

	*line_of_name = mem_zalloc((d->x->n_deps + 1) * sizeof(**line_of_name));
	for (size_t i = 0; i < d->x->n_deps; i++) {
		const char *path = names_text(d->x->names, d->x->deps[i].path);
		const char *name = scan_module_name(path, scratch);
		uint32_t n = names_count(names);
		if (name && names_add_string(names, name) == n)
			(*line_of_name)[n] = (uint32_t)i;
	}
	arena_free(scratch);
	return names;
}

/*
 * Does depmod take the one module for sure, and not the other of its name? Where neither
 * directory goes before the other it takes what it comes across first.
 */
static bool is_winner(const struct dep *d, const char *path, const char *listed)
{
	size_t n = strcspn(path, "/");

	if (strncmp(path, listed, n) == 0 && listed[n] == path[n])
		return false;
	return strncmp(path, "updates/", strlen("updates/")) == 0 || d->c->tree->n_config_files;
}

static void report_unlisted(struct dep *d, uint32_t module, const char *listed)
{
	const char *file = index_file_name(d->x->dep_file);
	struct finding *f = check_add(d->c, RULE_MODULES_DEP_STALE, module);

	if (!f)
		return;
	f->detail = listed ? arena_printf(d->c->arena, "%s lists %s in its place", file, listed)
			   : arena_printf(d->c->arena, "%s does not list it", file);
}

/* A file that is there, though not in the walk: known to depmod by another path. */
static bool is_elsewhere(const struct dep *d, const struct root *root, const char *path)
{
	const char *full = path[0] == '/'
				   ? path
				   : arena_printf(d->c->arena, "%s/%s", d->c->tree->moddir, path);
	struct target target;

	return root_resolve(root, full, d->c->arena, &target);
}

static void check_unlisted(struct dep *d)
{
	struct names *names = NULL;
	uint32_t *line_of_name = NULL;

	for (uint32_t m = 0; m < d->c->n_modules; m++) {
		const struct module *module = &d->c->modules[m];
		if (!d->is_in_tree[m] || d->line_of[m] != UNLISTED || !module->is_readable)
			continue;
		if (!names)
			names = line_names(d, &line_of_name);
		nameid name = names_find(names, module->name, strlen(module->name));
		nameid id = name ? d->x->deps[line_of_name[name]].path : NAME_NONE;
		const char *listed = name ? names_text(d->x->names, id) : NULL;
		if (!listed || !d->is_there[id])
			report_unlisted(d, m, NULL);
		else if (is_winner(d, module->path, listed))
			report_unlisted(d, m, listed);
	}
	free(line_of_name);
	names_free(names);
}

/* Of each path once. After this is_there[] is true of all paths that were looked at. */
static void check_listed(struct dep *d, const struct root *root, nameid id, uint32_t *order)
{
	const char *path = names_text(d->x->names, id);
	struct finding *f = NULL;

	if (d->is_there[id])
		return;
	d->is_there[id] = true;
	if (!is_elsewhere(d, root, path))
		f = check_add(d->c, RULE_MODULES_DEP_STALE, MODULE_NONE);
	if (!f)
		return;
	f->path = arena_strdup(d->c->arena, path);
	f->detail = arena_printf(d->c->arena, "%s lists it, and it is not there",
				 index_file_name(d->x->dep_file));
	f->order = (*order)++;
}

static void check_files(struct dep *d)
{
	uint32_t order = 0;
	struct root root;

	if (!root_init(&root, d->c->tree->basedir, d->c->arena))
		return;
	for (size_t i = 0; i < d->x->n_deps; i++)
		check_listed(d, &root, d->x->deps[i].path, &order);
	for (size_t i = 0; i < d->x->n_dep_paths; i++)
		check_listed(d, &root, d->x->dep_paths[i], &order);
	root_release(&root);
}

static void report_absent(struct check *c)
{
	struct finding *f = check_add(c, RULE_MODULES_DEP_STALE, MODULE_NONE);

	if (!f)
		return;
	f->path = index_file_name(INDEX_DEP);
	f->detail = "absent, though depmod has been here";
}

void check_dep(struct check *c)
{
	const struct index *x = c->index;
	struct dep d;

	if (!c->tree || c->policy->is_ignored[RULE_MODULES_DEP_STALE] || !x->is_indexed ||
	    x->faults[x->dep_file])
		return;
	if (!x->has[x->dep_file]) {
		report_absent(c);
		return;
	}
	dep_init(&d, c);
	find_lines(&d);
	find_providers(&d);
	for (uint32_t m = 0; m < c->n_modules; m++) {
		if (d.line_of[m] != UNLISTED && d.is_in_tree[m])
			check_line(&d, m);
	}
	check_unlisted(&d);
	check_files(&d);
	dep_release(&d);
}
