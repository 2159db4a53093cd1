/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block a rule. Modules from outside the kernel's tree are named one by one, with what they lose:
 * they are whom the question is about. Modules of the kernel are counted by subsystem, exports by
 * family and owner, until -v asks for names.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "diff/diff.h"
#include "diff/render.h"
#include "families.h"
#include "render/page.h"
#include "render/render.h"
#include "rules/table.h"

enum { INDENT = 4, NAMES = 24, FEW_SYMBOLS = 8, FEW_MODULES = 12, FEW_ROWS = 6, FEW_GROUPS = 5 };

struct block {
	struct page *p;
	const struct diff *d;
	const struct diff_finding *f; /* its findings */
	uint32_t n;
	bool is_verbose;
};

typedef void block_body(const struct block *b);

static void start_line(struct page *p, unsigned int indent)
{
	if (p->column)
		page_newline(p);
	page_pad(p, indent);
}

static void put_note(struct page *p, const char *text)
{
	start_line(p, 2);
	page_wrap(p, 2, text, NULL);
	page_newline(p);
}

/* Findings stand by module: how many modules are there among n of them? */
static uint32_t count_modules(const struct diff_finding *f, uint32_t n)
{
	uint32_t modules = 0;

	for (uint32_t i = 0; i < n; i++)
		modules += f[i].module && (i == 0 || f[i].module != f[i - 1].module);
	return modules;
}

/* The findings of the module of f[0]. */
static uint32_t same_module(const struct diff_finding *f, uint32_t n)
{
	uint32_t k = 1;

	while (k < n && f[k].module == f[0].module)
		k++;
	return k;
}

/* How many findings are on each export: [index into d->exports]. */
static uint32_t *count_by_export(const struct block *b)
{
	uint32_t *counts = arena_array(b->p->scratch, b->d->n_exports, sizeof(*counts));

	for (uint32_t i = 0; i < b->n; i++)
		counts[b->f[i].export - b->d->exports]++;
	return counts;
}

static uint32_t count_exports(const struct block *b)
{
	const uint32_t *counts = count_by_export(b);
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->d->n_exports; i++)
		n += counts[i] > 0;
	return n;
}

static const char *say_more(struct arena *a, uint32_t n)
{
	return arena_printf(a, "... %s more (-v)", text_count(a, n));
}

struct tally {
	const char *name;
	uint32_t n;
};

static int by_number(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* "a 12, b 3, ...": at most `most` of them, the largest first. */
static void put_tallies(struct page *p, unsigned int indent, struct tally *t, uint32_t n,
			uint32_t most)
{
	struct arena *a = p->scratch;
	uint32_t shown = n > most + 1 ? most : n;

	if (n)
		qsort(t, n, sizeof(*t), by_number);
	for (uint32_t i = 0; i < shown; i++) {
		page_word(p, indent,
			  arena_printf(a, "%s %s%s", t[i].name, text_count(a, t[i].n),
				       i + 1 < n ? "," : ""),
			  i == 0);
	}
	if (shown < n)
		page_word(p, indent, say_more(a, n - shown), false);
}

static int by_name(const void *pa, const void *pb)
{
	return strcmp(((const struct tally *)pa)->name, ((const struct tally *)pb)->name);
}

/* Make those of one name one, with the sum of their numbers. */
static uint32_t join_tallies(struct tally *t, uint32_t n)
{
	uint32_t kept = 0;

	if (n)
		qsort(t, n, sizeof(*t), by_name);
	for (uint32_t i = 0; i < n; i++) {
		if (kept && strcmp(t[kept - 1].name, t[i].name) == 0)
			t[kept - 1].n += t[i].n;
		else
			t[kept++] = t[i];
	}
	return kept;
}

/* The kernel's own modules among them, by subsystem. */
static uint32_t tally_in_tree(const struct block *b, struct tally *t, uint32_t *n_tallies)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i += same_module(b->f + i, b->n - i)) {
		if (b->f[i].module->is_in_tree)
			t[n++] = (struct tally) { b->f[i].module->subsystem, 1 };
	}
	*n_tallies = join_tallies(t, n);
	return n;
}

static void put_in_tree(const struct block *b, const char *what)
{
	struct arena *a = b->p->scratch;
	struct tally *t = arena_array(a, count_modules(b->f, b->n) + 1, sizeof(*t));
	uint32_t n_tallies, n = tally_in_tree(b, t, &n_tallies);

	if (!n)
		return;
	start_line(b->p, INDENT);
	page_word(b->p, INDENT, arena_printf(a, "%s %s:", page_count(a, n, "module"), what), true);
	page_put(b->p, STYLE_PLAIN, " ");
	put_tallies(b->p, INDENT + 2, t, n_tallies, FEW_ROWS);
	page_newline(b->p);
}

static const char *symbol_with_state(const struct diff_finding *f, struct arena *a)
{
	if (f->rule == RULE_EXPORT_IN_NAMESPACE)
		return arena_printf(a, "%s (%s)", f->export->symbol, f->expected);
	return f->export->symbol;
}

/* "extra/vendor.ko    foo bar baz": what one module loses. */
static void put_loss(const struct block *b, const struct diff_finding *f, uint32_t n)
{
	struct page *p = b->p;
	uint32_t shown = b->is_verbose || n <= FEW_SYMBOLS + 1 ? n : FEW_SYMBOLS;

	start_line(p, INDENT);
	page_word(p, INDENT, f->module->module->path, true);
	if (f->rule == RULE_EXPORT_NOW_GPL_ONLY)
		page_put(p, STYLE_PLAIN, arena_printf(p->scratch, " (%s)", f->actual));
	if (p->column + 2 > NAMES)
		start_line(p, NAMES);
	page_pad(p, NAMES);
	for (uint32_t i = 0; i < shown; i++)
		page_word(p, NAMES, symbol_with_state(&f[i], p->scratch), i == 0);
	if (shown < n)
		page_word(p, NAMES, say_more(p->scratch, n - shown), false);
	page_newline(p);
	for (uint32_t i = 0; i < shown; i++) {
		if (!f[i].detail)
			continue;
		page_pad(p, NAMES);
		page_wrap(p, NAMES + 2,
			  arena_printf(p->scratch, "%s: %s", f[i].export->symbol, f[i].detail),
			  NULL);
		page_newline(p);
	}
}

/* Is one of them called by the kernel's headers, and not by the module's source? */
static bool is_of_headers(const struct block *b)
{
	for (uint32_t i = 0; b->f[0].rule == RULE_EXPORT_REMOVED && i < b->n; i++) {
		const struct export_diff *e = b->f[i].export;
		const struct family *family = family_of(e->symbol, strlen(e->symbol));
		if (family && family->models && !b->f[i].module->has_build)
			return true;
	}
	return false;
}

/* MC701 to MC703: module by module. */
static void put_losses(const struct block *b)
{
	uint32_t n_others = 0, n;

	if (is_of_headers(b))
		put_note(b->p, "Symbols of preemption (preempt_*, __mutex_init, ...) come from the "
			       "kernel's headers: likely a build for the new kernel does without. "
			       "modcheck ready tells what stays then.");
	for (uint32_t i = 0; i < b->n; i += n) {
		n = same_module(b->f + i, b->n - i);
		if (b->f[i].module->is_in_tree && !b->is_verbose)
			continue;
		if (n_others++ < FEW_MODULES || b->is_verbose)
			put_loss(b, &b->f[i], n);
	}
	if (n_others > FEW_MODULES && !b->is_verbose) {
		start_line(b->p, INDENT);
		page_put(b->p, STYLE_PLAIN, say_more(b->p->scratch, n_others - FEW_MODULES));
		page_newline(b->p);
	}
	if (!b->is_verbose)
		put_in_tree(b, b->f[0].rule == RULE_EXPORT_REMOVED
				       ? "of the old kernel that the new one dropped"
				       : "of the kernel");
}

/* What an export is told with: its family of symbols, or else its owner. */
static const char *group_of(const struct export_diff *e)
{
	const struct family *family = family_of(e->symbol, strlen(e->symbol));

	return family ? family->name : e->old.owner;
}

/* An export that is gone, with the number of modules that used it. */
struct gone {
	const char *group, *symbol;
	uint32_t n, of_group; /* users: of it, of all of its group */
};

/* Groups with many users first. */
static int by_group(const void *pa, const void *pb)
{
	const struct gone *a = pa, *b = pb;
	int order = strcmp(a->group, b->group);

	if (a->of_group != b->of_group)
		return a->of_group > b->of_group ? -1 : 1;
	return order ? order : strcmp(a->symbol, b->symbol);
}

static uint32_t list_gone(const struct block *b, struct gone *gone)
{
	const uint32_t *counts = count_by_export(b);
	struct tally *groups = arena_array(b->p->scratch, b->d->n_exports, sizeof(*groups));
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->d->n_exports; i++) {
		const struct export_diff *e = &b->d->exports[i];
		if (!counts[i])
			continue;
		groups[n] = (struct tally) { group_of(e), counts[i] };
		gone[n++] = (struct gone) { group_of(e), e->symbol, counts[i], 0 };
	}
	uint32_t n_groups = join_tallies(groups, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct tally key = { gone[i].group, 0 };
		gone[i].of_group = ((const struct tally *)bsearch(&key, groups, n_groups,
								  sizeof(*groups), by_name))
					   ->n;
	}
	if (n)
		qsort(gone, n, sizeof(*gone), by_group);
	return n;
}

/* "preemption: __mutex_init 1,072, ..." */
static void put_group(const struct block *b, const char *label, const struct gone *gone, uint32_t n)
{
	struct page *p = b->p;
	struct tally *t = arena_array(p->scratch, n, sizeof(*t));

	for (uint32_t i = 0; i < n; i++)
		t[i] = (struct tally) { gone[i].symbol, gone[i].n };
	page_pad(p, INDENT);
	page_word(p, INDENT, arena_printf(p->scratch, "%s:", label), true);
	page_put(p, STYLE_PLAIN, " ");
	put_tallies(p, INDENT + 2, t, n, b->is_verbose ? n : FEW_SYMBOLS);
	page_newline(p);
}

/* MC704: by group and export, those with most users first. */
static void put_exports(const struct block *b)
{
	struct gone *gone = arena_array(b->p->scratch, b->d->n_exports, sizeof(*gone));
	uint32_t n = list_gone(b, gone), n_groups = 0, first = 0;

	for (uint32_t i = 0; i < n; i++)
		n_groups += i == 0 || strcmp(gone[i].group, gone[i - 1].group) != 0;
	uint32_t most = b->is_verbose || n_groups <= FEW_GROUPS ? n_groups : FEW_GROUPS - 1;
	put_note(b->p,
		 "The new kernel has its own builds of these modules. A module from elsewhere "
		 "that uses the same exports does not load there.");
	for (uint32_t g = 0; g < most; g++) {
		uint32_t end = first;
		while (end < n && strcmp(gone[end].group, gone[first].group) == 0)
			end++;
		put_group(b, gone[first].group, gone + first, end - first);
		first = end;
	}
	if (first < n)
		put_group(b, "others", gone + first, n - first);
}

static void put_rebuild(const struct block *b, const struct diff_finding *f)
{
	struct page *p = b->p;
	struct arena *a = p->scratch;

	start_line(p, INDENT);
	page_word(p, INDENT, f->module->module->path, true);
	page_put(p, STYLE_PLAIN, ": ");
	const char *text = f->detail ? f->detail : "";
	if (f->n)
		text = arena_printf(a, "%s of its symbols %s another CRC%s%s", text_count(a, f->n),
				    f->n == 1 ? "has" : "have", *text ? "; " : "", text);
	page_wrap(p, INDENT + 2, text, NULL);
	page_newline(p);
}

/* MC705 */
static void put_rebuilds(const struct block *b)
{
	uint32_t n_others = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		if (b->f[i].module->is_in_tree && !b->is_verbose)
			continue;
		if (n_others++ < FEW_MODULES || b->is_verbose)
			put_rebuild(b, &b->f[i]);
	}
	if (n_others > FEW_MODULES && !b->is_verbose) {
		start_line(b->p, INDENT);
		page_put(b->p, STYLE_PLAIN, say_more(b->p->scratch, n_others - FEW_MODULES));
		page_newline(b->p);
	}
	if (!b->is_verbose)
		put_in_tree(b, "of the old kernel that the new one dropped");
}

/* MC706 */
static void put_removed(const struct block *b)
{
	struct page *p = b->p;

	if (!b->is_verbose && b->n > FEW_MODULES) {
		put_in_tree(b, "are gone");
		return;
	}
	start_line(p, INDENT);
	for (uint32_t i = 0; i < b->n; i++)
		page_word(p, INDENT, b->f[i].module->module->name, i == 0);
	page_newline(p);
}

/* MC707 */
static void put_machine(const struct block *b)
{
	put_note(b->p,
		 arena_printf(b->p->scratch,
			      "From %s to %s: no module of the old kernel can be used with the "
			      "new one, and exports and CRCs say nothing of each other.",
			      b->f->actual, b->f->expected));
}

/* MC708 */
static void put_processor(const struct block *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct diff_finding *f = &b->f[i];
		const char *has =
			f->actual ? arena_printf(b->p->scratch, ", it is of %s", f->actual) : "";
		start_line(b->p, INDENT);
		page_wrap(b->p, INDENT,
			  arena_printf(b->p->scratch, "%s%s (%s)", f->expected, has, f->detail),
			  NULL);
		page_newline(b->p);
	}
}

/* Nobody builds again what the kernel's own authors dropped: MC706 tells of it. */
static bool is_about_dropped(const struct block *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		if (b->f[i].rule != RULE_REBUILD_NEEDED || !b->f[i].module->is_in_tree)
			return false;
	}
	return true;
}

/* In the order in which they are told; the title says what, the right margin how many. */
static const struct {
	enum rule_id rule;
	const char *noun; /* what is counted in the title beside the modules; NULL: nothing */
	block_body *body;
} bodies[] = {
	{ RULE_PROCESSOR_LACKS_FEATURE, NULL, put_processor },
	{ RULE_OTHER_MACHINE, NULL, put_machine },
	{ RULE_EXPORT_REMOVED, "export", put_losses },
	{ RULE_EXPORT_NOW_GPL_ONLY, "export", put_losses },
	{ RULE_EXPORT_IN_NAMESPACE, "export", put_losses },
	{ RULE_EXPORT_REMOVED_REBUILT, "export", put_exports },
	{ RULE_REBUILD_NEEDED, NULL, put_rebuilds },
	{ RULE_MODULE_REMOVED, NULL, put_removed },
};

static enum severity worst_of(const struct block *b)
{
	enum severity worst = SEV_INFO;

	for (uint32_t i = 0; i < b->n; i++)
		worst = b->f[i].severity > worst ? b->f[i].severity : worst;
	return worst;
}

static void put_title(const struct block *b, const char *noun)
{
	static const char *const letters[] = { "I", "W", "E" };
	struct page *p = b->p;
	const struct rule *rule = &rule_table[b->f->rule];
	enum severity severity = worst_of(b);
	uint32_t n_modules = count_modules(b->f, b->n);

	page_put(p, (enum page_style)severity, letters[severity]);
	page_put(p, STYLE_PLAIN, " ");
	page_put(p, STYLE_BOLD, arena_printf(p->scratch, "%s %s", rule->code, rule->name));
	if (noun)
		page_put(p, STYLE_PLAIN,
			 arena_printf(p->scratch, ": %s",
				      page_count(p->scratch, count_exports(b), noun)));
	if (n_modules)
		page_put_right(p, page_count(p->scratch, n_modules, "module"));
	page_newline(p);
}

void diff_put_blocks(struct page *p, const struct diff *d, const struct render_options *options)
{
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct block b = { .p = p, .d = d, .is_verbose = options->is_verbose };
		uint32_t first = 0;

		while (first < d->n_findings && d->findings[first].rule != bodies[i].rule)
			first++;
		b.f = &d->findings[first];
		while (first + b.n < d->n_findings && b.f[b.n].rule == bodies[i].rule)
			b.n++;
		if (!b.n || (!b.is_verbose && is_about_dropped(&b)))
			continue;
		put_title(&b, bodies[i].noun);
		bodies[i].body(&b);
		page_newline(p);
	}
}
