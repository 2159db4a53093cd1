/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exports of a side are the kernel's, from its evidence, and the modules', from their files; of
 * a module that is not there, or cannot be read, those that a Module.symvers lists. Both sides are
 * numbered by one table of names, so that comparing them is a walk over two arrays.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/text.h"
#include "diff/stages.h"

struct table {
	struct export_state *states; /* by number in diff.names; owner NULL: none; malloc'ed */
	size_t n, cap;
	struct names *unreadable; /* its modules that cannot be read; NULL if all can */
};

static bool is_before(const struct side *s, uint32_t version)
{
	return s->session.kernel.version && s->session.kernel.version < version;
}

nameid diff_name(struct diff *d, const struct side *s, nameid *map, nameid name)
{
	if (map[name] || name == NAME_NONE)
		return map[name];
	const char *text = names_text(s->session.names, name);
	size_t length = names_length(s->session.names, name);

	if (is_before(s, KERNEL_VERSION_CODE(2, 5, 0)) || s->session.kernel.has_suffixes)
		length = symbol_base_length(text, length);
	return map[name] = names_add(d->names, text, length);
}

static void put_state(struct table *t, nameid name, const struct export_state *state)
{
	while (t->n <= name)
		VEC_PUSH(t->states, t->n, t->cap) = (struct export_state) { .owner = NULL };
	if (!t->states[name]
		     .owner) /* else it is exported twice: the first is what the loader takes */
		t->states[name] = *state;
}

/* 2.4: the CRC is part of the name. */
static void take_suffix(struct export_state *state, const char *text, size_t length, size_t base)
{
	if (base == length)
		return;
	state->crc = (uint32_t)strtoul(text + length - 8, NULL, 16);
	state->has_crc = true;
}

static struct export_state state_of_ksym(const struct side *s, const struct ksym *k)
{
	const struct source *source = &s->session.kernel.sources[k->source];
	const struct names *names = s->session.names;
	struct export_state state = {
		.owner = k->provider ? names_text(names, k->provider) : "vmlinux",
		.ns = names_text(names, k->ns),
		.crc = k->crc,
		.licence = k->licence,
		.has_crc = k->has_crc && k->crc,
		.knows_licence = source->knows_licences,
		/* before 5.4 there were none */
		.knows_ns = source->knows_namespaces || is_before(s, KERNEL_VERSION_CODE(5, 4, 0)),
	};
	if (s->session.kernel.has_suffixes) {
		const char *text = names_text(names, k->name);
		size_t length = names_length(names, k->name);
		take_suffix(&state, text, length, symbol_base_length(text, length));
	}
	return state;
}

/* "kernel/fs/fat/vfat.ko.xz" is "fs/fat/vfat" to modpost. */
static const char *owner_of(const struct module *m, struct arena *a)
{
	const char *path = m->path;

	if (text_has_prefix(path, "kernel/"))
		path += strlen("kernel/");
	const char *file = strrchr(path, '/');
	file = file ? file + 1 : path;
	return arena_strndup(a, path, (size_t)(file - path) + strcspn(file, "."));
}

static void put_module(struct diff *d, struct table *t, const struct side *s, nameid *map,
		       const struct module *m)
{
	const char *owner = m->n_exports ? owner_of(m, d->arena) : NULL;

	for (uint32_t i = 0; i < m->n_exports; i++) {
		const struct export *e = &m->exports[i];
		struct export_state state = {
			.owner = owner,
			.ns = names_text(s->session.names, e->ns),
			.crc = e->crc,
			.licence = e->licence,
			.has_crc = e->has_crc && e->crc,
			.knows_licence = true,
			.knows_ns = true,
		};
		if (m->is_object_24) {
			const char *text = names_text(s->session.names, e->name);
			size_t length = names_length(s->session.names, e->name);
			take_suffix(&state, text, length, symbol_base_length(text, length));
		}
		put_state(t, diff_name(d, s, map, e->name), &state);
	}
}

/* What the loader meets first comes first. Kernel exports, modules in order, what is only listed.
 */
static void list_exports(struct diff *d, struct table *t, const struct side *s, nameid *map)
{
	const struct session *session = &s->session;

	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < session->kernel.n_syms; i++) {
			const struct ksym *k = &session->kernel.syms[i];
			if (!k->is_exported || (k->provider != NAME_NONE) != (pass == 1))
				continue;
			struct export_state state = state_of_ksym(s, k);
			put_state(t, diff_name(d, s, map, k->name), &state);
		}
		for (uint32_t i = 0; pass == 0 && i < session->n_modules; i++)
			put_module(d, t, s, map, &session->modules[i]);
	}
}

/* The last component, '-' as '_': modprobe's name of the owner. */
static bool is_same_owner(const char *a, const char *b)
{
	const char *of_a = strrchr(a, '/'), *of_b = strrchr(b, '/');

	a = of_a ? of_a + 1 : a;
	b = of_b ? of_b + 1 : b;
	for (; *a && *b; a++, b++) {
		if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
			return false;
	}
	return *a == *b;
}

static bool is_gpl(const struct export_state *s)
{
	return s->licence == LICENCE_GPL || s->licence == LICENCE_UNUSED_GPL;
}

static unsigned int changes_of(const struct export_state *old, const struct export_state *new)
{
	unsigned int changes = 0;

	if (!old->owner || !new->owner)
		return old->owner ? EXPORT_REMOVED : new->owner ? EXPORT_ADDED : 0;
	if (old->has_crc && new->has_crc && old->crc != new->crc)
		changes |= EXPORT_CRC;
	if (old->knows_licence && new->knows_licence && is_gpl(old) != is_gpl(new))
		changes |= is_gpl(new) ? EXPORT_GPL : EXPORT_FREED;
	if (old->knows_ns && new->knows_ns && strcmp(old->ns, new->ns) != 0)
		changes |= EXPORT_NAMESPACE;
	if (!is_same_owner(old->owner, new->owner))
		changes |= EXPORT_MOVED;
	return changes;
}

static int compare_symbols(const void *pa, const void *pb)
{
	const struct export_diff *a = pa, *b = pb;

	return strcmp(a->symbol, b->symbol);
}

static const struct export_state *state_at(const struct table *t, nameid name)
{
	static const struct export_state none = { .ns = "" };

	return name < t->n ? &t->states[name] : &none;
}

/* The names of the side's modules that cannot be read; NULL if all can. To be freed. */
static struct names *list_unreadable(const struct side *s)
{
	struct names *names = NULL;

	for (uint32_t i = 0; i < s->session.n_modules; i++) {
		if (s->session.modules[i].is_readable)
			continue;
		if (!names)
			names = names_new();
		names_add_string(names, s->session.modules[i].name);
	}
	return names;
}

/* May the side have it all the same, in a module of the owner's name that cannot be read? */
static bool may_have(const struct table *t, const char *owner)
{
	char name[256];
	const char *slash = strrchr(owner, '/');
	size_t n = 0;

	for (owner = slash ? slash + 1 : owner; *owner && n < sizeof(name); owner++)
		name[n++] = *owner == '-' ? '_' : *owner;
	return t->unreadable && names_find(t->unreadable, name, n) != NAME_NONE;
}

static void add_export(struct diff *d, nameid name, const struct table *of_old,
		       const struct table *of_new)
{
	const struct export_state *old = state_at(of_old, name), *new = state_at(of_new, name);
	unsigned int changes = changes_of(old, new);

	d->compares_crcs |= old->has_crc && new->has_crc;
	d->compares_licences |= old->knows_licence && new->knows_licence;
	d->compares_namespaces |= old->knows_ns && new->knows_ns;
	if (!changes)
		return;
	if ((changes == EXPORT_REMOVED && may_have(of_new, old->owner)) ||
	    (changes == EXPORT_ADDED && may_have(of_old, new->owner))) {
		d->n_unknown++;
		return;
	}
	d->exports[d->n_exports++] = (struct export_diff) {
		.symbol = names_text(d->names, name),
		.changes = changes,
		.old = *old,
		.new = *new,
	};
}

static void compare(struct diff *d, const struct table *old, const struct table *new)
{
	uint32_t n_names = names_count(d->names);

	d->exports = arena_array(d->arena, n_names, sizeof(*d->exports));
	for (nameid name = 1; name < n_names; name++)
		add_export(d, name, old, new);
	qsort(d->exports, d->n_exports, sizeof(*d->exports), compare_symbols);
}

/* By number of name: index into d->exports + 1. */
static uint32_t *index_exports(struct diff *d)
{
	uint32_t *export_of = arena_array(d->arena, names_count(d->names), sizeof(*export_of));

	for (uint32_t i = 0; i < d->n_exports; i++) {
		const char *symbol = d->exports[i].symbol;
		export_of[names_find(d->names, symbol, strlen(symbol))] = i + 1;
	}
	return export_of;
}

/* Call it for each export that differs and that the modules of OLD import, in their order. */
static void for_each_use(struct diff *d, nameid *map, const uint32_t *export_of, uint32_t n_names,
			 bool has_build, void (*use)(struct export_diff *e, struct export_use use))
{
	for (uint32_t i = 0; i < d->old.session.n_modules; i++) {
		const struct module *m = &d->old.session.modules[i];
		if (d->old_modules[i].has_build != has_build)
			continue;
		for (uint32_t k = 0; k < m->n_imports; k++) {
			nameid name = diff_name(d, &d->old, map, m->imports[k].name);
			uint32_t e = name < n_names ? export_of[name] : 0;
			if (e && d->exports[e - 1].old.owner &&
			    !(m->imports[k].flags & IMPORT_UNREFERENCED))
				use(&d->exports[e - 1], (struct export_use) { i, k });
		}
	}
}

static void count_use(struct export_diff *e, struct export_use use)
{
	(void)use;
	e->n_users++;
}

/* A name that a module imports twice counts once. */
static void put_use(struct export_diff *e, struct export_use use)
{
	if (!e->n_users || e->users[e->n_users - 1].module != use.module)
		e->users[e->n_users++] = use;
}

static void find_users(struct diff *d, nameid *map)
{
	uint32_t n_names = names_count(d->names);
	const uint32_t *export_of = index_exports(d);

	for_each_use(d, map, export_of, n_names, false, count_use);
	for_each_use(d, map, export_of, n_names, true, count_use);
	for (uint32_t i = 0; i < d->n_exports; i++) {
		struct export_diff *e = &d->exports[i];
		e->users = arena_array(d->arena, e->n_users, sizeof(*e->users));
		e->n_users = 0;
	}
	for_each_use(d, map, export_of, n_names, false, put_use);
	for (uint32_t i = 0; i < d->n_exports; i++)
		d->exports[i].n_unbuilt = d->exports[i].n_users;
	for_each_use(d, map, export_of, n_names, true, put_use);
}

void diff_exports(struct diff *d)
{
	struct table old = { .unreadable = list_unreadable(&d->old) };
	struct table new = { .unreadable = list_unreadable(&d->new) };
	nameid *of_old = arena_array(d->arena, names_count(d->old.session.names), sizeof(nameid));
	nameid *of_new = arena_array(d->arena, names_count(d->new.session.names), sizeof(nameid));

	list_exports(d, &old, &d->old, of_old);
	list_exports(d, &new, &d->new, of_new);
	compare(d, &old, &new);
	free(old.states);
	free(new.states);
	names_free(old.unreadable);
	names_free(new.unreadable);
	find_users(d, of_old);
	for (uint32_t i = 0; i < d->n_exports; i++) {
		for (unsigned int c = 0; c < N_EXPORT_CHANGES; c++) {
			bool is_so = d->exports[i].changes & 1u << c;
			d->n_changed[c] += is_so;
			d->n_used[c] += is_so && d->exports[i].n_users;
		}
	}
}
