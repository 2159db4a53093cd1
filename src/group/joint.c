/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group/joint.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/words.h"

static bool is_kind(const struct cause *c, const char *prefix)
{
	return text_has_prefix(c->id, prefix);
}

/* The first of the cause's modules that has findings of its own. */
static const struct module *first_module(const struct grouping *g, const struct cause *c)
{
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (f->module != MODULE_NONE && f->rule != RULE_PROVIDER_REFUSED)
			return &g->modules[f->module];
	}
	return c->n_modules ? &g->modules[c->modules[0]] : NULL;
}

/* The models that all of the cause's modules fit: what they were built for. */
static uint8_t common_models(const struct grouping *g, const struct cause *c)
{
	uint8_t models = MODEL_ANY;

	for (uint32_t i = 0; i < c->n_modules; i++)
		models &= preemption_of_module(g->preemption, &g->modules[c->modules[i]]);
	return models;
}

/* "They were built for PREEMPT_RT, the kernel is PREEMPT_DYNAMIC (config, exports)." */
static const char *tell_models(const struct grouping *g, struct cause *c)
{
	const struct preemption *p = g->preemption;
	uint8_t models = common_models(g, c);

	if (models == 0 || models == MODEL_ANY || p->models == MODEL_ANY || (models & p->models))
		return NULL;
	const char *name = preemption_name(models, g->arena);
	words_evidence(g, c, "They were built for %s; the kernel is %s (%s).", name, p->name,
		       p->n_evidence ? p->evidence[0] : "exports");
	c->family = "preemption";
	return name;
}

static const char *release_of(const struct grouping *g, const struct module *m)
{
	const char *vermagic = m ? m->info.vermagic : NULL;

	return vermagic ? arena_strndup(g->arena, vermagic, strcspn(vermagic, " ")) : NULL;
}

static void tell_vermagic(const struct grouping *g, struct cause *c, const struct module *m)
{
	if (m && m->info.vermagic)
		words_evidence(g, c, "Their vermagic: %s.",
			       arena_strndup(g->arena, m->info.vermagic,
					     strlen(m->info.vermagic) -
						     text_has_suffix(m->info.vermagic, " ")));
}

static const char *rebuild_hint(const struct grouping *g, const struct module *m)
{
	const char *release = release_of(g, m);

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
		words_evidence(g, c, "%s other symbols have other versions.",
			       text_count(g->arena, n_crc));
	text = words_symbols(g, c, N_RULES, &n_lost);
	if (n_lost)
		words_evidence(g, c, "%s symbols are not exported: %s.",
			       text_count(g->arena, n_lost), text);
	text = words_symbols(g, c, RULE_PROVIDER_NOT_INSTALLED, &n_absent);
	if (n_absent)
		words_evidence(g, c, "%s symbols are of modules that are not installed: %s.",
			       text_count(g->arena, n_absent), text);
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
	const char *model = tell_models(g, c);
	tell_vermagic(g, c, m);
	tell_rest(g, c);
	c->title = model ? arena_printf(g->arena, "built for another kernel (%s)", model)
			 : "built for another kernel or configuration";
	c->hint = rebuild_hint(g, m);
}

static void describe_model(const struct grouping *g, struct cause *c)
{
	const struct module *m = first_module(g, c);
	uint32_t n;
	const char *text = words_symbols(g, c, N_RULES, &n);

	c->family = "preemption";
	c->title = arena_printf(g->arena, "%s symbols of %s kernels", text_count(g->arena, n),
				c->id + strlen(KEY_MODEL));
	tell_models(g, c);
	tell_vermagic(g, c, m);
	words_evidence(g, c, "Not exported: %s.", text);
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
	else if (is_kind(c, KEY_MODEL))
		describe_model(g, c);
	else if (is_kind(c, KEY_FAMILY))
		describe_family(g, c);
	else
		return false;
	return true;
}
