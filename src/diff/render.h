/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A struct diff, written. Each writes the whole report to `out`, whose first error is kept there;
 * what it needs meanwhile lives in `scratch`.
 */
#ifndef MODCHECK_DIFF_RENDER_H
#define MODCHECK_DIFF_RENDER_H

struct arena;
struct diff;
struct page;
struct render_options;
struct sink;

typedef void diff_render(struct sink *out, const struct diff *d,
			 const struct render_options *options, struct arena *scratch);

/* For a reader: verdict, what bites, then all else that differs. */
diff_render diff_render_text;

/* doc/json.md, "diff". */
diff_render diff_render_json;

/* The blocks of diff_render_text() for the findings, one a rule; is_verbose: every name. */
void diff_put_blocks(struct page *p, const struct diff *d, const struct render_options *options);

/* What differs: preemption, vermagic, processor, exports, modules, configuration. */
void diff_put_rows(struct page *p, const struct diff *d, const struct render_options *options);

/* A label and a text beside it, wrapped there. */
void diff_put_row(struct page *p, const char *label, const char *text);

/* "x", or "x -> y" where the two differ; in the arena, or one of them. */
const char *diff_both(const char *old, const char *new, struct arena *a);

#endif
