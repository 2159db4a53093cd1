/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cause in words: what, by which evidence, and the likely fix. One function a kind of cause,
 * found by the rule that leads it; causes that join many symbols are in joint.c.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/describe_index.h"
#include "group/describe_log.h"
#include "group/joint.h"
#include "group/rebuilt.h"
#include "group/words.h"
#include "kernel/evidence.h"

typedef void describe_function(const struct grouping *g, struct cause *c, const struct finding *f);

static const char *name_of(const struct grouping *g, nameid id)
{
	return names_text(g->names, id);
}

/* "CONFIG_PREEMPT=y makes modules call it ..." */
static void tell_family(const struct grouping *g, struct cause *c, const struct family *family)
{
	bool is_set = kconfig_get(&g->kernel->config, family->config) == KCONFIG_YES;

	c->family = family->name;
	words_evidence(g, c, "%s%s %s.", family->config, is_set ? "=y" : "", family->why);
}

static const char *plain_symbols(const struct grouping *g, const struct cause *c, enum rule_id rule,
				 uint32_t *n)
{
	const char *text = words_symbols(g, c, rule, n);
	const struct finding *f = words_first(g, c, rule);

	return *n == 1 && f ? name_of(g, f->symbol) : text;
}

/* Several symbols that only one module misses: its name is the title. */
static bool describe_own(const struct grouping *g, struct cause *c, const struct finding *f,
			 const char *what, const char *hint)
{
	uint32_t n;
	const char *text = words_symbols(g, c, (enum rule_id)c->rule, &n);

	if (n < 2)
		return false;
	c->title = arena_printf(g->arena, "%s: %u symbols", g->modules[f->module].name, n);
	words_evidence(g, c, "%s: %s.", what, text);
	c->hint = hint;
	return true;
}

static const char *renamed_hint(const struct grouping *g, nameid symbol)
{
	const char *name = name_of(g, symbol), *since;
	const char *other = family_renamed(name, names_length(g->names, symbol), &since);

	if (!other || !kernel_exports(g->kernel, g->links, g->names, other))
		return NULL;
	return arena_printf(g->arena,
			    "this kernel has it as %s (renamed in %s): build the modules against "
			    "this kernel",
			    other, since);
}

/* A copy of another build, often one in updates/ or extra/ that shadows the kernel's own. */
static void describe_lost(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, RULE_UNDEFINED_SYMBOL, &n);

	c->provider = f->provider;
	c->title = arena_printf(g->arena, "%s of %s", n == 1 ? name_of(g, f->symbol) : "symbols",
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

static void describe_undefined(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (f->ksym) {
		describe_lost(g, c, f);
		return;
	}
	if (describe_own(g, c, f, "Nowhere in the evidence",
			 "build the module against this kernel's headers, or install what provides "
			 "these symbols"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->title = name_of(g, f->symbol);
	bool is_sure = knows_definitions(g);
	words_evidence(g, c, "No export of the kernel or of an installed module has this name%s.",
		       is_sure ? ", and the evidence does not define it either"
			       : "; whether the kernel defines it cannot be told without its full "
				 "System.map");
	c->hint = renamed_hint(g, f->symbol);
	if (family)
		tell_family(g, c, family);
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

static void describe_not_exported(const struct grouping *g, struct cause *c,
				  const struct finding *f)
{
	if (describe_own(g, c, f, "The kernel defines but does not export",
			 "export them where they are defined and rebuild the kernel, or do without "
			 "them"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->title = name_of(g, f->symbol);
	words_evidence(g, c, "The kernel defines it (%s) but does not export it.",
		       words_where(g, f->ksym - 1));
	if (family)
		tell_family(g, c, family);
	if (family && !strcmp(family->name, "preemption"))
		c->hint =
			arena_printf(g->arena, "export %s in the preempt patch, rebuild the kernel",
				     name_of(g, f->symbol));
	else
		c->hint = "add EXPORT_SYMBOL() for it where it is defined and rebuild the kernel, "
			  "or use what is exported";
}

static void describe_not_installed(const struct grouping *g, struct cause *c,
				   const struct finding *f)
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

static void describe_suffix(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (describe_own(g, c, f, "Exported with other suffixes",
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

static void describe_crc(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = plain_symbols(g, c, RULE_CRC_MISMATCH, &n);
	bool is_kernel = !strcmp(f->provider, "vmlinux");

	c->provider = f->provider;
	if (n == 1)
		c->symbol = f->symbol;
	c->title = n == 1 ? symbols
			  : arena_printf(g->arena, "%s symbols of %s", text_count(g->arena, n),
					 f->provider);
	if (n > 1)
		words_evidence(g, c, "Other versions: %s.", symbols);
	words_evidence(g, c, "%s: %s has %s, %s was built against %s.", name_of(g, f->symbol),
		       is_kernel ? "the kernel" : f->provider, f->expected,
		       g->modules[f->module].name, f->actual ? f->actual : "none");
	c->hint = is_kernel ? "rebuild the modules against the headers of this very kernel build"
			    : arena_printf(g->arena,
					   "build them together with the %s that is installed, or "
					   "remove the copy that does not belong to them",
					   f->provider);
}

static void describe_crc_missing(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (f->detail) {
		c->title = "modules without symbol versions";
		words_evidence(g, c, "%s.", f->detail);
		c->hint = "build them with CONFIG_MODVERSIONS=y, against this kernel's "
			  "Module.symvers";
		return;
	}
	c->symbol = f->symbol;
	c->title = name_of(g, f->symbol);
	words_evidence(g, c,
		       "The exporter (%s) has %s, the modules have no entry for it in "
		       "__versions.",
		       f->provider, f->expected);
	c->hint = strcmp(f->expected, "0x00000000") == 0
			  ? "the export has no CRC (an assembly symbol without a prototype in "
			    "asm-prototypes.h?): give it one and rebuild the kernel"
			  : "rebuild them against this kernel's Module.symvers";
}

static void describe_file(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const char *detail = f->detail ? f->detail : rule_table[f->rule].summary;

	if (c->n_modules <= 1 || f->rule == RULE_MALFORMED_ELF || f->rule == RULE_BAD_RELOCATION)
		c->title = f->path;
	else
		c->title = detail;
	if (c->n_modules > 1 && c->title == f->path)
		c->title = words_modules(g, c->n_modules);
	if (c->title != detail)
		words_evidence(g, c, "%s%s.",
			       f->rule == RULE_BAD_RELOCATION && f->stage == STAGE_SYMBOLS
				       ? "COMMON symbol: "
				       : "",
			       detail);
	bool is_closed = f->module == MODULE_NONE || strstr(detail, "Permission denied");
	c->hint = is_closed ? "make it readable, or run modcheck as a user who may read it: what "
			      "is in it "
			      "was not judged"
			    : "install the file again from its package, or build it again";
}

static void describe_machine(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = arena_printf(g->arena, "%s, the kernel is %s", f->actual, f->expected);
	c->hint = arena_printf(g->arena, "install the modules of the %s build", f->expected);
}

static void describe_stripped(const struct grouping *g, struct cause *c, const struct finding *f)
{
	(void)f;
	c->title = "no symbol table";
	words_evidence(g, c, "The file has no .symtab, which the loader needs to link it.");
	c->hint = "strip modules with --strip-debug (or --strip-unneeded), never all symbols";
}

static void describe_write_exec(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "a section that is writable and executable";
	if (f->detail)
		words_evidence(g, c, "%s.", f->detail);
	c->hint = "remove the flag from the section's directive in the source or linker script";
}

/* The provider is not among those that are told of: say what is the matter with it. */
static void describe_refused(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const char *what = strchr(c->id, ':');

	c->provider = f->provider;
	c->title = what && what[1] ? what + 1 : f->provider;
	words_evidence(
		g, c, "%s is refused for it, and what is judged here needs symbols of that module.",
		f->provider);
	c->hint = "run modcheck on the whole tree: it tells this cause in full";
}

static void describe_weak(const struct grouping *g, struct cause *c, const struct finding *f)
{
	if (describe_own(g, c, f, "Weak, and nobody provides", NULL))
		return;
	c->symbol = f->symbol;
	c->title = name_of(g, f->symbol);
	words_evidence(g, c, "Weak, and nobody provides it: it reads as 0, and the module loads.");
}

static void describe_cycle(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->provider = f->provider;
	c->title = words_modules(g, c->n_direct ? c->n_direct : c->n_modules);
	c->title = arena_printf(g->arena, "%s that need each other", c->title);
	words_evidence(g, c, "%s.", f->detail);
	c->hint = "move what both need into a third module, or link them into one";
}

static void describe_gpl(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const char *license = g->modules[f->module].info.license;

	license = license ? license : "unspecified";
	if (describe_own(g, c, f, arena_printf(g->arena, "Licence '%s', and GPL-only are", license),
			 "use exported symbols that are not GPL-only, or license the module "
			 "accordingly"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->family = family ? family->name : NULL;
	c->title = name_of(g, f->symbol);
	words_evidence(g, c,
		       "%s exports it for GPL-compatible modules only; the licence of %s is '%s'.",
		       f->provider, g->modules[f->module].name, license);
	if (family)
		tell_family(g, c, family);
	c->hint = "use an export that is not GPL-only, or license the module accordingly";
}

static void describe_namespace(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, (enum rule_id)c->rule, &n);

	c->ns = f->ns;
	c->title = name_of(g, f->ns);
	words_evidence(g, c, "Symbols of this namespace: %s.", symbols);
	c->hint = f->rule == RULE_RESTRICTED_TO_MODULES
			  ? "only the modules that the namespace names may use them: do without"
			  : arena_printf(g->arena,
					 "add MODULE_IMPORT_NS(\"%s\") to the module's source",
					 name_of(g, f->ns));
}

static void describe_licence(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = arena_printf(g->arena, "'%s'", f->actual);
	words_evidence(g, c,
		       "The kernel does not count this licence as GPL-compatible: loading "
		       "taints it (P), and GPL-only symbols are closed to the module.");
}

static void describe_duplicate_export(const struct grouping *g, struct cause *c,
				      const struct finding *f)
{
	uint32_t n;
	const char *symbols = plain_symbols(g, c, RULE_DUPLICATE_EXPORT, &n);

	c->provider = f->provider;
	if (n == 1)
		c->symbol = f->symbol;
	if (n == 1 && c->n_modules > 1)
		c->title = arena_printf(g->arena, "%s, exported by %s and others", symbols,
					f->provider);
	else
		c->title = arena_printf(g->arena, "%s and %s export %s", g->modules[f->module].name,
					f->provider, n == 1 ? symbols : "the same symbols");
	if (n > 1)
		words_evidence(g, c, "Both export %s.", symbols);
	words_evidence(g, c, "The loader refuses whichever is loaded second.");
	c->hint = "remove one of the two, or rename the export";
}

static void describe_duplicate_module(const struct grouping *g, struct cause *c,
				      const struct finding *f)
{
	c->provider = f->provider;
	c->title = f->provider;
	for (uint32_t i = 0; i < c->n_findings; i++)
		words_evidence(g, c, "It shadows %s.", g->findings[c->findings[i]].path);
	c->hint = "remove the copy that is not wanted, or say in depmod.d which one wins";
}

static void describe_link(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = c->n_findings == 1 ? f->path : arena_printf(g->arena, "%u links", c->n_findings);
	for (uint32_t i = 0; i < c->n_findings; i++) {
		const struct finding *one = &g->findings[c->findings[i]];
		words_evidence(g, c, "%s: %s.", one->path, one->detail ? one->detail : "no target");
	}
	c->hint = "remove the links, or install what they point to";
}

static void describe_vermagic(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = f->detail;
	words_evidence(g, c, "The modules have '%s', the kernel '%s'.", f->actual, f->expected);
	c->hint = "build them against this kernel's headers, or install the modules of this build";
}

static void describe_no_vermagic(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "modules without version magic";
	words_evidence(g, c, "%s.", f->detail);
	c->hint = "build them by the kernel's build system, which adds it";
}

static void describe_struct_size(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = f->detail;
	words_evidence(g, c,
		       "Section .gnu.linkonce.this_module holds a struct module of another "
		       "configuration.");
	c->hint = "build them against this kernel's headers";
}

static void describe_proprietary(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, RULE_PROPRIETARY_PROVIDER, &n);

	c->provider = f->provider;
	c->title = f->provider;
	words_evidence(g, c,
		       "It is proprietary, and so is who uses it: GPL-only symbols are closed to "
		       "them (at %s).",
		       symbols);
	c->hint = "use the one or the other, not both";
}

static void describe_taints(const struct grouping *g, struct cause *c, const struct finding *f)
{
	(void)g;
	c->title = f->detail;
}

static void describe_unsigned(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "modules without a signature";
	words_evidence(g, c, "%s.", f->detail);
}

static void describe_signature(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = c->n_modules > 1 ? words_modules(g, c->n_modules) : f->path;
	words_evidence(g, c, "Signature: %s.", f->detail);
	c->hint =
		"sign it as the last step of all, after stripping; or install the file again from "
		"its package";
}

static void describe_retpoline(const struct grouping *g, struct cause *c, const struct finding *f)
{
	(void)f;
	c->title = "modules without the retpoline tag";
	words_evidence(g, c, "The kernel was compiled with CONFIG_RETPOLINE=y.");
	c->hint = "build them with the compiler and flags of this kernel";
}

static void describe_disagreement(const struct grouping *g, struct cause *c,
				  const struct finding *f)
{
	c->title = f->path;
	words_evidence(g, c, "%s.", f->detail ? f->detail : "It contradicts the other evidence");
	c->hint = "give the evidence of one build only";
}

static describe_function *const describers[N_RULES] = {
	[RULE_UNREADABLE_MODULE] = describe_file,
	[RULE_WRONG_MACHINE] = describe_machine,
	[RULE_MALFORMED_ELF] = describe_file,
	[RULE_STRIPPED_SYMBOLS] = describe_stripped,
	[RULE_WRITE_EXEC_SECTION] = describe_write_exec,
	[RULE_BAD_RELOCATION] = describe_file,
	[RULE_UNDEFINED_SYMBOL] = describe_undefined,
	[RULE_DEFINED_NOT_EXPORTED] = describe_not_exported,
	[RULE_PROVIDER_NOT_INSTALLED] = describe_not_installed,
	[RULE_PROVIDER_REFUSED] = describe_refused,
	[RULE_WEAK_UNDEFINED] = describe_weak,
	[RULE_DEPENDENCY_CYCLE] = describe_cycle,
	[RULE_VERSION_SUFFIX_MISMATCH] = describe_suffix,
	[RULE_CRC_MISMATCH] = describe_crc,
	[RULE_CRC_MISSING_IN_MODULE] = describe_crc_missing,
	[RULE_VERMAGIC_MISMATCH] = describe_vermagic,
	[RULE_VERMAGIC_MISSING] = describe_no_vermagic,
	[RULE_STRUCT_MODULE_SIZE] = describe_struct_size,
	[RULE_PROPRIETARY_PROVIDER] = describe_proprietary,
	[RULE_SIGNATURE_BROKEN] = describe_signature,
	[RULE_SIGNATURE_MISSING] = describe_unsigned,
	[RULE_TAINTS] = describe_taints,
	[RULE_RETPOLINE_MISSING] = describe_retpoline,
	[RULE_GPL_ONLY_SYMBOL] = describe_gpl,
	[RULE_NAMESPACE_NOT_IMPORTED] = describe_namespace,
	[RULE_RESTRICTED_TO_MODULES] = describe_namespace,
	[RULE_LICENSE_TAINTS] = describe_licence,
	[RULE_DUPLICATE_EXPORT] = describe_duplicate_export,
	[RULE_DUPLICATE_MODULE] = describe_duplicate_module,
	[RULE_DANGLING_LINK] = describe_link,
	[RULE_EVIDENCE_DISAGREES] = describe_disagreement,
	[RULE_BUILTIN_NAME_CLASH] = describe_builtin_clash,
	[RULE_MODULES_DEP_STALE] = describe_dep,
	[RULE_MODULES_ORDER_MISSING_FILE] = describe_order,
	[RULE_SOFTDEP_MISSING] = describe_softdep,
	[RULE_BLACKLISTED] = describe_blacklist,
	[RULE_FOREIGN_MODULE] = describe_foreign,
	[RULE_RT_NAME_WITHOUT_RT] = describe_rt_name,
	[RULE_NEEDS_REBUILD] = rebuilt_describe_needed,
	[RULE_HIDDEN_PREEMPT_CALL] = rebuilt_describe_hidden,
};

static void add_family(const struct grouping *g, struct cause *c)
{
	if (c->family)
		c->title = arena_printf(g->arena, "%s (%s)", c->title, c->family);
}

void group_describe(const struct grouping *g, struct cause *c)
{
	const struct finding *f = words_first(g, c, (enum rule_id)c->rule);

	if (g->is_log) {
		log_describe(g, c);
		add_family(g, c);
		return;
	}
	if (joint_describe(g, c)) {
		add_family(g, c);
		rebuilt_qualify(g, c);
		return;
	}
	/* all that hits a target may stand behind a provider that is not to be told of */
	if (!f)
		f = &g->findings[c->findings[0]];
	if (describers[f->rule])
		describers[f->rule](g, c, f);
	if (!c->title)
		c->title = rule_table[c->rule].summary;
	add_family(g, c);
	rebuilt_qualify(g, c);
}
