/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sink.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "read/read.h"
#include "session.h"

int fail(const char *text)
{
	struct arena *a = arena_new();

	fprintf(stderr, "modcheck: %s\n", text_safe(a, text));
	arena_free(a);
	return 2;
}

/* The release in a module's vermagic or kernel_version; NULL if it has none. In the options' arena.
 */
static const char *release_of_file(struct options *o, const char *path)
{
	struct arena *a = arena_new();
	struct names *names = names_new();
	struct reader *reader = reader_new(names, a);
	struct module m = { .path = path, .name = path };
	const char *release = NULL;

	reader_read_file(reader, &m, path);
	if (m.info.vermagic)
		release = arena_strndup(o->arena, m.info.vermagic, strcspn(m.info.vermagic, " "));
	else if (m.info.kernel_version)
		release = arena_strdup(o->arena, m.info.kernel_version);
	reader_free(reader);
	names_free(names);
	arena_free(a);
	return release;
}

static void choose_release(struct options *o)
{
	struct scan_options *scan = &o->session.scan;

	for (unsigned int i = 0; !scan->release && i < o->session.n_files; i++)
		scan->release = release_of_file(o, o->session.files[i]);
	if (!scan->release || !scan->release[0])
		scan->release = o->running;
	o->session.evidence.is_running = !strcmp(scan->release, o->running) &&
					 (!scan->basedir || !strcmp(scan->basedir, "/"));
}

bool run_session(struct session *s, struct options *o)
{
	struct err err = { "" };

	choose_release(o);
	o->session.show_progress = isatty(STDERR_FILENO) && !o->is_quiet;
	if (session_run(s, &o->session, &err))
		return true;
	fail(err.text);
	return false;
}

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

static struct render_options layout_of(const struct options *o, const struct session *s, FILE *file)
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
		.directory = s->has_tree ? absolute(o, s->tree.directory) : "",
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

static bool write_to(const struct output *output, const struct options *o, const struct session *s,
		     FILE *file, const char *path)
{
	struct render_options layout = layout_of(o, s, file);
	struct arena *scratch = arena_new();
	struct sink sink;

	sink_init(&sink, file);
	output->render(&sink, &s->result, &layout, scratch);
	arena_free(scratch);
	int error = sink_finish(&sink);
	if (error)
		fprintf(stderr, "modcheck: cannot write %s: %s\n", path, strerror(error));
	return error == 0;
}

static bool write_output(const struct output *output, const struct options *o,
			 const struct session *s)
{
	if (!output->path || !strcmp(output->path, "-"))
		return write_to(output, o, s, stdout, "the report");
	FILE *file = fopen(output->path, "we");
	if (!file) {
		fprintf(stderr, "modcheck: cannot write %s: %s\n", output->path, strerror(errno));
		return false;
	}
	bool ok = write_to(output, o, s, file, output->path);
	if (fclose(file) != 0 && ok) {
		fprintf(stderr, "modcheck: cannot write %s: %s\n", output->path, strerror(errno));
		ok = false;
	}
	return ok;
}

int check_verb(struct options *o)
{
	struct session s;
	int status = 2;

	if (run_session(&s, o)) {
		status = s.result.exit_code;
		for (unsigned int i = 0; i < o->n_outputs; i++) {
			if (!write_output(&o->outputs[i], o, &s))
				status = 2;
		}
	}
	session_release(&s);
	return status;
}
