/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group/rebuilt.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/words.h"

/* The distinct phrases that the modules are refused for as they are, the most frequent first. */
struct reason {
	const char *text;
	uint32_t n;
};

enum { REASONS = 8, SHOWN_REASONS = 3 };

static void count_reason(struct reason *reasons, uint32_t *n, const char *text)
{
	uint32_t i = 0;

	while (i < *n && strcmp(reasons[i].text, text) != 0)
		i++;
	if (i == REASONS)
		return;
	if (i == *n)
		reasons[(*n)++] = (struct reason) { text, 0 };
	reasons[i].n++;
	for (; i > 0 && reasons[i].n > reasons[i - 1].n; i--) {
		struct reason swapped = reasons[i];
		reasons[i] = reasons[i - 1];
		reasons[i - 1] = swapped;
	}
}

static const char *tell_reasons(const struct grouping *g, const struct cause *c)
{
	struct reason reasons[REASONS];
	uint32_t n = 0;
	const char *text = "";

	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (f->detail)
			count_reason(reasons, &n, f->detail);
	}
	for (uint32_t i = 0; i < n && i < SHOWN_REASONS; i++) {
		const char *separator = i ? ", " : "";
		text = n == 1 ? reasons[i].text
			      : arena_printf(g->arena, "%s%s%s (%s)", text, separator,
					     reasons[i].text, words_modules(g, reasons[i].n));
	}
	return text;
}

void rebuilt_describe_needed(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const char *reasons = tell_reasons(g, c);
	size_t length = f->actual ? strcspn(f->actual, " ") : 0;

	c->title = length ? arena_printf(g->arena, "built for %.*s", (int)length, f->actual)
			  : "built for another kernel";
	if (*reasons)
		words_evidence(g, c, "Refused as %s: %s.", c->n_modules == 1 ? "it is" : "they are",
			       reasons);
	for (uint32_t i = 0; i < g->readiness->n_changes; i++)
		words_evidence(g, c, "%s", g->readiness->changes[i]);
	c->hint = arena_printf(g->arena,
			       "build %s against the headers of %s (dkms, or make -C "
			       "/lib/modules/%s/build M=$PWD)",
			       c->n_modules == 1 ? "it" : "them", g->kernel->release,
			       g->kernel->release);
}

void rebuilt_describe_hidden(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const struct family *family = words_family(g, f->symbol);
	uint32_t n;
	const char *symbols = words_symbols(g, c, RULE_HIDDEN_PREEMPT_CALL, &n);

	if (n == 1)
		c->symbol = f->symbol;
	c->title = n == 1 ? names_text(g->names, f->symbol) : family ? family->config : symbols;
	words_evidence(g, c, "Built here they may need what is GPL-only: %s.", symbols);
	if (f->detail)
		words_evidence(g, c, "That cannot be seen in them: %s.", f->detail);
	if (family) {
		c->family = family->name;
		words_evidence(g, c, "%s %s.", family->config, family->why);
	}
	c->hint = "build the module and see what modpost says, or look for such code in its source";
}

/* Of a module's several reasons one that is certain is enough; of several modules none is left out.
 */
static uint8_t certainty_of(const struct grouping *g, const struct cause *c)
{
	uint8_t least = CERTAINTY_NONE, most = CERTAINTY_NONE;

	for (uint32_t i = 0; i < c->n_findings; i++) {
		uint8_t certainty = g->findings[c->findings[i]].certainty;
		if (!certainty)
			continue;
		least = certainty > least ? certainty : least;
		most = !most || certainty < most ? certainty : most;
	}
	return c->n_modules == 1 ? most : least;
}

static bool is_gone(const struct grouping *g, const struct finding *f)
{
	return f->symbol < g->readiness->n_names && g->readiness->is_gone[f->symbol];
}

/* Why it is likely and no more. */
static const char *doubt_of(const struct grouping *g, const struct finding *f)
{
	if (is_gone(g, f))
		return "Modules that both kernels have needed it, and do without it here.";
	if (f->rule != RULE_UNDEFINED_SYMBOL && f->rule != RULE_DEFINED_NOT_EXPORTED)
		return "Nothing in the module shows it yet: the headers of this kernel likely make "
		       "it so.";
	return g->readiness->is_other_version
		       ? "The headers of this version may do without it."
		       : "The configuration took it away, and the headers may do without it.";
}

/* What a build would not mend, in the words of who has to mend it. */
static const char *source_hint(const struct grouping *g, const struct cause *c)
{
	if (c->rule == RULE_UNDEFINED_SYMBOL || c->rule == RULE_DEFINED_NOT_EXPORTED)
		return arena_printf(g->arena,
				    "a build alone does not mend it: change the source to what %s "
				    "exports, or take a version of the module that supports it",
				    g->kernel->release);
	if (c->rule == RULE_NAMESPACE_NOT_IMPORTED)
		return "add MODULE_IMPORT_NS() for it to the module's source";
	return c->hint;
}

void rebuilt_qualify(const struct grouping *g, struct cause *c)
{
	static const char *const words[] = {
		[CERTAINTY_CERTAIN] = "certain",
		[CERTAINTY_LIKELY] = "likely",
	};
	const struct finding *f = &g->findings[c->findings[0]];

	c->certainty = g->readiness ? certainty_of(g, c) : CERTAINTY_NONE;
	if (c->severity != SEV_ERROR ||
	    (c->certainty != CERTAINTY_CERTAIN && c->certainty != CERTAINTY_LIKELY))
		return;
	c->title = arena_printf(g->arena, "%s, %s", c->title, words[c->certainty]);
	const char *doubt = c->certainty == CERTAINTY_LIKELY ? doubt_of(g, f) : NULL;
	if (doubt)
		words_evidence(g, c, "%s", doubt);
	c->hint = source_hint(g, c);
}
