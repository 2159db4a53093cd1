/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group/describe_index.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/words.h"

#define MAX_TOLD 5 /* files that are named one by one */

/* A list that could not be read: of its rule nothing is known. */
static void describe_fault(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = f->path;
	words_evidence(g, c, "It cannot be read: %s.", f->detail);
}

void describe_builtin_clash(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = f->actual;
	if (!f->actual) {
		describe_fault(g, c, f);
		return;
	}
	words_evidence(
		g, c,
		f->severity == SEV_ERROR
			? "A built-in owns /sys/module/%s (%s)."
			: "Whether the built-in owns /sys/module/%s depends on the kernel (%s).",
		f->actual, f->detail);
	c->hint = "give the module another name, or build the kernel without its own";
}

/* "a.ko, b.ko, and 3 more": paths of those findings that are on a module, or of those that are not.
 */
static const char *tell_paths(const struct grouping *g, const struct cause *c, bool on_modules,
			      bool with_provider, uint32_t *n)
{
	const char *text = "";

	*n = 0;
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if ((f->module != MODULE_NONE) != on_modules || !f->provider == with_provider)
			continue;
		if ((*n)++ < MAX_TOLD)
			text = arena_printf(g->arena, "%s%s%s", text, *n > 1 ? ", " : "", f->path);
	}
	if (*n > MAX_TOLD)
		text = arena_printf(g->arena, "%s, and %s more", text,
				    text_count(g->arena, *n - MAX_TOLD));
	return text;
}

static const struct finding *first_of(const struct grouping *g, const struct cause *c,
				      bool on_module, bool with_provider)
{
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if ((f->module != MODULE_NONE) == on_module && !f->provider != with_provider)
			return f;
	}
	return NULL;
}

void describe_dep(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const struct finding *lacking = first_of(g, c, true, true);
	const struct finding *unlisted = first_of(g, c, true, false);
	const struct finding *lost = first_of(g, c, false, false);
	const char *paths;
	uint32_t n;

	(void)f;
	c->title = "modules.dep is not of this tree";
	if (lacking) {
		paths = tell_paths(g, c, true, true, &n);
		words_evidence(g, c, "Without all that they need: %s. First, %s %s.", paths,
			       g->modules[lacking->module].name, lacking->detail);
	}
	if (unlisted) {
		paths = tell_paths(g, c, true, false, &n);
		if (n == 1)
			words_evidence(g, c, "%s: %s.", unlisted->path, unlisted->detail);
		else
			words_evidence(g, c, "Not listed: %s.", paths);
	}
	if (lost) {
		paths = tell_paths(g, c, false, false, &n);
		if (n == 1)
			words_evidence(g, c, "%s: %s.", lost->path, lost->detail);
		else
			words_evidence(g, c, "Listed, and not there: %s.", paths);
	}
	c->hint = "run depmod for this kernel";
}

void describe_order(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *paths = tell_paths(g, c, false, false, &n);

	if (f->detail) {
		describe_fault(g, c, f);
		return;
	}
	c->title = n == 1 ? f->path : arena_printf(g->arena, "%s files", text_count(g->arena, n));
	words_evidence(
		g, c,
		n == 1 ? "The kernel's build made it as a module, and it is not installed%s."
		       : "The kernel's build made these modules, and they are not installed: "
			 "%s.",
		n == 1 ? "" : paths);
	c->hint = "install the kernel's packages again, or the one that holds the rest of its "
		  "modules";
}

void describe_softdep(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (!f->provider) {
		describe_fault(g, c, f);
		return;
	}
	c->provider = f->provider;
	c->title = f->provider;
	words_evidence(g, c,
		       "No module, built-in or alias has this name; modprobe passes over it and "
		       "says nothing.");
}

void describe_foreign(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = arena_printf(g->arena, "built for %s", f->actual);
	words_evidence(g, c, "Most modules of the tree are built for %s.", f->expected);
	c->hint = "remove them if they were left over, or build them against this kernel's headers";
}

void describe_blacklist(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "modules that modprobe does not load for a device";
	words_evidence(g, c, "%s has a blacklist line for %s.", f->detail,
		       g->modules[f->module].name);
}

void describe_rt_name(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const struct preemption *p = g->preemption;

	c->family = "preemption";
	c->title = f->path;
	words_evidence(g, c, "It is called RT, and is %s (%s).", p->name,
		       p->n_evidence ? p->evidence[0] : "");
	c->hint = "build it with CONFIG_PREEMPT_RT=y (the patch alone does not set it), or call it "
		  "otherwise";
}
