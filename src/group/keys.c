/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cause a finding belongs to. In this order:
 *
 *   MC303:<CRC>        the module has another module_layout: with all else that it lacks
 *   model:<model>      it was built for a preemption model that is not the kernel's: all it misses
 *   family:<config>    the kernel has no symbol of the family
 *   <rule>:<module>    several symbols that only this module misses
 *   <rule>:...         by rule: the symbol, the provider, the namespace, the kind of damage
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "families.h"
#include "group/group.h"
#include "rules/table.h"

struct keys {
	const struct grouping *g;
	struct arena *arena;
	const char **layout_key; /* [module] NULL, or the key of its foreign layout */
	uint8_t *models;         /* [module] filled where needed */
	uint32_t *n_users; /* [nameid] modules that have a finding of the rule at hand on it */
	uint32_t *n_own;   /* [module] findings on symbols that no other module misses */
	bool has_model_cause;
	bool *has_family_cause;       /* [family row] */
	const struct family **family; /* [nameid] of missing symbols */
};

static bool is_missing(const struct finding *f)
{
	return f->rule == RULE_UNDEFINED_SYMBOL || f->rule == RULE_DEFINED_NOT_EXPORTED;
}

/* Findings that a foreign module_layout explains. */
static bool is_of_layout(const struct finding *f)
{
	return is_missing(f) || f->rule == RULE_CRC_MISMATCH || f->rule == RULE_VERMAGIC_MISMATCH ||
	       f->rule == RULE_STRUCT_MODULE_SIZE || f->rule == RULE_MODULE_LAYOUT_MISMATCH ||
	       f->rule == RULE_CRC_MISSING_IN_MODULE || f->rule == RULE_PROVIDER_NOT_INSTALLED;
}

static bool is_other_model(const struct keys *k, uint32_t module)
{
	uint8_t kernel = k->g->preemption->models;

	return kernel != MODEL_ANY && !(k->models[module] & kernel);
}

static void find_layouts(struct keys *k)
{
	for (uint32_t i = 0; i < k->g->n_findings; i++) {
		const struct finding *f = &k->g->findings[i];
		if (f->rule != RULE_MODULE_LAYOUT_MISMATCH)
			continue;
		k->layout_key[f->module] =
			arena_printf(k->arena, KEY_LAYOUT "%s", f->actual ? f->actual : "none");
	}
}

/* The family of each missing symbol, once a symbol. */
static void find_families(struct keys *k)
{
	const struct names *names = k->g->names;

	for (uint32_t i = 0; i < k->g->n_findings; i++) {
		const struct finding *f = &k->g->findings[i];
		if (!is_missing(f) || k->family[f->symbol])
			continue;
		const char *text = names_text(names, f->symbol);
		k->family[f->symbol] =
			family_of(text, symbol_base_length(text, names_length(names, f->symbol)));
	}
}

static bool kernel_has_some(const struct keys *k, const struct family *family)
{
	const char *list = family->symbols;
	char word[64];

	while ((list = family_next_symbol(list, word, sizeof(word)))) {
		if (kernel_exports(k->g->kernel, k->g->links, k->g->names, word))
			return true;
	}
	return false;
}

/*
 * A family or a model is a cause when at least two of its symbols are missing: one alone is
 * told better by its name.
 */
static void find_joint_causes(struct keys *k)
{
	size_t n_rows;
	const struct family *rows = family_rows(&n_rows);
	uint32_t *n_missing = mem_zalloc(n_rows * sizeof(*n_missing)), n_of_model = 0;
	uint8_t *is_seen = mem_zalloc(names_count(k->g->names));

	for (uint32_t i = 0; i < k->g->n_findings; i++) {
		const struct finding *f = &k->g->findings[i];
		const struct family *family = is_missing(f) ? k->family[f->symbol] : NULL;
		if (!family || k->layout_key[f->module])
			continue;
		bool is_new = !(is_seen[f->symbol] & 1);
		bool is_new_of_model =
			family->models && is_other_model(k, f->module) && !(is_seen[f->symbol] & 2);
		is_seen[f->symbol] |= (uint8_t)(1 | (is_new_of_model ? 2 : 0));
		n_missing[family - rows] += is_new;
		n_of_model += is_new_of_model;
	}
	k->has_model_cause = n_of_model >= 2;
	for (size_t i = 0; i < n_rows; i++)
		k->has_family_cause[i] = n_missing[i] >= 2 && !kernel_has_some(k, &rows[i]);
	free(n_missing);
	free(is_seen);
}

static const char *joint_key(const struct keys *k, const struct finding *f)
{
	size_t n_rows;
	const struct family *rows = family_rows(&n_rows), *family;

	if (k->layout_key[f->module] && is_of_layout(f))
		return k->layout_key[f->module];
	if (!is_missing(f))
		return NULL;
	if (k->has_model_cause && is_other_model(k, f->module))
		return arena_printf(k->arena, KEY_MODEL "%s",
				    preemption_name(k->models[f->module], k->arena));
	family = k->family[f->symbol];
	if (family && k->has_family_cause[family - rows])
		return arena_printf(k->arena, KEY_FAMILY "%s", family->config);
	return NULL;
}

/* Rules whose findings are joined by symbol, or by module where the symbols are its alone. */
static bool is_by_symbol(uint16_t rule)
{
	return rule == RULE_UNDEFINED_SYMBOL || rule == RULE_DEFINED_NOT_EXPORTED ||
	       rule == RULE_DUPLICATE_EXPORT || rule == RULE_VERSION_SUFFIX_MISMATCH ||
	       rule == RULE_GPL_ONLY_SYMBOL || rule == RULE_WEAK_UNDEFINED;
}

static const char *provider_of(const struct finding *f)
{
	return f->provider ? f->provider : "";
}

/*
 * Of the files beside the modules: one cause for all that is wrong with modules.dep, and one for
 * all that is lost; else the name, the release, or the list that could not be read.
 */
static const char *index_key(const struct finding *f)
{
	if (f->rule == RULE_MODULES_DEP_STALE)
		return "";
	if (f->rule == RULE_MODULES_ORDER_MISSING_FILE)
		return f->detail ? f->path : "";
	if (f->actual)
		return f->actual;
	return f->provider ? f->provider : f->path;
}

static const char *own_key(const struct keys *k, const struct finding *f)
{
	const char *code = rule_table[f->rule].code, *what = "";

	switch (f->rule) {
	case RULE_UNREADABLE_MODULE:
	case RULE_MALFORMED_ELF:
		what = f->module == MODULE_NONE ? f->path : f->detail;
		break;
	case RULE_BAD_RELOCATION:
	case RULE_SIGNATURE_BROKEN:
	case RULE_TAINTS:
		what = f->detail;
		break;
	case RULE_WRONG_MACHINE:
	case RULE_LICENSE_TAINTS:
		what = f->actual;
		break;
	case RULE_PROVIDER_NOT_INSTALLED:
	case RULE_CRC_MISMATCH:
	case RULE_DEPENDENCY_CYCLE:
	case RULE_DUPLICATE_MODULE:
	case RULE_PROPRIETARY_PROVIDER:
		what = provider_of(f);
		break;
	case RULE_CRC_MISSING_IN_MODULE:
		what = f->symbol ? names_text(k->g->names, f->symbol) : "exports";
		if (f->detail && f->symbol)
			what = "__versions";
		break;
	case RULE_NAMESPACE_NOT_IMPORTED:
	case RULE_RESTRICTED_TO_MODULES:
		what = names_text(k->g->names, f->ns);
		break;
	case RULE_VERMAGIC_MISMATCH:
	case RULE_STRUCT_MODULE_SIZE:
		what = f->actual;
		break;
	case RULE_BUILTIN_NAME_CLASH:
	case RULE_MODULES_DEP_STALE:
	case RULE_MODULES_ORDER_MISSING_FILE:
	case RULE_SOFTDEP_MISSING:
	case RULE_FOREIGN_MODULE:
		what = index_key(f);
		break;
	case RULE_VERMAGIC_MISSING:
	case RULE_BLACKLISTED:
	case RULE_LIVEPATCH_DISABLED:
	case RULE_SIGNATURE_MISSING:
	case RULE_RETPOLINE_MISSING:
	case RULE_STRIPPED_SYMBOLS:
	case RULE_WRITE_EXEC_SECTION:
	case RULE_DANGLING_LINK:
		return code;
	default:
		what = names_text(k->g->names, f->symbol);
	}
	return arena_printf(k->arena, "%s:%s", code, what ? what : "");
}

/* Count, for one rule, the modules of each symbol, and in each module the symbols that are its
 * alone. */
static void count_owners(struct keys *k, uint16_t rule, const char *const *keys)
{
	const struct grouping *g = k->g;

	memset(k->n_users, 0, names_count(g->names) * sizeof(*k->n_users));
	memset(k->n_own, 0, g->n_modules * sizeof(*k->n_own));
	for (uint32_t i = 0; i < g->n_findings; i++) {
		if (g->findings[i].rule == rule && !keys[i])
			k->n_users[g->findings[i].symbol]++;
	}
	for (uint32_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (f->rule == rule && !keys[i] && k->n_users[f->symbol] == 1)
			k->n_own[f->module]++;
	}
}

static void key_by_symbol(struct keys *k, uint16_t rule, const char **keys)
{
	const struct grouping *g = k->g;

	count_owners(k, rule, keys);
	for (uint32_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (f->rule != rule || keys[i])
			continue;
		bool is_lost = rule == RULE_UNDEFINED_SYMBOL && f->ksym;
		bool is_own = k->n_users[f->symbol] == 1 && k->n_own[f->module] >= 2;
		if (is_lost)
			keys[i] = arena_printf(k->arena, "%s:%s", rule_table[rule].code,
					       provider_of(f));
		else
			keys[i] = is_own ? arena_printf(k->arena, "%s:%s", rule_table[rule].code,
							f->path)
					 : own_key(k, f);
	}
}

static void find_models(struct keys *k)
{
	for (uint32_t i = 0; i < k->g->n_findings; i++) {
		uint32_t m = k->g->findings[i].module;
		if (m != MODULE_NONE && is_missing(&k->g->findings[i]) && !k->models[m])
			k->models[m] = preemption_of_module(k->g->preemption, &k->g->modules[m]);
	}
}

const char **group_keys(const struct grouping *g)
{
	size_t n_rows;
	uint32_t n_names = names_count(g->names);
	struct keys k = { .g = g, .arena = g->arena };
	const char **keys = mem_zalloc(g->n_findings * sizeof(*keys));

	family_rows(&n_rows);
	k.layout_key = mem_zalloc((g->n_modules + 1) * sizeof(*k.layout_key));
	k.models = mem_zalloc(g->n_modules + 1);
	k.n_users = mem_zalloc(n_names * sizeof(*k.n_users));
	k.n_own = mem_zalloc((g->n_modules + 1) * sizeof(*k.n_own));
	k.has_family_cause = mem_zalloc(n_rows * sizeof(*k.has_family_cause));
	k.family = mem_zalloc(n_names * sizeof(*k.family));
	find_layouts(&k);
	find_models(&k);
	find_families(&k);
	find_joint_causes(&k);
	for (uint32_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (f->rule == RULE_PROVIDER_REFUSED)
			continue;
		keys[i] = f->module == MODULE_NONE ? NULL : joint_key(&k, f);
		if (!keys[i] && !is_by_symbol(f->rule))
			keys[i] = own_key(&k, f);
	}
	for (uint16_t rule = 0; rule < N_RULES; rule++) {
		if (is_by_symbol(rule))
			key_by_symbol(&k, rule, keys);
	}
	free(k.layout_key);
	free(k.models);
	free(k.n_users);
	free(k.n_own);
	free(k.has_family_cause);
	free(k.family);
	return keys;
}
