/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line a finding, as compilers write them, for grep and for editors:
 *
 *   kernel/fs/fat/fat.ko: error: MC301 crc-mismatch: foo [expected 0x1, got 0x2; by vmlinux]
 */
#include "base/arena.h"
#include "base/sink.h"
#include "base/text.h"
#include "render/formats.h"
#include "rules/table.h"

static const char *path_of(const struct result *r, const struct finding *f)
{
	if (f->path)
		return f->path;
	if (f->module < r->n_modules)
		return r->modules[f->module].path;
	return r->tree_path ? r->tree_path : r->release;
}

/* A phrase among those in brackets; *separator says whether it is the first. */
static void put_phrase(struct sink *out, const char **separator, const char *before,
		       const char *text, struct arena *scratch)
{
	if (!text || !*text)
		return;
	sink_puts(out, *separator);
	sink_puts(out, before);
	sink_puts(out, text_safe(scratch, text));
	*separator = "; ";
}

static void put_finding(struct sink *out, const struct result *r, const struct finding *f,
			struct arena *scratch)
{
	const struct rule *rule = &rule_table[f->rule];
	const char *separator = " [";

	sink_puts(out, text_safe(scratch, path_of(r, f)));
	sink_printf(out, ": %s: %s %s", severity_name(f->severity), rule->code, rule->name);
	if (f->symbol != NAME_NONE) {
		sink_puts(out, ": ");
		sink_puts(out, text_safe(scratch, names_text(r->names, f->symbol)));
	}
	put_phrase(out, &separator, "namespace ", names_text(r->names, f->ns), scratch);
	put_phrase(out, &separator, "by ", f->provider, scratch);
	put_phrase(out, &separator, "expected ", f->expected, scratch);
	put_phrase(out, &separator, "got ", f->actual, scratch);
	put_phrase(out, &separator, "", f->detail, scratch);
	sink_puts(out, *separator == ';' ? "]\n" : "\n");
}

void render_short(struct sink *out, const struct result *r, const struct render_options *options,
		  struct arena *scratch)
{
	(void)options;
	/* Too little evidence: what it makes look wrong would bury the one thing that is. */
	if (r->outcome == OUTCOME_INCOMPLETE) {
		const struct rule *rule = &rule_table[RULE_EVIDENCE_MISSING];

		sink_puts(out, text_safe(scratch, r->tree_path ? r->tree_path : r->release));
		sink_printf(out, ": error: %s %s: %s\n", rule->code, rule->name,
			    text_safe(scratch, r->incomplete ? r->incomplete : rule->summary));
		return;
	}
	for (uint32_t i = 0; i < r->n_findings; i++)
		put_finding(out, r, &r->findings[i], scratch);
}
