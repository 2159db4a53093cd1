/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cause in words: what, by which evidence, and the likely fix. One function a kind of cause,
 * found by the rule that leads it; causes that join many symbols are in joint.c.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/describe_file.h"
#include "group/describe_index.h"
#include "group/describe_log.h"
#include "group/describe_symbol.h"
#include "group/joint.h"
#include "group/rebuilt.h"
#include "group/words.h"
#include "kernel/evidence.h"

typedef void describe_function(const struct grouping *g, struct cause *c, const struct finding *f);

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
	if (words_own(g, c, f, "Weak, and nobody provides", NULL))
		return;
	c->symbol = f->symbol;
	c->title = words_name(g, f->symbol);
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
	if (words_own(g, c, f, arena_printf(g->arena, "Licence '%s', and GPL-only are", license),
		      "use exported symbols that are not GPL-only, or license the module "
		      "accordingly"))
		return;
	const struct family *family = words_family(g, f->symbol);
	c->symbol = f->symbol;
	c->family = family ? family->name : NULL;
	c->title = words_name(g, f->symbol);
	words_evidence(g, c,
		       "%s exports it for GPL-compatible modules only; the licence of %s is '%s'.",
		       f->provider, g->modules[f->module].name, license);
	if (family)
		words_tell_family(g, c, family);
	c->hint = "use an export that is not GPL-only, or license the module accordingly";
}

static void describe_namespace(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *symbols = words_symbols(g, c, (enum rule_id)c->rule, &n);

	c->ns = f->ns;
	c->title = words_name(g, f->ns);
	words_evidence(g, c, "Symbols of this namespace: %s.", symbols);
	c->hint = f->rule == RULE_RESTRICTED_TO_MODULES
			  ? "only the modules that the namespace names may use them: do without"
			  : arena_printf(g->arena,
					 "add MODULE_IMPORT_NS(\"%s\") to the module's source",
					 words_name(g, f->ns));
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
	const char *symbols = words_plain_symbols(g, c, RULE_DUPLICATE_EXPORT, &n);

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
