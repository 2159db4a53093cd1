/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, a schema of its own (doc/json.md). Keys are only ever added; one without a value is left
 * out; arrays are sorted by name. An array element is a line, so that two reports can be compared.
 */
#include <string.h>

#include "base/arena.h"
#include "base/version.h"
#include "diff/diff.h"
#include "diff/render.h"
#include "machine.h"
#include "render/json_writer.h"
#include "render/render.h"
#include "rules/table.h"

static void put_side(struct json_writer *w, const char *key, const struct side *s)
{
	static const char *const kinds[] = {
		[SOURCE_SYMVERS] = "symvers", [SOURCE_SYSTEM_MAP] = "system-map",
		[SOURCE_KSYMS] = "ksyms",     [SOURCE_KALLSYMS] = "kallsyms",
		[SOURCE_CONFIG] = "config",   [SOURCE_IMAGE] = "image",
	};
	const struct kernel *k = &s->session.kernel;
	const struct preemption *p = &s->session.preemption;
	json_t *model = json_new_object(), *sources = json_array();

	for (uint32_t i = 0; i < k->n_sources; i++) {
		if (k->sources[i].used)
			json_array_append_new(sources, json_string(kinds[k->sources[i].kind]));
	}
	json_set_text(w, model, "model", p->name);
	for (uint32_t i = 0; i < p->n_evidence; i++)
		json_object_set_new(model, "evidence", json_array());
	for (uint32_t i = 0; i < p->n_evidence; i++)
		json_array_append_new(json_object_get(model, "evidence"),
				      json_new_text(w, p->evidence[i]));
	json_writer_begin(w, key, "{");
	json_writer_member(w, "name", json_new_text(w, s->label));
	if (s->is_tree)
		json_writer_member(w, "tree", json_new_text(w, s->session.tree.moddir));
	if (s->machine)
		json_writer_member(
			w, "machine",
			json_new_text(w, machine_name(s->machine, s->elf_class, w->scratch)));
	if (s->vermagic)
		json_writer_member(w, "vermagic", json_new_text(w, s->vermagic));
	json_writer_member(w, "preemption", model);
	json_writer_member(w, "sources", sources);
	if (s->is_tree)
		json_writer_member(w, "modules", json_integer(s->session.n_modules));
	json_writer_end(w, "}");
}

static json_t *state_value(struct json_writer *w, const struct export_state *s)
{
	json_t *state = json_new_object();

	json_set_text(w, state, "owner", s->owner);
	if (s->has_crc)
		json_set_text(w, state, "crc", arena_printf(w->scratch, "0x%08x", s->crc));
	if (s->knows_licence)
		json_set(state, "gpl_only",
			 json_boolean(s->licence == LICENCE_GPL ||
				      s->licence == LICENCE_UNUSED_GPL));
	json_set_text(w, state, "namespace", s->ns);
	return state;
}

static json_t *export_value(struct json_writer *w, const struct diff *d,
			    const struct export_diff *e)
{
	json_t *value = json_new_object(), *users = json_array();

	json_set_text(w, value, "symbol", e->symbol);
	if (e->old.owner)
		json_set(value, "old", state_value(w, &e->old));
	if (e->new.owner)
		json_set(value, "new", state_value(w, &e->new));
	for (uint32_t i = 0; i < e->n_users; i++)
		json_array_append_new(
			users, json_new_text(w, d->old_modules[e->users[i].module].module->path));
	json_set(value, "users", users);
	json_set_number(value, "users_without_build", e->n_unbuilt);
	return value;
}

static void put_exports(struct json_writer *w, const struct diff *d)
{
	static const char *const keys[N_EXPORT_CHANGES] = {
		"removed", "added", "crc", "gpl_only", "freed", "namespace", "moved",
	};

	json_writer_begin(w, "exports", "{");
	for (unsigned int c = 0; c < N_EXPORT_CHANGES; c++) {
		json_writer_begin(w, keys[c], "[");
		for (uint32_t i = 0; i < d->n_exports; i++) {
			if (d->exports[i].changes & 1u << c)
				json_writer_element(w, export_value(w, d, &d->exports[i]));
		}
		json_writer_end(w, "]");
	}
	json_writer_end(w, "}");
}

static void put_only(struct json_writer *w, const char *key, const struct module_diff *rows,
		     uint32_t n)
{
	json_writer_begin(w, key, "[");
	for (uint32_t i = 0; i < n; i++) {
		if (rows[i].twin)
			continue;
		json_t *value = json_new_object();
		json_set_text(w, value, "path", rows[i].module->path);
		json_set_text(w, value, "name", rows[i].module->name);
		json_set_text(w, value, "subsystem", rows[i].subsystem);
		json_set(value, "in_tree", json_boolean(rows[i].is_in_tree));
		json_set(value, "built_in", json_boolean(rows[i].is_builtin));
		json_writer_element(w, value);
	}
	json_writer_end(w, "]");
}

static void put_modules(struct json_writer *w, const struct diff *d)
{
	json_writer_begin(w, "modules", "{");
	if (d->compares_modules) {
		put_only(w, "only_old", d->old_modules, d->old.session.n_modules);
		put_only(w, "only_new", d->new_modules, d->new.session.n_modules);
	}
	json_writer_end(w, "}");
}

static json_t *preemption_value(struct json_writer *w, const struct diff *d)
{
	const char *old = d->old.session.preemption.name, *new = d->new.session.preemption.name;
	json_t *value = json_new_object();

	json_set_text(w, value, "old", old);
	json_set_text(w, value, "new", new);
	json_set(value, "differs", json_boolean(*old && *new &&strcmp(old, new) != 0));
	return value;
}

static json_t *words_value(struct json_writer *w, const struct diff *d, bool is_new)
{
	json_t *words = json_array();

	for (uint32_t i = 0; i < d->n_words; i++) {
		if (d->words[i].is_new == is_new)
			json_array_append_new(words, json_new_text(w, d->words[i].word));
	}
	return words;
}

static json_t *vermagic_value(struct json_writer *w, const struct diff *d)
{
	json_t *value = json_new_object();

	if (!d->knows_vermagic)
		return value;
	json_set(value, "only_old", words_value(w, d, false));
	json_set(value, "only_new", words_value(w, d, true));
	return value;
}

static void put_config(struct json_writer *w, const struct config_diff *c)
{
	json_writer_begin(w, "config", "[");
	for (uint32_t i = 0; i < c->n_options; i++) {
		const struct option_diff *o = &c->options[i];
		json_t *value = json_new_object();
		json_set_text(w, value, "option", o->name);
		json_set_text(w, value, "old", o->old);
		json_set_text(w, value, "new", o->new);
		json_set_text(w, value, "why", o->why);
		json_writer_element(w, value);
	}
	json_writer_end(w, "]");
}

static json_t *need_value(struct json_writer *w, const struct processor_need *need)
{
	json_t *value = json_new_object();

	json_set_text(w, value, "needs", need->flag);
	json_set_text(w, value, "why", need->why);
	json_set_text(w, value, "least", need->least);
	json_set_text(w, value, "has", need->has);
	json_set(value, "lacking", json_boolean(need->is_lacking));
	json_set_text(w, value, "hint", need->hint);
	return value;
}

static void put_processor(struct json_writer *w, const struct processor *p)
{
	static const char *const states[] = { "", "fits", "lacks", "unknown" };

	if (p->state == PROCESSOR_NOT_ASKED)
		return;
	json_writer_begin(w, "processor", "{");
	json_writer_member(w, "result", json_new_text(w, states[p->state]));
	if (p->reason)
		json_writer_member(w, "reason", json_new_text(w, p->reason));
	if (*p->info.name)
		json_writer_member(w, "name", json_new_text(w, p->info.name));
	json_writer_begin(w, "needs", "[");
	for (uint32_t i = 0; i < p->n_needs; i++)
		json_writer_element(w, need_value(w, &p->needs[i]));
	json_writer_end(w, "]");
	json_writer_end(w, "}");
}

static json_t *finding_value(struct json_writer *w, const struct diff_finding *f)
{
	json_t *value = json_new_object();

	json_set_text(w, value, "rule", rule_table[f->rule].name);
	json_set_text(w, value, "code", rule_table[f->rule].code);
	json_set_text(w, value, "severity", severity_name(f->severity));
	if (f->module) {
		json_set_text(w, value, "module", f->module->module->name);
		json_set_text(w, value, "path", f->module->module->path);
		json_set_text(w, value, "subsystem", f->module->subsystem);
		json_set(value, "has_build", json_boolean(f->module->has_build));
	}
	if (f->export) {
		json_set_text(w, value, "symbol", f->export->symbol);
		json_set_text(w, value, "provider", f->export->old.owner);
		json_set_text(w, value, "namespace", f->export->new.ns);
	}
	if (f->n)
		json_set_number(value, "symbols", f->n);
	json_set_text(w, value, "expected", f->expected);
	json_set_text(w, value, "actual", f->actual);
	json_set_text(w, value, "detail", f->detail);
	return value;
}

static json_t *summary_value(const struct diff *d)
{
	json_t *value = json_new_object();

	json_set_number(value, "errors", d->n_errors);
	json_set_number(value, "warnings", d->n_warnings);
	json_set_number(value, "infos", d->n_infos);
	json_set_number(value, "unreadable", d->n_unreadable);
	json_set_number(value, "unknown_exports", d->n_unknown);
	return value;
}

static json_t *compared_value(const struct diff *d)
{
	json_t *value = json_new_object();

	json_set(value, "crcs", json_boolean(d->compares_crcs));
	json_set(value, "licenses", json_boolean(d->compares_licences));
	json_set(value, "namespaces", json_boolean(d->compares_namespaces));
	json_set(value, "modules", json_boolean(d->compares_modules));
	json_set(value, "vermagic", json_boolean(d->knows_vermagic));
	json_set(value, "config", json_boolean(d->config.is_known));
	return value;
}

void diff_render_json(struct sink *out, const struct diff *d, const struct render_options *options,
		      struct arena *scratch)
{
	struct json_writer w;
	json_t *tool = json_new_object();

	(void)options;
	json_writer_init(&w, out, scratch);
	json_writer_member(&w, "schema_version", json_integer(1));
	json_set_text(&w, tool, "name", "modcheck");
	json_set_text(&w, tool, "version", MODCHECK_VERSION);
	json_writer_member(&w, "tool", tool);
	put_side(&w, "old", &d->old);
	put_side(&w, "new", &d->new);
	json_writer_member(&w, "result", json_new_text(&w, d->n_findings ? "findings" : "ok"));
	json_writer_member(&w, "exit_code", json_integer(d->exit_code));
	json_writer_member(&w, "summary", summary_value(d));
	json_writer_member(&w, "compared", compared_value(d));
	json_writer_member(&w, "preemption", preemption_value(&w, d));
	json_writer_member(&w, "vermagic", vermagic_value(&w, d));
	put_processor(&w, &d->processor);
	put_modules(&w, d);
	put_config(&w, &d->config);
	put_exports(&w, d);
	json_writer_begin(&w, "findings", "[");
	for (uint32_t i = 0; i < d->n_findings; i++)
		json_writer_element(&w, finding_value(&w, &d->findings[i]));
	json_writer_end(&w, "]");
	json_writer_release(&w);
}
