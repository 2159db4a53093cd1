/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes that are symbols: not there, not exported, or of another version. */
#include "group/describe_symbol.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/joint.h"
#include "group/words.h"
#include "kernel/evidence.h"

static const char *renamed_hint(const struct grouping *g, nameid symbol)
{
	const char *name = words_name(g, symbol), *since;
	const char *other = family_renamed(name, names_length(g->names, symbol), &since);

	if (!other || !kernel_exports(g->kernel, g->links, g->names, other))
		return NULL;
	return arena_printf(g->arena,
			    "this kernel has it as %s (renamed in %s): build the modules against "
			    "this kernel",
			    other, since);
}

/* A copy of another build, often one in updates/ or extra/ that shadows the kernel's own. */
void describe_lost(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, RULE_UNDEFINED_SYMBOL, &n);

	c->provider = f->provider;
	c->title = arena_printf(g->arena, "%s of %s", n == 1 ? words_name(g, f->symbol) : "symbols",
				f->provider);
	words_evidence(
		g, c, "%s lists %s for this module; the copy that is installed does not export %s.",
		g->kernel->sources[g->kernel->syms[f->ksym - 1].source].path, symbols,
		n == 1 ? "it" : "them");
	c->hint =
		"a copy of another build likely stands in its place: remove it, or install the one "
		"of this build";
}

/* Is there a source that tells what the kernel defines and does not export? */
static bool knows_definitions(const struct grouping *g)
{
	for (uint32_t i = 0; i < g->kernel->n_sources; i++) {
		if (g->kernel->sources[i].used && g->kernel->sources[i].defined)
			return true;
	}
	return false;
}

void describe_undefined(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (f->ksym) {
		describe_lost(g, c, f);
		return;
	}
	if (words_own(g, c, f, "Nowhere in the evidence",
		      "build the module against this kernel's headers, or install what provides "
		      "these symbols"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->title = words_name(g, f->symbol);
	bool is_sure = knows_definitions(g);
	words_evidence(g, c, "No export of the kernel or of an installed module has this name%s.",
		       is_sure ? ", and the evidence does not define it either"
			       : "; whether the kernel defines it cannot be told without its full "
				 "System.map");
	c->hint = renamed_hint(g, f->symbol);
	if (family)
		words_tell_family(g, c, family);
	if (c->hint)
		return;
	if (!family) {
		c->hint = "install the module that provides it, or rebuild these modules against "
			  "this kernel";
		return;
	}
	bool is_set = kconfig_get(&g->kernel->config, family->config) == KCONFIG_YES;
	if (is_set && !is_sure) {
		c->hint = "if the kernel defines it, export it and rebuild the kernel; its full "
			  "System.map (-F) tells whether it does";
		return;
	}
	c->hint = arena_printf(
		g->arena,
		is_set ? "the kernel behind this evidence was built without the code for %s, "
			 "though its config has it: apply the whole patch and rebuild the kernel, "
			 "or take the System.map of this build"
		       : "the modules were built with %s and the kernel likely was not: build "
			 "both from one configuration",
		family->config);
}

void describe_not_exported(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (words_own(g, c, f, "The kernel defines but does not export",
		      "export them where they are defined and rebuild the kernel, or do without "
		      "them"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->title = words_name(g, f->symbol);
	words_evidence(g, c, "The kernel defines it (%s) but does not export it.",
		       words_where(g, f->ksym - 1));
	if (family)
		words_tell_family(g, c, family);
	if (family && !strcmp(family->name, "preemption"))
		c->hint =
			arena_printf(g->arena, "export %s in the preempt patch, rebuild the kernel",
				     words_name(g, f->symbol));
	else
		c->hint = "add EXPORT_SYMBOL() for it where it is defined and rebuild the kernel, "
			  "or use what is exported";
}

void describe_not_installed(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, RULE_PROVIDER_NOT_INSTALLED, &n);

	c->provider = f->provider;
	c->title = f->provider;
	if (f->ksym)
		words_evidence(
			g, c, "%s lists it as the provider of %s, and the tree has no such module.",
			g->kernel->sources[g->kernel->syms[f->ksym - 1].source].path, symbols);
	else
		words_evidence(g, c,
			       "The tree has no such module, and `depends=` of the modules names "
			       "it. Likely it is what has %s.",
			       symbols);
	c->hint = "install the package that holds this module, or the modules of the same build";
}

void describe_suffix(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (words_own(g, c, f, "Exported with other suffixes",
		      "build the module with this kernel's modversions.h"))
		return;
	c->symbol = f->symbol;
	c->title = arena_printf(g->arena, "%s, exported as %s", f->expected, f->actual);
	const struct family *family = words_family(g, f->symbol);
	if (f->ksym)
		words_evidence(g, c, "The kernel exports it with another version (%s).",
			       words_where(g, f->ksym - 1));
	if (family)
		c->family = family->name;
	words_evidence(g, c,
		       "The suffix is a checksum of the symbol's types: the modules were built "
		       "from a kernel of another configuration or patch.");
	c->hint =
		"rebuild kernel and modules together (make dep first, so that modversions.h is of "
		"this configuration)";
}

void describe_crc(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_plain_symbols(g, c, RULE_CRC_MISMATCH, &n);
	bool is_kernel = !strcmp(f->provider, "vmlinux");

	c->provider = f->provider;
	if (n == 1)
		c->symbol = f->symbol;
	c->title = n == 1 ? symbols
			  : arena_printf(g->arena, "%s symbols of %s", text_count(g->arena, n),
					 f->provider);
	if (n > 1)
		words_evidence(g, c, "Other versions: %s.", symbols);
	words_evidence(g, c, "%s: %s has %s, %s was built against %s.", words_name(g, f->symbol),
		       is_kernel ? "the kernel" : f->provider, f->expected,
		       g->modules[f->module].name, f->actual ? f->actual : "none");
	c->hint = is_kernel ? "rebuild the modules against the headers of this very kernel build"
			    : arena_printf(g->arena,
					   "build them together with the %s that is installed, or "
					   "remove the copy that does not belong to them",
					   f->provider);
}

void describe_crc_missing(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (f->detail) {
		c->title = "modules without symbol versions";
		words_evidence(g, c, "%s.", f->detail);
		c->hint = "build them with CONFIG_MODVERSIONS=y, against this kernel's "
			  "Module.symvers";
		return;
	}
	c->symbol = f->symbol;
	c->title = words_name(g, f->symbol);
	words_evidence(g, c,
		       "The exporter (%s) has %s, the modules have no entry for it in "
		       "__versions.",
		       f->provider, f->expected);
	c->hint = strcmp(f->expected, "0x00000000") == 0
			  ? "the export has no CRC (an assembly symbol without a prototype in "
			    "asm-prototypes.h?): give it one and rebuild the kernel"
			  : "rebuild them against this kernel's Module.symvers";
}
