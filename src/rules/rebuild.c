/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC503 and MC504: what `modcheck ready` has to say of modules that are judged as if they were
 * built anew. What is wrong with them then is told by the ordinary rules.
 */
#include "rules/check.h"

static bool is_known(const struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	for (uint32_t i = 0; c->links->has_unknown && i < m->n_imports; i++) {
		enum link_state state = c->links->links[module][i].state;
		if (state == LINK_UNKNOWN || state == LINK_UNREADABLE)
			return false;
	}
	return true;
}

static void check_needed(struct check *c, uint32_t module)
{
	struct finding *f = check_add(c, RULE_NEEDS_REBUILD, module);

	if (!f)
		return;
	f->detail = c->readiness->of[module].reason;
	f->expected = c->vermagic;
	f->actual = c->readiness->of[module].vermagic;
}

static void check_hidden(struct check *c, uint32_t module)
{
	const struct module_readiness *r = &c->readiness->of[module];

	for (uint32_t i = 0; i < r->n_hidden; i++) {
		struct finding *f = check_add(c, RULE_HIDDEN_PREEMPT_CALL, module);
		if (!f)
			return;
		f->order = i;
		f->symbol = r->hidden[i].symbol;
		f->detail = r->hidden[i].why;
	}
}

/*
 * A symbol that is nowhere was there in the kernel that the module was built for: another version
 * or configuration took it away, and its headers may do so, too. What is there and not exported,
 * only another version may do without.
 */
static bool may_be_spared(const struct check *c, const struct finding *f)
{
	const struct readiness *r = c->readiness;

	if (f->rule == RULE_DEFINED_NOT_EXPORTED)
		return r->is_other_version || (f->symbol < r->n_names && r->is_gone[f->symbol]);
	return f->rule == RULE_UNDEFINED_SYMBOL;
}

static uint8_t certainty_of(const struct check *c, const struct finding *f)
{
	const struct module *m = f->module == MODULE_NONE ? NULL : &c->modules[f->module];

	if (!m || !m->is_rebuilt || f->rule == RULE_NEEDS_REBUILD)
		return CERTAINTY_NONE;
	if (f->rule == RULE_HIDDEN_PREEMPT_CALL)
		return CERTAINTY_POSSIBLE;
	if (rule_table[f->rule].stage != STAGE_SYMBOLS)
		return CERTAINTY_CERTAIN;
	if (f->order < m->n_imports && m->imports[f->order].name == f->symbol &&
	    (m->imports[f->order].flags & IMPORT_EMITTED))
		return CERTAINTY_LIKELY;
	return may_be_spared(c, f) ? CERTAINTY_LIKELY : CERTAINTY_CERTAIN;
}

void check_rebuilds(struct check *c)
{
	for (uint32_t m = 0; c->readiness && m < c->n_modules; m++) {
		if (!c->modules[m].is_rebuilt)
			continue;
		check_hidden(c, m);
		if (!c->is_refused[m] && is_known(c, m))
			check_needed(c, m);
	}
	for (size_t i = 0; c->readiness && i < c->n_findings; i++)
		c->findings[i].certainty = certainty_of(c, &c->findings[i]);
}
