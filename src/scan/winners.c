/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The highest rank of depmod.d wins. Equal ranks (two copies below kernel/, or below updates/)
 * depmod decides by the order of readdir(), which says nothing about the next machine; here the
 * first path wins, always. What cannot be a module (a directory named x.ko) takes no part.
 */
#include "scan/winners.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/names.h"
#include "scan/depmodd.h"
#include "scan/modname.h"
#include "scan/scan.h"
#include "scan/walk.h"

struct contest {
	const struct walk *walk;
	const struct depmodd *config;
	struct arena *a;
	uint32_t *best; /* by name: entry + 1 */
	int64_t *ranks; /* of these entries, once there was a second one; else -1 */
};

/* The rank of a path below an alias: what follows the alias's real path is put behind its path. */
static int64_t alias_rank(const struct contest *c, const struct walk_alias *alias,
			  const struct entry *e)
{
	size_t n = strlen(alias->real);
	const char *rest = e->open_path + n;
	const char *name;

	if (!walk_is_around(alias->real, e->open_path))
		return -1;
	if (*rest)
		return depmodd_rank(c->config, arena_printf(c->a, "%s%s", alias->path, rest));
	/* A link to the file itself: another name makes it another module to depmod. */
	name = scan_module_name(alias->path, c->a);
	return name && strcmp(name, e->name) == 0 ? depmodd_rank(c->config, alias->path) : -1;
}

static int64_t rank_of(const struct contest *c, const struct entry *e)
{
	int64_t best = depmodd_rank(c->config, e->path);

	for (size_t i = 0; i < c->walk->n_aliases; i++) {
		int64_t rank = alias_rank(c, &c->walk->aliases[i], e);

		if (rank > best)
			best = rank;
	}
	return best;
}

/* Enter entry i, whose name has the given number, into the contest. */
static void enter(struct contest *c, const struct tree *tree, uint32_t i, nameid id)
{
	int64_t rank;

	if (!c->best[id]) {
		c->best[id] = i + 1;
		return;
	}
	if (c->ranks[id] < 0)
		c->ranks[id] = rank_of(c, &tree->entries[c->best[id] - 1]);
	rank = rank_of(c, &tree->entries[i]);
	if (rank <= c->ranks[id])
		return;
	c->ranks[id] = rank;
	c->best[id] = i + 1;
}

static bool takes_part(const struct entry *e)
{
	return !e->has_fault || e->fault != FAULT_NOT_REGULAR;
}

void winners_decide(struct tree *tree, const struct walk *w, const struct depmodd *config)
{
	struct names *names = names_new();
	nameid *ids = mem_zalloc(sizeof(*ids) * (tree->n_entries + 1));
	struct contest c = { .walk = w, .config = config, .a = arena_new() };

	for (uint32_t i = 0; i < tree->n_entries; i++)
		ids[i] = names_add_string(names, tree->entries[i].name);
	c.best = mem_zalloc(sizeof(*c.best) * names_count(names));
	c.ranks = mem_zalloc(sizeof(*c.ranks) * names_count(names));
	for (uint32_t i = 0; i < names_count(names); i++)
		c.ranks[i] = -1;
	for (uint32_t i = 0; i < tree->n_entries; i++)
		if (takes_part(&tree->entries[i]))
			enter(&c, tree, i, ids[i]);
	for (uint32_t i = 0; i < tree->n_entries; i++)
		if (takes_part(&tree->entries[i]) && c.best[ids[i]] != i + 1)
			tree->entries[i].winner = c.best[ids[i]] - 1;
	arena_free(c.a);
	free(c.ranks);
	free(c.best);
	free(ids);
	names_free(names);
}
