/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for a reader: who is compared, the verdict, a block for each rule that bites, then all
 * that differs, a row each.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "diff/diff.h"
#include "diff/render.h"
#include "machine.h"
#include "render/page.h"
#include "render/render.h"
#include "rules/table.h"

enum {
	LABEL = 12,
	INDENT = 4,
	FEW = 6,
	FEW_MODULES = 16,
	MOST_NAME = 26,
	MOST_VALUE = 14,
	PREFIX = 7 /* CONFIG_ */
};

struct report {
	struct page *p;
	const struct diff *d;
	const struct render_options *options;
	struct arena *a;
};

static void put_labelled(struct page *p, const char *label, const char *text)
{
	page_put(p, STYLE_PLAIN, label);
	page_pad(p, LABEL);
	page_wrap(p, LABEL, text, NULL);
	page_newline(p);
}

/* "x", or "x -> y" where the two differ. */
static const char *both(const char *old, const char *new, struct arena *a)
{
	return strcmp(old, new) == 0 ? old : arena_printf(a, "%s -> %s", old, new);
}

static const char *sources_of(const struct side *s, struct arena *a)
{
	static const char *const kinds[] = {
		[SOURCE_SYMVERS] = "Module.symvers",
		[SOURCE_SYSTEM_MAP] = "System.map",
		[SOURCE_KSYMS] = "ksyms",
		[SOURCE_KALLSYMS] = "kallsyms",
		[SOURCE_CONFIG] = "config",
		[SOURCE_IMAGE] = "kernel image",
	};
	const struct kernel *k = &s->session.kernel;
	const char *text = "";

	for (uint32_t i = 0; i < k->n_sources; i++) {
		if (k->sources[i].used)
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "",
					    kinds[k->sources[i].kind]);
	}
	return text;
}

static const char *machine_of(const struct side *s, struct arena *a)
{
	return s->machine ? machine_name(s->machine, s->elf_class, a) : "";
}

static void put_header(const struct report *r)
{
	struct page *p = r->p;
	const struct diff *d = r->d;
	const char *old = machine_of(&d->old, r->a), *new = machine_of(&d->new, r->a);

	page_put(p, STYLE_PLAIN, "modcheck diff  ");
	page_wrap(p, LABEL, arena_printf(r->a, "%s -> %s", d->old.label, d->new.label), NULL);
	if (*old && strcmp(old, new) == 0)
		page_put_right(p, old);
	page_newline(p);
	put_labelled(p,
		     "evidence:", both(sources_of(&d->old, r->a), sources_of(&d->new, r->a), r->a));
	page_newline(p);
}

static uint32_t count_findings(const struct diff *d, enum rule_id rule)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n_findings; i++)
		n += d->findings[i].rule == rule;
	return n;
}

/* Modules of OLD with a finding of one of these rules; those from elsewhere alone, if asked for. */
static uint32_t count_modules(const struct report *r, const enum rule_id *rules, size_t n_rules,
			      bool from_elsewhere)
{
	const struct diff *d = r->d;
	bool *is_hit = arena_array(r->a, d->old.session.n_modules, 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n_findings; i++) {
		const struct diff_finding *f = &d->findings[i];
		bool is_asked = false;
		for (size_t k = 0; f->module && k < n_rules; k++)
			is_asked |= f->rule == rules[k];
		if (!is_asked || (from_elsewhere && f->module->is_in_tree) ||
		    is_hit[f->module - d->old_modules])
			continue;
		is_hit[f->module - d->old_modules] = true;
		n++;
	}
	return n;
}

static const char *join(const char *text, const char *part, struct arena *a)
{
	return *text ? arena_printf(a, "%s; %s", text, part) : part;
}

/* Something is gone, and nobody knows who used it. */
static bool is_open(const struct diff *d)
{
	return d->n_unreadable || d->n_unknown ||
	       (!d->old.is_tree && (d->n_changed[0] || d->n_changed[3] || d->n_changed[5]));
}

/* What was taken away, from whom. */
static const char *losses_of(const struct report *r)
{
	static const enum rule_id losses[] = { RULE_EXPORT_REMOVED, RULE_EXPORT_NOW_GPL_ONLY,
					       RULE_EXPORT_IN_NAMESPACE };
	static const enum rule_id rebuilt[] = { RULE_EXPORT_REMOVED_REBUILT };
	uint32_t n = count_modules(r, losses, 3, false), mine = count_modules(r, losses, 3, true);
	uint32_t n_rebuilt = count_modules(r, rebuilt, 1, false);
	const char *text = "";

	if (!r->d->old.is_tree && is_open(r->d))
		return "which modules use what is gone is not known: a Module.symvers lists none";
	if (mine)
		text = arena_printf(r->a, "%s from elsewhere %s what %s",
				    page_count(r->a, mine, "module"), mine == 1 ? "loses" : "lose",
				    mine == 1 ? "it uses" : "they use");
	else if (n)
		text = arena_printf(r->a, "%s of the kernel %s what %s",
				    page_count(r->a, n, "module"), n == 1 ? "loses" : "lose",
				    n == 1 ? "it used" : "they used");
	if (n_rebuilt)
		text = join(text,
			    arena_printf(r->a,
					 "exports are gone that %s of the kernel used, all "
					 "built anew",
					 page_count(r->a, n_rebuilt, "module")),
			    r->a);
	if (*text || !is_open(r->d))
		return *text ? text : "takes away nothing that a module uses";
	return "takes away nothing that a module is known to use";
}

static const char *sentence_of(const struct report *r)
{
	static const enum rule_id rebuild[] = { RULE_REBUILD_NEEDED };
	struct arena *a = r->a;
	uint32_t n_rebuild = count_modules(r, rebuild, 1, true);
	uint32_t n_gone = count_findings(r->d, RULE_MODULE_REMOVED);
	const char *text = "";

	if (count_findings(r->d, RULE_PROCESSOR_LACKS_FEATURE))
		text = "the processor lacks what the new kernel needs";
	if (r->d->has_other_machine)
		return join(text, "the new kernel is for another machine", a);
	text = join(text, losses_of(r), a);
	if (n_rebuild)
		text = join(text,
			    arena_printf(a, "%s from elsewhere %s to be built again",
					 page_count(a, n_rebuild, "module"),
					 n_rebuild == 1 ? "has" : "have"),
			    a);
	if (n_gone)
		text = join(text, arena_printf(a, "%s dropped", page_count(a, n_gone, "module")),
			    a);
	if (r->d->n_unreadable)
		text = join(text,
			    arena_printf(a, "%s of the old kernel cannot be read",
					 page_count(a, r->d->n_unreadable, "module")),
			    a);
	if (r->d->n_unknown)
		text = join(text,
			    arena_printf(a, "%s may be in modules that cannot be read",
					 page_count(a, r->d->n_unknown, "export")),
			    a);
	return text;
}

static void put_verdict(const struct report *r)
{
	static const char *const words[] = {
		[STYLE_ERROR] = "FAIL",
		[STYLE_WARNING] = "WARN",
		[STYLE_PLAIN] = "UNKNOWN",
		[STYLE_GOOD] = "OK",
	};
	const struct diff *d = r->d;
	enum page_style style = is_open(d) ? STYLE_PLAIN : STYLE_GOOD;

	if (d->n_errors || d->exit_code)
		style = STYLE_ERROR;
	else if (d->n_warnings)
		style = STYLE_WARNING;
	page_put(r->p, style, words[style]);
	page_put(r->p, STYLE_PLAIN, "  ");
	page_wrap(r->p, r->p->column, sentence_of(r), NULL);
	page_newline(r->p);
	page_newline(r->p);
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
		put_labelled(r->p, "exports:", "not compared");
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
	put_labelled(r->p, "exports:", *text ? text : "the same");
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
		put_labelled(r->p, "modules:", "not compared; a Module.symvers does not list them");
		return;
	}
	for (uint32_t i = 0; i < old; i++)
		n_only += !d->old_modules[i].twin;
	for (uint32_t i = 0; i < new; i++)
		n_only += !d->new_modules[i].twin;
	put_labelled(r->p, "modules:",
		     arena_printf(r->a, "%s%s",
				  both(text_count(r->a, old), text_count(r->a, new), r->a),
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
		put_labelled(r->p, "config:", "not compared; it is not known of both");
		return;
	}
	put_labelled(r->p, "config:",
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
		put_labelled(r->p, "",
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
		put_labelled(r->p,
			     "processor:", arena_printf(r->a, "cannot be told: %s", c->reason));
	else if (c->state == PROCESSOR_LACKS)
		put_labelled(r->p, "processor:", arena_printf(r->a, "%s does not fit", name));
	else
		put_labelled(r->p, "processor:",
			     arena_printf(r->a, "%s has what the new kernel needs (%s)", name,
					  *needs ? needs : "nothing in particular"));
}

void diff_render_text(struct sink *out, const struct diff *d, const struct render_options *options,
		      struct arena *scratch)
{
	struct page p = {
		.out = out,
		.scratch = scratch,
		.width = options->width,
		.use_color = options->use_color,
	};
	struct report r = { &p, d, options, scratch };

	if (options->is_quiet && !d->n_findings)
		return;
	put_header(&r);
	put_verdict(&r);
	diff_put_blocks(&p, d, options);
	put_labelled(&p, "preemption:",
		     both(model_of(&d->old, scratch), model_of(&d->new, scratch), scratch));
	put_labelled(&p, "vermagic:", words_of(d, scratch));
	put_processor(&r);
	put_exports(&r);
	put_modules(&r);
	put_config(&r);
}
