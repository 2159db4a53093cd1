/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules are joined by name, as modprobe knows them: a driver that moved to another directory is
 * the same driver. A module of NEW that was built for another release than most of its tree (a copy
 * of OLD's, put there without a rebuild) is no build of its own.
 */
#include <string.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/text.h"
#include "diff/stages.h"
#include "subsystem.h"

/* Modules of one side by name. */
struct by_name {
	struct names *names;
	uint32_t *module_of; /* [number]: index + 1 */
};

static void index_modules(struct by_name *x, const struct side *s, struct arena *a)
{
	x->names = names_new();
	x->module_of = arena_array(a, (size_t)s->session.n_modules + 1, sizeof(*x->module_of));
	for (uint32_t i = 0; i < s->session.n_modules; i++)
		x->module_of[names_add_string(x->names, s->session.modules[i].name)] = i + 1;
}

static const struct module *find_module(const struct by_name *x, const struct side *s,
					const char *name)
{
	nameid id = names_find(x->names, name, strlen(name));

	return id == NAME_NONE ? NULL : &s->session.modules[x->module_of[id] - 1];
}

/*
 * Where nothing was installed beside the kernel's modules the path says nothing, and the tag does,
 * since 3.2; before there was none.
 */
static bool is_in_tree(const struct module *m, const struct side *s)
{
	static const char *const others[] = { "extra/", "updates/", "misc/", "weak-updates/" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (text_has_prefix(m->path, others[i]))
			return false;
	}
	return m->info.has_intree || s->session.kernel.version < KERNEL_VERSION_CODE(3, 2, 0);
}

static bool was_built_for(const struct module *m, const struct side *s)
{
	const char *vermagic = m->info.vermagic;
	size_t n = strlen(s->built_release);

	return !vermagic || !n ||
	       (strncmp(vermagic, s->built_release, n) == 0 &&
		(vermagic[n] == ' ' || !vermagic[n]));
}

static bool *list_builtins(const struct side *s, struct arena *a)
{
	const struct index *x = &s->session.index;
	bool *is_builtin = arena_array(a, x->names ? names_count(x->names) : 1, 1);

	for (size_t i = 0; i < x->n_builtins; i++)
		is_builtin[x->builtins[i]] = true;
	is_builtin[NAME_NONE] = false;
	return is_builtin;
}

static struct module_diff *compare(const struct side *s, const struct side *other, struct arena *a)
{
	struct module_diff *rows = arena_array(a, s->session.n_modules, sizeof(*rows));
	const bool *is_builtin = list_builtins(other, a);
	struct by_name others;

	index_modules(&others, other, a);
	for (uint32_t i = 0; i < s->session.n_modules; i++) {
		const struct module *m = &s->session.modules[i];
		const struct module *twin = find_module(&others, other, m->name);
		struct module_diff *row = &rows[i];

		row->module = m;
		row->subsystem = subsystem_of(m->path, a);
		row->is_in_tree = is_in_tree(m, s);
		row->twin = twin;
		/* a symvers file does not list modules: the kernel's own are built with it */
		row->has_build =
			other->is_tree ? twin && was_built_for(twin, other) : row->is_in_tree;
		if (!twin && other->session.index.names)
			row->is_builtin = is_builtin[names_find(other->session.index.names, m->name,
								strlen(m->name))];
		row->has_build |= row->is_builtin;
	}
	names_free(others.names);
	return rows;
}

void diff_modules(struct diff *d)
{
	d->compares_modules = d->old.is_tree && d->new.is_tree;
	d->old_modules = compare(&d->old, &d->new, d->arena);
	d->new_modules = compare(&d->new, &d->old, d->arena);
	for (uint32_t i = 0; i < d->old.session.n_modules; i++)
		d->n_unreadable +=
			!d->old_modules[i].has_build && !d->old.session.modules[i].is_readable;
}
