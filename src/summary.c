/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "machine.h"
#include "preemption/census.h"
#include "rules/arch.h"
#include "rules/message.h"
#include "session.h"
#include "subsystem.h"

/* Findings on modules that only provide are not for the user: leave them out of both lists. */
static void keep_told(struct session *s)
{
	struct result *r = &s->result;
	uint32_t *moved = mem_zalloc((s->check.n_findings + 1) * sizeof(*moved));

	r->findings = s->check.findings;
	for (uint32_t i = 0; i < s->check.n_findings; i++) {
		const struct finding *f = &s->check.findings[i];
		if (f->module != MODULE_NONE && !s->modules[f->module].is_target)
			continue;
		moved[i] = r->n_findings;
		r->findings[r->n_findings++] = *f;
	}
	for (uint32_t c = 0; c < s->groups.n_causes; c++) {
		struct cause *cause = &s->groups.causes[c];
		for (uint32_t i = 0; i < cause->n_findings; i++)
			cause->findings[i] = moved[cause->findings[i]];
	}
	free(moved);
}

/* What is let in although something is missing, where CONFIG_MODULE_FORCE_LOAD allows it. */
static bool is_forced(const struct finding *f)
{
	return f->severity == SEV_WARNING &&
	       (f->rule == RULE_VERMAGIC_MISSING || f->rule == RULE_CRC_MISSING_IN_MODULE);
}

static void count_findings(struct session *s, struct judged *judged)
{
	struct result *r = &s->result;

	for (uint32_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->findings[i];
		struct judged none = { 0 },
			      *j = f->module == MODULE_NONE ? &none : &judged[f->module];
		if (f->severity == SEV_ERROR)
			r->n_errors++, j->n_errors++;
		else if (f->severity == SEV_WARNING)
			r->n_warnings++, j->n_warnings++;
		else
			r->n_infos++, j->n_infos++;
		if (f->rule == RULE_LICENSE_TAINTS)
			j->taints |= TAINT_BIT_P;
		if (f->rule == RULE_SIGNATURE_MISSING && f->severity == SEV_INFO)
			j->taints |= TAINT_BIT_E;
		if (is_forced(f))
			j->taints |= TAINT_BIT_F;
		if (!f->is_terminal)
			continue;
		j->error = f->error;
		j->message = kernel_message(f, &s->modules[f->module], s->names, s->arena);
	}
}

static bool has_minded_fault(const struct session *s, const struct module *m)
{
	for (const struct fault *f = m->faults; f; f = f->next) {
		if (check_minds_fault(&s->check, f))
			return true;
	}
	return false;
}

static bool is_open(enum link_state state)
{
	return state == LINK_UNKNOWN || state == LINK_UNREADABLE;
}

/* A module that nothing speaks against is unknown where a symbol's provider is not known. */
static enum verdict verdict_of(const struct session *s, uint32_t m)
{
	if (s->check.is_refused[m])
		return VERDICT_REFUSED;
	if (s->log)
		return VERDICT_UNKNOWN; /* no complaint of it is all that is known */
	/* a fault that is not told of, by --ignore, does not make a module good */
	if (!s->modules[m].is_readable || has_minded_fault(s, &s->modules[m]) ||
	    arch_lacks_sections(&s->check, &s->modules[m]))
		return VERDICT_UNKNOWN;
	for (uint32_t i = 0; s->links.has_unknown && i < s->modules[m].n_imports; i++) {
		if (is_open(s->links.links[m][i].state))
			return VERDICT_UNKNOWN;
	}
	return VERDICT_LOADS;
}

static void judge(struct session *s)
{
	struct result *r = &s->result;
	struct judged *judged = arena_array(s->arena, s->n_modules, sizeof(*judged));

	r->judged = judged;
	count_findings(s, judged);
	for (uint32_t m = 0; m < s->n_modules; m++) {
		if (!s->modules[m].is_target)
			continue;
		judged[m].verdict = (uint8_t)verdict_of(s, m);
		judged[m].taints |= check_taints_of(&s->check, &s->modules[m]);
		if (s->check.inherits[m])
			judged[m].taints |= TAINT_BIT_P;
		judged[m].subsystem = subsystem_of(s->modules[m].path, s->arena);
		r->n_targets++;
		r->n_loads += judged[m].verdict == VERDICT_LOADS;
		r->n_refused += judged[m].verdict == VERDICT_REFUSED;
		r->n_unknown += judged[m].verdict == VERDICT_UNKNOWN;
	}
}

static int compare_subsystems(const void *pa, const void *pb)
{
	const struct subsystem *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

static void count_subsystems(struct session *s)
{
	struct result *r = &s->result;
	struct names *seen = names_new();
	struct subsystem *all = arena_array(s->arena, (size_t)r->n_targets + 1, sizeof(*all));

	for (uint32_t m = 0; m < s->n_modules; m++) {
		if (!s->modules[m].is_target)
			continue;
		struct subsystem *one = &all[names_add_string(seen, r->judged[m].subsystem) - 1];
		one->name = r->judged[m].subsystem;
		one->total++;
		one->refused += r->judged[m].verdict == VERDICT_REFUSED;
	}
	r->subsystems = all;
	r->n_subsystems = names_count(seen) - 1;
	qsort(all, r->n_subsystems, sizeof(*all), compare_subsystems);
	names_free(seen);
}

/* "boot/System.map-6.1.0 is set aside (stub: ...)" of the sources that were not used. */
static const char *tell_sources(struct session *s)
{
	const char *text = "";

	for (uint32_t i = 0; i < s->kernel.n_sources; i++) {
		const struct source *source = &s->kernel.sources[i];
		if (source->kind == SOURCE_CONFIG || !source->note)
			continue;
		text = arena_printf(s->arena, "%s%s%s: %s", text, *text ? "; " : "", source->path,
				    source->note);
	}
	return text;
}

static const char *why_incomplete(struct session *s, const struct session_options *options)
{
	if (s->log)
		return s->log_blind;
	if (s->result.n_targets == 0 && s->readiness && s->readiness->n_own_build)
		return NULL;
	if (s->result.n_targets == 0 && options->judges_given)
		return "there is no module in what was named";
	if (s->result.n_targets == 0)
		return "there is no module in this tree";
	if (options->allow_incomplete)
		return NULL;
	if (!s->kernel.has_exports) {
		const char *sources = tell_sources(s);
		return arena_printf(s->arena,
				    "nothing tells what this kernel exports%s%s%s; give its "
				    "Module.symvers (-E), System.map (-F) or image "
				    "(--kernel-image)",
				    *sources ? " (" : "", sources, *sources ? ")" : "");
	}
	return group_wrong_evidence(&s->groups);
}

/* The details of a wrong source are not for the reader: one cause that says so stays. */
static void fold_causes(struct session *s)
{
	struct result *r = &s->result;
	struct cause *c = arena_alloc(s->arena, sizeof(*c));

	c->rule = RULE_EVIDENCE_MISSING;
	c->severity = SEV_ERROR;
	c->id = "MC901";
	c->title = r->incomplete;
	r->causes = c;
	r->n_causes = 1;
	r->n_findings = 0;
	r->n_errors = r->n_warnings = r->n_infos = 0;
	r->n_unknown += r->n_loads + r->n_refused;
	r->n_loads = r->n_refused = 0;
	struct judged *judged = arena_array(s->arena, s->n_modules, sizeof(*judged));
	for (uint32_t m = 0; m < s->n_modules; m++) {
		judged[m].verdict = VERDICT_UNKNOWN;
		judged[m].subsystem = r->judged[m].subsystem;
	}
	r->judged = judged;
	for (uint32_t i = 0; i < r->n_subsystems; i++)
		r->subsystems[i].refused = 0;
}

static void decide_outcome(struct result *r, const struct policy_options *policy)
{
	bool fails = false;

	for (uint32_t i = 0; i < r->n_findings; i++)
		fails |= r->findings[i].severity >= policy->fail_on;
	fails &= !policy->never_fails;
	r->outcome = r->incomplete   ? OUTCOME_INCOMPLETE
		     : r->n_findings ? OUTCOME_FINDINGS
				     : OUTCOME_OK;
	r->exit_code = r->incomplete ? 2 : fails ? 1 : 0;
}

void summary_fill(struct session *s, const struct session_options *options)
{
	struct result *r = &s->result;

	*r = (struct result) {
		.log = s->log,
		.names = s->names,
		.kernel = &s->kernel,
		.release = s->kernel.release,
		.tree_path = s->has_tree ? s->tree.moddir : NULL,
		.machine = machine_name(s->check.machine, 0, s->arena),
		.vermagic = s->check.vermagic,
		.readiness = s->readiness,
		.model = s->preemption.name,
		.model_at_boot = s->preemption.at_boot,
		.model_evidence = s->preemption.evidence,
		.n_model_evidence = s->preemption.n_evidence,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.causes = s->groups.causes,
		.n_causes = s->groups.n_causes,
	};
	r->census = "";
	if (!s->log) {
		r->census = census_tell(&s->preemption, s->modules, s->n_modules, s->arena);
		r->by_model = census_count(&s->preemption, s->modules, s->n_modules, &r->n_by_model,
					   s->arena);
	}
	keep_told(s);
	judge(s);
	count_subsystems(s);
	r->incomplete = why_incomplete(s, options);
	if (r->incomplete)
		fold_causes(s);
	decide_outcome(r, &options->policy);
}
