/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC602, MC607, and MC101 for directories: what is wrong with the tree itself. */
#include "base/arena.h"
#include "rules/check.h"

static void check_problem(struct check *c, const struct problem *p)
{
	bool is_link = p->kind == PROBLEM_DANGLING_LINK || p->kind == PROBLEM_LINK_LOOP;
	struct finding *f =
		check_add(c, is_link ? RULE_DANGLING_LINK : RULE_UNREADABLE_MODULE, MODULE_NONE);

	if (!f)
		return;
	f->path = p->path;
	f->detail = p->detail;
}

static void check_entry(struct check *c, const struct entry *e)
{
	if (e->winner == ENTRY_NONE)
		return;
	struct finding *f = check_add(c, RULE_DUPLICATE_MODULE, MODULE_NONE);
	if (!f)
		return;
	f->path = e->path;
	f->provider = c->tree->entries[e->winner].path;
	f->detail = arena_printf(c->arena, "shadowed by %s", f->provider);
}

static void check_evidence(struct check *c)
{
	for (uint32_t i = 0; i < c->kernel->n_sources; i++) {
		const struct source *s = &c->kernel->sources[i];
		if (!s->contradictions)
			continue;
		struct finding *f = check_add(c, RULE_EVIDENCE_DISAGREES, MODULE_NONE);
		if (!f)
			return;
		f->path = s->path;
		f->detail = s->note;
	}
}

void check_tree(struct check *c)
{
	check_evidence(c);
	if (!c->tree)
		return;
	for (uint32_t i = 0; i < c->tree->n_problems; i++)
		check_problem(c, &c->tree->problems[i]);
	for (uint32_t i = 0; i < c->tree->n_entries; i++)
		check_entry(c, &c->tree->entries[i]);
}
