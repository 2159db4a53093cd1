/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/logwords.h"

#include "base/arena.h"
#include "base/text.h"
#include "render/page.h"
#include "render/render.h"

const char *logwords_modules(const struct result *r, struct arena *a)
{
	return arena_printf(a, "%s%s", page_count(a, r->n_targets, "module"),
			    r->log->shows_all ? "" : " named in the log");
}

static uint32_t count_complained(const struct result *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_modules; i++)
		n += r->judged[i].n_errors + r->judged[i].n_warnings + r->judged[i].n_infos > 0;
	return n;
}

const char *logwords_sentence(const struct result *r, struct arena *a)
{
	uint32_t n = r->n_refused ? r->n_refused : count_complained(r);

	if (r->n_findings == 0)
		return arena_printf(a, "no %scomplaint in %s of the log",
				    r->log->n_unknown ? "known " : "",
				    page_count(a, r->log->n_lines, "line"));
	if (r->n_errors + r->n_warnings == 0 && r->exit_code == 0)
		return arena_printf(a, "no error or warning in %s of the log",
				    page_count(a, r->log->n_lines, "line"));
	if (n == 0)
		return "the log complains, and not of a module that it names";
	if (r->log->shows_all && n == r->n_targets && n > 1)
		return arena_printf(a, "the log complains of all %s modules", text_count(a, n));
	if (r->log->shows_all)
		return arena_printf(a, "the log complains of %s of %s modules", text_count(a, n),
				    text_count(a, r->n_targets));
	return arena_printf(a, "the log complains of %s", page_count(a, n, "module"));
}

void logwords_put_good_line(struct page *p, const struct result *r)
{
	struct arena *a = p->scratch;
	const char *lines = page_count(a, r->log->n_lines, "line");

	page_put(p, STYLE_GOOD, "OK");
	page_put(p, STYLE_PLAIN, "  ");
	page_wrap(p, 4,
		  arena_printf(a, "%s: no %scomplaint in %s of the log%s%s", r->release,
			       r->log->n_unknown ? "known " : "", lines, r->n_targets ? ", " : "",
			       r->n_targets ? logwords_modules(r, a) : ""),
		  NULL);
	page_newline(p);
}

void logwords_put_unknown(struct page *p, const struct result *r,
			  const struct render_options *options)
{
	struct arena *a = p->scratch;
	uint32_t n = r->log->n_unknown;

	if (n == 0)
		return;
	page_wrap(p, 0,
		  arena_printf(a, "%s %s like a complaint and %s not understood%s",
			       page_count(a, n, "line"), n == 1 ? "looks" : "look",
			       n == 1 ? "was" : "were",
			       options->is_verbose ? ":" : "; -v shows some."),
		  NULL);
	page_newline(p);
	for (uint32_t i = 0; options->is_verbose && i < r->log->n_examples; i++) {
		page_put(p, STYLE_PLAIN, "    ");
		page_wrap(p, 6, r->log->unknown[i], NULL);
		page_newline(p);
	}
}
