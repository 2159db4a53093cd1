/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for a reader: what was judged and by which evidence, the verdict, then a block a
 * cause (block.c). When all is well it is one line. On a pipe no cause is left out; a terminal
 * shows what two of its screens hold, and the last lines say how to see the rest.
 */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/sink.h"
#include "base/text.h"
#include "render/block.h"
#include "render/formats.h"
#include "render/logwords.h"
#include "render/page.h"
#include "render/ready.h"
#include "render/subsystems.h"
#include "rules/table.h"

enum {
	LABEL = 12,      /* columns of "preemption: " */
	PIPE_ROWS = 58,  /* two screens, where there is no screen to measure */
	PIPE_BLOCK = 30, /* and one, less its head */
	LEAST_ROWS = 30, /* for the smallest terminals */
	LEAST_BLOCK = 12,
	CLOSING_ROWS = 5, /* two blank lines, sums, two remarks */
};

static const char *kind_name(const struct source *s)
{
	static const char *const names[] = {
		[SOURCE_SYMVERS] = "Module.symvers",
		[SOURCE_SYSTEM_MAP] = "System.map",
		[SOURCE_KSYMS] = "ksyms",
		[SOURCE_KALLSYMS] = "kallsyms",
		[SOURCE_CONFIG] = "config",
		[SOURCE_IMAGE] = "kernel image",
		[SOURCE_LOG] = "log only",
	};

	return names[s->kind];
}

/* " (exports, no CRCs)": what this source knows. */
static const char *knowledge_of(const struct source *s, struct arena *a)
{
	if (s->kind == SOURCE_CONFIG || s->kind == SOURCE_LOG)
		return "";
	if (!s->exports)
		return s->defined ? " (defined symbols)" : " (no exports)";
	return arena_printf(a, " (exports, %s%s%s)", s->crcs ? "CRCs" : "no CRCs",
			    s->knows_licences ? ", licences" : "",
			    s->knows_namespaces && s->namespaces ? ", namespaces" : "");
}

static bool has_twin(const struct kernel *k, const struct source *s)
{
	for (uint32_t i = 0; i < k->n_sources; i++) {
		if (&k->sources[i] != s && k->sources[i].kind == s->kind)
			return true;
	}
	return false;
}

/* "Module.symvers (exports, CRCs), config", or the sources that were set aside. */
static const char *sources_of(const struct result *r, bool used, bool is_verbose, struct arena *a)
{
	const char *text = "";

	for (uint32_t i = 0; i < r->kernel->n_sources; i++) {
		const struct source *s = &r->kernel->sources[i];
		bool by_path =
			s->path && s->kind != SOURCE_LOG && (is_verbose || has_twin(r->kernel, s));
		const char *remark = knowledge_of(s, a);

		if (s->used != used)
			continue;
		if (s->note)
			remark = arena_printf(a, " (%s)", s->note);
		text = arena_printf(a, "%s%s%s%s", text, *text ? ", " : "",
				    by_path ? s->path : kind_name(s), remark);
	}
	return text;
}

static void put_labelled(struct page *p, const char *label, const char *text)
{
	if (!*text)
		return;
	page_put(p, STYLE_PLAIN, label);
	page_pad(p, LABEL);
	page_wrap(p, LABEL, text, NULL);
	page_newline(p);
}

static const char *preemption_of(const struct result *r, struct arena *a)
{
	const char *text = *r->model ? r->model : "not known";

	if (r->model_at_boot)
		text = arena_printf(a, "%s, %s at boot", text, r->model_at_boot);
	for (uint32_t i = 0; i < r->n_model_evidence; i++)
		text = arena_printf(a, "%s%s%s", text, i ? ", " : " (", r->model_evidence[i]);
	return arena_printf(a, "%s%s%s%s", text, r->n_model_evidence ? ")" : "",
			    r->census && *r->census ? "; " : "", r->census ? r->census : "");
}

static void put_header(struct page *p, const struct result *r, bool is_verbose)
{
	struct arena *a = p->scratch;
	const char *evidence = sources_of(r, true, is_verbose, a);
	const char *modules =
		r->log ? logwords_modules(r, a) : page_count(a, r->n_targets, "module");

	page_put(p, STYLE_PLAIN, "modcheck ");
	page_put(p, STYLE_BOLD, r->release);
	if (r->tree_path) {
		page_put(p, STYLE_PLAIN, "  ");
		page_word(p, LABEL, r->tree_path, false);
	}
	page_put(p, STYLE_PLAIN, "  ");
	page_word(p, LABEL, arena_printf(a, "%s%s%s", r->machine, *r->machine ? ", " : "", modules),
		  false);
	page_newline(p);
	if (r->readiness)
		put_labelled(p, "modules:", ready_source(r, a));
	put_labelled(p, "evidence:", *evidence ? evidence : "none");
	put_labelled(p, "set aside:", sources_of(r, false, is_verbose, a));
	if (*r->model || (r->census && *r->census))
		put_labelled(p, "preemption:", preemption_of(r, a));
	page_newline(p);
}

/* "FAIL", "WARN", "OK": the word that a reader looks for. */
static enum page_style verdict_of(const struct result *r)
{
	bool is_open = r->n_unknown && !r->log; /* of a log nobody expects to be told of all */

	if (r->outcome == OUTCOME_INCOMPLETE)
		return STYLE_PLAIN;
	if (r->readiness)
		return ready_style(r);
	if (r->n_errors || r->n_refused)
		return STYLE_ERROR;
	if (is_open)
		return STYLE_PLAIN;
	if (r->exit_code)
		return STYLE_ERROR; /* --fail-on warning or info */
	return r->n_warnings ? STYLE_WARNING : STYLE_GOOD;
}

static const char *refused_of(const struct result *r, struct arena *a)
{
	if (r->n_targets == 1)
		return "the module is refused";
	if (r->n_refused == r->n_targets)
		return arena_printf(a, "all %s modules are refused", text_count(a, r->n_targets));
	return arena_printf(a, "%s of %s modules %s refused", text_count(a, r->n_refused),
			    text_count(a, r->n_targets), r->n_refused == 1 ? "is" : "are");
}

static const char *load_of(const struct result *r, struct arena *a)
{
	return arena_printf(a, "%s %s", page_count(a, r->n_loads, "module"),
			    r->n_loads == 1 ? "loads" : "load");
}

/* Notes and warnings are told below and refuse nothing. */
static uint32_t count_causes(const struct result *r, enum severity least)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_causes; i++)
		n += r->causes[i].severity >= least;
	return n;
}

/* The verdict as a sentence. */
static const char *sentence_of(const struct result *r, struct arena *a)
{
	const char *text;

	if (r->outcome == OUTCOME_INCOMPLETE)
		return arena_printf(a, "%s: %s", r->release,
				    r->incomplete ? r->incomplete
						  : rule_table[RULE_EVIDENCE_MISSING].summary);
	if (r->readiness)
		return ready_sentence(r, a);
	if (r->log)
		text = logwords_sentence(r, a);
	else if (verdict_of(r) == STYLE_GOOD)
		text = arena_printf(a, "%s, no %s", load_of(r, a),
				    r->n_infos ? "errors or warnings" : "findings");
	else if (r->n_refused)
		text = refused_of(r, a);
	else if (!r->n_errors && !r->n_warnings)
		text = arena_printf(a, "%s%s", load_of(r, a),
				    r->exit_code ? ", but there are findings that --fail-on counts"
						 : "");
	else if (r->n_errors)
		text = arena_printf(a, "%s, but %s", load_of(r, a),
				    page_count(a, r->n_errors, "error"));
	else
		text = arena_printf(a, "%s, %s", load_of(r, a),
				    page_count(a, r->n_warnings, "warning"));
	if (r->n_unknown && !r->log)
		text = arena_printf(a, "%s, %s cannot be judged", text,
				    text_count(a, r->n_unknown));
	uint32_t n_leading =
		count_causes(r, verdict_of(r) == STYLE_WARNING ? SEV_WARNING : SEV_ERROR);
	if (!n_leading || verdict_of(r) == STYLE_GOOD)
		return text;
	return arena_printf(a, "%s, %s", text, page_count(a, n_leading, "cause"));
}

static void put_verdict(struct page *p, const struct result *r)
{
	static const char *const words[] = {
		[STYLE_PLAIN] = "UNKNOWN",
		[STYLE_ERROR] = "FAIL",
		[STYLE_WARNING] = "WARN",
		[STYLE_GOOD] = "OK",
	};
	enum page_style verdict = verdict_of(r);

	page_put(p, verdict, r->readiness ? ready_word(r) : words[verdict]);
	page_put(p, STYLE_PLAIN, "  ");
	page_wrap(p, p->column, sentence_of(r, p->scratch), NULL);
	page_newline(p);
}

/* The names of the sources that were used, without what they know. */
static const char *short_sources(const struct result *r, bool is_short, struct arena *a)
{
	const char *text = "", *last = "";

	for (uint32_t i = 0; i < r->kernel->n_sources; i++) {
		const struct source *s = &r->kernel->sources[i];
		const char *name = kind_name(s);

		if (is_short && s->kind == SOURCE_SYMVERS)
			name = "symvers";
		if (!s->used || strcmp(name, last) == 0)
			continue;
		text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", name);
		last = name;
	}
	return text;
}

/* What the user named and is of no use: silence would make him believe that it was looked at. */
static void put_set_aside(struct page *p, const struct result *r)
{
	for (uint32_t i = 0; i < r->kernel->n_sources; i++) {
		const struct source *s = &r->kernel->sources[i];
		if (!s->is_named || s->used)
			continue;
		page_put(p, STYLE_PLAIN, "    set aside: ");
		page_wrap(p, p->column,
			  arena_printf(p->scratch, "%s (%s)", text_safe(p->scratch, s->path),
				       s->note ? text_safe(p->scratch, s->note) : "not used"),
			  NULL);
		page_newline(p);
	}
}

/* All is well: one line, in the longest wording that the page has room for. */
static void put_good_line(struct page *p, const struct result *r)
{
	struct arena *a = p->scratch;
	const char *sources = short_sources(r, false, a), *model = r->model;
	const char *separator = *sources && *model ? "; " : "";
	const char *before = *sources ? "evidence: " : "", *label = *model ? "preemption: " : "";
	const char *wordings[] = {
		arena_printf(a, " (%s%s%s%s%s)", before, sources, separator, label, model),
		arena_printf(a, " (%s%s%s)", sources, separator, model),
		arena_printf(a, " (%s%s%s)", short_sources(r, true, a), separator, model),
		arena_printf(a, " (%s)", *model ? model : short_sources(r, true, a)),
		"",
	};
	const char *text = arena_printf(a, "  %s: %s", r->release,
					r->readiness ? ready_sentence(r, a) : load_of(r, a));
	size_t i = *sources || *model ? 0 : 4;

	while (i < 4 && 2 + page_columns(p, text) + page_columns(p, wordings[i]) > p->width)
		i++;
	page_put(p, STYLE_GOOD, r->readiness ? ready_word(r) : "OK");
	page_put(p, STYLE_PLAIN, text);
	page_put(p, STYLE_PLAIN, wordings[i]);
	page_newline(p);
	put_set_aside(p, r);
}

static unsigned int max_of(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* How many causes a terminal gets to see; *rows is what they may take. */
static uint32_t shown_causes(const struct result *r, const struct render_options *options,
			     unsigned int rows)
{
	const unsigned int first_block = 14;
	uint32_t max = options->max_items;

	if (!options->height || options->is_verbose)
		return r->n_causes;
	if (!max)
		max = max_of(rows, first_block + 1) - first_block;
	return max < r->n_causes ? max : r->n_causes;
}

/* Returns whether everything was named. */
static bool put_causes(struct page *p, const struct result *r, const struct render_options *options)
{
	unsigned int screen = options->height, used = p->rows + CLOSING_ROWS;
	unsigned int rows = max_of(screen ? 2 * screen : PIPE_ROWS, LEAST_ROWS + used) - used;
	unsigned int block_rows = screen ? max_of(screen, LEAST_BLOCK + used) - used : PIPE_BLOCK;
	uint32_t n = shown_causes(r, options, rows);
	struct block *blocks = arena_array(p->scratch, n, sizeof(*blocks));
	bool is_complete = true;

	block_plan(blocks, n, p, r, options, rows, block_rows);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || blocks[i].form == FORM_FULL || blocks[i - 1].form == FORM_FULL)
			page_newline(p);
		is_complete &= block_put(p, r, &r->causes[i], &blocks[i]);
	}
	if (n < r->n_causes) {
		page_wrap(p, 0,
			  arena_printf(p->scratch, "... and %s; -v shows all",
				       page_count(p->scratch, r->n_causes - n, "more cause")),
			  NULL);
		page_newline(p);
	}
	return is_complete;
}

static void put_closing(struct page *p, const struct result *r, bool is_complete)
{
	struct arena *a = p->scratch;
	const char *infos =
		r->n_infos ? arena_printf(a, ", %s", page_count(a, r->n_infos, "info")) : "";

	page_newline(p);
	page_wrap(p, 0,
		  arena_printf(a, "%s, %s, %s%s, %s waived.", page_count(a, r->n_causes, "cause"),
			       page_count(a, r->n_errors, "error"),
			       page_count(a, r->n_warnings, "warning"), infos,
			       text_count(a, r->n_waived)),
		  NULL);
	page_put(p, STYLE_PLAIN, "  ");
	page_word(p, 0, arena_printf(a, "modcheck explain %s", rule_table[r->causes[0].rule].code),
		  false);
	page_newline(p);
	if (is_complete)
		return;
	page_wrap(p, 0, "Every module by name: -v, or --format short.", NULL);
	page_newline(p);
}

/* --all: modules of this verdict; those that load only if nothing was found in them. */
static void put_modules(struct page *p, const struct result *r, enum verdict verdict,
			const char *heading)
{
	uint32_t *modules = arena_array(p->scratch, r->n_modules, sizeof(*modules)), n = 0;
	struct subsystem_table table;

	for (uint32_t i = 0; i < r->n_modules; i++) {
		const struct judged *j = &r->judged[i];
		bool is_clean = j->n_errors + j->n_warnings + j->n_infos == 0;

		if (r->modules[i].is_target && j->verdict == verdict &&
		    (is_clean || verdict != VERDICT_LOADS))
			modules[n++] = i;
	}
	if (n == 0)
		return;
	page_newline(p);
	page_wrap(p, 0,
		  arena_printf(p->scratch, "%s %s", page_count(p->scratch, n, "module"), heading),
		  NULL);
	page_newline(p);
	subsystem_table_build(&table, r, modules, n, p->scratch);
	subsystem_table_put(p, &table, 0);
}

static void put_lists(struct page *p, const struct result *r, const struct render_options *options)
{
	if (options->list_all || (options->is_verbose && !r->log))
		put_modules(p, r, VERDICT_UNKNOWN, r->log ? "without a complaint:" : "not judged:");
	if (options->list_all)
		put_modules(p, r, VERDICT_LOADS, "without a finding:");
}

void render_text(struct sink *out, const struct result *r, const struct render_options *options,
		 struct arena *scratch)
{
	struct page page = { .out = out,
			     .scratch = scratch,
			     .width = max_of(options->width, 40),
			     .use_color = options->use_color };
	bool is_good = verdict_of(r) == STYLE_GOOD && (!r->n_unknown || r->log) &&
		       !(r->readiness && r->n_warnings) && r->exit_code == 0;
	bool is_long = options->is_verbose || options->list_all;

	bool is_silent = !r->log || !r->log->n_unknown;

	if (is_good && is_silent && options->is_quiet)
		return;
	if (is_good && !is_long && r->log && !r->n_causes) {
		logwords_put_good_line(&page, r);
		logwords_put_unknown(&page, r, options);
		return;
	}
	if (is_good && !is_long && !r->log) {
		put_good_line(&page, r);
		return;
	}
	if (r->outcome == OUTCOME_INCOMPLETE && !is_long) {
		put_verdict(&page, r);
		return;
	}
	put_header(&page, r, options->is_verbose);
	put_verdict(&page, r);
	if (r->outcome == OUTCOME_INCOMPLETE)
		return;
	if (r->n_causes) {
		bool is_complete = put_causes(&page, r, options);

		put_closing(&page, r, is_complete);
	}
	if (r->log)
		logwords_put_unknown(&page, r, options);
	put_lists(&page, r, options);
}
