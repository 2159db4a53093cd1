/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that differs, a row each, whether it bites or not.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "diff/diff.h"
#include "diff/render.h"
#include "render/page.h"
#include "render/render.h"

enum {
	LABEL = 12,
	INDENT = 4,
	FEW = 6,
	FEW_MODULES = 16,
	MOST_NAME = 26,
	MOST_VALUE = 14,
	PREFIX = 7, /* CONFIG_ */
};

struct report {
	struct page *p;
	const struct diff *d;
	const struct render_options *options;
	struct arena *a;
};

void diff_put_row(struct page *p, const char *label, const char *text)
{
	page_put(p, STYLE_PLAIN, label);
	page_pad(p, LABEL);
	page_wrap(p, LABEL, text, NULL);
	page_newline(p);
}

const char *diff_both(const char *old, const char *new, struct arena *a)
{
	return strcmp(old, new) == 0 ? old : arena_printf(a, "%s -> %s", old, new);
}

/* The words for a change, in the order of its bit. */
static const char *const change_words[N_EXPORT_CHANGES] = {
	"removed",
	"added",
	"with another CRC",
	"GPL-only now",
	"GPL-only no more",
	"in another namespace",
	"moved to another owner",
};

/* The module, or that it is built in. */
static const char *say_owner(const char *owner)
{
	const char *slash = strrchr(owner, '/');

	if (strcmp(owner, "vmlinux") == 0)
		return "built in";
	return slash ? slash + 1 : owner;
}

static const char *say_export(const struct export_diff *e, unsigned int change, struct arena *a)
{
	if (change == EXPORT_MOVED)
		return arena_printf(a, "%s (%s -> %s)", e->symbol, say_owner(e->old.owner),
				    say_owner(e->new.owner));
	if (change == EXPORT_NAMESPACE)
		return arena_printf(a, "%s (%s -> %s)", e->symbol, *e->old.ns ? e->old.ns : "none",
				    *e->new.ns ? e->new.ns : "none");
	return e->n_users
		       ? arena_printf(a, "%s (%s)", e->symbol, page_count(a, e->n_users, "module"))
		       : e->symbol;
}

/* "    removed: a b c": of few, or with -v of all but the CRCs of tens of thousands. */
static void put_names(const struct report *r, unsigned int bit)
{
	unsigned int change = 1u << bit;
	uint32_t n = r->d->n_changed[bit];
	bool is_first = true;

	if (!n || (n > FEW && !r->options->is_verbose))
		return;
	page_pad(r->p, INDENT);
	page_put(r->p, STYLE_PLAIN, arena_printf(r->a, "%s: ", change_words[bit]));
	for (uint32_t i = 0; i < r->d->n_exports; i++) {
		if (!(r->d->exports[i].changes & change))
			continue;
		page_word(r->p, INDENT + 2,
			  arena_printf(r->a, "%s%s", say_export(&r->d->exports[i], change, r->a),
				       --n ? "," : ""),
			  is_first);
		is_first = false;
	}
	page_newline(r->p);
}

static void put_exports(const struct report *r)
{
	const struct diff *d = r->d;
	const char *text = "";

	if (d->has_other_machine) {
		diff_put_row(r->p, "exports:", "not compared");
		return;
	}
	for (unsigned int c = 0; c < N_EXPORT_CHANGES; c++) {
		if (!d->n_changed[c])
			continue;
		const char *used = d->n_used[c] ? arena_printf(r->a, " (%s used)",
							       text_count(r->a, d->n_used[c]))
						: "";
		text = arena_printf(r->a, "%s%s%s %s%s", text, *text ? ", " : "",
				    text_count(r->a, d->n_changed[c]), change_words[c], used);
	}
	if (!d->compares_crcs)
		text = arena_printf(r->a, "%s%s", *text ? text : "the same",
				    "; CRCs are not known of both");
	if (!d->compares_licences)
		text = arena_printf(r->a, "%s; licences are not known of both",
				    *text ? text : "the same");
	diff_put_row(r->p, "exports:", *text ? text : "the same");
	for (unsigned int c = 0; c < N_EXPORT_CHANGES; c++)
		put_names(r, c);
}

/* "    only in new: a b c" */
static void put_only(const struct report *r, const struct module_diff *rows, uint32_t n_rows,
		     const char *label)
{
	bool is_first = true;
	uint32_t n = 0, shown = 0;

	for (uint32_t i = 0; i < n_rows; i++)
		n += !rows[i].twin;
	if (!n)
		return;
	page_pad(r->p, INDENT);
	page_put(r->p, STYLE_PLAIN, arena_printf(r->a, "%s %s: ", text_count(r->a, n), label));
	for (uint32_t i = 0; i < n_rows; i++) {
		if (rows[i].twin || (shown == FEW_MODULES && !r->options->is_verbose))
			continue;
		const char *name = rows[i].module->name;
		if (rows[i].is_builtin)
			name = arena_printf(r->a, "%s (built in)", name);
		else if (!rows[i].is_in_tree)
			name = arena_printf(r->a, "%s (%s)", name, rows[i].subsystem);
		page_word(r->p, INDENT + 2, name, is_first);
		is_first = false;
		shown++;
	}
	if (shown < n)
		page_word(r->p, INDENT + 2,
			  arena_printf(r->a, "... %s more (-v)", text_count(r->a, n - shown)),
			  false);
	page_newline(r->p);
}

static void put_modules(const struct report *r)
{
	const struct diff *d = r->d;
	uint32_t old = d->old.session.n_modules, new = d->new.session.n_modules, n_only = 0;

	if (!d->compares_modules) {
		diff_put_row(r->p, "modules:", "not compared; a Module.symvers does not list them");
		return;
	}
	for (uint32_t i = 0; i < old; i++)
		n_only += !d->old_modules[i].twin;
	for (uint32_t i = 0; i < new; i++)
		n_only += !d->new_modules[i].twin;
	diff_put_row(r->p, "modules:",
		     arena_printf(r->a, "%s%s",
				  diff_both(text_count(r->a, old), text_count(r->a, new), r->a),
				  n_only ? "" : ", of the same names"));
	if (d->has_other_machine && !r->options->is_verbose)
		return;
	put_only(r, d->old_modules, old, "only in the old");
	put_only(r, d->new_modules, new, "only in the new");
}

static const char *model_of(const struct side *s, struct arena *a)
{
	const struct preemption *p = &s->session.preemption;
	const char *text = *p->name ? p->name : "not known";

	for (uint32_t i = 0; i < p->n_evidence; i++)
		text = arena_printf(a, "%s%s%s%s", text, i ? ", " : " (", p->evidence[i],
				    i + 1 == p->n_evidence ? ")" : "");
	return text;
}

static const char *words_of(const struct diff *d, struct arena *a)
{
	const char *text = "";

	if (!d->knows_vermagic)
		return "not known of both";
	for (uint32_t i = 0; i < d->n_words; i++)
		text = arena_printf(a, "%s%s%s%s", text, *text ? ", " : "",
				    d->words[i].is_new ? "now with " : "no more ",
				    d->words[i].word);
	return *text ? text : "the same words";
}

/* Where the parts of a row of options go, in columns. */
struct columns {
	unsigned int value, why;
};

static const char *say_values(const struct option_diff *o, struct arena *a)
{
	return arena_printf(a, "%s -> %s", o->old, o->new);
}

static struct columns measure_options(const struct report *r)
{
	const struct config_diff *c = &r->d->config;
	unsigned int name = 0, value = 0;

	for (uint32_t i = 0; i < c->n_noticed; i++) {
		unsigned int n = page_columns(r->p, c->options[i].name) - PREFIX;
		unsigned int v = page_columns(r->p, say_values(&c->options[i], r->a));
		name = n > name && n <= MOST_NAME ? n : name;
		value = v > value && v <= MOST_VALUE ? v : value;
	}
	name += INDENT + 2;
	return (struct columns) { name, name + value + 2 };
}

static void put_option(const struct report *r, const struct option_diff *o, struct columns columns,
		       bool says_why)
{
	page_pad(r->p, INDENT);
	page_word(r->p, INDENT, o->name + PREFIX, true);
	page_put(r->p, STYLE_PLAIN, " ");
	page_pad(r->p, columns.value);
	page_wrap(r->p, columns.value, say_values(o, r->a), NULL);
	if (says_why) {
		page_put(r->p, STYLE_PLAIN, "  ");
		page_pad(r->p, columns.why);
		page_wrap(r->p, columns.why, o->why, NULL);
	}
	page_newline(r->p);
}

static void put_config(const struct report *r)
{
	const struct config_diff *c = &r->d->config;
	uint32_t n_others = c->n_options - c->n_noticed;
	uint32_t n = r->options->is_verbose ? c->n_options : c->n_noticed;
	struct columns columns;

	if (!c->is_known) {
		diff_put_row(r->p, "config:", "not compared; it is not known of both");
		return;
	}
	diff_put_row(r->p, "config:",
		     !c->n_options
			     ? "the same"
			     : arena_printf(r->a,
					    "%s that modules or machines notice, %s other%s%s",
					    page_count(r->a, c->n_noticed, "option"),
					    text_count(r->a, n_others), n_others == 1 ? "" : "s",
					    n_others && !r->options->is_verbose ? " (-v)" : ""));
	columns = measure_options(r);
	for (uint32_t i = 0; i < n; i++)
		put_option(r, &c->options[i], columns,
			   c->options[i].why &&
				   (i == 0 || c->options[i].why != c->options[i - 1].why));
	if (c->is_cut)
		diff_put_row(r->p, "",
			     "(a configuration has too many options; the rest was not "
			     "compared)");
}

static void put_processor(const struct report *r)
{
	const struct processor *c = &r->d->processor;
	const char *name, *needs = "";

	if (c->state == PROCESSOR_NOT_ASKED)
		return;
	name = *c->info.name ? c->info.name : "it";
	for (uint32_t i = 0; i < c->n_needs; i++)
		needs = arena_printf(
			r->a, "%s%s%s%s", needs, i ? ", " : "", c->needs[i].flag,
			c->needs[i].least ? arena_printf(r->a, " %s", c->needs[i].least) : "");
	if (c->state == PROCESSOR_UNKNOWN)
		diff_put_row(r->p,
			     "processor:", arena_printf(r->a, "cannot be told: %s", c->reason));
	else if (c->state == PROCESSOR_LACKS)
		diff_put_row(r->p, "processor:", arena_printf(r->a, "%s does not fit", name));
	else
		diff_put_row(r->p, "processor:",
			     arena_printf(r->a, "%s has what the new kernel needs (%s)", name,
					  *needs ? needs : "nothing in particular"));
}

void diff_put_rows(struct page *p, const struct diff *d, const struct render_options *options)
{
	struct report r = { p, d, options, p->scratch };

	diff_put_row(p,
		     "preemption:", diff_both(model_of(&d->old, r.a), model_of(&d->new, r.a), r.a));
	diff_put_row(p, "vermagic:", words_of(d, r.a));
	put_processor(&r);
	put_exports(&r);
	put_modules(&r);
	put_config(&r);
}
