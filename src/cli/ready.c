/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ready/ready.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/sources.h"
#include "cli/verbs.h"

/* depmod has no words for a module that would work once it was built anew. */
static bool check_formats(const struct options *o, struct err *err)
{
	for (unsigned int i = 0; i < o->n_outputs; i++) {
		if (o->outputs[i].render == render_find("depmod"))
			return err_set(err, "ready has no depmod format; there are text, short and "
					    "json");
	}
	return true;
}

/* No FILE: the modules of the running kernel. */
static bool take_running(struct options *o, struct err *err)
{
	struct scan_options scan = o->session.scan;

	if (strcmp(scan.release, o->running) == 0)
		return err_set(err,
			       "%s is the running kernel; name the modules that are to work on "
			       "it: FILEs, a directory, or another KVER",
			       o->running);
	scan.release = o->running;
	if (!scan_find_moddir(&scan, o->arena))
		return err_set(err,
			       "there are no modules of the running kernel (%s) here; name "
			       "those that are to work on %s: FILEs, a directory, or a KVER",
			       o->running, o->session.scan.release);
	o->sources[0] = o->running;
	return true;
}

static void plan(struct ready_options *r, struct options *o, const struct sources *s,
		 bool is_running)
{
	bool is_one_tree = s->n_trees == 1;

	o->session.given = s->entries;
	o->session.n_given = (uint32_t)s->n_entries;
	o->session.judges_given = true;
	o->session.show_progress = isatty(STDERR_FILENO) && !o->is_quiet;
	*r = (struct ready_options) {
		.session = &o->session,
		.source = is_one_tree ? s->tree.release : NULL,
		.is_running = is_running,
		.peers = is_one_tree ? s->tree : o->session.scan,
		.n_own_build = s->n_own_build,
	};
	if (!is_one_tree)
		r->peers.release = NULL;
}

static int report(struct options *o, const struct ready_options *options)
{
	struct session s;
	struct err err = { "" };
	int status = 2;

	if (!ready_run(&s, options, &err)) {
		fail(err.text);
	} else {
		status = s.result.exit_code;
		if (!report_write(o, &s.result, s.has_tree ? s.tree.directory : NULL))
			status = 2;
	}
	session_release(&s);
	return status;
}

int ready_verb(struct options *o)
{
	struct ready_options options;
	struct sources sources = { .n_trees = 0 };
	struct err err = { "" };
	bool is_running = !o->sources[0];
	int status;

	if (!check_formats(o, &err) || (is_running && !take_running(o, &err)) ||
	    !sources_take(&sources, o, o->sources, &err)) {
		status = fail(err.text);
	} else {
		o->session.evidence.is_running =
			!strcmp(o->session.scan.release, o->running) && !o->session.scan.basedir;
		plan(&options, o, &sources, is_running);
		status = report(o, &options);
	}
	free(sources.entries);
	return status;
}
