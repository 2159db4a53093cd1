/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run over one kernel: the stages called in their order, and what they leave behind.
 *
 *   scan -> read (threads; the kernel's evidence beside the modules) -> resolve -> check -> group
 */
#ifndef MODCHECK_SESSION_H
#define MODCHECK_SESSION_H

#include <stdbool.h>

#include "base/err.h"
#include "group/group.h"
#include "index/index.h"
#include "kernel/evidence.h"
#include "model/result.h"
#include "rules/check.h"
#include "rules/policy_options.h"
#include "scan/scan.h"

struct session_options {
	struct scan_options scan;         /* basedir, moddir, release, depmod.d */
	struct evidence_options evidence; /* basedir, moddir and release are filled in here */
	const char **files;               /* modules to judge; none: all of the tree */
	unsigned int n_files;
	const struct entry *given; /* modules to judge like FILEs, with paths of their own */
	uint32_t n_given;
	bool judges_given;     /* even if there are none: not those of the tree */
	bool keeps_all;        /* leave what this kernel does not see (view.h) to the caller */
	const char **overlays; /* modules as if installed */
	unsigned int n_overlays;
	struct policy_options policy; /* which rules count, and what makes the exit status 1 */
	bool allow_incomplete;
	bool is_thorough;       /* look at relocations and signed contents of the whole tree */
	unsigned int n_threads; /* at least 1 */
	bool show_progress;     /* on stderr, once a run takes longer than a second */
};

/* Those who have read modules, and own them and their names. */
struct readers {
	struct worker **workers;
	unsigned int n;
};

struct session {
	struct arena *arena;
	struct arena *tree_arena; /* of the walk */
	struct names *names;
	struct names *no_names;  /* an empty table, to read modules on top of */
	struct worker **workers; /* one a thread; they own what they have read */
	unsigned int n_workers;
	struct readers also[2]; /* of trees that were read later; their names are in `names` */
	unsigned int n_also;
	struct tree tree;
	bool has_tree;
	struct index index;
	struct kernel kernel;
	struct module *modules;
	uint32_t n_modules;
	struct resolution links;
	struct preemption preemption;
	const struct readiness *readiness; /* NULL: modules are judged as they are */
	struct check check;
	struct grouping groups;
	struct result result;
	const struct log_view *log; /* NULL unless a log is all there is (log/report.h) */
	const char *log_blind;      /* NULL, or why the log says nothing (one sentence) */
};

/*
 * Run all stages. Returns false and sets *err when there is nothing to report: no tree, a file that
 * the user named and that cannot be read. In either case session_release() has to follow.
 */
bool session_run(struct session *s, const struct session_options *options, struct err *err);

/* The two halves of it: all that is read, and what is made of it. The second may be called again
 * after s->modules were changed. */
bool session_gather(struct session *s, const struct session_options *options, struct err *err);
void session_judge(struct session *s, const struct session_options *options);
void session_release(struct session *s);

#endif
