/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include "cli/words.h"
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

/* A release that has no tree may be a slip of the finger. */
static const char *with_near_release(const struct session *s, struct options *o, const char *text)
{
	const char *near = s->has_tree || o->session.n_files ? "" : words_near_release(o);

	if (!*near || !strcmp(near, o->session.scan.release))
		return text;
	return arena_printf(o->arena, "%s; there is %s", text, near);
}

bool run_session(struct session *s, struct options *o)
{
	struct err err = { "" };

	choose_release(o);
	o->session.show_progress = isatty(STDERR_FILENO) && !o->is_quiet;
	if (session_run(s, &o->session, &err))
		return true;
	fail(with_near_release(s, o, err.text));
	return false;
}

int check_verb(struct options *o)
{
	struct session s;
	int status = 2;

	if (run_session(&s, o)) {
		status = s.result.exit_code;
		if (!report_write(o, &s.result, s.has_tree ? s.tree.directory : NULL))
			status = 2;
	}
	session_release(&s);
	return status;
}
