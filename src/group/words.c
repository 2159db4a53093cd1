/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "kernel/evidence.h"

#define MAX_EVIDENCE 8
#define MAX_SYMBOLS 8

void words_evidence(const struct grouping *g, struct cause *cause, const char *format, ...)
{
	char text[2048];
	va_list args;

	if (!cause->evidence)
		cause->evidence = arena_array(g->arena, MAX_EVIDENCE, sizeof(*cause->evidence));
	if (cause->n_evidence == MAX_EVIDENCE)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	cause->evidence[cause->n_evidence++] = arena_strdup(g->arena, text);
}

struct tally {
	const char *text;
	nameid symbol;
	uint32_t n;
};

static int compare_symbols(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;

	return a->symbol != b->symbol ? (a->symbol < b->symbol ? -1 : 1) : 0;
}

static int compare_tallies(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* One row a symbol, those of most findings first. Returns a malloc'ed array. */
static struct tally *tally(const struct grouping *g, const struct cause *cause, enum rule_id rule,
			   uint32_t *n_tallies)
{
	struct tally *t = mem_zalloc((cause->n_findings + 1) * sizeof(*t));
	uint32_t n = 0, n_all = 0;

	for (uint32_t i = 0; i < cause->n_findings; i++) {
		const struct finding *f = &g->findings[cause->findings[i]];
		bool is_missing =
			f->rule == RULE_UNDEFINED_SYMBOL || f->rule == RULE_DEFINED_NOT_EXPORTED;
		if (f->symbol && (rule == N_RULES ? is_missing : f->rule == rule))
			t[n_all++] =
				(struct tally) { names_text(g->names, f->symbol), f->symbol, 1 };
	}
	qsort(t, n_all, sizeof(*t), compare_symbols);
	for (uint32_t i = 0; i < n_all; i++) {
		if (n && t[n - 1].symbol == t[i].symbol)
			t[n - 1].n++;
		else
			t[n++] = t[i];
	}
	qsort(t, n, sizeof(*t), compare_tallies);
	*n_tallies = n;
	return t;
}

const char *words_symbols(const struct grouping *g, const struct cause *cause, enum rule_id rule,
			  uint32_t *n)
{
	struct tally *t = tally(g, cause, rule, n);
	const char *text = "";
	bool has_counts = cause->n_modules > 1;

	for (uint32_t i = 0; i < *n && i < MAX_SYMBOLS; i++) {
		text = arena_printf(g->arena, "%s%s%s", text, i ? ", " : "", t[i].text);
		if (has_counts)
			text = arena_printf(g->arena, "%s (%s)", text,
					    text_count(g->arena, t[i].n));
	}
	if (*n > MAX_SYMBOLS)
		text = arena_printf(g->arena, "%s and %s more", text,
				    text_count(g->arena, *n - MAX_SYMBOLS));
	free(t);
	return text;
}

const char *words_where(const struct grouping *g, uint32_t ksym)
{
	const struct ksym *s = &g->kernel->syms[ksym];
	const char *file = g->kernel->sources[s->source].path;
	const char *name = names_text(g->names, s->name);
	const char *base = strrchr(file, '/');

	base = base && base[1] ? base + 1 : file;
	if (!s->line)
		return arena_printf(g->arena, "%s: %s", base, name);
	if (!s->type)
		return arena_printf(g->arena, "%s line %u", base, s->line);
	return arena_printf(g->arena, "%s line %u: %c %s", base, s->line, s->type, name);
}

const char *words_modules(const struct grouping *g, uint32_t n)
{
	return arena_printf(g->arena, "%s module%s", text_count(g->arena, n), n == 1 ? "" : "s");
}

const struct finding *words_first(const struct grouping *g, const struct cause *cause,
				  enum rule_id rule)
{
	for (uint32_t i = 0; i < cause->n_findings; i++) {
		if (g->findings[cause->findings[i]].rule == rule)
			return &g->findings[cause->findings[i]];
	}
	return NULL;
}

const struct family *words_family(const struct grouping *g, nameid symbol)
{
	const char *text = names_text(g->names, symbol);

	return family_of(text, symbol_base_length(text, names_length(g->names, symbol)));
}

const char *words_name(const struct grouping *g, nameid id)
{
	return names_text(g->names, id);
}

void words_tell_family(const struct grouping *g, struct cause *c, const struct family *family)
{
	bool is_set = kconfig_get(&g->kernel->config, family->config) == KCONFIG_YES;

	c->family = family->name;
	words_evidence(g, c, "%s%s %s.", family->config, is_set ? "=y" : "", family->why);
}

const char *words_plain_symbols(const struct grouping *g, const struct cause *c, enum rule_id rule,
				uint32_t *n)
{
	const char *text = words_symbols(g, c, rule, n);
	const struct finding *f = words_first(g, c, rule);

	return *n == 1 && f ? words_name(g, f->symbol) : text;
}

bool words_own(const struct grouping *g, struct cause *c, const struct finding *f, const char *what,
	       const char *hint)
{
	uint32_t n;
	const char *text = words_symbols(g, c, (enum rule_id)c->rule, &n);

	if (n < 2)
		return false;
	c->title = arena_printf(g->arena, "%s: %u symbols", g->modules[f->module].name, n);
	words_evidence(g, c, "%s: %s.", what, text);
	c->hint = hint;
	return true;
}
