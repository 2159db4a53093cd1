/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <stdlib.h>

#include "base/arena.h"
#include "load.h"
#include "summary.h"

static bool find_tree(struct session *s, const struct session_options *options, struct err *err)
{
	s->has_tree = scan_tree(&s->tree, &options->scan, s->arena, err);
	/* modules given by name can be judged by evidence alone */
	return s->has_tree || options->n_files > 0;
}

static bool read_all(struct session *s, const struct session_options *options, struct err *err)
{
	struct evidence_options evidence = options->evidence;
	struct load load = {
		.tree = s->has_tree ? &s->tree : NULL,
		.files = options->n_files ? options->files : NULL,
		.evidence = &evidence,
		.n_threads = options->n_threads,
		.show_progress = options->show_progress,
		.kernel = &s->kernel,
	};

	evidence.basedir = options->scan.basedir;
	evidence.release = options->scan.release;
	evidence.moddir = s->has_tree ? s->tree.moddir : NULL;
	bool ok = load_all(&load, s->names, s->arena, err);
	s->modules = load.modules;
	s->n_modules = load.n_modules;
	s->workers = load.workers;
	s->n_workers = load.n_workers;
	return ok;
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
	*s = (struct session) { .arena = arena_new(), .names = names_new() };
	if (!find_tree(s, options, err) || !read_all(s, options, err))
		return false;
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
}
