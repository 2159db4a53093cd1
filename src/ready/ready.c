/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ready/ready.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "kernel/evidence.h"
#include "ready/fates.h"
#include "ready/peers.h"
#include "ready/rebuild.h"
#include "view.h"

struct run {
	struct session *s;
	const struct ready_options *options;
	struct readiness *readiness;
	struct module *whole; /* the modules before this kernel's view of them */
	struct peer_tree own; /* the kernel's own modules, among others maybe */
	struct fates fates;
	struct rebuild rebuild;
};

/* The first two parts of a release: what headers are like follows the version. */
static uint32_t series_of(const char *release)
{
	return release ? kernel_version_of(release) & 0xffff00 : 0;
}

static bool is_to_be_built(const struct run *r, uint32_t m)
{
	const struct module *mod = &r->s->modules[m];

	return mod->is_target && mod->is_readable && !mod->is_object_24 &&
	       r->readiness->of[m].as_is != VERDICT_LOADS;
}

/* The verdicts as it is, before they are made anew. */
static void keep_verdicts(struct run *r)
{
	const struct session *s = r->s;

	for (uint32_t m = 0; m < s->n_modules; m++) {
		struct module_readiness *of = &r->readiness->of[m];
		of->as_is = s->result.judged[m].verdict;
		of->error = s->result.judged[m].error;
		of->message = s->result.judged[m].message;
		of->vermagic = s->modules[m].info.vermagic;
	}
	for (uint32_t i = 0; i < s->result.n_findings; i++) {
		const struct finding *f = &s->result.findings[i];
		if (!f->is_terminal || f->module == MODULE_NONE)
			continue;
		r->readiness->of[f->module].reason = arena_printf(
			s->arena, "%s %s", rule_table[f->rule].code, rule_table[f->rule].name);
	}
}

/*
 * Modules that are judged take the place of the kernel's own of the same names. Where that leaves
 * few of these, they are read again: what they need is evidence.
 */
static void find_own(struct run *r, const struct session_options *options)
{
	const struct session *s = r->s;
	uint32_t n_installed = 0, n_entries = s->has_tree ? s->tree.n_entries : 0;

	for (uint32_t m = 0; m < s->n_modules; m++)
		n_installed += s->modules[m].is_installed;
	if (n_installed >= n_entries / 2 ||
	    !peers_read(&r->own, r->s, &options->scan, options->n_threads))
		r->own = (struct peer_tree) { s->modules, s->n_modules };
}

/* What would stop a module if its symbols stayed as the table has them? */
static bool want_peers(struct run *r, bool *wanted)
{
	const struct session *s = r->s;
	bool is_any = false;

	for (uint32_t m = 0; m < s->n_modules; m++) {
		const struct module *mod = &s->modules[m];
		bool is_compatible = module_is_compatible(mod);
		for (uint32_t i = 0; is_to_be_built(r, m) && i < mod->n_imports; i++) {
			nameid name = mod->imports[i].name;
			const struct fate *fate = fates_of(&r->fates, name);
			bool is_closed = !is_compatible && fates_is_gpl_only(&r->fates, name);
			bool is_missing = !fates_is_exported(&r->fates, name) &&
					  s->links.links[m][i].state != LINK_EXEMPT &&
					  s->links.links[m][i].state != LINK_WEAK;
			if (fate->kind != FATE_STAYS || (!is_missing && !is_closed))
				continue;
			wanted[name] = true;
			is_any = true;
		}
	}
	return is_any;
}

/* The release that the first of the modules was built for. */
static const char *built_for(const struct run *r)
{
	for (uint32_t m = 0; m < r->s->n_modules; m++) {
		const char *magic = r->readiness->of[m].vermagic;
		if (r->s->modules[m].is_target && magic)
			return arena_strndup(r->s->arena, magic, strcspn(magic, " "));
	}
	return NULL;
}

/* What the table does not tell of symbols that would stop a module. */
static void ask_further(struct run *r, const struct session_options *options)
{
	struct session *s = r->s;
	struct scan_options before = r->options->peers;
	struct peers p = { .after = r->own, .is_same_version = !r->readiness->is_other_version };
	bool *wanted = mem_zalloc(r->fates.n_names * sizeof(*wanted));

	if (!before.release)
		before.release = built_for(r);
	bool is_any = want_peers(r, wanted);
	if (is_any && before.release && *before.release &&
	    peers_read(&p.before, s, &before, options->n_threads))
		peers_look(&p, s, &r->fates, wanted, r->fates.n_names);
	for (nameid name = 1; is_any && name < r->fates.n_names; name++) {
		if (wanted[name] && r->readiness->is_other_version)
			fates_guess(&r->fates, name);
	}
	free(wanted);
}

static void rebuild_all(struct run *r)
{
	struct session *s = r->s;

	r->rebuild = (struct rebuild) {
		.fates = &r->fates,
		.vermagic = s->check.vermagic,
		.machine = s->kernel.machine ? s->kernel.machine : s->check.machine,
		.n_names = r->fates.n_names,
		.stamp = arena_array(s->arena, r->fates.n_names, sizeof(uint32_t)),
		.replaced = arena_array(s->arena, r->fates.n_names, sizeof(uint32_t)),
		.arena = s->arena,
	};
	for (uint32_t m = 0; m < s->n_modules; m++) {
		if (!is_to_be_built(r, m))
			continue;
		s->modules[m] = r->whole[m];
		rebuild_module(&r->rebuild, &s->modules[m], &r->readiness->of[m]);
	}
}

/* Symbols that gave way in most modules first. */
struct replaced {
	nameid name;
	uint32_t n;
};

static int compare_replaced(const void *pa, const void *pb)
{
	const struct replaced *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static const char *tell_replaced(const struct run *r, nameid name)
{
	const struct fate *fate = &r->fates.of[name];
	const struct names *names = r->s->names;
	const char *text = "";

	for (uint8_t i = 0; i < fate->n_to; i++)
		text = arena_printf(r->s->arena, "%s%s%s", text, i ? " and " : "",
				    names_text(names, fate->to[i]));
	if (!*text)
		return arena_printf(r->s->arena, "%s inline", names_text(names, name));
	return arena_printf(r->s->arena, "%s for %s", text, names_text(names, name));
}

/* "rt_spin_lock for _raw_spin_lock, ... and 12 more" */
static void tell_changes(struct run *r)
{
	enum { SHOWN = 4 };
	const uint32_t *replaced = r->rebuild.replaced;
	struct replaced *all = mem_zalloc(r->fates.n_names * sizeof(*all));
	size_t n = 0;
	const char *text = "";

	for (nameid name = 1; name < r->fates.n_names; name++) {
		if (replaced[name])
			all[n++] = (struct replaced) { name, replaced[name] };
	}
	if (n)
		qsort(all, n, sizeof(*all), compare_replaced);
	for (size_t i = 0; i < n && i < SHOWN; i++)
		text = arena_printf(r->s->arena, "%s%s%s", text, i ? ", " : "",
				    tell_replaced(r, all[i].name));
	if (n > SHOWN)
		text = arena_printf(r->s->arena, "%s, and %zu more", text, n - SHOWN);
	if (n) {
		r->readiness->changes = arena_array(r->s->arena, 1, sizeof(char *));
		r->readiness->changes[r->readiness->n_changes++] =
			arena_printf(r->s->arena, "The headers likely emit %s.", text);
	}
	free(all);
}

static uint8_t ready_of(const struct run *r, uint32_t m)
{
	const struct session *s = r->s;

	if (r->readiness->of[m].as_is == VERDICT_LOADS)
		return READY_AS_IS;
	if (!s->modules[m].is_rebuilt)
		return READY_UNKNOWN;
	switch (s->result.judged[m].verdict) {
	case VERDICT_LOADS:
		return READY_REBUILD;
	case VERDICT_REFUSED:
		return READY_NOT;
	default:
		return READY_UNKNOWN;
	}
}

static void fill(struct run *r)
{
	for (uint32_t m = 0; m < r->s->n_modules; m++) {
		if (!r->s->modules[m].is_target)
			continue;
		r->readiness->of[m].ready = ready_of(r, m);
		r->readiness->count[r->readiness->of[m].ready]++;
	}
}

static void tell_gone(struct run *r)
{
	bool *is_gone = arena_array(r->s->arena, r->fates.n_names, sizeof(*is_gone));

	for (nameid name = 1; name < r->fates.n_names; name++)
		is_gone[name] = r->fates.of[name].kind == FATE_GONE;
	r->readiness->is_gone = is_gone;
	r->readiness->n_names = r->fates.n_names;
}

static void judge_again(struct run *r, const struct session_options *options)
{
	struct session *s = r->s;
	const struct result as_is = s->result;

	s->readiness = r->readiness;
	session_judge(s, options);
	/* what they were built for, not what they would be */
	s->result.census = as_is.census;
	s->result.by_model = as_is.by_model;
	s->result.n_by_model = as_is.n_by_model;
	fill(r);
}

bool ready_run(struct session *s, const struct ready_options *options, struct err *err)
{
	struct session_options session = *options->session;
	struct run r = { .s = s, .options = options };

	session.keeps_all = true;
	if (!session_gather(s, &session, err))
		return false;
	r.readiness = arena_alloc(s->arena, sizeof(*r.readiness));
	*r.readiness = (struct readiness) {
		.of = arena_array(s->arena, s->n_modules, sizeof(*r.readiness->of)),
		.n_own_build = options->n_own_build,
		.source = options->source,
		.is_running = options->is_running,
	};
	r.whole = arena_array(s->arena, s->n_modules, sizeof(*r.whole));
	for (uint32_t m = 0; m < s->n_modules; m++)
		r.whole[m] = s->modules[m];
	view_as_kernel(s->modules, s->n_modules, s->kernel.version, s->arena);
	/* what the user does not want to hear of refuses a module all the same */
	struct session_options unfiltered = session;
	policy_options_init(&unfiltered.policy);
	session_judge(s, &unfiltered);
	if (s->result.incomplete && s->result.n_targets)
		return true;
	keep_verdicts(&r);
	find_own(&r, &session);
	fates_init(&r.fates, s, r.own.modules, r.own.n_modules);
	uint32_t series = series_of(built_for(&r));
	r.readiness->is_other_version = series == 0 || series != series_of(s->kernel.release);
	ask_further(&r, &session);
	rebuild_all(&r);
	tell_changes(&r);
	tell_gone(&r);
	judge_again(&r, &session);
	return true;
}
