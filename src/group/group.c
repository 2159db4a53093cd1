/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes are numbered by their ids in order of appearance, then sorted. A module behind a
 * refused provider counts under the cause that refuses the provider, however deep.
 */
#include "group/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/table.h"

/* The first finding of each module, as an index + 1, 0 if it has none. */
static uint32_t *first_findings(const struct grouping *g)
{
	uint32_t *first = mem_zalloc((g->n_modules + 1) * sizeof(*first));

	for (uint32_t i = g->n_findings; i-- > 0;) {
		if (g->findings[i].module != MODULE_NONE)
			first[g->findings[i].module] = i + 1;
	}
	return first;
}

/*
 * The finding that stands for a refused module: its first error that is not itself a refused
 * provider, else its first MC204; NULL if it has no error.
 */
static const struct finding *standing_for(const struct grouping *g, const uint32_t *first,
					  uint32_t module)
{
	const struct finding *behind = NULL;

	if (!first[module])
		return NULL;
	for (uint32_t i = first[module] - 1; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (f->module != module)
			break;
		if (f->severity != SEV_ERROR)
			continue;
		if (f->rule != RULE_PROVIDER_REFUSED)
			return f;
		if (!behind)
			behind = f;
	}
	return behind;
}

/*
 * Follow MC204 from provider to provider to a finding with a cause of its own. `known` keeps what
 * was found for each module on the way (cause + 1), so that a long chain is walked once.
 */
static uint32_t root_cause(const struct grouping *g, const uint32_t *first, uint32_t *known,
			   uint32_t module)
{
	uint32_t cause = CAUSE_NONE, start = module;

	for (uint32_t depth = 0; depth <= g->n_modules; depth++) {
		const struct finding *f = standing_for(g, first, module);
		cause = known[module] ? known[module] - 1 : f ? f->cause : CAUSE_NONE;
		if (cause != CAUSE_NONE || !f || f->rule != RULE_PROVIDER_REFUSED)
			break;
		module = f->behind;
	}
	for (module = start; cause != CAUSE_NONE && !known[module];) {
		const struct finding *f = standing_for(g, first, module);
		known[module] = cause + 1;
		if (!f || f->rule != RULE_PROVIDER_REFUSED)
			break;
		module = f->behind;
	}
	return cause;
}

static void join_by_id(struct grouping *g)
{
	const char **keys = group_keys(g);
	struct names *ids = names_new();
	uint32_t *first = first_findings(g);
	uint32_t *known = mem_zalloc(((size_t)g->n_modules + 1) * sizeof(*known));

	for (uint32_t i = 0; i < g->n_findings; i++) {
		if (keys[i])
			g->findings[i].cause = names_add_string(ids, keys[i]) - 1;
	}
	for (uint32_t i = 0; i < g->n_findings; i++) {
		struct finding *f = &g->findings[i];
		if (!keys[i])
			f->cause = root_cause(g, first, known, f->behind);
	}
	g->n_causes = names_count(ids) - 1;
	g->causes = arena_array(g->arena, g->n_causes, sizeof(*g->causes));
	for (uint32_t c = 0; c < g->n_causes; c++)
		g->causes[c].id = arena_strdup(g->arena, names_text(ids, c + 1));
	names_free(ids);
	free(known);
	free(first);
	free(keys);
}

static bool is_told(const struct grouping *g, const struct finding *f)
{
	return f->cause != CAUSE_NONE &&
	       (f->module == MODULE_NONE || g->modules[f->module].is_target);
}

/*
 * The rule that its id begins with leads a cause; where it is of a model or a family, the rule of
 * most findings that are its own.
 */
static void lead(const struct grouping *g, struct cause *c)
{
	enum rule_id by_id = rule_find(arena_strndup(g->arena, c->id, strcspn(c->id, ":")));
	uint32_t count[N_RULES] = { 0 };

	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		c->severity = f->severity > c->severity ? f->severity : c->severity;
		count[f->rule]++;
	}
	c->rule = by_id < N_RULES ? (uint16_t)by_id : g->findings[c->findings[0]].rule;
	for (uint16_t rule = 0; by_id == N_RULES && rule < N_RULES; rule++) {
		bool is_own = rule != RULE_PROVIDER_REFUSED;
		if (is_own && (count[rule] > count[c->rule] || c->rule == RULE_PROVIDER_REFUSED) &&
		    count[rule])
			c->rule = rule;
	}
}

/* Findings and, as these are sorted by module, modules of each cause. */
static void fill_lists(struct grouping *g)
{
	for (uint32_t i = 0; i < g->n_findings; i++) {
		if (is_told(g, &g->findings[i]))
			g->causes[g->findings[i].cause].n_findings++;
	}
	for (uint32_t c = 0; c < g->n_causes; c++) {
		struct cause *cause = &g->causes[c];
		cause->findings = arena_array(g->arena, cause->n_findings, sizeof(uint32_t));
		cause->modules = arena_array(g->arena, cause->n_findings, sizeof(uint32_t));
		cause->n_findings = 0;
	}
	for (uint32_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (!is_told(g, f))
			continue;
		struct cause *cause = &g->causes[f->cause];
		cause->findings[cause->n_findings++] = i;
		if (f->module == MODULE_NONE)
			continue;
		if (!cause->n_modules || cause->modules[cause->n_modules - 1] != f->module)
			cause->modules[cause->n_modules++] = f->module;
	}
}

static void count_direct(const struct grouping *g, struct cause *c)
{
	uint32_t last = MODULE_NONE;

	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		bool is_behind = f->behind != MODULE_NONE && f->rule != c->rule;
		if (f->rule == RULE_PROVIDER_REFUSED || is_behind || f->module == last)
			continue;
		last = f->module;
		c->n_direct += f->module != MODULE_NONE;
	}
}

static int compare_causes(const void *pa, const void *pb)
{
	const struct cause *a = pa, *b = pb;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->n_modules != b->n_modules)
		return a->n_modules > b->n_modules ? -1 : 1;
	return strcmp(a->id, b->id);
}

/* Sort, drop those that nobody is to be told of, and renumber the findings. */
static void sort_causes(struct grouping *g)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < g->n_causes; c++) {
		if (g->causes[c].n_findings)
			g->causes[n++] = g->causes[c];
	}
	g->n_causes = n;
	if (n)
		qsort(g->causes, n, sizeof(*g->causes), compare_causes);
	for (uint32_t i = 0; i < g->n_findings; i++)
		g->findings[i].cause = CAUSE_NONE;
	for (uint32_t c = 0; c < n; c++) {
		for (uint32_t i = 0; i < g->causes[c].n_findings; i++)
			g->findings[g->causes[c].findings[i]].cause = c;
	}
}

void group_findings(struct grouping *g)
{
	join_by_id(g);
	fill_lists(g);
	for (uint32_t c = 0; c < g->n_causes; c++) {
		if (!g->causes[c].n_findings)
			continue;
		lead(g, &g->causes[c]);
		count_direct(g, &g->causes[c]);
	}
	sort_causes(g);
	for (uint32_t c = 0; c < g->n_causes; c++)
		group_describe(g, &g->causes[c]);
}

/* What modules need of the kernel: distinct names, and how many of them it has. */
struct need {
	uint32_t n_kernel, n_missing;
	bool wants_printk, has_printk;
};

static void count_needs(const struct grouping *g, struct need *need, bool only_installed)
{
	uint8_t *is_seen = mem_zalloc(names_count(g->names));
	nameid printk = names_find(g->names, "printk", 6),
	       _printk = names_find(g->names, "_printk", 7);

	for (uint32_t m = 0; m < g->n_modules; m++) {
		const struct module *mod = &g->modules[m];
		if (only_installed && !mod->is_installed)
			continue;
		for (uint32_t i = 0; i < mod->n_imports; i++) {
			const struct link *link = &g->links->links[m][i];
			nameid name = mod->imports[i].name;
			bool is_printk = name && (name == printk || name == _printk);
			need->wants_printk |= is_printk;
			need->has_printk |= is_printk && link->state == LINK_KERNEL;
			bool is_lost =
				link->state == LINK_MISSING || link->state == LINK_NOT_EXPORTED;
			if (is_seen[name] || (link->state != LINK_KERNEL && !is_lost))
				continue;
			is_seen[name] = 1;
			need->n_kernel++;
			need->n_missing += is_lost;
		}
	}
	free(is_seen);
}

const char *group_wrong_evidence(const struct grouping *g)
{
	struct need need = { 0 };

	if (!g->kernel->has_exports)
		return NULL;
	bool has_tree = false;
	for (uint32_t m = 0; m < g->n_modules; m++)
		has_tree |= g->modules[m].is_installed;
	count_needs(g, &need, has_tree);
	if (need.wants_printk && !need.has_printk &&
	    !kernel_exports(g->kernel, g->links, g->names, "printk") &&
	    !kernel_exports(g->kernel, g->links, g->names, "_printk"))
		return "the evidence lists no export named printk or _printk, so it is not a "
		       "list of this kernel's exports";
	/* an image of this release is this kernel's own list; only a list may be another's */
	for (uint32_t i = 0; i < g->kernel->n_sources; i++) {
		if (g->kernel->sources[i].kind == SOURCE_IMAGE && g->kernel->sources[i].exports)
			return NULL;
	}
	if (has_tree && need.n_missing >= 16 && need.n_missing > need.n_kernel / 2)
		return arena_printf(g->arena,
				    "the evidence lacks %u of the %u kernel symbols that the "
				    "modules need, so it is of another kernel",
				    need.n_missing, need.n_kernel);
	return NULL;
}
