/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sink.h"
#include "cli/options.h"

static bool wants_color(const struct options *o, bool is_terminal)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return is_terminal && !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
}

/* As depmod tells its paths. */
static const char *absolute(const struct options *o, const char *path)
{
	char cwd[4096];

	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return path;
	return arena_printf(o->arena, "%s/%s", cwd, path);
}

static struct render_options layout_of(const struct options *o, const char *directory, FILE *file)
{
	struct winsize size = { 0 };
	bool is_terminal = isatty(fileno(file));
	struct render_options r = {
		.width = 79,
		.max_items = o->max_items,
		.use_color = wants_color(o, is_terminal),
		.is_quiet = o->is_quiet,
		.is_verbose = o->is_verbose,
		.list_all = o->list_all,
		.directory = directory ? absolute(o, directory) : "",
	};

	if (!is_terminal)
		return r;
	r.height = 24;
	if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0)
		return r;
	if (size.ws_col >= 40)
		r.width = size.ws_col;
	if (size.ws_row >= 10)
		r.height = size.ws_row;
	return r;
}

/* What is to be written, and how. */
struct job {
	const struct options *o;
	report_writer *write;
	const void *what;
	const char *directory;
};

static bool write_to(const struct output *output, const struct job *job, FILE *file)
{
	const char *path = file == stdout ? "the report" : output->path;
	struct render_options layout = layout_of(job->o, job->directory, file);
	struct arena *scratch = arena_new();
	struct sink sink;

	sink_init(&sink, file);
	job->write(output, &sink, job->what, &layout, scratch);
	arena_free(scratch);
	int error = sink_finish(&sink);
	if (error)
		fprintf(stderr, "modcheck: cannot write %s: %s\n", path, strerror(error));
	return error == 0;
}

static bool write_output(const struct output *output, const struct job *job)
{
	if (!output->path || !strcmp(output->path, "-"))
		return write_to(output, job, stdout);
	FILE *file = fopen(output->path, "we");
	if (!file) {
		fprintf(stderr, "modcheck: cannot write %s: %s\n", output->path, strerror(errno));
		return false;
	}
	bool ok = write_to(output, job, file);
	if (fclose(file) != 0 && ok) {
		fprintf(stderr, "modcheck: cannot write %s: %s\n", output->path, strerror(errno));
		ok = false;
	}
	return ok;
}

bool report_write_as(const struct options *o, report_writer *write, const void *what,
		     const char *directory)
{
	const struct job job = { o, write, what, directory };
	bool ok = true;

	for (unsigned int i = 0; i < o->n_outputs; i++)
		ok &= write_output(&o->outputs[i], &job);
	return ok;
}

static void write_result(const struct output *output, struct sink *out, const void *what,
			 const struct render_options *layout, struct arena *scratch)
{
	output->render(out, what, layout, scratch);
}

bool report_write(const struct options *o, const struct result *r, const char *directory)
{
	return report_write_as(o, write_result, r, directory);
}
