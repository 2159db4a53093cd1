/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC201 to MC203, MC205 and MC207: symbols that nobody provides. */
#include "base/arena.h"
#include "rules/check.h"

static const char *provider_path(const struct check *c, const struct ksym *s)
{
	return s->provider == NAME_NONE ? "vmlinux" : names_text(c->names, s->provider);
}

/* What is exported instead of the 2.4 symbol with our suffix. */
static nameid other_name(const struct check *c, const struct link *link, const struct finding *f)
{
	if (f->ksym)
		return c->kernel->syms[link->target].name;
	return c->modules[link->target].exports[link->extra].name;
}

static bool link_rule(enum link_state state, enum rule_id *rule)
{
	switch (state) {
	case LINK_MISSING:
		*rule = RULE_UNDEFINED_SYMBOL;
		return true;
	case LINK_NOT_EXPORTED:
		*rule = RULE_DEFINED_NOT_EXPORTED;
		return true;
	case LINK_NOT_INSTALLED:
		*rule = RULE_PROVIDER_NOT_INSTALLED;
		return true;
	case LINK_OTHER_SUFFIX:
		*rule = RULE_VERSION_SUFFIX_MISMATCH;
		return true;
	case LINK_WEAK:
		*rule = RULE_WEAK_UNDEFINED;
		return true;
	default: /* found, exempt or not known; MC204 tells of refused providers */
		return false;
	}
}

static bool is_ksym_target(const struct check *c, const struct link *link)
{
	if (link->state == LINK_NOT_EXPORTED || link->state == LINK_NOT_INSTALLED)
		return true;
	if (link->state != LINK_OTHER_SUFFIX)
		return false;
	return link->target < c->kernel->n_syms && c->kernel->has_suffixes;
}

void check_symbol(struct check *c, uint32_t module, uint32_t import)
{
	const struct module *m = &c->modules[module];
	const struct link *link = &c->links->links[module][import];
	enum rule_id rule;

	if (!link_rule(link->state, &rule))
		return;
	struct finding *f = check_add(c, rule, module);
	if (!f)
		return;
	f->order = import;
	f->symbol = m->imports[import].name;
	if (is_ksym_target(c, link)) {
		f->ksym = link->target + 1;
		f->provider = provider_path(c, &c->kernel->syms[link->target]);
	}
	if (rule != RULE_VERSION_SUFFIX_MISMATCH)
		return;
	f->expected = names_text(c->names, f->symbol);
	f->actual = names_text(c->names, other_name(c, link, f));
}
