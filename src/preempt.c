/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration tells the model exactly. Exports tell it up to a set: rt_spin_lock is there
 * only under PREEMPT_RT, the static call trampolines only under PREEMPT_DYNAMIC, and NONE and
 * VOLUNTARY export the same. A module is read by the same signs: the symbols it needs
 * (families.c) and the words of its vermagic (include/linux/vermagic.h: "preempt" is said of
 * CONFIG_PREEMPT until 5.15 and of CONFIG_PREEMPT_BUILD, which PREEMPT_DYNAMIC and some RT
 * kernels set, from 5.16 on; "preempt_rt" since 5.4).
 */
#include "preempt.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "kernel/evidence.h"

static const struct {
	uint8_t bit;
	const char *name;
} model_names[] = {
	{ MODEL_NONE, "PREEMPT_NONE" }, { MODEL_VOLUNTARY, "PREEMPT_VOLUNTARY" },
	{ MODEL_FULL, "PREEMPT" },      { MODEL_DYNAMIC, "PREEMPT_DYNAMIC" },
	{ MODEL_RT, "PREEMPT_RT" },
};

#define N_MODELS (sizeof(model_names) / sizeof(model_names[0]))

const char *preemption_name(uint8_t models, struct arena *a)
{
	const char *text = "";

	if (models == MODEL_ANY)
		return text;
	for (size_t i = 0; i < N_MODELS; i++) {
		if (!(models & model_names[i].bit))
			continue;
		text = *text ? arena_printf(a, "%s or %s", text, model_names[i].name)
			     : model_names[i].name;
	}
	return text;
}

static uint8_t models_by_config(const struct kernel *kernel)
{
	/* the first that is set decides; 2.4 with the preempt patch knows CONFIG_PREEMPT only */
	static const struct {
		const char *option;
		uint8_t models;
	} options[] = {
		{ "CONFIG_PREEMPT_RT", MODEL_RT },
		{ "CONFIG_PREEMPT_RT_FULL", MODEL_RT },
		{ "CONFIG_PREEMPT_DYNAMIC", MODEL_DYNAMIC },
		{ "CONFIG_PREEMPT", MODEL_FULL },
		{ "CONFIG_PREEMPT_BUILD", MODEL_FULL },
		{ "CONFIG_PREEMPTION", MODEL_FULL },
		{ "CONFIG_PREEMPT_VOLUNTARY", MODEL_VOLUNTARY },
		{ "CONFIG_PREEMPT_VOLUNTARY_BUILD", MODEL_VOLUNTARY },
		{ "CONFIG_PREEMPT_NONE", MODEL_NONE },
		{ "CONFIG_PREEMPT_NONE_BUILD", MODEL_NONE },
	};

	if (!kernel->config.text)
		return MODEL_ANY;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (kconfig_get(&kernel->config, options[i].option) == KCONFIG_YES)
			return options[i].models;
	}
	return MODEL_NONE;
}

static uint8_t models_by_exports(const struct kernel *kernel, const struct resolution *r,
				 const struct names *names)
{
	static const struct {
		const char *symbol;
		uint8_t models;
	} signs[] = {
		{ "rt_spin_lock", MODEL_RT },
		{ "__SCT__preempt_schedule", MODEL_DYNAMIC },
		{ "__SCT__cond_resched", MODEL_DYNAMIC },
		{ "dynamic_preempt_schedule", MODEL_DYNAMIC },
		{ "dynamic_cond_resched", MODEL_DYNAMIC },
		{ "preempt_schedule_thunk", MODEL_FULL },
		{ "___preempt_schedule", MODEL_FULL },
		{ "preempt_schedule", MODEL_FULL },
		{ "__cond_resched", MODEL_NONE | MODEL_VOLUNTARY },
		{ "_cond_resched", MODEL_NONE | MODEL_VOLUNTARY },
	};

	if (!kernel->has_exports)
		return MODEL_ANY;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (kernel_exports(kernel, r, names, signs[i].symbol))
			return signs[i].models;
	}
	/* Before 2.6.2x a kernel without preemption exported none of these. */
	return kernel->version && kernel->version < KERNEL_VERSION_CODE(2, 6, 20)
		       ? MODEL_NONE | MODEL_VOLUNTARY
		       : MODEL_ANY;
}

static void index_families(struct preemption *p, const struct names *names, struct arena *a)
{
	size_t n;
	const struct family *rows = family_rows(&n);
	char word[64];

	p->n_names = names_count(names);
	p->models_of_name = arena_array(a, p->n_names, 1);
	for (size_t i = 0; i < n; i++) {
		const char *list = rows[i].models ? rows[i].symbols : "";
		while ((list = family_next_symbol(list, word, sizeof(word))))
			p->models_of_name[names_find(names, word, strlen(word))] = rows[i].models;
	}
	p->models_of_name[NAME_NONE] = 0;
}

/*
 * Exports are the kernel that modules meet, so they win over a configuration that was only
 * found lying beside it; but they often leave a choice, and then the configuration makes it.
 * Exception: a kernel whose configuration says PREEMPT and whose exports lack it altogether is
 * the very fault that modcheck looks for, not another kernel.
 */
static void decide(struct preemption *p, uint8_t config, uint8_t exports, struct arena *a)
{
	bool is_rt_clash = config != MODEL_ANY && exports != MODEL_ANY &&
			   !!(config & MODEL_RT) != !!(exports & MODEL_RT);

	if (config != MODEL_ANY && !is_rt_clash) {
		p->models = config;
		p->evidence[p->n_evidence++] = "config";
		if (exports != MODEL_ANY && (exports & config))
			p->evidence[p->n_evidence++] = "exports";
		return;
	}
	p->models = exports;
	if (exports == MODEL_ANY)
		return;
	p->evidence[p->n_evidence++] = "exports";
	if (is_rt_clash)
		p->evidence[p->n_evidence++] =
			arena_printf(a, "but the config says %s", preemption_name(config, a));
}

void preemption_of_kernel(struct preemption *p, const struct kernel *kernel,
			  const struct resolution *r, const struct names *names, struct arena *a)
{
	*p = (struct preemption) { .models = MODEL_ANY };
	index_families(p, names, a);
	decide(p, models_by_config(kernel), models_by_exports(kernel, r, names), a);
	p->name = preemption_name(p->models, a);
}

static uint8_t models_by_vermagic(const char *vermagic)
{
	uint32_t version = kernel_version_of(vermagic);
	const char *words = strchr(vermagic, ' ');

	if (!version || !words)
		return MODEL_ANY;
	if (strstr(words, " preempt_rt "))
		return MODEL_RT;
	if (!strstr(words, " preempt ")) /* RT kernels from 5.4 on always say a word */
		return version >= KERNEL_VERSION_CODE(5, 4, 0) ? MODEL_NONE | MODEL_VOLUNTARY
							       : MODEL_ANY & ~MODEL_FULL;
	if (version < KERNEL_VERSION_CODE(5, 4, 0))
		return MODEL_FULL | MODEL_RT;
	if (version < KERNEL_VERSION_CODE(6, 12, 0))
		return MODEL_FULL | MODEL_DYNAMIC;
	return MODEL_FULL | MODEL_DYNAMIC | MODEL_RT;
}

uint8_t preemption_of_module(const struct preemption *p, const struct module *m)
{
	uint8_t models = MODEL_ANY;

	if (m->info.vermagic)
		models &= models_by_vermagic(m->info.vermagic);
	for (uint32_t i = 0; i < m->n_imports; i++) {
		uint8_t needs =
			m->imports[i].name < p->n_names ? p->models_of_name[m->imports[i].name] : 0;
		if (needs)
			models &= needs;
	}
	return models;
}

const char *preemption_census(const struct preemption *p, const struct module *modules,
			      uint32_t n_modules, struct arena *a)
{
	uint32_t same = 0, other = 0, open = 0;

	if (p->models == MODEL_ANY)
		return "";
	for (uint32_t i = 0; i < n_modules; i++) {
		if (!modules[i].is_target)
			continue;
		uint8_t models =
			modules[i].is_readable ? preemption_of_module(p, &modules[i]) : MODEL_ANY;
		if (!(models & p->models))
			other++;
		else if (models == MODEL_ANY)
			open++;
		else
			same++;
	}
	const char *text = arena_printf(a, "%s module%s built for it", text_count(a, same),
					same == 1 ? "" : "s");
	if (other)
		text = arena_printf(a, "%s, %s for another", text, text_count(a, other));
	if (open)
		text = arena_printf(a, "%s, %s cannot tell", text, text_count(a, open));
	return text;
}
