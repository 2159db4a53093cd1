/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/pool.h"
#include "load.h"
#include "summary.h"

/*
 * The walk and the evidence know nothing of each other, so they run side by side. The walk has an
 * arena of its own; evidence has the session's.
 */
struct gather {
	struct session *s;
	const struct session_options *options;
	struct evidence_options evidence;
	struct arena *arenas[2];
	struct err errs[2];
	bool oks[2];
};

static void gather_job(void *shared, void *worker, size_t job)
{
	struct gather *g = shared;
	struct session *s = g->s;

	(void)worker;
	if (job == 0)
		g->oks[job] = scan_tree(&s->tree, &g->options->scan, g->arenas[job], &g->errs[job]);
	else
		g->oks[job] = evidence_load(&s->kernel, &g->evidence, s->names, g->arenas[job],
					    &g->errs[job]);
}

static bool gather(struct session *s, const struct session_options *options, struct err *err)
{
	struct gather g = { .s = s, .options = options, .evidence = options->evidence };
	void *workers[2] = { NULL, NULL };
	unsigned int n_threads = options->n_threads < 2 ? options->n_threads : 2;

	g.arenas[0] = s->tree_arena;
	g.arenas[1] = s->arena;
	g.evidence.basedir = options->scan.basedir;
	g.evidence.release = options->scan.release;
	g.evidence.moddir = scan_find_moddir(&options->scan, s->arena);
	pool_run(n_threads, 2, gather_job, &g, workers);
	s->has_tree = g.oks[0];
	/* modules given by name can be judged by evidence alone */
	bool is_tree_ok = g.oks[0] || options->n_files > 0;
	if (!is_tree_ok || !g.oks[1])
		*err = g.errs[is_tree_ok];
	return is_tree_ok && g.oks[1];
}

static void read_modules(struct session *s, const struct session_options *options)
{
	struct load load = {
		.tree = s->has_tree ? &s->tree : NULL,
		.files = options->n_files ? options->files : NULL,
		.overlays = options->overlays,
		.n_overlays = options->n_overlays,
		.n_threads = options->n_threads,
		.show_progress = options->show_progress,
	};

	load_modules(&load, s->names, s->arena);
	s->modules = load.modules;
	s->n_modules = load.n_modules;
	s->workers = load.workers;
	s->n_workers = load.n_workers;
}

static void check_all(struct session *s, const struct session_options *options)
{
	s->check = (struct check) {
		.kernel = &s->kernel,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.tree = s->has_tree && !options->n_files ? &s->tree : NULL,
		.links = &s->links,
		.names = s->names,
		.policy = &options->policy,
		.arena = s->arena,
	};
	check_run(&s->check);
}

static void group_all(struct session *s)
{
	s->groups = (struct grouping) {
		.kernel = &s->kernel,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.links = &s->links,
		.preemption = &s->preemption,
		.names = s->names,
		.findings = s->check.findings,
		.n_findings = (uint32_t)s->check.n_findings,
		.arena = s->arena,
	};
	group_findings(&s->groups);
}

bool session_run(struct session *s, const struct session_options *options, struct err *err)
{
	*s = (struct session) {
		.arena = arena_new(),
		.tree_arena = arena_new(),
		.names = names_new(),
	};
	if (!gather(s, options, err))
		return false;
	read_modules(s, options);
	resolve(&s->links, &s->kernel, s->modules, s->n_modules, s->names, s->arena);
	preemption_of_kernel(&s->preemption, &s->kernel, &s->links, s->names, s->arena);
	check_all(s, options);
	group_all(s);
	summary_fill(s, options);
	return true;
}

void session_release(struct session *s)
{
	free(s->check.findings);
	load_release(s->workers, s->n_workers);
	names_free(s->names);
	arena_free(s->arena);
	arena_free(s->tree_arena);
}
