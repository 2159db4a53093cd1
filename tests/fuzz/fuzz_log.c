/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log, and the report that is made of it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/sink.h"
#include "log/log.h"
#include "log/report.h"
#include "render/render.h"
#include "rules/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Numbers are of their tables, and nothing is told of a line that is not there. */
static void check_facts(const struct log *log)
{
	uint32_t n_texts = names_count(log->texts), n_names = names_count(log->names);

	for (size_t i = 0; i < log->n_facts; i++) {
		const struct log_fact *f = &log->facts[i];
		if (f->rule >= N_RULES || f->severity > SEV_ERROR || f->count == 0)
			abort();
		if (f->line == 0 || f->line > log->n_lines)
			abort();
		if (f->module >= names_count(log->modules) || f->symbol >= n_names ||
		    f->ns >= n_names)
			abort();
		if (f->provider >= n_texts || f->expected >= n_texts || f->actual >= n_texts ||
		    f->detail >= n_texts || f->message >= n_texts)
			abort();
	}
}

/* What is found is found in a module or is about none, and belongs to a cause, or all is set aside.
 */
static void check_result(const struct result *r)
{
	if (r->n_targets != r->n_modules ||
	    r->n_refused + r->n_unknown + r->n_loads != r->n_modules)
		abort();
	for (uint32_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->findings[i];
		if (f->module != MODULE_NONE && f->module >= r->n_modules)
			abort();
		if (f->cause >= r->n_causes)
			abort();
	}
	for (uint32_t i = 0; i < r->n_causes; i++) {
		if (!r->causes[i].title)
			abort();
	}
}

static void write_all(const struct result *r, const char *directory)
{
	static const char *const formats[] = { "text", "short", "json", "depmod" };
	struct render_options options = { .width = 79, .directory = directory ? directory : "" };
	FILE *null = fopen("/dev/null", "w");

	for (size_t i = 0; null && i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct arena *scratch = arena_new();
		struct sink sink;
		sink_init(&sink, null);
		render_find(formats[i])(&sink, r, &options, scratch);
		sink_finish(&sink);
		arena_free(scratch);
	}
	if (null)
		fclose(null);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session_options options = { 0 };
	struct session s;
	struct log log;

	policy_options_init(&options.policy);
	log_report_init(&s);
	log_read(&log, (const char *)data, size, s.names);
	check_facts(&log);
	log_report_run(&s, &log, "log", &options);
	check_result(&s.result);
	write_all(&s.result, s.tree.directory);
	session_release(&s);
	log_release(&log);
	return 0;
}
