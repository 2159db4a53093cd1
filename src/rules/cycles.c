/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC206: modules that need each other: the strongly connected components of more than one
 * module, by Tarjan's algorithm, with a stack of its own instead of recursion since a hostile
 * tree may be one long chain. Weak links count too: depmod makes dependencies of them.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/check.h"

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
	bool *is_member; /* of the component at hand */
};

static bool next_provider(struct search *s, uint32_t module, uint32_t *provider)
{
	const struct module *m = &s->c->modules[module];
	struct node *node = &s->nodes[module];

	while (node->import < m->n_imports) {
		const struct link *link = &s->c->links->links[module][node->import++];
		if (link->state == LINK_MODULE && link->target != module) {
			*provider = link->target;
			return true;
		}
	}
	return false;
}

/* "a -> b -> a", back along the parents from the module that closes the circle. */
static const char *tell_circle(const struct search *s, uint32_t first, uint32_t last)
{
	const struct module *modules = s->c->modules;
	const char *text = modules[first].name;

	for (uint32_t m = last; m != first; m = s->parent[m])
		text = arena_printf(s->c->arena, "%s -> %s", modules[m].name, text);
	return arena_printf(s->c->arena, "%s -> %s", modules[first].name, text);
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

static void report(struct search *s, const uint32_t *members, uint32_t n)
{
	uint32_t first = members[0];

	for (uint32_t i = 0; i < n; i++) {
		s->is_member[members[i]] = true;
		s->parent[members[i]] = MODULE_NONE;
		first = members[i] < first ? members[i] : first;
	}
	const char *text = describe(s, first);
	for (uint32_t i = 0; i < n; i++) {
		struct finding *f = check_add(s->c, RULE_DEPENDENCY_CYCLE, members[i]);
		s->is_member[members[i]] = false;
		if (!f)
			continue;
		f->provider = s->c->modules[first].name;
		f->detail = text;
	}
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

void check_cycles(struct check *c)
{
	struct search s = {
		.c = c,
		.nodes = mem_zalloc(c->n_modules * sizeof(*s.nodes)),
		.stack = mem_zalloc(c->n_modules * sizeof(*s.stack)),
		.path = mem_zalloc(c->n_modules * sizeof(*s.path)),
		.queue = mem_zalloc(c->n_modules * sizeof(*s.queue)),
		.parent = mem_zalloc(c->n_modules * sizeof(*s.parent)),
		.is_member = mem_zalloc(c->n_modules * sizeof(*s.is_member)),
	};

	for (uint32_t m = 0; m < c->n_modules; m++) {
		if (s.nodes[m].index == 0)
			visit(&s, m);
	}
	free(s.nodes);
	free(s.stack);
	free(s.path);
	free(s.queue);
	free(s.parent);
	free(s.is_member);
}
