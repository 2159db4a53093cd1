/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC701 to MC708: what of the differences bites. What was taken away is told of each module that
 * used it; a module that NEW has a build of is judged by that build where it can be (licence,
 * namespaces). Weak references to what is gone are forgiven, as the loader forgives them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "diff/stages.h"
#include "families.h"
#include "kernel/vermagic.h"
#include "machine.h"
#include "rules/check.h"
#include "rules/table.h"

/* A module of NEW that refers to an export that NEW has no more. */
struct need {
	uint32_t export, module; /* indices into d->exports, new.modules */
};

struct judge {
	struct diff *d;
	const struct policy_options *policy;
	struct diff_finding *findings; /* malloc'ed until the end */
	size_t n, cap;
	struct need *needs; /* sorted; malloc'ed until the end */
	size_t n_needs, cap_needs;
};

/* NULL if the rule is not wanted. */
static struct diff_finding *add(struct judge *j, enum rule_id rule,
				const struct module_diff *module, const struct export_diff *e)
{
	const struct family *family = e ? family_of(e->symbol, strlen(e->symbol)) : NULL;
	bool is_preempt = family && strcmp(family->name, "preemption") == 0;

	if (!policy_options_wants(j->policy, rule, is_preempt))
		return NULL;
	struct diff_finding *f = &VEC_PUSH(j->findings, j->n, j->cap);
	*f = (struct diff_finding) {
		.rule = (uint16_t)rule,
		.severity = (uint8_t)rule_table[rule].severity,
		.module = module,
		.export = e,
	};
	return f;
}

static bool new_exports(const struct diff *d, const char *symbol)
{
	nameid id = names_find(d->new.session.names, symbol, strlen(symbol));

	return id != NAME_NONE && kernel_exports(&d->new.session.kernel, &d->new.session.links,
						 d->new.session.names, symbol);
}

/* "called _printk since 5.15", NULL if it has no other name there. */
static const char *new_name(const struct diff *d, const char *symbol)
{
	const char *since, *name = family_renamed(symbol, strlen(symbol), &since);

	if (!name || !new_exports(d, name))
		return NULL;
	return arena_printf(d->arena, "it is called %s there (the name changed with %s)", name,
			    since);
}

/* By name of NEW: index into d->exports + 1 of what is gone and NEW's modules refer to. */
static uint32_t *index_removed(const struct diff *d)
{
	const struct names *names = d->new.session.names;
	uint32_t *export_of = arena_array(d->arena, names_count(names), sizeof(*export_of));

	for (uint32_t i = 0; i < d->n_exports; i++) {
		const char *symbol = d->exports[i].symbol;
		if (d->exports[i].changes & EXPORT_REMOVED)
			export_of[names_find(names, symbol, strlen(symbol))] = i + 1;
	}
	export_of[NAME_NONE] = 0;
	return export_of;
}

static int compare_needs(const void *pa, const void *pb)
{
	const struct need *a = pa, *b = pb;

	if (a->export != b->export)
		return a->export < b->export ? -1 : 1;
	return (a->module > b->module) - (a->module < b->module);
}

/* Which of NEW's own builds still refer to what NEW exports no more? */
static void find_needs(struct judge *j)
{
	const struct session *new = &j->d->new.session;
	const uint32_t *export_of = index_removed(j->d);

	for (uint32_t i = 0; i < new->n_modules; i++) {
		const struct module *m = &new->modules[i];
		for (uint32_t k = 0; k < m->n_imports; k++) {
			uint32_t e = export_of[m->imports[k].name];
			if (e && !(m->imports[k].flags & (IMPORT_WEAK | IMPORT_UNREFERENCED)))
				VEC_PUSH(j->needs, j->n_needs, j->cap_needs) =
					(struct need) { e - 1, i };
		}
	}
	if (j->n_needs)
		qsort(j->needs, j->n_needs, sizeof(*j->needs), compare_needs);
}

static bool build_needs(const struct judge *j, const struct module *twin,
			const struct export_diff *e)
{
	const struct need key = { (uint32_t)(e - j->d->exports),
				  (uint32_t)(twin - j->d->new.session.modules) };

	return j->n_needs &&
	       bsearch(&key, j->needs, j->n_needs, sizeof(*j->needs), compare_needs) != NULL;
}

static void judge_removed(struct judge *j, const struct export_diff *e,
			  const struct module_diff *user)
{
	bool is_rebuilt = user->has_build && !(user->twin && build_needs(j, user->twin, e));
	struct diff_finding *f =
		add(j, is_rebuilt ? RULE_EXPORT_REMOVED_REBUILT : RULE_EXPORT_REMOVED, user, e);

	if (f)
		f->detail = new_name(j->d, e->symbol);
}

static void judge_licence(struct judge *j, const struct export_diff *e,
			  const struct module_diff *user)
{
	const struct module *m = user->has_build && user->twin ? user->twin : user->module;

	if (user->is_builtin || !m->is_readable || module_is_compatible(m))
		return;
	struct diff_finding *f = add(j, RULE_EXPORT_NOW_GPL_ONLY, user, e);
	if (f)
		f->actual = m->info.license ? m->info.license : "unspecified";
}

static void judge_namespace(struct judge *j, const struct export_diff *e,
			    const struct module_diff *user)
{
	const struct session *new = &j->d->new.session;
	bool by_twin = user->has_build && user->twin;
	const struct module *m = by_twin ? user->twin : user->module;
	const struct names *names = by_twin ? new->names : j->d->old.session.names;

	if (!*e->new.ns || (user->has_build && !user->twin) || !m->is_readable ||
	    module_may_use_namespace(m, names, e->new.ns, new->kernel.version))
		return;
	struct diff_finding *f = add(j, RULE_EXPORT_IN_NAMESPACE, user, e);
	if (!f)
		return;
	f->expected = e->new.ns;
	if (kconfig_get(&new->kernel.config, "CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS") ==
	    KCONFIG_YES)
		f->severity = SEV_WARNING;
}

static void judge_export(struct judge *j, const struct export_diff *e)
{
	const struct diff *d = j->d;

	for (uint32_t i = 0; i < e->n_users; i++) {
		const struct module_diff *user = &d->old_modules[e->users[i].module];
		uint8_t flags = user->module->imports[e->users[i].import].flags;
		bool is_weak = flags & IMPORT_WEAK;

		if ((e->changes & EXPORT_REMOVED) && !is_weak)
			judge_removed(j, e, user);
		if ((e->changes & EXPORT_GPL) && !is_weak)
			judge_licence(j, e, user);
		if (e->changes & EXPORT_NAMESPACE)
			judge_namespace(j, e, user);
	}
}

/* Would NEW compare CRCs of the module? What it was built with counts, not what OLD exports. */
static bool has_other_crc(const struct export_diff *e, const struct import *import)
{
	if (!(e->changes & (EXPORT_CRC | EXPORT_MOVED)) || !e->new.has_crc)
		return false;
	return import->flags & IMPORT_HAS_CRC ? import->crc != e->new.crc
					      : (e->changes & EXPORT_CRC) != 0;
}

static const struct export_diff *find_export(const struct diff *d, const char *symbol)
{
	uint32_t low = 0, high = d->n_exports;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(symbol, d->exports[middle].symbol);
		if (order == 0)
			return &d->exports[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* How many of its symbols have another CRC: by module of OLD. In the arena. */
static uint32_t *count_crcs(const struct diff *d)
{
	uint32_t *n = arena_array(d->arena, d->old.session.n_modules, sizeof(*n));
	const struct export_diff *layout = find_export(d, "module_layout");

	if (!layout) /* until 2.6.28 */
		layout = find_export(d, "struct_module");

	for (uint32_t i = 0; i < d->n_exports; i++) {
		const struct export_diff *e = &d->exports[i];
		for (uint32_t u = 0; u < e->n_unbuilt; u++) {
			const struct module *m = d->old_modules[e->users[u].module].module;
			n[e->users[u].module] += has_other_crc(e, &m->imports[e->users[u].import]);
		}
	}
	for (uint32_t i = 0; layout && i < d->old.session.n_modules; i++) {
		const struct module *m = d->old_modules[i].module;
		n[i] += !d->old_modules[i].has_build && m->has_layout_crc && layout->new.has_crc &&
			m->layout_crc != layout->new.crc;
	}
	return n;
}

/* As the loader compares: whole, or from the first space on where versions are compared. */
static const char *magic_difference(const struct diff *d, const struct module *m)
{
	const char *new = d->new.vermagic, *old = m->info.vermagic;
	bool by_crcs = d->new.session.kernel.has_crcs && m->has_versions;

	if (!new || !old || m->is_object_24)
		return NULL;
	if (!by_crcs &&
	    (strcspn(new, " ") != strcspn(old, " ") || strncmp(new, old, strcspn(new, " ")) != 0))
		return arena_printf(d->arena, "built for %.*s", (int)strcspn(old, " "), old);
	const char *words = vermagic_differences(new, old, d->arena);
	return *words ? words : NULL;
}

static void judge_rebuild(struct judge *j)
{
	const struct diff *d = j->d;
	const uint32_t *n = count_crcs(d);

	for (uint32_t i = 0; i < d->old.session.n_modules; i++) {
		const struct module_diff *row = &d->old_modules[i];
		if (row->has_build || !row->module->is_readable)
			continue;
		const char *magic = magic_difference(d, row->module);
		struct diff_finding *f =
			n[i] || magic ? add(j, RULE_REBUILD_NEEDED, row, NULL) : NULL;
		if (!f)
			continue;
		f->n = n[i];
		f->detail = magic;
		f->expected = magic ? d->new.vermagic : NULL;
		f->actual = magic ? row->module->info.vermagic : NULL;
	}
}

static void judge_modules(struct judge *j)
{
	const struct diff *d = j->d;

	for (uint32_t i = 0; d->compares_modules && i < d->old.session.n_modules; i++) {
		const struct module_diff *row = &d->old_modules[i];
		if (row->is_in_tree && !row->twin && !row->is_builtin)
			add(j, RULE_MODULE_REMOVED, row, NULL);
	}
}

static void judge_machine(struct judge *j)
{
	struct diff_finding *f = add(j, RULE_OTHER_MACHINE, NULL, NULL);

	if (!f)
		return;
	f->expected = machine_name(j->d->new.machine, j->d->new.elf_class, j->d->arena);
	f->actual = machine_name(j->d->old.machine, j->d->old.elf_class, j->d->arena);
}

static void judge_processor(struct judge *j)
{
	const struct processor *p = &j->d->processor;

	for (uint32_t i = 0; p->state == PROCESSOR_LACKS && i < p->n_needs; i++) {
		const struct processor_need *need = &p->needs[i];
		struct diff_finding *f = NULL;
		if (need->is_lacking)
			f = add(j, RULE_PROCESSOR_LACKS_FEATURE, NULL, NULL);
		if (!f)
			continue;
		f->expected = need->least ? arena_printf(j->d->arena, "family %s", need->least)
					  : need->flag;
		f->actual = need->has ? arena_printf(j->d->arena, "family %s", need->has) : NULL;
		f->detail = need->hint ? arena_printf(j->d->arena, "%s; %s", need->why, need->hint)
				       : need->why;
	}
}

static int compare_findings(const void *pa, const void *pb)
{
	const struct diff_finding *a = pa, *b = pb;

	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->export != b->export)
		return a->export < b->export ? -1 : 1;
	return a->expected && b->expected ? strcmp(a->expected, b->expected) : 0;
}

static void finish(struct judge *j)
{
	struct diff *d = j->d;
	uint32_t n_failing = 0;

	d->n_findings = (uint32_t)j->n;
	d->findings = arena_array(d->arena, j->n, sizeof(*d->findings));
	if (j->n) {
		memcpy(d->findings, j->findings, j->n * sizeof(*d->findings));
		qsort(d->findings, j->n, sizeof(*d->findings), compare_findings);
	}
	free(j->findings);
	free(j->needs);
	for (uint32_t i = 0; i < d->n_findings; i++) {
		enum severity severity = d->findings[i].severity;
		d->n_errors += severity == SEV_ERROR;
		d->n_warnings += severity == SEV_WARNING;
		d->n_infos += severity == SEV_INFO;
		n_failing += !j->policy->never_fails && severity >= j->policy->fail_on;
	}
	d->exit_code = n_failing ? 1 : 0;
}

void diff_judge(struct diff *d, const struct policy_options *policy)
{
	struct judge j = { .d = d, .policy = policy };

	if (d->has_other_machine) {
		judge_machine(&j);
	} else {
		find_needs(&j);
		for (uint32_t i = 0; i < d->n_exports; i++)
			judge_export(&j, &d->exports[i]);
		judge_rebuild(&j);
		judge_modules(&j);
	}
	judge_processor(&j);
	finish(&j);
}
