/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of the modules that needed S before, those that do not need it after are its leavers. What stands
 * in for S is a symbol T that nearly all leavers gained, and that is rarely gained elsewhere: else
 * each symbol that a new kernel brings everywhere would stand in for each that it lost.
 */
#include "ready/peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "load.h"
#include "session.h"

enum {
	MANY = 4,      /* leavers that make numbers mean something */
	MOST = 75,     /* percent of the leavers that gained T */
	ELSEWHERE = 25 /* percent, at most, of all others that did */
};

bool peers_read(struct peer_tree *t, struct session *s, const struct scan_options *scan,
		unsigned int n_threads)
{
	struct err err = { "" };
	struct tree *tree = arena_alloc(s->arena, sizeof(*tree));
	struct load load = { .tree = tree, .n_threads = n_threads };

	if (!scan_tree(tree, scan, s->tree_arena, &err) || tree->n_entries == 0)
		return false;
	load_read(&load, s->names, s->tree_arena);
	load_join(&load, s->names, s->arena);
	t->modules = load.modules;
	t->n_modules = load.n_modules;
	s->also[s->n_also++] = (struct readers) { load.workers, load.n_workers };
	return load.shortage == 0;
}

struct leaver {
	nameid name;
	uint32_t pair;
};

struct pair {
	const struct module *before, *after;
};

struct look {
	struct pair *pairs;
	size_t n_pairs, cap_pairs;
	struct leaver *leavers;
	size_t n_leavers, cap_leavers;
	uint32_t n_names;
	uint32_t *n_before; /* [name] pairs whose first module needs it */
	uint32_t *n_gained; /* [name] pairs whose second module alone needs it */
	uint32_t *n_among;  /* [name] ... among the leavers at hand */
	uint32_t *stamp;    /* [name] pair + 1 that needs it before, or after */
};

static bool is_peer(const struct module *m)
{
	return m->is_readable && !m->is_object_24;
}

static void find_pairs(struct look *l, const struct peers *p)
{
	struct names *by_name = names_new();
	uint32_t *of = mem_zalloc(((size_t)p->before.n_modules + 2) * sizeof(*of));

	for (uint32_t i = 0; i < p->before.n_modules; i++)
		of[names_add_string(by_name, p->before.modules[i].name)] = i + 1;
	for (uint32_t i = 0; i < p->after.n_modules; i++) {
		const struct module *m = &p->after.modules[i];
		nameid id = names_find(by_name, m->name, strlen(m->name));
		if (!id || !m->is_installed || !is_peer(m) ||
		    !is_peer(&p->before.modules[of[id] - 1]))
			continue;
		VEC_PUSH(l->pairs, l->n_pairs, l->cap_pairs) =
			(struct pair) { &p->before.modules[of[id] - 1], m };
	}
	names_free(by_name);
	free(of);
}

static void mark(uint32_t *stamp, const struct module *m, uint32_t with)
{
	for (uint32_t i = 0; i < m->n_imports; i++)
		stamp[m->imports[i].name] = with;
}

static void count_pair(struct look *l, uint32_t pair, const bool *wanted, uint32_t n_wanted)
{
	const struct module *before = l->pairs[pair].before, *after = l->pairs[pair].after;

	mark(l->stamp, before, 2 * pair + 1);
	for (uint32_t i = 0; i < before->n_imports; i++)
		l->n_before[before->imports[i].name]++;
	for (uint32_t i = 0; i < after->n_imports; i++) {
		nameid name = after->imports[i].name;
		l->n_gained[name] += l->stamp[name] != 2 * pair + 1;
	}
	mark(l->stamp, after, 2 * pair + 2);
	for (uint32_t i = 0; i < before->n_imports; i++) {
		nameid name = before->imports[i].name;
		if (name < n_wanted && wanted[name] && l->stamp[name] != 2 * pair + 2)
			VEC_PUSH(l->leavers, l->n_leavers, l->cap_leavers) =
				(struct leaver) { name, pair };
	}
}

static int compare_leavers(const void *pa, const void *pb)
{
	const struct leaver *a = pa, *b = pb;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->pair < b->pair ? -1 : a->pair > b->pair;
}

/* How often each symbol is gained among these leavers. */
static void count_gains(struct look *l, const struct leaver *of, size_t n)
{
	memset(l->n_among, 0, l->n_names * sizeof(*l->n_among));
	memset(l->stamp, 0, l->n_names * sizeof(*l->stamp));
	for (size_t i = 0; i < n; i++) {
		const struct pair *pair = &l->pairs[of[i].pair];
		mark(l->stamp, pair->before, of[i].pair + 1);
		for (uint32_t k = 0; k < pair->after->n_imports; k++) {
			nameid name = pair->after->imports[k].name;
			l->n_among[name] += l->stamp[name] != of[i].pair + 1;
		}
	}
}

/* Is the one name within the other, underscores at its ends left out? */
static bool resembles(const char *a, const char *b)
{
	a += strspn(a, "_");
	b += strspn(b, "_");
	return strstr(a, b) || strstr(b, a);
}

static bool stands_in(const struct look *l, nameid t, size_t n_leavers)
{
	size_t n_others = l->n_pairs - n_leavers, n_elsewhere = l->n_gained[t] - l->n_among[t];

	return l->n_among[t] * 100 >= n_leavers * MOST && n_elsewhere * 100 <= n_others * ELSEWHERE;
}

/* The symbol that stands in for the leavers' one; NAME_NONE if none does. */
static nameid find_heir(const struct look *l, const struct fates *fates, const struct leaver *of,
			size_t n)
{
	const struct names *names = fates->s->names;
	const char *text = names_text(names, of->name);
	nameid best = NAME_NONE;
	bool best_resembles = false;

	for (nameid t = 1; t < l->n_names; t++) {
		if (!l->n_among[t] || !stands_in(l, t, n) || !fates_is_exported(fates, t))
			continue;
		bool is_alike = resembles(text, names_text(names, t));
		if (n < MANY && !is_alike)
			continue;
		bool is_better =
			best == NAME_NONE || l->n_among[t] > l->n_among[best] ||
			(l->n_among[t] == l->n_among[best] && l->n_gained[t] < l->n_gained[best]);
		if (is_alike != best_resembles ? is_alike : is_better) {
			best = t;
			best_resembles = is_alike;
		}
	}
	return best;
}

static void decide(struct look *l, struct fates *fates, const struct leaver *of, size_t n,
		   bool is_same_version)
{
	struct fate *fate = fates_of(fates, of->name);

	/* most still need it: the others only lost the code that did */
	if (n * 100 < (size_t)l->n_before[of->name] * MOST)
		return;
	count_gains(l, of, n);
	nameid heir = find_heir(l, fates, of, n);
	fate->kind = heir != NAME_NONE || is_same_version ? FATE_PEERS : FATE_GONE;
	fate->n_to = 0;
	if (heir != NAME_NONE)
		fate->to[fate->n_to++] = heir;
}

void peers_look(const struct peers *p, struct session *s, struct fates *fates, const bool *wanted,
		uint32_t n_wanted)
{
	struct look l = { .n_names = names_count(s->names) };

	find_pairs(&l, p);
	l.n_before = mem_zalloc(l.n_names * sizeof(*l.n_before));
	l.n_gained = mem_zalloc(l.n_names * sizeof(*l.n_gained));
	l.n_among = mem_zalloc(l.n_names * sizeof(*l.n_among));
	l.stamp = mem_zalloc(l.n_names * sizeof(*l.stamp));
	for (uint32_t i = 0; i < l.n_pairs; i++)
		count_pair(&l, i, wanted, n_wanted);
	if (l.n_leavers)
		qsort(l.leavers, l.n_leavers, sizeof(*l.leavers), compare_leavers);
	for (size_t i = 0, end; i < l.n_leavers; i = end) {
		for (end = i; end < l.n_leavers && l.leavers[end].name == l.leavers[i].name; end++)
			;
		decide(&l, fates, &l.leavers[i], end - i, p->is_same_version);
	}
	free(l.pairs);
	free(l.leavers);
	free(l.n_before);
	free(l.n_gained);
	free(l.n_among);
	free(l.stamp);
}
