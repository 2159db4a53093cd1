/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group/joint.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "group/words.h"

#define MAX_NAMED 30 /* modules in a sentence */

static bool is_kind(const struct cause *c, const char *prefix)
{
	return text_has_prefix(c->id, prefix);
}

/* Is the finding on a module that is of the other build itself, and not behind one? */
static bool is_direct(const struct finding *f)
{
	return f->module != MODULE_NONE && f->behind == MODULE_NONE;
}

/* The first of the cause's modules that has findings of its own. */
static const struct module *first_module(const struct grouping *g, const struct cause *c)
{
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (is_direct(f))
			return &g->modules[f->module];
	}
	return c->n_modules ? &g->modules[c->modules[0]] : NULL;
}

/* Where others wait behind them: which are of the other build themselves. */
static void tell_direct(const struct grouping *g, struct cause *c)
{
	const char *text = "";
	uint32_t last = MODULE_NONE, n = 0;

	if (c->n_direct == c->n_modules)
		return;
	for (uint32_t i = 0; i < c->n_findings && n < MAX_NAMED; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (!is_direct(f) || f->module == last)
			continue;
		last = f->module;
		text = arena_printf(g->arena, "%s%s%s", text, n++ ? ", " : "",
				    g->modules[f->module].name);
	}
	if (c->n_direct > n)
		text = arena_printf(g->arena, "%s and %s more", text,
				    text_count(g->arena, c->n_direct - n));
	words_evidence(g, c, "These are of the other build: %s.", text);
}

/*
 * The models that those of the cause's modules fit that were certainly built for another than the
 * kernel's; 0 if there is none, or they are of several.
 */
static uint8_t foreign_models(const struct grouping *g, const struct cause *c, uint32_t *n)
{
	uint8_t models = MODEL_ANY;

	*n = 0;
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (f->rule != RULE_PREEMPT_MODEL_MISMATCH)
			continue;
		models &= g->preemption->models_of_module[f->module];
		(*n)++;
	}
	return *n ? models : 0;
}

/* "config, exports" */
static const char *evidence_of(const struct grouping *g)
{
	const struct preemption *p = g->preemption;
	const char *text = "";

	for (uint32_t i = 0; i < p->n_evidence; i++)
		text = arena_printf(g->arena, "%s%s%s", text, i ? ", " : "", p->evidence[i]);
	return text;
}

/* What tells the kernel's model, and how many show theirs. Returns its name, NULL if it is none. */
static const char *tell_models(const struct grouping *g, struct cause *c)
{
	uint32_t n;
	uint8_t models = foreign_models(g, c, &n);

	if (!models)
		return NULL;
	const char *name = preemption_name(models, g->arena);
	words_evidence(g, c, "The kernel's model is told by its %s.", evidence_of(g));
	if (n < c->n_direct)
		words_evidence(g, c, "%s of the modules show theirs.", text_count(g->arena, n));
	c->family = "preemption";
	return name;
}

/* Does a module that needs this name certainly belong to another kernel? */
static bool is_sign(const struct preemption *p, nameid name)
{
	uint8_t models = name < p->n_names ? p->models_of_name[name] : 0;

	return models && !(models & ~p->excluded);
}

/* How many of the cause's modules need each name that is such a sign; malloc'ed, by nameid. */
static uint32_t *count_signs(const struct grouping *g, const struct cause *c)
{
	uint32_t *n_users = mem_zalloc(names_count(g->names) * sizeof(*n_users));

	for (uint32_t i = 0; i < c->n_modules; i++) {
		const struct module *m = &g->modules[c->modules[i]];
		for (uint32_t k = 0; k < m->n_imports; k++)
			n_users[m->imports[k].name] += is_sign(g->preemption, m->imports[k].name);
	}
	return n_users;
}

/* The symbols that show the model, those of most modules first, whether the kernel exports them
 * or not; "" if only the vermagic does. */
static const char *signs_of(const struct grouping *g, const struct cause *c)
{
	uint32_t *n_users = count_signs(g, c), n = names_count(g->names);
	const char *text = "";

	for (int i = 0; i < 4; i++) {
		nameid best = NAME_NONE;
		for (nameid name = 1; name < n; name++) {
			if (n_users[name] > n_users[best])
				best = name;
		}
		if (!n_users[best])
			break;
		text = arena_printf(g->arena, "%s%s%s (%s)", text, *text ? ", " : "",
				    names_text(g->names, best),
				    i ? text_count(g->arena, n_users[best])
				      : words_modules(g, n_users[best]));
		n_users[best] = 0;
	}
	free(n_users);
	return text;
}

static const char *release_of(const struct grouping *g, const struct module *m)
{
	const char *vermagic = m ? m->info.vermagic : NULL;

	return vermagic ? arena_strndup(g->arena, vermagic, strcspn(vermagic, " ")) : NULL;
}

static void tell_vermagic(const struct grouping *g, struct cause *c, const struct module *m)
{
	if (m && m->info.vermagic)
		words_evidence(g, c, "%s vermagic: %s.", c->n_modules == 1 ? "Its" : "Their",
			       arena_strndup(g->arena, m->info.vermagic,
					     strlen(m->info.vermagic) -
						     text_has_suffix(m->info.vermagic, " ")));
}

static const char *rebuild_hint(const struct grouping *g, const struct module *m)
{
	const char *release = release_of(g, m);
	bool is_same = release && g->kernel->release && !strcmp(release, g->kernel->release);

	if (m && m->is_installed && is_same)
		return "another build of this release: install the modules of this "
		       "build, and remove what an older one left";
	if (m && !m->is_installed)
		return "rebuild it against this kernel's headers (make -C /lib/modules/KVER/build "
		       "M=$PWD), or load it on the kernel that it was built for";
	return arena_printf(g->arena, "install modules that were built with this kernel%s%s",
			    release ? ", or boot the kernel that they belong to: " : "",
			    release ? release : "");
}

static void tell_rest(const struct grouping *g, struct cause *c)
{
	uint32_t n_crc, n_lost, n_absent;
	const char *text;

	words_symbols(g, c, RULE_CRC_MISMATCH, &n_crc);
	if (n_crc)
		words_evidence(g, c, "%s other symbol%s", text_count(g->arena, n_crc),
			       n_crc == 1 ? " has another version." : "s have other versions.");
	text = words_symbols(g, c, N_RULES, &n_lost);
	if (n_lost)
		words_evidence(g, c, "%s symbol%s not exported: %s.", text_count(g->arena, n_lost),
			       n_lost == 1 ? " is" : "s are", text);
	text = words_symbols(g, c, RULE_PROVIDER_NOT_INSTALLED, &n_absent);
	if (n_absent)
		words_evidence(g, c, "%s symbol%s of modules that are not installed: %s.",
			       text_count(g->arena, n_absent), n_absent == 1 ? " is" : "s are",
			       text);
}

static void describe_layout(const struct grouping *g, struct cause *c)
{
	const struct finding *f = words_first(g, c, RULE_MODULE_LAYOUT_MISMATCH);
	const struct module *m = first_module(g, c);

	c->symbol = f ? f->symbol : NAME_NONE;
	if (f)
		words_evidence(g, c, "%s: built against %s, the kernel has %s (%s).",
			       names_text(g->names, f->symbol), f->actual ? f->actual : "none",
			       f->expected, words_where(g, f->ksym - 1));
	tell_direct(g, c);
	const char *model = tell_models(g, c);
	tell_vermagic(g, c, m);
	tell_rest(g, c);
	c->title = model ? arena_printf(g->arena, "built for %s, the kernel is %s", model,
					g->preemption->name)
			 : "built for another kernel or configuration";
	c->hint = rebuild_hint(g, m);
}

/* Another model, told by MC501 alone or together with the vermagic. */
static void describe_model(const struct grouping *g, struct cause *c)
{
	const struct module *m = first_module(g, c);
	const struct finding *vermagic = words_first(g, c, RULE_VERMAGIC_MISMATCH);
	uint32_t n;
	const char *text = words_symbols(g, c, N_RULES, &n), *model = tell_models(g, c);

	c->title = model ? arena_printf(g->arena, "built for %s, the kernel is %s", model,
					g->preemption->name)
			 : "built for another kernel";
	tell_direct(g, c);
	if (vermagic)
		words_evidence(g, c, "The module%s '%s', the kernel '%s'.",
			       c->n_modules == 1 ? " has" : "s have", vermagic->actual,
			       vermagic->expected);
	else
		tell_vermagic(g, c, m);
	if (n)
		words_evidence(g, c, "Not exported: %s.", text);
	else if (*signs_of(g, c))
		words_evidence(g, c, "%s %s.", c->n_modules == 1 ? "It needs" : "They need",
			       signs_of(g, c));
	if (c->severity < SEV_ERROR)
		words_evidence(g, c,
			       "The kernel would load %s all the same: nothing that it "
			       "checks differs.",
			       c->n_modules == 1 ? "it" : "them");
	c->hint = rebuild_hint(g, m);
}

static void describe_family(const struct grouping *g, struct cause *c)
{
	const char *config = c->id + strlen(KEY_FAMILY);
	uint32_t n;
	const char *text = words_symbols(g, c, N_RULES, &n);
	const struct finding *f = &g->findings[c->findings[0]];
	const struct family *family = f->symbol ? words_family(g, f->symbol) : NULL;

	c->family = family ? family->name : NULL;
	c->title = arena_printf(g->arena, "%s symbols of %s", text_count(g->arena, n), config);
	words_evidence(g, c, "The kernel exports none of them: %s.", text);
	if (family)
		words_evidence(g, c, "%s %s.", config, family->why);
	c->hint =
		arena_printf(g->arena,
			     "the modules were built with %s and the kernel likely was not: build "
			     "both from one configuration",
			     config);
}

bool joint_describe(const struct grouping *g, struct cause *c)
{
	if (is_kind(c, KEY_LAYOUT))
		describe_layout(g, c);
	else if (is_kind(c, KEY_MODEL) ||
		 (is_kind(c, KEY_VERMAGIC) && words_first(g, c, RULE_PREEMPT_MODEL_MISMATCH)))
		describe_model(g, c);
	else if (is_kind(c, KEY_FAMILY))
		describe_family(g, c);
	else
		return false;
	return true;
}
