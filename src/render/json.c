/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, schema 1. Keys are only ever added; one without a value is left out, and so is what the
 * evidence cannot tell; arrays are sorted.
 *
 *   { "schema_version", "tool", "kernel", "sources": [], "result", "exit_code", "incomplete",
 *     "summary": {}, "causes": [], "modules": [], "findings": [] }
 *
 * `errno` is the number that the loader's system call returns, as programs compare it. `causes[]
 * .modules` is a count; the modules are those whose findings name the cause. `fingerprint` is
 * the XXH3 hash, 64 bits, of rule code, path without compression suffix, and symbol, with a NUL
 * after each of the first two.
 *
 * A report can have 150,000 findings, so it is never held as one tree: each array element is a
 * jansson object of its own, written on a line of its own and dropped (json_writer.h). That also
 * makes reports fit for diff.
 */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"
#include "base/version.h"
#include "render/formats.h"
#include "render/json_writer.h"
#include "rules/table.h"

static const char *const verdicts[] = {
	[VERDICT_LOADS] = "loads",
	[VERDICT_REFUSED] = "refused",
	[VERDICT_UNKNOWN] = "unknown",
};

static const char *const certainties[] = {
	[CERTAINTY_NONE] = NULL,
	[CERTAINTY_CERTAIN] = "certain",
	[CERTAINTY_LIKELY] = "likely",
	[CERTAINTY_POSSIBLE] = "possible",
};

static const char *const readies[N_READY] = {
	[READY_AS_IS] = "as-is",
	[READY_REBUILD] = "rebuild",
	[READY_NOT] = "not-ready",
	[READY_UNKNOWN] = "unknown",
};

static json_t *kernel_value(struct json_writer *w, const struct result *r)
{
	json_t *kernel = json_new_object(), *preemption = json_new_object();

	if (!r->log || r->log->names_kernel)
		json_set_text(w, kernel, "release", r->release);
	json_set_text(w, kernel, "tree", r->tree_path);
	json_set_text(w, kernel, "machine", r->machine);
	json_set_text(w, kernel, "vermagic", r->vermagic);
	json_set_text(w, preemption, "model", r->model);
	json_set_text(w, preemption, "at_boot", r->model_at_boot);
	json_set_texts(w, preemption, "evidence", r->model_evidence, r->n_model_evidence);
	json_set(kernel, "preemption", preemption);
	return kernel;
}

static json_t *source_value(struct json_writer *w, const struct source *s)
{
	static const char *const kinds[] = {
		[SOURCE_SYMVERS] = "symvers", [SOURCE_SYSTEM_MAP] = "system-map",
		[SOURCE_KSYMS] = "ksyms",     [SOURCE_KALLSYMS] = "kallsyms",
		[SOURCE_LOG] = "log",         [SOURCE_CONFIG] = "config",
		[SOURCE_IMAGE] = "image",
	};
	json_t *source = json_new_object();

	json_set_text(w, source, "kind", kinds[s->kind]);
	json_set_text(w, source, "path", s->path);
	if (s->kind != SOURCE_CONFIG && s->kind != SOURCE_LOG) {
		json_set_number(source, "exports", s->exports);
		json_set_number(source, "crcs", s->crcs);
	}
	if (s->knows_licences)
		json_set_number(source, "licenses", s->licences);
	if (s->knows_namespaces)
		json_set_number(source, "namespaces", s->namespaces);
	json_set(source, "used", json_boolean(s->used));
	json_set_text(w, source, "note", s->note);
	return source;
}

static json_t *by_rule_value(const struct result *r)
{
	uint32_t counts[N_RULES] = { 0 };
	json_t *by_rule = json_new_object();

	for (uint32_t i = 0; i < r->n_findings; i++)
		counts[r->findings[i].rule]++;
	for (int rule = 0; rule < N_RULES; rule++) {
		if (counts[rule])
			json_set_number(by_rule, rule_table[rule].code, counts[rule]);
	}
	return by_rule;
}

static json_t *by_model_value(const struct result *r)
{
	json_t *by_model = json_new_object();

	for (uint32_t i = 0; i < r->n_by_model; i++)
		json_set_number(by_model, r->by_model[i].name, r->by_model[i].n);
	return by_model;
}

static void put_by_subsystem(struct json_writer *w, const struct result *r)
{
	json_writer_begin(w, "by_subsystem", "{");
	for (uint32_t i = 0; i < r->n_subsystems; i++) {
		const struct subsystem *s = &r->subsystems[i];
		json_t *counts = json_new_object();

		json_set_number(counts, "total", s->total);
		json_set_number(counts, "refused", s->refused);
		json_writer_entry(w, s->name, counts);
	}
	json_writer_end(w, "}");
}

static json_t *ready_value(struct json_writer *w, const struct readiness *r)
{
	json_t *ready = json_new_object();

	for (int i = 0; i < N_READY; i++)
		json_set_number(ready, readies[i], r->count[i]);
	json_set_number(ready, "own-build", r->n_own_build);
	json_set_text(w, ready, "source", r->source);
	return ready;
}

static void put_summary(struct json_writer *w, const struct result *r)
{
	const struct {
		const char *key;
		uint32_t n;
	} counts[] = {
		{ "modules", r->n_targets }, { "loads", r->n_loads },
		{ "refused", r->n_refused }, { "unknown", r->n_unknown },
		{ "errors", r->n_errors },   { "warnings", r->n_warnings },
		{ "infos", r->n_infos },     { "waived", r->n_waived },
		{ "causes", r->n_causes },
	};

	json_writer_begin(w, "summary", "{");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_writer_member(w, counts[i].key, json_integer(counts[i].n));
	json_writer_member(w, "by_rule", by_rule_value(r));
	if (r->readiness)
		json_writer_member(w, "ready", ready_value(w, r->readiness));
	put_by_subsystem(w, r);
	json_writer_member(w, "by_model", by_model_value(r));
	json_writer_end(w, "}");
}

static json_t *cause_value(struct json_writer *w, const struct result *r, const struct cause *c)
{
	json_t *cause = json_new_object();

	json_set_text(w, cause, "id", c->id);
	json_set_text(w, cause, "rule", rule_table[c->rule].name);
	json_set_text(w, cause, "code", rule_table[c->rule].code);
	json_set_text(w, cause, "severity", severity_name(c->severity));
	json_set_text(w, cause, "certainty", certainties[c->certainty]);
	json_set_text(w, cause, "family", c->family);
	json_set_text(w, cause, "symbol", names_text(r->names, c->symbol));
	json_set_text(w, cause, "provider", c->provider);
	json_set_text(w, cause, "namespace", names_text(r->names, c->ns));
	json_set_text(w, cause, "title", c->title);
	json_set_texts(w, cause, "evidence", c->evidence, c->n_evidence);
	json_set_text(w, cause, "hint", c->hint);
	json_set_number(cause, "modules", c->n_modules);
	return cause;
}

/* The letters of /proc/sys/kernel/tainted's bits, as the kernel prints them. */
static void put_taints(struct json_writer *w, json_t *module, uint32_t taints)
{
	static const char letters[] = "PFSRMBUDAWCIOELKXTN";
	char text[sizeof(letters)];
	size_t n = 0;

	for (size_t bit = 0; letters[bit]; bit++) {
		if (taints & 1u << bit)
			text[n++] = letters[bit];
	}
	text[n] = '\0';
	json_set_text(w, module, "taints", n ? text : NULL);
}

/* Of `modcheck ready`: the other keys of a module are those of the rebuilt one. */
static void put_readiness(struct json_writer *w, json_t *module, const struct module_readiness *r)
{
	json_t *as_is = json_new_object();

	json_set_text(w, module, "ready", readies[r->ready]);
	json_set_text(w, as_is, "verdict", verdicts[r->as_is]);
	if (r->error)
		json_set_number(as_is, "errno", r->error);
	json_set_text(w, as_is, "message", r->message);
	json_set_text(w, as_is, "vermagic", r->vermagic);
	json_set(module, "as_is", as_is);
}

static json_t *module_value(struct json_writer *w, const struct module *m, const struct judged *j)
{
	json_t *module = json_new_object();

	json_set_text(w, module, "path", m->path);
	json_set_text(w, module, "name", m->name);
	json_set_text(w, module, "subsystem", j->subsystem);
	json_set_text(w, module, "verdict", verdicts[j->verdict]);
	if (j->error)
		json_set_number(module, "errno", j->error);
	json_set_text(w, module, "message", j->message);
	put_taints(w, module, j->taints);
	return module;
}

static void put_modules(struct json_writer *w, const struct result *r, bool list_all)
{
	json_writer_begin(w, "modules", "[");
	for (uint32_t i = 0; i < r->n_modules; i++) {
		const struct judged *j = &r->judged[i];
		bool is_clean = j->verdict == VERDICT_LOADS &&
				j->n_errors + j->n_warnings + j->n_infos == 0;

		if (!r->modules[i].is_target || (is_clean && !list_all))
			continue;
		json_t *module = module_value(w, &r->modules[i], j);
		if (r->readiness)
			put_readiness(w, module, &r->readiness->of[i]);
		json_writer_element(w, module);
	}
	json_writer_end(w, "]");
}

/* The same for foo.ko and foo.ko.xz, and for each build of them. */
static void set_fingerprint(json_t *finding, const char *code, const char *path, const char *symbol)
{
	size_t length = text_unpacked_length(path, strlen(path));
	XXH3_state_t state;
	char text[17];

	XXH3_INITSTATE(&state);
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, code, strlen(code) + 1);
	XXH3_64bits_update(&state, path, length);
	XXH3_64bits_update(&state, "", 1);
	XXH3_64bits_update(&state, symbol, strlen(symbol));
	snprintf(text, sizeof(text), "%016llx", (unsigned long long)XXH3_64bits_digest(&state));
	json_set(finding, "fingerprint", json_string_nocheck(text));
}

static json_t *finding_value(struct json_writer *w, const struct result *r, const struct finding *f)
{
	const struct rule *rule = &rule_table[f->rule];
	const char *symbol = names_text(r->names, f->symbol), *path = f->path;
	json_t *finding = json_new_object();

	if (!path && f->module < r->n_modules)
		path = r->modules[f->module].path;
	json_set_text(w, finding, "rule", rule->name);
	json_set_text(w, finding, "code", rule->code);
	json_set_text(w, finding, "severity", severity_name(f->severity));
	if (f->module < r->n_modules)
		json_set_text(w, finding, "module", r->modules[f->module].name);
	json_set_text(w, finding, "path", path);
	if (f->module < r->n_modules)
		json_set_text(w, finding, "subsystem", r->judged[f->module].subsystem);
	json_set_text(w, finding, "symbol", symbol);
	json_set_text(w, finding, "namespace", names_text(r->names, f->ns));
	json_set_text(w, finding, "provider", f->provider);
	json_set_text(w, finding, "expected", f->expected);
	json_set_text(w, finding, "actual", f->actual);
	json_set_text(w, finding, "detail", f->detail);
	if (f->cause < r->n_causes)
		json_set_text(w, finding, "cause", r->causes[f->cause].id);
	json_set_text(w, finding, "certainty", certainties[f->certainty]);
	json_set(finding, "terminal", json_boolean(f->is_terminal));
	set_fingerprint(finding, rule->code, path ? path : "", symbol);
	return finding;
}

static void put_head(struct json_writer *w, const struct result *r)
{
	static const char *const outcomes[] = {
		[OUTCOME_OK] = "ok",
		[OUTCOME_FINDINGS] = "findings",
		[OUTCOME_INCOMPLETE] = "incomplete",
	};
	json_t *tool = json_new_object();

	json_set_text(w, tool, "name", "modcheck");
	json_set_text(w, tool, "version", MODCHECK_VERSION);
	json_writer_member(w, "schema_version", json_integer(1));
	json_writer_member(w, "tool", tool);
	json_writer_member(w, "kernel", kernel_value(w, r));
	json_writer_begin(w, "sources", "[");
	for (uint32_t i = 0; i < r->kernel->n_sources; i++)
		json_writer_element(w, source_value(w, &r->kernel->sources[i]));
	json_writer_end(w, "]");
	json_writer_member(w, "result", json_string(outcomes[r->outcome]));
	json_writer_member(w, "exit_code", json_integer(r->exit_code));
	if (r->incomplete)
		json_writer_member(w, "incomplete", json_new_text(w, r->incomplete));
}

void render_json(struct sink *out, const struct result *r, const struct render_options *options,
		 struct arena *scratch)
{
	struct json_writer writer, *w = &writer;

	json_writer_init(w, out, scratch);
	put_head(w, r);
	put_summary(w, r);
	json_writer_begin(w, "causes", "[");
	for (uint32_t i = 0; i < r->n_causes; i++)
		json_writer_element(w, cause_value(w, r, &r->causes[i]));
	json_writer_end(w, "]");
	put_modules(w, r, options->list_all);
	json_writer_begin(w, "findings", "[");
	for (uint32_t i = 0; i < r->n_findings; i++)
		json_writer_element(w, finding_value(w, r, &r->findings[i]));
	json_writer_end(w, "]");
	json_writer_release(w);
}
