/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `diff OLD NEW`: what a new build, or another flavour, changes for modules and machines.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include "diff/diff.h"
#include "diff/render.h"

/* Options that speak of one kernel do not say which of the two. */
static const char *misplaced_option(const struct options *o)
{
	const struct evidence_options *e = &o->session.evidence;

	if (e->n_symvers && e->n_symvers != 2)
		return "diff takes -E twice, for OLD and for NEW, or not at all";
	if (e->system_map)
		return "diff does not take -F: it would not say for which of the two kernels";
	if (e->kernel_config)
		return "diff does not take --kernel-config: it would not say for which of the two "
		       "kernels";
	if (e->kernel_image)
		return "diff does not take --kernel-image: it would not say for which of the two "
		       "kernels";
	if (o->session.n_overlays)
		return "diff does not take --overlay; the modules that count are those installed "
		       "in OLD";
	return NULL;
}

static diff_render *renderer_of(const char *format)
{
	if (strcmp(format, "text") == 0)
		return diff_render_text;
	return strcmp(format, "json") == 0 ? diff_render_json : NULL;
}

static const char *misplaced_format(const struct options *o)
{
	for (unsigned int i = 0; i < o->n_outputs; i++) {
		if (!renderer_of(o->outputs[i].format))
			return "diff writes text and json; the other formats are for findings in "
			       "one tree";
	}
	return NULL;
}

static void write_diff(const struct output *output, struct sink *out, const void *what,
		       const struct render_options *layout, struct arena *scratch)
{
	renderer_of(output->format)(out, what, layout, scratch);
}

int diff_verb(struct options *o)
{
	struct diff d;
	struct err err = { "" };
	const char *misplaced = misplaced_option(o);
	int status = 2;

	if (!misplaced)
		misplaced = misplaced_format(o);
	if (misplaced)
		return fail(misplaced);
	o->session.show_progress = isatty(STDERR_FILENO) && !o->is_quiet;
	const struct diff_options options = {
		.old = o->old,
		.new = o->new,
		.session = &o->session,
		.policy = &o->session.policy,
		.cpuinfo = o->cpuinfo,
	};
	if (!diff_run(&d, &options, &err)) {
		fail(err.text);
	} else {
		status = d.exit_code;
		if (!report_write_as(o, write_diff, &d, NULL))
			status = 2;
	}
	diff_release(&d);
	return status;
}
