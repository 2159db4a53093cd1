/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words (models.c) and exports tell the kernel's model. Exports do so up to a set: rt_spin_lock is
 * there only under PREEMPT_RT, the static call trampolines only under PREEMPT_DYNAMIC, and NONE and
 * VOLUNTARY export the same. A module is read by the same signs: the symbols it needs (families.c)
 * and the words of its vermagic.
 */
#include "preemption/preemption.h"

#include <string.h>

#include "base/arena.h"
#include "kernel/evidence.h"
#include "preemption/models.h"

static const struct {
	uint8_t bit;
	const char *name;
} model_names[] = {
	{ MODEL_NONE, "PREEMPT_NONE" },
	{ MODEL_VOLUNTARY, "PREEMPT_VOLUNTARY" },
	{ MODEL_FULL, "PREEMPT" },
	{ MODEL_LAZY, "PREEMPT_LAZY" },
	{ MODEL_DYNAMIC, "PREEMPT_DYNAMIC" },
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

/* Signs that only a kernel of these models shows. A kernel may have lost one of its exports, which
 * is a fault that is looked for; so there are several. */
static uint8_t models_by_exports(const struct kernel *kernel, const struct resolution *r,
				 const struct names *names)
{
	static const struct {
		const char *symbol;
		uint8_t models;
	} signs[] = {
		{ "rt_spin_lock", MODEL_RT },
		{ "rt_spin_unlock", MODEL_RT },
		{ "__SCT__preempt_schedule", MODEL_DYNAMIC },
		{ "__SCT__cond_resched", MODEL_DYNAMIC },
		{ "dynamic_preempt_schedule", MODEL_DYNAMIC },
		{ "dynamic_cond_resched", MODEL_DYNAMIC },
		{ "preempt_schedule_thunk", MODEL_FULL | MODEL_LAZY },
		{ "___preempt_schedule", MODEL_FULL },
		{ "preempt_schedule", MODEL_FULL | MODEL_LAZY },
	};

	for (size_t i = 0; kernel->has_exports && i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (kernel_exports(kernel, r, names, signs[i].symbol))
			return models_narrow(signs[i].models, kernel->version);
	}
	return MODEL_ANY;
}

/* What the kernel only defines, exported or not, is in it. */
static uint8_t models_by_definition(const struct kernel *kernel, const struct resolution *r,
				    const struct names *names)
{
	static const struct {
		const char *symbol;
		uint8_t models;
	} signs[] = {
		{ "rt_spin_lock", MODEL_RT },
		{ "preempt_schedule", MODEL_FULL | MODEL_DYNAMIC | MODEL_LAZY | MODEL_RT },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		nameid name = names_find(names, signs[i].symbol, strlen(signs[i].symbol));
		uint32_t k = name ? r->ksym_of[name] : KSYM_NONE;
		if (k != KSYM_NONE && !kernel->syms[k].is_exported)
			return models_narrow(signs[i].models, kernel->version);
	}
	return MODEL_ANY;
}

/*
 * What the lack of such signs leaves: all RT kernels export rt_spin_lock, and *shows_calm is set
 * where the kernel has what only those without preemption need, or, before 2.6.20, nothing at all.
 */
static uint8_t models_by_silence(const struct kernel *kernel, const struct resolution *r,
				 const struct names *names, bool *shows_calm)
{
	*shows_calm = kernel->has_exports &&
		      (kernel_exports(kernel, r, names, "__cond_resched") ||
		       kernel_exports(kernel, r, names, "_cond_resched") ||
		       (kernel->version && kernel->version < KERNEL_VERSION_CODE(2, 6, 20)));
	return *shows_calm ? MODEL_ANY & ~MODEL_RT : MODEL_ANY;
}

/* What one source says. */
struct testimony {
	const char *source;
	uint8_t models;
	const char *verb; /* "exports" show, a "banner" says */
};

/* Those who agree stand first. */
static void add_evidence(struct preemption *p, const char *source)
{
	for (uint32_t i = p->n_evidence++; i > p->n_agreeing; i--)
		p->evidence[i] = p->evidence[i - 1];
	p->evidence[p->n_agreeing++] = source;
}

static void contradict(struct preemption *p, const struct testimony *t, struct arena *a)
{
	p->evidence[p->n_evidence++] =
		arena_printf(a, "but the %s says %s", t->source, preemption_name(t->models, a));
	if (!p->contradiction)
		p->contradiction = arena_printf(a, "The %s %s %s", t->source, t->verb,
						preemption_name(t->models, a));
}

static void hear(struct preemption *p, const struct testimony *t, struct arena *a)
{
	if (t->models == MODEL_ANY)
		return;
	if (!(p->models & t->models)) {
		contradict(p, t, a);
		return;
	}
	p->models &= t->models;
	add_evidence(p, t->source);
}

/*
 * Exports are the kernel that modules meet, and banner and vermagic come from the same file; a
 * configuration was only found lying beside it. So the former win; but they often leave a choice,
 * and then the configuration makes it. Not so where exports are merely absent: a kernel whose
 * configuration says PREEMPT and whose exports lack it is the very fault that modcheck looks for,
 * not another kernel. Only an RT kernel without any lock that sleeps is no RT kernel.
 */
static void decide(struct preemption *p, const struct kernel *kernel, const struct resolution *r,
		   const struct names *names, struct arena *a)
{
	bool shows_calm;
	const struct testimony config = { "config", models_by_config(kernel), "says" };
	bool is_alone = config.models == MODEL_ANY; /* else definitions are the weaker word */
	const struct testimony heard[] = {
		{ "exports", models_by_exports(kernel, r, names), "show" },
		{ "symbols", is_alone ? models_by_definition(kernel, r, names) : MODEL_ANY,
		  "show" },
		{ "banner", models_by_banner(kernel->banner), "says" },
		{ "vermagic", kernel->vermagic ? models_by_vermagic(kernel->vermagic) : MODEL_ANY,
		  "says" },
	};
	uint8_t silence = models_by_silence(kernel, r, names, &shows_calm);

	for (size_t i = 0; i < sizeof(heard) / sizeof(heard[0]); i++)
		hear(p, &heard[i], a);
	if (p->models & silence)
		p->models &= silence;
	hear(p, &config, a);
	p->models = models_narrow(p->models, kernel->version);
	p->excluded = (uint8_t)(MODEL_ANY & ~p->models);
	if (!shows_calm || !(p->models & (MODEL_NONE | MODEL_VOLUNTARY)))
		return;
	p->models = models_narrow(p->models & (MODEL_NONE | MODEL_VOLUNTARY), kernel->version);
	if (heard[0].models == MODEL_ANY)
		add_evidence(p, "exports");
}

/* What a dynamic kernel begins with is the choice beside it (kernel/Kconfig.preempt). */
static const char *mode_at_boot(const struct preemption *p, const struct kernel *kernel)
{
	static const struct {
		const char *option, *mode;
	} modes[] = {
		{ "CONFIG_PREEMPT_NONE", "none" },
		{ "CONFIG_PREEMPT_VOLUNTARY", "voluntary" },
		{ "CONFIG_PREEMPT_LAZY", "lazy" },
		{ "CONFIG_PREEMPT", "full" },
	};

	bool is_told = p->models == MODEL_DYNAMIC && models_by_config(kernel) == MODEL_DYNAMIC;

	for (size_t i = 0; is_told && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (kconfig_get(&kernel->config, modes[i].option) == KCONFIG_YES)
			return modes[i].mode;
	}
	return NULL;
}

/* "The config says PREEMPT, the exports show PREEMPT_RT": two builds. */
static void tell_contradiction(struct preemption *p, struct arena *a)
{
	if (p->contradiction)
		p->contradiction = arena_printf(
			a, "%s, the %s %s %s", p->contradiction, p->evidence[0],
			strcmp(p->evidence[0], "exports") == 0 ? "show" : "says", p->name);
}

/* The CRC that modules are held to before all others (check_modstruct_version()); 0: not known. */
static uint32_t layout_crc_of(const struct kernel *kernel, const struct resolution *r,
			      const struct names *names)
{
	static const char *const symbols[] = { "module_layout", "struct_module" };

	for (size_t i = 0; i < 2; i++) {
		nameid name = names_find(names, symbols[i], strlen(symbols[i]));
		uint32_t k = name ? r->ksym_of[name] : KSYM_NONE;
		if (k != KSYM_NONE && kernel->syms[k].has_crc)
			return kernel->syms[k].crc;
	}
	return 0;
}

void preemption_of_kernel(struct preemption *p, const struct kernel *kernel,
			  const struct resolution *r, const struct names *names, struct arena *a)
{
	*p = (struct preemption) { .models = MODEL_ANY };
	index_families(p, names, a);
	decide(p, kernel, r, names, a);
	p->layout_crc = layout_crc_of(kernel, r, names);
	p->name = preemption_name(p->models, a);
	p->at_boot = mode_at_boot(p, kernel);
	tell_contradiction(p, a);
}

static uint32_t version_of_module(const struct module *m)
{
	const char *release = m->info.vermagic ? m->info.vermagic : m->info.kernel_version;

	return release ? kernel_version_of(release) : 0;
}

/* What it needs is what it was built for; a vermagic that contradicts that was patched. */
uint8_t preemption_of_module(const struct preemption *p, const struct module *m)
{
	uint8_t models = MODEL_ANY, words = MODEL_ANY;

	for (uint32_t i = 0; i < m->n_imports; i++) {
		uint8_t needs =
			m->imports[i].name < p->n_names ? p->models_of_name[m->imports[i].name] : 0;
		if (needs)
			models &= needs;
	}
	if (!models)
		return MODEL_ANY;
	if (m->info.vermagic)
		words = models_by_vermagic(m->info.vermagic);
	return models_narrow(models & words ? models & words : models, version_of_module(m));
}

/*
 * Modules with one CRC of module_layout are of one configuration, or of some that differ little:
 * locks that sleep have other structs, so PREEMPT_RT, and only that, always shows in the CRC. So
 * what one of them shows of RT holds for all, and what the kernel is for those with the kernel's
 * CRC.
 */
struct layout {
	uint32_t crc;
	uint8_t models;
};

#define MAX_LAYOUTS 16 /* builds in one tree; modules of more are only judged by themselves */

static struct layout *find_layout(struct layout *layouts, uint32_t *n, uint32_t crc)
{
	for (uint32_t i = 0; i < *n; i++) {
		if (layouts[i].crc == crc)
			return &layouts[i];
	}
	if (*n == MAX_LAYOUTS)
		return NULL;
	layouts[*n] = (struct layout) { crc, MODEL_ANY };
	return &layouts[(*n)++];
}

static void hear_layout(struct layout *layout, uint8_t models)
{
	if (models == MODEL_RT)
		layout->models &= MODEL_RT;
	else if (!(models & MODEL_RT))
		layout->models &= (uint8_t)(MODEL_ANY & ~MODEL_RT);
}

static void join_layouts(struct preemption *p, const struct module *modules, uint32_t n_modules)
{
	struct layout layouts[MAX_LAYOUTS] = { { 0, 0 } }, *layout;
	uint32_t n = 0;

	if (p->layout_crc)
		hear_layout(find_layout(layouts, &n, p->layout_crc), p->models);
	for (uint32_t m = 0; m < n_modules; m++) {
		if (modules[m].has_layout_crc &&
		    (layout = find_layout(layouts, &n, modules[m].layout_crc)))
			hear_layout(layout, p->models_of_module[m]);
	}
	for (uint32_t m = 0; m < n_modules; m++) {
		uint8_t *models = &p->models_of_module[m];
		if (modules[m].has_layout_crc &&
		    (layout = find_layout(layouts, &n, modules[m].layout_crc)) &&
		    (*models & layout->models))
			*models &= layout->models;
	}
}

void preemption_of_modules(struct preemption *p, const struct module *modules, uint32_t n_modules,
			   struct arena *a)
{
	p->models_of_module = arena_array(a, n_modules, 1);
	for (uint32_t m = 0; m < n_modules; m++)
		p->models_of_module[m] = modules[m].is_readable
						 ? preemption_of_module(p, &modules[m])
						 : (uint8_t)MODEL_ANY;
	join_layouts(p, modules, n_modules);
}

bool preemption_is_foreign(const struct preemption *p, uint32_t module)
{
	return (p->models_of_module[module] & ~p->excluded) == 0;
}
