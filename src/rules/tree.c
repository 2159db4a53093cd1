/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC602, MC607, and MC101 for directories: what is wrong with the tree itself. */
#include <string.h>

#include "base/arena.h"
#include "kernel/vermagic.h"
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

static const char *config_path(const struct kernel *k)
{
	for (uint32_t i = 0; i < k->n_sources; i++) {
		if (k->sources[i].kind == SOURCE_CONFIG && k->sources[i].used)
			return k->sources[i].path;
	}
	return NULL;
}

/* The words of the version magic that a configuration makes are those of its own image. */
static void check_config(struct check *c)
{
	const char *theirs = c->kernel->vermagic;
	const char *ours = theirs ? vermagic_of_config(c->kernel, c->arena) : NULL;
	const char *path = config_path(c->kernel);

	if (!ours || !path || !strchr(theirs, ' ') ||
	    !strcmp(strchr(ours, ' '), strchr(theirs, ' ')))
		return;
	struct finding *f = check_add(c, RULE_EVIDENCE_DISAGREES, MODULE_NONE);
	if (!f)
		return;
	f->path = path;
	f->expected = theirs;
	f->actual = ours;
	f->detail = arena_printf(c->arena, "It makes the version magic '%s', the image has '%s'",
				 strchr(ours, ' ') + 1, strchr(theirs, ' ') + 1);
}

static void check_evidence(struct check *c)
{
	check_config(c);
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
