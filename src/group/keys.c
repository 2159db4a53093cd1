/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cause a finding belongs to. In this order:
 *
 *   MC303:<CRC>        the module has another module_layout: with all else that it lacks, and with
 *                      what others were not built against it
 *   MC304:<vermagic>   it was built for another model, and its vermagic tells: so far as above
 *   MC501:<model>      it was built for a preemption model that is not the kernel's: all it misses
 *   model:<model>      of a log: likely so
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
	const char **build_key; /* [module] NULL, or the key of its foreign layout or model */
	uint32_t *n_users;      /* [nameid] modules that have a finding of the rule at hand on it */
	uint32_t *n_own;        /* [module] findings on symbols that no other module misses */
	bool *has_family_cause; /* [family row] */
	const struct family **family; /* [nameid] of missing symbols */
};

static bool is_missing(const struct finding *f)
{
	return f->rule == RULE_UNDEFINED_SYMBOL || f->rule == RULE_DEFINED_NOT_EXPORTED;
}

/* Findings that a foreign module_layout explains, or another preemption model. */
static bool is_of_build(const struct finding *f)
{
	return is_missing(f) || f->rule == RULE_CRC_MISMATCH || f->rule == RULE_VERMAGIC_MISMATCH ||
	       f->rule == RULE_STRUCT_MODULE_SIZE || f->rule == RULE_MODULE_LAYOUT_MISMATCH ||
	       f->rule == RULE_CRC_MISSING_IN_MODULE || f->rule == RULE_PROVIDER_NOT_INSTALLED ||
	       f->rule == RULE_PREEMPT_MODEL_MISMATCH;
}

/* Of this rule, and not of a module that a log does not name. */
static bool is_of_module(const struct finding *f, enum rule_id rule)
{
	return f->rule == rule && f->module != MODULE_NONE;
}

/* The key of each module that belongs to another build, by the strongest sign of it. */
static void find_builds(struct keys *k)
{
	if (k->g->n_findings == 0)
		return;
	const struct finding *f, *end = k->g->findings + k->g->n_findings;
	const char *log_key = arena_printf(k->arena, KEY_LOG_MODEL "%s",
					   preemption_name(k->g->log_models, k->arena));

	for (f = k->g->findings; k->g->log_models && f < end; f++) {
		if (f->module != MODULE_NONE && is_missing(f))
			k->build_key[f->module] = log_key;
	}
	for (f = k->g->findings; f < end; f++) {
		if (f->rule == RULE_PREEMPT_MODEL_MISMATCH)
			k->build_key[f->module] = arena_printf(k->arena, KEY_MODEL "%s", f->actual);
	}
	for (f = k->g->findings; f < end; f++) {
		if (is_of_module(f, RULE_VERMAGIC_MISMATCH) && k->build_key[f->module])
			k->build_key[f->module] =
				arena_printf(k->arena, KEY_VERMAGIC "%s", f->actual);
	}
	for (f = k->g->findings; f < end; f++) {
		if (is_of_module(f, RULE_MODULE_LAYOUT_MISMATCH))
			k->build_key[f->module] = arena_printf(k->arena, KEY_LAYOUT "%s",
							       f->actual ? f->actual : "none");
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

/* A family is a cause when at least two of its symbols are missing: one alone is told better by
 * its name. */
static void find_joint_causes(struct keys *k)
{
	size_t n_rows;
	const struct family *rows = family_rows(&n_rows);
	uint32_t *n_missing = mem_zalloc(n_rows * sizeof(*n_missing));
	bool *is_seen = mem_zalloc(names_count(k->g->names) * sizeof(*is_seen));

	for (uint32_t i = 0; i < k->g->n_findings; i++) {
		const struct finding *f = &k->g->findings[i];
		const struct family *family = is_missing(f) ? k->family[f->symbol] : NULL;
		if (!family || f->module == MODULE_NONE || k->build_key[f->module] ||
		    is_seen[f->symbol])
			continue;
		is_seen[f->symbol] = true;
		n_missing[family - rows]++;
	}
	for (size_t i = 0; i < n_rows; i++)
		k->has_family_cause[i] = n_missing[i] >= 2 && !kernel_has_some(k, &rows[i]);
	free(n_missing);
	free(is_seen);
}

static const char *joint_key(const struct keys *k, const struct finding *f)
{
	size_t n_rows;
	const struct family *rows = family_rows(&n_rows), *family;

	if (k->build_key[f->module] && is_of_build(f))
		return k->build_key[f->module];
	if (f->rule == RULE_CRC_MISMATCH && f->behind != MODULE_NONE && k->build_key[f->behind])
		return k->build_key[f->behind];
	if (!is_missing(f))
		return NULL;
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

/* What tells the causes of one rule apart; of a rule that is not listed, the symbol. */
enum key_kind {
	BY_SYMBOL,
	BY_RULE, /* all of it is one cause */
	BY_DETAIL,
	BY_ACTUAL,
	BY_PROVIDER,
	BY_NAMESPACE,
	BY_PATH,
	BY_FILE,     /* the file, or what is wrong with modules */
	BY_VERSIONS, /* the symbol, unless the module or its exports have no versions at all */
	BY_INDEX,
	BY_RELEASE, /* that it was built for */
	BY_FAMILY,  /* migrate_disable() and migrate_enable() are one matter */
};

static const uint8_t key_kinds[N_RULES] = {
	[RULE_UNREADABLE_MODULE] = BY_FILE,
	[RULE_MALFORMED_ELF] = BY_FILE,
	[RULE_BAD_RELOCATION] = BY_DETAIL,
	[RULE_SIGNATURE_BROKEN] = BY_DETAIL,
	[RULE_TAINTS] = BY_DETAIL,
	[RULE_WRONG_MACHINE] = BY_ACTUAL,
	[RULE_LICENSE_TAINTS] = BY_ACTUAL,
	[RULE_VERMAGIC_MISMATCH] = BY_ACTUAL,
	[RULE_STRUCT_MODULE_SIZE] = BY_ACTUAL,
	[RULE_PROVIDER_NOT_INSTALLED] = BY_PROVIDER,
	[RULE_CRC_MISMATCH] = BY_PROVIDER,
	[RULE_DEPENDENCY_CYCLE] = BY_PROVIDER,
	[RULE_DUPLICATE_MODULE] = BY_PROVIDER,
	[RULE_PROPRIETARY_PROVIDER] = BY_PROVIDER,
	[RULE_CRC_MISSING_IN_MODULE] = BY_VERSIONS,
	[RULE_NAMESPACE_NOT_IMPORTED] = BY_NAMESPACE,
	[RULE_RESTRICTED_TO_MODULES] = BY_NAMESPACE,
	[RULE_EVIDENCE_DISAGREES] = BY_PATH,
	[RULE_BUILTIN_NAME_CLASH] = BY_INDEX,
	[RULE_MODULES_DEP_STALE] = BY_INDEX,
	[RULE_MODULES_ORDER_MISSING_FILE] = BY_INDEX,
	[RULE_SOFTDEP_MISSING] = BY_INDEX,
	[RULE_FOREIGN_MODULE] = BY_INDEX,
	[RULE_NEEDS_REBUILD] = BY_RELEASE,
	[RULE_HIDDEN_PREEMPT_CALL] = BY_FAMILY,
	[RULE_VERMAGIC_MISSING] = BY_RULE,
	[RULE_BLACKLISTED] = BY_RULE,
	[RULE_LIVEPATCH_DISABLED] = BY_RULE,
	[RULE_RT_NAME_WITHOUT_RT] = BY_RULE,
	[RULE_SIGNATURE_MISSING] = BY_RULE,
	[RULE_RETPOLINE_MISSING] = BY_RULE,
	[RULE_STRIPPED_SYMBOLS] = BY_RULE,
	[RULE_WRITE_EXEC_SECTION] = BY_RULE,
	[RULE_DANGLING_LINK] = BY_RULE,
};

static const char *family_key(const struct keys *k, const struct finding *f)
{
	const char *text = names_text(k->g->names, f->symbol);
	const struct family *family = family_of(text, names_length(k->g->names, f->symbol));

	return family ? family->config : text;
}

/* NULL: nothing tells them apart. */
static const char *key_text(const struct keys *k, const struct finding *f)
{
	switch ((enum key_kind)key_kinds[f->rule]) {
	case BY_RULE:
		return NULL;
	case BY_DETAIL:
		return f->detail;
	case BY_ACTUAL:
		return f->actual;
	case BY_PROVIDER:
		return provider_of(f);
	case BY_NAMESPACE:
		return names_text(k->g->names, f->ns);
	case BY_PATH:
		return f->path;
	case BY_FILE:
		return f->module == MODULE_NONE ? f->path : f->detail;
	case BY_VERSIONS:
		if (f->detail && f->symbol)
			return "__versions";
		return f->symbol ? names_text(k->g->names, f->symbol) : "exports";
	case BY_INDEX:
		return index_key(f);
	case BY_RELEASE:
		return f->actual ? arena_strndup(k->arena, f->actual, strcspn(f->actual, " ")) : "";
	case BY_FAMILY:
		return family_key(k, f);
	case BY_SYMBOL:
		break;
	}
	return names_text(k->g->names, f->symbol);
}

static const char *own_key(const struct keys *k, const struct finding *f)
{
	const char *code = rule_table[f->rule].code, *what = key_text(k, f);

	if (key_kinds[f->rule] == BY_RULE)
		return code;
	return arena_printf(k->arena, "%s:%s", code, what ? what : "");
}

/* A log tells of these without the configuration that makes them one cause. */
static const char *log_key(const struct keys *k, const struct finding *f)
{
	if (f->rule != RULE_SIGNATURE_MISSING && f->rule != RULE_LOAD_FAILED)
		return NULL;
	return arena_printf(k->arena, "%s:%s", rule_table[f->rule].code,
			    f->detail ? f->detail : "");
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

const char **group_keys(const struct grouping *g)
{
	size_t n_rows;
	uint32_t n_names = names_count(g->names);
	struct keys k = { .g = g, .arena = g->arena };
	const char **keys = mem_zalloc(g->n_findings * sizeof(*keys));

	family_rows(&n_rows);
	k.build_key = mem_zalloc((g->n_modules + 1) * sizeof(*k.build_key));
	k.n_users = mem_zalloc(n_names * sizeof(*k.n_users));
	k.n_own = mem_zalloc((g->n_modules + 1) * sizeof(*k.n_own));
	k.has_family_cause = mem_zalloc(n_rows * sizeof(*k.has_family_cause));
	k.family = mem_zalloc(n_names * sizeof(*k.family));
	find_builds(&k);
	find_families(&k);
	find_joint_causes(&k);
	for (uint32_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];
		if (f->rule == RULE_PROVIDER_REFUSED)
			continue;
		keys[i] = f->module == MODULE_NONE ? NULL : joint_key(&k, f);
		if (!keys[i] && g->is_log)
			keys[i] = log_key(&k, f);
		if (!keys[i] && (!is_by_symbol(f->rule) || f->module == MODULE_NONE))
			keys[i] = own_key(&k, f);
	}
	for (uint16_t rule = 0; rule < N_RULES; rule++) {
		if (is_by_symbol(rule))
			key_by_symbol(&k, rule, keys);
	}
	free(k.build_key);
	free(k.n_users);
	free(k.n_own);
	free(k.has_family_cause);
	free(k.family);
	return keys;
}
