/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols (MC201, alone or joined to a family or a model) are told by their family; all else by a
 * row a rule.
 */
#include "group/describe_log.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/words.h"
#include "kernel/vermagic.h"

/* What a title is made of. */
enum title {
	TITLE_SYMBOL,   /* the symbol, or how many */
	TITLE_MODULE,   /* the module, or how many */
	TITLE_ACTUAL,   /* what the module has */
	TITLE_NS,       /* the namespace */
	TITLE_PROVIDER, /* who has it */
	TITLE_DETAIL,   /* what the log says, or the rule's own phrase */
};

struct log_words {
	uint16_t rule;
	uint8_t title;
	const char *hint;
};

static const char reinstall[] = "install the file again from its package, or build it again";
static const char rebuild[] =
	"build the modules against this kernel's headers, or install those of "
	"its build";

static const struct log_words rows[] = {
	{ RULE_UNREADABLE_MODULE, TITLE_DETAIL, reinstall },
	{ RULE_WRONG_MACHINE, TITLE_MODULE, "install the modules of this kernel's architecture" },
	{ RULE_MALFORMED_ELF, TITLE_MODULE, reinstall },
	{ RULE_STRIPPED_SYMBOLS, TITLE_MODULE,
	  "strip modules with --strip-debug (or --strip-unneeded), never all symbols" },
	{ RULE_WRITE_EXEC_SECTION, TITLE_MODULE,
	  "remove the flag from the section's directive in the source or linker script" },
	{ RULE_BAD_RELOCATION, TITLE_MODULE, reinstall },
	{ RULE_SIGNATURE_BROKEN, TITLE_MODULE,
	  "sign it as the last step of all, after stripping; or install the file again from its "
	  "package" },
	{ RULE_SIGNATURE_MISSING, TITLE_DETAIL, NULL },
	{ RULE_DEPENDENCY_CYCLE, TITLE_MODULE,
	  "move what they need of each other into a third module, or link them into one" },
	{ RULE_CRC_MISMATCH, TITLE_SYMBOL, rebuild },
	{ RULE_CRC_MISSING_IN_MODULE, TITLE_SYMBOL,
	  "build the modules against this kernel's Module.symvers" },
	{ RULE_VERMAGIC_MISMATCH, TITLE_ACTUAL, rebuild },
	{ RULE_VERMAGIC_MISSING, TITLE_MODULE,
	  "build them by the kernel's build system, which adds it" },
	{ RULE_STRUCT_MODULE_SIZE, TITLE_MODULE, rebuild },
	{ RULE_NAMESPACE_NOT_IMPORTED, TITLE_NS,
	  "add MODULE_IMPORT_NS() of it to the module's "
	  "source" },
	{ RULE_RESTRICTED_TO_MODULES, TITLE_NS,
	  "only the modules that the namespace names may use it: do without" },
	{ RULE_PROPRIETARY_PROVIDER, TITLE_PROVIDER, "use the one or the other, not both" },
	{ RULE_LICENSE_TAINTS, TITLE_ACTUAL, NULL },
	{ RULE_TAINTS, TITLE_DETAIL, NULL },
	{ RULE_RETPOLINE_MISSING, TITLE_MODULE,
	  "build them with the compiler and flags of this kernel" },
	{ RULE_LIVEPATCH_DISABLED, TITLE_MODULE, "boot a kernel with CONFIG_LIVEPATCH=y" },
	{ RULE_DUPLICATE_EXPORT, TITLE_SYMBOL, "remove one of the two, or rename the export" },
	{ RULE_BUILTIN_NAME_CLASH, TITLE_MODULE,
	  "rename the module, or do not load it: the kernel has one of this name" },
	{ RULE_DANGLING_LINK, TITLE_DETAIL, "remove the links, or install what they point to" },
	{ RULE_LOAD_FAILED, TITLE_DETAIL,
	  "give modcheck parse the kernel's messages as well (dmesg, journalctl -k), or check the "
	  "module itself: modcheck KVER FILE" },
};

static const struct log_words *row_of(uint16_t rule)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].rule == rule)
			return &rows[i];
	}
	return NULL;
}

/* The line where the log says it first, and in the kernel's words where these are known. */
static void quote(const struct grouping *g, struct cause *c)
{
	const struct finding *first = &g->findings[c->findings[0]];

	for (uint32_t i = 1; i < c->n_findings; i++) {
		const struct finding *f = &g->findings[c->findings[i]];
		if (f->order < first->order)
			first = f;
	}
	size_t length = first->message ? strlen(first->message) : 0;
	length -= length && first->message[length - 1] == '.';
	if (length)
		words_evidence(g, c, "Line %u of the log: \"%.*s\".", first->order, (int)length,
			       first->message);
	else
		words_evidence(g, c, "%s line %u of the log.",
			       c->n_findings > 1 ? "First in" : "In", first->order);
}

static const char *module_title(const struct grouping *g, const struct cause *c)
{
	if (c->n_modules == 0)
		return "a module that the log does not name";
	return c->n_modules > 1 ? words_modules(g, c->n_modules) : g->modules[c->modules[0]].name;
}

static const char *symbol_title(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *text = words_symbols(g, c, (enum rule_id)c->rule, &n);

	if (n == 0)
		return module_title(g, c);
	if (n == 1) {
		c->symbol = f->symbol;
		return names_text(g->names, f->symbol);
	}
	words_evidence(g, c, "Symbols: %s.", text);
	return arena_printf(g->arena, "%s symbols", text_count(g->arena, n));
}

static const char *title_of(const struct grouping *g, struct cause *c, const struct finding *f,
			    enum title title)
{
	const char *text = NULL;

	switch (title) {
	case TITLE_SYMBOL:
		return symbol_title(g, c, f);
	case TITLE_ACTUAL:
		text = f->actual ? arena_printf(g->arena, "'%s'", f->actual) : NULL;
		break;
	case TITLE_NS:
		c->ns = f->ns;
		text = f->ns ? names_text(g->names, f->ns) : NULL;
		break;
	case TITLE_PROVIDER:
		c->provider = f->provider;
		text = f->provider;
		break;
	case TITLE_DETAIL:
		text = f->detail;
		break;
	case TITLE_MODULE:
		break;
	}
	return text ? text : module_title(g, c);
}

static const char *vermagic_title(const struct grouping *g, const struct finding *f)
{
	const char *words = vermagic_differences(f->expected, f->actual, g->arena);

	if (*words)
		return words;
	size_t length = strcspn(f->actual, " ");
	if (strncmp(f->actual, f->expected, length + 1) == 0)
		return "the words or the spaces of the version magic are in another order";
	return arena_printf(g->arena, "built for %.*s", (int)length, f->actual);
}

static void describe_row(const struct grouping *g, struct cause *c, const struct finding *f)
{
	const struct log_words *words = row_of(f->rule);

	c->title = title_of(g, c, f, words ? (enum title)words->title : TITLE_MODULE);
	if (f->rule == RULE_VERMAGIC_MISMATCH && f->expected && f->actual)
		c->title = vermagic_title(g, f);
	/* the message has it, where there is one */
	if (f->detail && !f->message && strcmp(f->detail, c->title) != 0)
		words_evidence(g, c, "%s.", f->detail);
	if (f->expected && f->actual)
		words_evidence(g, c, "The module has '%s', the kernel '%s'.", f->actual,
			       f->expected);
	quote(g, c);
	c->hint = words ? words->hint : NULL;
}

static void describe_layout(const struct grouping *g, struct cause *c)
{
	const struct finding *f = words_first(g, c, RULE_MODULE_LAYOUT_MISMATCH);
	uint32_t n_crc, n_lost;
	const char *text;

	c->title = "built for another kernel or configuration";
	if (f) {
		c->symbol = f->symbol;
		words_evidence(g, c, "They have another version of %s.",
			       names_text(g->names, f->symbol));
	}
	words_symbols(g, c, RULE_CRC_MISMATCH, &n_crc);
	if (n_crc)
		words_evidence(g, c, "%s other symbols have other versions.",
			       text_count(g->arena, n_crc));
	text = words_symbols(g, c, RULE_UNDEFINED_SYMBOL, &n_lost);
	if (n_lost)
		words_evidence(g, c, "%s symbols were not found: %s.", text_count(g->arena, n_lost),
			       text);
	quote(g, c);
	c->hint = "install modules that were built with this kernel, or boot the kernel that they "
		  "belong to";
}

/* "model:PREEMPT_RT" or "family:CONFIG_X": what the modules were built with. */
static void describe_joint(const struct grouping *g, struct cause *c, const char *what,
			   bool is_model)
{
	uint32_t n;
	const char *text = words_symbols(g, c, RULE_UNDEFINED_SYMBOL, &n);
	const struct finding *f = &g->findings[c->findings[0]];
	const struct family *family = f->symbol ? words_family(g, f->symbol) : NULL;

	c->title =
		arena_printf(g->arena, is_model ? "%s symbols of %s kernels" : "%s symbols of %s",
			     text_count(g->arena, n), what);
	c->family = is_model ? "preemption" : family ? family->name : NULL;
	words_evidence(g, c, "Not found: %s.", text);
	if (family && strcmp(what, family->config) == 0)
		words_evidence(g, c, "%s %s.", family->config, family->why);
	quote(g, c);
	c->hint = arena_printf(g->arena,
			       "the modules were likely built with %s and the kernel was not: "
			       "install modules of this kernel, or build both from one "
			       "configuration",
			       what);
}

static bool has_suffix(const struct grouping *g, nameid symbol)
{
	const char *text = names_text(g->names, symbol);
	size_t length = names_length(g->names, symbol);

	return symbol_base_length(text, length) < length;
}

static const char *symbol_hint(const struct grouping *g, struct cause *c, nameid symbol)
{
	const struct family *family = words_family(g, symbol);
	const char *since, *other, *text = names_text(g->names, symbol);

	if (family) {
		c->family = family->name;
		words_evidence(g, c, "%s %s.", family->config, family->why);
		return arena_printf(g->arena,
				    "either the kernel was built with %s and lacks the export of "
				    "%s (export it, rebuild the kernel), or the modules were built "
				    "with it and the kernel was not (build both from one "
				    "configuration)",
				    family->config, text);
	}
	other = family_renamed(text, names_length(g->names, symbol), &since);
	if (other)
		return arena_printf(g->arena,
				    "%s came with a change of names (%s, the other is %s): build "
				    "the modules against this kernel",
				    text, since, other);
	return "build the modules against this kernel, or install the module that provides it; "
	       "modcheck on the tree itself tells which";
}

static void describe_symbol(const struct grouping *g, struct cause *c, const struct finding *f)
{
	uint32_t n;
	const char *text = words_symbols(g, c, RULE_UNDEFINED_SYMBOL, &n);

	if (n > 1) {
		c->title = arena_printf(g->arena, "%s: %u symbols", g->modules[f->module].name, n);
		words_evidence(g, c, "Not found: %s.", text);
		quote(g, c);
		c->hint = "build the module against this kernel, or install what provides them";
		return;
	}
	c->symbol = f->symbol;
	c->title = n ? names_text(g->names, f->symbol) : module_title(g, c);
	quote(g, c);
	if (n == 0) {
		words_evidence(g, c, "Which symbols these are is not in the log.");
		c->hint = "run depmod with -e, which names them";
		return;
	}
	if (has_suffix(g, f->symbol))
		words_evidence(g, c,
			       "The suffix is a checksum of the symbol's types: the kernel "
			       "may have it with another one.");
	c->hint = symbol_hint(g, c, f->symbol);
}

void log_describe(const struct grouping *g, struct cause *c)
{
	const struct finding *f = words_first(g, c, (enum rule_id)c->rule);

	if (!f)
		f = &g->findings[c->findings[0]];
	if (text_has_prefix(c->id, KEY_LAYOUT))
		describe_layout(g, c);
	else if (text_has_prefix(c->id, KEY_LOG_MODEL)) {
		describe_joint(g, c, c->id + strlen(KEY_LOG_MODEL), true);
	} else if (text_has_prefix(c->id, KEY_FAMILY))
		describe_joint(g, c, c->id + strlen(KEY_FAMILY), false);
	else if (c->rule == RULE_UNDEFINED_SYMBOL)
		describe_symbol(g, c, f);
	else
		describe_row(g, c, f);
}
