/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/task.h"
#include "load.h"
#include "summary.h"
#include "verify.h"
#include "view.h"

/* Of a kernel and its modules: 40,000 in most. */
#define LIKELY_NAMES 48000

/*
 * The walk, the reading of modules and the evidence know nothing of each other until their
 * names are joined, so the evidence is read beside the others. Mostly it is done first
 * (a Module.symvers), and modules are then read on top of its names; a kernel image takes longer
 * than the walk, and modules are read on top of nothing. The evidence writes into the session's
 * names and arena, the others into the tree's and the workers'. The files that lie beside the
 * modules (modules.dep and so on) have names and an arena of their own.
 */
struct gather {
	struct session *s;
	struct evidence_options evidence;
	struct task task;
	atomic_bool has_evidence; /* its names may be read; the task goes on with the index */
	struct err err;
	bool is_ok;
};

static void load_evidence(void *arg)
{
	struct gather *g = arg;

	g->is_ok = evidence_load(&g->s->kernel, &g->evidence, g->s->names, g->s->arena, &g->err);
	atomic_store(&g->has_evidence, true);
	if (g->evidence.moddir)
		index_load(&g->s->index, g->evidence.basedir, g->evidence.moddir);
}

/* What is read thoroughly is held against the kernel's types, so these have to be there before. */
static bool looks_at_types(const struct session_options *options)
{
	return options->is_thorough || options->n_files || options->n_overlays;
}

static void start_evidence(struct gather *g, struct session *s,
			   const struct session_options *options)
{
	g->s = s;
	g->evidence = options->evidence;
	g->evidence.wants_types = looks_at_types(options);
	g->evidence.basedir = options->scan.basedir;
	g->evidence.release = options->scan.release;
	g->evidence.moddir = scan_find_moddir(&options->scan, s->arena);
	index_init(&s->index);
	atomic_init(&g->has_evidence, false);
	task_start(&g->task, load_evidence, g, options->n_threads > 1);
}

/* Not the tree's modules are judged, but others. */
static bool has_files(const struct session_options *options)
{
	return options->n_files || options->judges_given;
}

static struct load plan_reading(const struct session *s, const struct session_options *options)
{
	return (struct load) {
		.tree = s->has_tree ? &s->tree : NULL,
		.files = has_files(options) ? options->files : NULL,
		.given = options->given,
		.n_given = options->n_given,
		.overlays = options->overlays,
		.n_overlays = options->n_overlays,
		.n_threads = options->n_threads,
		.show_progress = options->show_progress,
		.is_thorough = options->is_thorough,
	};
}

/* Returns an errno if descriptors or memory ran out. */
static int read_modules(struct session *s, const struct session_options *options, struct gather *g)
{
	struct load load = plan_reading(s, options);

	if (looks_at_types(options)) {
		task_wait(&g->task);
		load.btf_base = &s->kernel.types;
	}
	load_read(&load, atomic_load(&g->has_evidence) ? s->names : s->no_names, s->tree_arena);
	task_wait(&g->task);
	load_join(&load, s->names, s->arena);
	s->modules = load.modules;
	s->n_modules = load.n_modules;
	s->workers = load.workers;
	s->n_workers = load.n_workers;
	return load.shortage;
}

static bool read_all(struct session *s, const struct session_options *options, struct err *err)
{
	struct gather g;

	start_evidence(&g, s, options);
	s->has_tree = scan_tree(&s->tree, &options->scan, s->tree_arena, err);
	/* modules given by name can be judged by evidence alone */
	if (!s->has_tree && !has_files(options)) {
		task_wait(&g.task);
		return false;
	}
	int shortage = read_modules(s, options, &g);
	if (!g.is_ok)
		*err = g.err;
	else if (shortage)
		err_set(err, "cannot read the modules: %s", strerror(shortage));
	else if (kconfig_get(&s->kernel.config, "CONFIG_MODULE_SIG") != KCONFIG_NO)
		verify_signatures(s->modules, s->n_modules, &g.evidence, options->n_threads,
				  s->arena);
	return g.is_ok && !shortage;
}

static void check_all(struct session *s, const struct session_options *options)
{
	free(s->check.findings);
	s->check = (struct check) {
		.kernel = &s->kernel,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.tree = s->has_tree && !has_files(options) ? &s->tree : NULL,
		.index = &s->index,
		.links = &s->links,
		.preemption = &s->preemption,
		.names = s->names,
		.policy = &options->policy,
		.readiness = s->readiness,
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
		.readiness = s->readiness,
		.names = s->names,
		.findings = s->check.findings,
		.n_findings = (uint32_t)s->check.n_findings,
		.arena = s->arena,
	};
	group_findings(&s->groups);
}

/* Was there a part of the tree that could not be seen? */
static bool has_blind_spots(const struct session *s)
{
	for (uint32_t i = 0; s->has_tree && i < s->tree.n_problems; i++) {
		enum problem_kind kind = s->tree.problems[i].kind;
		if (kind == PROBLEM_UNREADABLE_DIR || kind == PROBLEM_LIMIT)
			return true;
	}
	return false;
}

bool session_gather(struct session *s, const struct session_options *options, struct err *err)
{
	*s = (struct session) {
		.arena = arena_new(),
		.tree_arena = arena_new(),
		.names = names_new_for(LIKELY_NAMES),
		.no_names = names_new(),
	};
	if (!read_all(s, options, err))
		return false;
	if (!options->keeps_all)
		view_as_kernel(s->modules, s->n_modules, s->kernel.version, s->arena);
	return true;
}

void session_judge(struct session *s, const struct session_options *options)
{
	resolve_on_threads(&s->links, &s->kernel, s->modules, s->n_modules, has_blind_spots(s),
			   s->names, s->arena, options->n_threads);
	preemption_of_kernel(&s->preemption, &s->kernel, &s->links, s->names, s->arena);
	preemption_of_modules(&s->preemption, s->modules, s->n_modules, s->arena);
	check_all(s, options);
	group_all(s);
	summary_fill(s, options);
}

bool session_run(struct session *s, const struct session_options *options, struct err *err)
{
	if (!session_gather(s, options, err))
		return false;
	session_judge(s, options);
	return true;
}

void session_release(struct session *s)
{
	free(s->check.findings);
	load_release(s->workers, s->n_workers);
	for (unsigned int i = 0; i < s->n_also; i++)
		load_release(s->also[i].workers, s->also[i].n);
	index_release(&s->index);
	names_free(s->names);
	names_free(s->no_names);
	arena_free(s->arena);
	arena_free(s->tree_arena);
}
