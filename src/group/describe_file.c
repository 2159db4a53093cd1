/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes that lie in a file: damage, its machine, its signature. */
#include "group/describe_file.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "group/words.h"
#include "kernel/evidence.h"

void describe_file(const struct grouping *g, struct cause *c, const struct finding *f)
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

void describe_machine(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = arena_printf(g->arena, "%s, the kernel is %s", f->actual, f->expected);
	c->hint = arena_printf(g->arena, "install the modules of the %s build", f->expected);
}

void describe_stripped(const struct grouping *g, struct cause *c, const struct finding *f)
{
	(void)f;
	c->title = "no symbol table";
	words_evidence(g, c, "The file has no .symtab, which the loader needs to link it.");
	c->hint = "strip modules with --strip-debug (or --strip-unneeded), never all symbols";
}

void describe_write_exec(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "a section that is writable and executable";
	if (f->detail)
		words_evidence(g, c, "%s.", f->detail);
	c->hint = "remove the flag from the section's directive in the source or linker script";
}

void describe_unsigned(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = "modules without a signature";
	words_evidence(g, c, "%s.", f->detail);
}

void describe_signature(const struct grouping *g, struct cause *c, const struct finding *f)
{
	c->title = c->n_modules > 1 ? words_modules(g, c->n_modules) : f->path;
	words_evidence(g, c, "Signature: %s.", f->detail);
	c->hint =
		"sign it as the last step of all, after stripping; or install the file again from "
		"its package";
}
