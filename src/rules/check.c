/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "families.h"
#include "kernel/evidence.h"
#include "kernel/vermagic.h"
#include "rules/arch.h"
#include "rules/relocation.h"

/* Where the family decides, rules on symbols are run first and sorted out afterwards. */
static bool is_wanted(const struct check *c, enum rule_id rule)
{
	return policy_options_wants(c->policy, rule, false) ||
	       (c->policy->selects_preempt && policy_options_wants(c->policy, rule, true) &&
		rule_table[rule].stage == STAGE_SYMBOLS);
}

struct finding *check_add_as(struct check *c, enum rule_id rule, uint32_t module,
			     enum severity severity)
{
	if (!is_wanted(c, rule))
		return NULL;
	VEC_PUSH(c->findings, c->n_findings, c->cap_findings) = (struct finding) {
		.rule = (uint16_t)rule,
		.severity = (uint8_t)severity,
		.stage = rule_table[rule].stage,
		.error = rule_table[rule].error,
		.module = module,
		.cause = CAUSE_NONE,
		.behind = MODULE_NONE,
		.path = module == MODULE_NONE ? NULL : c->modules[module].path,
	};
	if (severity == SEV_ERROR && module != MODULE_NONE)
		c->is_refused[module] = true;
	return &c->findings[c->n_findings - 1];
}

struct finding *check_add(struct check *c, enum rule_id rule, uint32_t module)
{
	return check_add_as(c, rule, module, rule_table[rule].severity);
}

const char *module_loaded_name(const struct module *m)
{
	return m->struct_name ? m->struct_name : m->name;
}

bool check_linked_export(const struct check *c, const struct link *link, struct export *e)
{
	if (link->state == LINK_MODULE) {
		*e = c->modules[link->target].exports[link->extra];
		return true;
	}
	if (link->state != LINK_KERNEL)
		return false;
	const struct ksym *s = &c->kernel->syms[link->target];
	*e = (struct export) {
		.name = s->name,
		.ns = s->ns,
		.crc = s->crc,
		.licence = s->licence,
		.has_crc = s->has_crc,
	};
	return true;
}

struct finding *check_add_on_import(struct check *c, enum rule_id rule, enum severity severity,
				    uint32_t module, uint32_t import)
{
	const struct link *link = &c->links->links[module][import];
	struct finding *f = check_add_as(c, rule, module, severity);

	if (!f)
		return NULL;
	f->order = import;
	f->symbol = c->modules[module].imports[import].name;
	f->ksym = link->state == LINK_KERNEL ? link->target + 1 : 0;
	f->provider = link->state == LINK_KERNEL ? "vmlinux" : c->modules[link->target].name;
	return f;
}

/* A majority vote, one candidate at a time: who has more than half of the voices is left. */
struct vote {
	uint64_t candidate; /* 0: no voice yet */
	uint32_t lead, n;   /* n: voices */
};

static void vote_add(struct vote *v, uint64_t voice)
{
	if (voice == 0)
		return;
	if (v->lead == 0)
		v->candidate = voice;
	v->lead += voice == v->candidate ? 1 : (uint32_t)-1;
	v->n++;
}

/* The machine of the configuration, else the one that most modules have. */
static uint16_t find_machine(const struct check *c)
{
	struct vote vote = { 0 };

	if (c->kernel->machine)
		return c->kernel->machine;
	for (uint32_t i = 0; i < c->n_modules; i++)
		vote_add(&vote, c->modules[i].machine);
	return (uint16_t)vote.candidate;
}

static bool is_preemption(const struct check *c, const struct finding *f)
{
	const char *text = names_text(c->names, f->symbol);
	const struct family *family =
		family_of(text, symbol_base_length(text, names_length(c->names, f->symbol)));

	return family && strcmp(family->name, "preemption") == 0;
}

/* --select preempt and --ignore preempt: keep what they leave, and judge anew by that. */
static void filter_family(struct check *c)
{
	size_t n = 0;

	if (!c->policy->selects_preempt && !c->policy->ignores_preempt)
		return;
	memset(c->is_refused, 0, c->n_modules * sizeof(*c->is_refused));
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &c->findings[i];
		if (!policy_options_wants(c->policy, (enum rule_id)f->rule, is_preemption(c, f)))
			continue;
		if (f->severity == SEV_ERROR && f->module != MODULE_NONE)
			c->is_refused[f->module] = true;
		c->findings[n++] = *f;
	}
	c->n_findings = n;
}

static int compare_findings(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->stage != b->stage) /* what is no matter of the loader goes last */
		return (uint8_t)(a->stage - 1) < (uint8_t)(b->stage - 1) ? -1 : 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return a->symbol != b->symbol ? (a->symbol < b->symbol ? -1 : 1) : 0;
}

/*
 * The loader stops at the first stage that fails. Within symbol resolution it goes on to the
 * last symbol and returns that one's error, so there the last finding is the terminal one.
 */
static void mark_terminal(struct check *c)
{
	const size_t n = c->n_findings;

	for (size_t i = 0, end; i < n; i = end) {
		const struct finding *first = NULL;
		size_t stop = i;
		for (end = i; end < n && c->findings[end].module == c->findings[i].module; end++) {
			const struct finding *f = &c->findings[end];
			if (f->severity != SEV_ERROR || f->stage == 0)
				continue;
			if (!first)
				first = f;
			if (f == first ||
			    (first->stage == STAGE_SYMBOLS && f->stage == STAGE_SYMBOLS))
				stop = end;
		}
		if (first && first->module != MODULE_NONE)
			c->findings[stop].is_terminal = true;
	}
}

/*
 * Nearly all imports of nearly all trees are exported by the kernel to everyone, in no namespace,
 * with the right CRC: these are passed over in one look. The rules see the rest.
 */
static bool is_plain(const struct check *c, const struct import *import, const struct link *link)
{
	if (link->state != LINK_KERNEL)
		return false;
	const struct ksym *s = &c->kernel->syms[link->target];
	if (s->ns != NAME_NONE || (s->licence != LICENCE_ANY && !c->is_compatible))
		return false;
	return !s->has_crc || ((import->flags & IMPORT_HAS_CRC) && import->crc == s->crc);
}

/* What is said of tags and versions holds only where the sections could be found. */
static bool is_malformed(const struct module *m)
{
	for (const struct fault *f = m->faults; f; f = f->next) {
		if (f->kind == FAULT_ELF || f->kind == FAULT_TRUNCATED)
			return true;
	}
	return false;
}

static bool is_weak_link(const struct module *m, const struct link *link, uint32_t import)
{
	return link->state == LINK_MODULE && (m->imports[import].flags & IMPORT_WEAK);
}

/* Version and use of weak symbols, once it is known which modules load. */
static void check_weak_links(struct check *c)
{
	for (uint32_t m = 0; m < c->n_modules; m++) {
		const struct module *mod = &c->modules[m];
		if (!c->has_weak[m] || c->is_refused[m])
			continue;
		c->is_compatible = module_is_compatible(mod);
		for (uint32_t i = 0; i < mod->n_imports; i++) {
			const struct link *link = &c->links->links[m][i];
			if (!is_weak_link(mod, link, i) || c->is_refused[link->target])
				continue;
			check_version(c, m, i);
			check_use(c, m, i);
		}
	}
}

static void check_module(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	if (!m->is_rebuilt)
		check_signature(c, module);
	if (!check_file(c, module))
		return; /* of another machine: nothing else of it means anything here */
	if (!m->is_readable)
		return;
	bool is_whole = !is_malformed(m);
	c->is_compatible = !is_whole || module_is_compatible(m);
	if (is_whole && !m->is_rebuilt) {
		check_layout(c, module);
		check_vermagic(c, module);
		check_struct_size(c, module);
	}
	if (is_whole) {
		check_licence(c, module);
		check_taints(c, module);
	}
	for (uint32_t i = 0; i < m->n_imports; i++) {
		const struct link *link = &c->links->links[module][i];
		if (is_plain(c, &m->imports[i], link))
			continue;
		check_symbol(c, module, i);
		bool is_weak = is_weak_link(m, link, i);
		c->has_weak[module] |= is_weak;
		/* a weak symbol of a module that does not load is not found: see check_weak_links()
		 */
		if (!is_whole || is_weak)
			continue;
		check_version(c, module, i);
		check_use(c, module, i);
	}
	check_static_calls(c, module);
}

/* The size that most modules have: they were made with the kernel. 0 if there are few. */
static uint64_t find_struct_size(const struct check *c)
{
	struct vote vote = { 0 };

	for (uint32_t i = 0; i < c->n_modules; i++) {
		if (c->modules[i].is_installed)
			vote_add(&vote, c->modules[i].this_module_size);
	}
	return vote.n >= 8 && vote.lead > vote.n / 2 ? vote.candidate : 0;
}

static void ask_config(struct check *c)
{
	const struct kconfig *config = &c->kernel->config;

	c->strict_rwx = kconfig_get(config, "CONFIG_STRICT_MODULE_RWX");
	c->retpoline = kconfig_get(config, "CONFIG_RETPOLINE") == KCONFIG_YES
			       ? KCONFIG_YES
			       : kconfig_get(config, "CONFIG_MITIGATION_RETPOLINE");
	c->livepatch = kconfig_get(config, "CONFIG_LIVEPATCH");
	c->signatures = kconfig_get(config, "CONFIG_MODULE_SIG");
	c->signature_force = kconfig_get(config, "CONFIG_MODULE_SIG_FORCE");
	c->vermagic =
		c->kernel->vermagic ? c->kernel->vermagic : vermagic_of_config(c->kernel, c->arena);
	c->struct_size =
		c->kernel->module_struct_size ? c->kernel->module_struct_size : find_struct_size(c);
	c->modversions = kconfig_get(config, "CONFIG_MODVERSIONS");
	c->force_load = kconfig_get(config, "CONFIG_MODULE_FORCE_LOAD");
	c->allow_missing_namespaces =
		kconfig_get(config, "CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS");
}

static void sort_findings(struct check *c)
{
	if (c->n_findings)
		qsort(c->findings, c->n_findings, sizeof(*c->findings), compare_findings);
	mark_terminal(c);
}

void check_finish(struct check *c)
{
	filter_family(c);
	sort_findings(c);
}

void check_run(struct check *c)
{
	ask_config(c);
	c->inherits = arena_array(c->arena, c->n_modules, sizeof(*c->inherits));
	c->is_refused = arena_array(c->arena, c->n_modules, sizeof(*c->is_refused));
	c->has_weak = arena_array(c->arena, c->n_modules, sizeof(*c->has_weak));
	c->machine = find_machine(c);
	c->needed_sections = arch_needed_sections(c);
	for (uint32_t m = 0; m < c->n_modules; m++)
		check_module(c, m);
	for (uint32_t m = 0; m < c->n_modules; m++) {
		if (c->modules[m].is_readable)
			check_exports(c, m);
	}
	check_tree(c);
	check_index(c);
	check_softdeps(c);
	check_blacklist(c);
	check_dep(c);
	check_inheritance(c);
	check_cycles(c);
	check_foreign(c);
	filter_family(c);
	check_providers(c);
	size_t n = c->n_findings;
	check_weak_links(c);
	if (c->n_findings > n)
		check_providers(c);
	check_preemption(c);
	check_rebuilds(c);
	sort_findings(c);
}
