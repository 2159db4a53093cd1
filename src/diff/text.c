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

enum { LABEL = 12 };

struct report {
	struct page *p;
	const struct diff *d;
	const struct render_options *options;
	struct arena *a;
};

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
	diff_put_row(p, "evidence:",
		     diff_both(sources_of(&d->old, r->a), sources_of(&d->new, r->a), r->a));
	page_newline(p);
}

static uint32_t count_findings(const struct diff *d, enum rule_id rule)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n_findings; i++)
		n += d->findings[i].rule == rule;
	return n;
}

/* Which of the modules that a rule names. */
enum kind {
	FROM_ELSEWHERE,
	BUILT,   /* of the kernel, with a build in NEW */
	DROPPED, /* of the kernel, without one */
};

static enum kind kind_of(const struct module_diff *m)
{
	if (!m->is_in_tree)
		return FROM_ELSEWHERE;
	return m->has_build ? BUILT : DROPPED;
}

/* Modules of OLD of that kind with a finding of one of these rules. */
static uint32_t count_modules(const struct report *r, const enum rule_id *rules, size_t n_rules,
			      enum kind kind)
{
	const struct diff *d = r->d;
	bool *is_hit = arena_array(r->a, d->old.session.n_modules, 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n_findings; i++) {
		const struct diff_finding *f = &d->findings[i];
		bool is_asked = false;
		for (size_t k = 0; f->module && k < n_rules; k++)
			is_asked |= f->rule == rules[k];
		if (!is_asked || kind_of(f->module) != kind || is_hit[f->module - d->old_modules])
			continue;
		is_hit[f->module - d->old_modules] = true;
		n++;
	}
	return n;
}

static const char *join(const char *text, const char *part, struct arena *a)
{
	if (!*text || !*part)
		return *text ? text : part;
	return arena_printf(a, "%s; %s", text, part);
}

/* Something is gone, and nobody knows who used it. */
static bool is_open(const struct diff *d)
{
	return d->n_unreadable || d->n_unknown ||
	       (!d->old.is_tree && (d->n_changed[0] || d->n_changed[3] || d->n_changed[5]));
}

/* "1 module from elsewhere loses what it uses", "" if there is none. */
static const char *say_losing(uint32_t n, const char *from, struct arena *a)
{
	if (!n)
		return "";
	return arena_printf(a, "%s %s %s what %s", page_count(a, n, "module"), from,
			    n == 1 ? "loses" : "lose", n == 1 ? "it uses" : "they use");
}

/* "exports are gone that 1,209 modules of the kernel used (all built anew)", "" if there are none.
 */
static const char *say_gone(uint32_t n_built, uint32_t n_dropped, struct arena *a)
{
	const char *how = n_built ? "all built anew" : "all dropped";

	if (!n_built && !n_dropped)
		return "";
	if (n_built && n_dropped)
		how = arena_printf(a, "%s built anew, %s dropped", text_count(a, n_built),
				   text_count(a, n_dropped));
	return arena_printf(a, "exports are gone that %s of the kernel used (%s)",
			    page_count(a, n_built + n_dropped, "module"),
			    n_built + n_dropped == 1 ? how + strlen("all ") : how);
}

/* What was taken away, from whom. */
static const char *losses_of(const struct report *r)
{
	static const enum rule_id losses[] = { RULE_EXPORT_REMOVED, RULE_EXPORT_NOW_GPL_ONLY,
					       RULE_EXPORT_IN_NAMESPACE };
	static const enum rule_id removed[] = { RULE_EXPORT_REMOVED_REBUILT, RULE_EXPORT_REMOVED };
	uint32_t n_losing = count_modules(r, losses, 3, BUILT);
	const char *text;

	if (!r->d->old.is_tree && is_open(r->d))
		return "which modules use what is gone is not known: a Module.symvers lists none";
	text = say_losing(count_modules(r, losses, 3, FROM_ELSEWHERE), "from elsewhere", r->a);
	text = join(text, say_losing(n_losing, "of the kernel", r->a), r->a);
	text = join(text,
		    say_gone(count_modules(r, removed, 1, BUILT),
			     count_modules(r, removed, 2, DROPPED), r->a),
		    r->a);
	if (*text || !is_open(r->d))
		return *text ? text : "takes away nothing that a module uses";
	return "takes away nothing that a module is known to use";
}

static const char *sentence_of(const struct report *r)
{
	static const enum rule_id rebuild[] = { RULE_REBUILD_NEEDED };
	struct arena *a = r->a;
	uint32_t n_rebuild = count_modules(r, rebuild, 1, FROM_ELSEWHERE);
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
	diff_put_rows(&p, d, options);
}
