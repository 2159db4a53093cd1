/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC206: modules that need each other: the strongly connected components of more than one
 * module, by Tarjan's algorithm, with a stack of its own instead of recursion since a hostile
 * tree may be one long chain. The loader lets a weak symbol be 0, so a circle that is closed by
 * weak links only is none to it; but depmod makes dependencies of them, finds a cycle and writes
 * no modules.dep: a warning.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/check.h"

enum { MAX_TOLD = 11 }; /* modules of a cycle that are named, beside the first */

struct node {
	uint32_t index;  /* order of discovery, from 1; 0: not yet seen */
	uint32_t low;    /* lowest index reachable */
	uint32_t import; /* where to go on among the module's imports */
	bool is_on_stack;
};

struct search {
	struct check *c;
	struct node *nodes;
	uint32_t *stack, n_stack; /* of the algorithm */
	uint32_t *path, n_path;   /* modules being visited */
	uint32_t *queue, *parent; /* of the search for a circle to tell */
	uint32_t n_seen;
	bool with_weak; /* follow weak links too */
	bool is_trial;  /* only find out whether there is any cycle */
	bool has_cycle;
	bool *is_told;   /* module is in a cycle that was reported */
	bool *is_member; /* of the component at hand */
};

static bool next_provider(struct search *s, uint32_t module, uint32_t *provider)
{
	const struct module *m = &s->c->modules[module];
	struct node *node = &s->nodes[module];

	while (node->import < m->n_imports) {
		uint32_t i = node->import++;
		const struct link *link = &s->c->links->links[module][i];
		if ((m->imports[i].flags & IMPORT_WEAK) && !s->with_weak)
			continue;
		if (link->state == LINK_MODULE && link->target != module) {
			*provider = link->target;
			return true;
		}
	}
	return false;
}

/* "a -> b -> a"; of a long one the beginning. The way back is along the parents. */
static const char *tell_circle(const struct search *s, uint32_t first, uint32_t last)
{
	const struct module *modules = s->c->modules;
	uint32_t shown[MAX_TOLD], n = 0;
	const char *text = modules[first].name;

	for (uint32_t m = last; m != first; m = s->parent[m])
		shown[n++ % MAX_TOLD] = m; /* keeps the last ones, which come first in the circle */
	uint32_t n_shown = n < MAX_TOLD ? n : MAX_TOLD;
	for (uint32_t i = 0; i < n_shown; i++)
		text = arena_printf(s->c->arena, "%s -> %s", text,
				    modules[shown[(n - 1 - i) % MAX_TOLD]].name);
	if (n > n_shown)
		text = arena_printf(s->c->arena, "%s -> ... (%u more)", text, n - n_shown);
	return arena_printf(s->c->arena, "%s -> %s", text, modules[first].name);
}

/* The shortest circle through the component's first module, by breadth first search. */
static const char *describe(struct search *s, uint32_t first)
{
	uint32_t head = 0, tail = 0, m;

	s->queue[tail++] = first;
	s->parent[first] = first;
	for (;;) {
		m = s->queue[head++];
		s->nodes[m].import = 0;
		for (uint32_t p; next_provider(s, m, &p);) {
			if (p == first)
				return tell_circle(s, first, m);
			if (!s->is_member[p] || s->parent[p] != MODULE_NONE)
				continue;
			s->parent[p] = m;
			s->queue[tail++] = p;
		}
	}
}

/* The last symbol that the module needs of another member: where the loader's error comes from. */
static uint32_t last_link_into(const struct search *s, uint32_t module)
{
	const struct module *m = &s->c->modules[module];
	uint32_t last = 0;

	for (uint32_t i = 0; i < m->n_imports; i++) {
		const struct link *link = &s->c->links->links[module][i];
		if (link->state == LINK_MODULE && s->is_member[link->target])
			last = i;
	}
	return last;
}

static void report(struct search *s, const uint32_t *members, uint32_t n)
{
	uint32_t first = members[0];

	s->has_cycle = true;
	if (s->is_trial)
		return;
	for (uint32_t i = 0; i < n; i++) {
		s->is_member[members[i]] = true;
		s->parent[members[i]] = MODULE_NONE;
		first = members[i] < first ? members[i] : first;
	}
	const char *text = describe(s, first);
	for (uint32_t i = 0; i < n; i++) {
		struct finding *f = NULL;
		if (!s->is_told[members[i]])
			f = check_add_as(s->c, RULE_DEPENDENCY_CYCLE, members[i],
					 s->with_weak ? SEV_WARNING : SEV_ERROR);
		s->is_told[members[i]] = true;
		if (!f)
			continue;
		f->order = last_link_into(s, members[i]);
		f->provider = s->c->modules[first].name;
		f->detail = text;
	}
	for (uint32_t i = 0; i < n; i++)
		s->is_member[members[i]] = false;
}

static void leave(struct search *s, uint32_t module)
{
	struct node *node = &s->nodes[module];

	s->n_path--;
	if (s->n_path) {
		struct node *parent = &s->nodes[s->path[s->n_path - 1]];
		parent->low = node->low < parent->low ? node->low : parent->low;
	}
	if (node->low != node->index)
		return;
	uint32_t begin = s->n_stack;
	do
		s->nodes[s->stack[--begin]].is_on_stack = false;
	while (s->stack[begin] != module);
	if (s->n_stack - begin > 1)
		report(s, &s->stack[begin], s->n_stack - begin);
	s->n_stack = begin;
}

static void enter(struct search *s, uint32_t module)
{
	struct node *node = &s->nodes[module];

	node->index = node->low = ++s->n_seen;
	node->is_on_stack = true;
	s->stack[s->n_stack++] = module;
	s->path[s->n_path++] = module;
}

static void visit(struct search *s, uint32_t root)
{
	enter(s, root);
	while (s->n_path) {
		uint32_t module = s->path[s->n_path - 1], provider;
		struct node *node = &s->nodes[module];
		if (!next_provider(s, module, &provider)) {
			leave(s, module);
			continue;
		}
		const struct node *to = &s->nodes[provider];
		if (to->index == 0)
			enter(s, provider);
		else if (to->is_on_stack && to->index < node->low)
			node->low = to->index;
	}
}

static void visit_all(struct search *s, bool with_weak)
{
	s->n_seen = 0;
	s->with_weak = with_weak;
	memset(s->nodes, 0, s->c->n_modules * sizeof(*s->nodes));
	for (uint32_t m = 0; m < s->c->n_modules; m++) {
		if (s->nodes[m].index == 0)
			visit(s, m);
	}
}

void check_cycles(struct check *c)
{
	struct search s = {
		.c = c,
		.is_trial = true,
		.nodes = mem_zalloc(c->n_modules * sizeof(*s.nodes)),
		.stack = mem_zalloc(c->n_modules * sizeof(*s.stack)),
		.path = mem_zalloc(c->n_modules * sizeof(*s.path)),
		.queue = mem_zalloc(c->n_modules * sizeof(*s.queue)),
		.parent = mem_zalloc(c->n_modules * sizeof(*s.parent)),
		.is_told = mem_zalloc(c->n_modules * sizeof(*s.is_told)),
		.is_member = mem_zalloc(c->n_modules * sizeof(*s.is_member)),
	};

	visit_all(&s, true);
	s.is_trial = false;
	if (s.has_cycle) {
		visit_all(&s, false);
		visit_all(&s, true);
	}
	free(s.is_told);
	free(s.nodes);
	free(s.stack);
	free(s.path);
	free(s.queue);
	free(s.parent);
	free(s.is_member);
}
