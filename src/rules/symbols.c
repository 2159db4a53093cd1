/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC201 to MC203, MC205 and MC207: symbols that nobody provides. */
#include "base/arena.h"
#include "rules/check.h"

static const char *provider_path(const struct check *c, const struct ksym *s)
{
	return s->provider == NAME_NONE ? "vmlinux" : names_text(c->names, s->provider);
}

/* What is exported instead of the 2.4 symbol with our suffix. */
static nameid other_name(const struct check *c, const struct link *link)
{
	if (link->state == LINK_SUFFIX_KERNEL)
		return c->kernel->syms[link->target].name;
	return c->modules[link->target].exports[link->extra].name;
}

static bool link_rule(enum link_state state, enum rule_id *rule)
{
	switch (state) {
	case LINK_MISSING:
	case LINK_LOST:
		*rule = RULE_UNDEFINED_SYMBOL;
		return true;
	case LINK_NOT_EXPORTED:
		*rule = RULE_DEFINED_NOT_EXPORTED;
		return true;
	case LINK_NOT_INSTALLED:
		*rule = RULE_PROVIDER_NOT_INSTALLED;
		return true;
	case LINK_SUFFIX_KERNEL:
	case LINK_SUFFIX_MODULE:
		*rule = RULE_VERSION_SUFFIX_MISMATCH;
		return true;
	case LINK_WEAK:
		*rule = RULE_WEAK_UNDEFINED;
		return true;
	default: /* found, exempt or not known; MC204 tells of refused providers */
		return false;
	}
}

static bool is_ksym_target(enum link_state state)
{
	return state == LINK_NOT_EXPORTED || state == LINK_NOT_INSTALLED || state == LINK_LOST ||
	       state == LINK_SUFFIX_KERNEL;
}

/* Nothing lists the symbol, but `depends=` names a module that is not here: likely it is in that.
 */
static bool is_likely_absent(const struct check *c, uint32_t module, enum link_state state)
{
	return state == LINK_MISSING && c->links->absent_of[module];
}

void check_symbol(struct check *c, uint32_t module, uint32_t import)
{
	const struct module *m = &c->modules[module];
	const struct link *link = &c->links->links[module][import];
	enum rule_id rule;

	if (!link_rule(link->state, &rule))
		return;
	if (is_likely_absent(c, module, link->state))
		rule = RULE_PROVIDER_NOT_INSTALLED;
	struct finding *f = check_add(c, rule, module);
	if (!f)
		return;
	f->order = import;
	f->symbol = m->imports[import].name;
	if (is_likely_absent(c, module, link->state))
		f->provider = c->links->absent_of[module];
	if (is_ksym_target(link->state)) {
		f->ksym = link->target + 1;
		f->provider = provider_path(c, &c->kernel->syms[link->target]);
	}
	if (rule != RULE_VERSION_SUFFIX_MISMATCH)
		return;
	f->expected = names_text(c->names, f->symbol);
	f->actual = names_text(c->names, other_name(c, link));
}
