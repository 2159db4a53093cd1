/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC603, MC605: modules against the lists that the kernel's build leaves beside them. What
 * modprobe goes by is in dep.c and softdep.c.
 *
 * MC603: mod_sysfs_init() refuses a module if there is a /sys/module/NAME already. A built-in has
 * one if it has parameters or a version (param_sysfs_builtin(), kernel/params.c), whether or not it
 * could have been a module, so modules.builtin.modinfo tells and modules.builtin does not.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "index/index.h"
#include "rules/check.h"

/*
 * Not every built-in with parameters owns the directory of its name, and the .modinfo does not say
 * so: these have their parameters under another prefix (MODULE_PARAM_PREFIX), or only such
 * as are not shown in sysfs, where it depends on the kernel's version whether their drivers get
 * a directory. Seen on 6.1 and 6.12, all of whose other names are right.
 */
static const struct {
	const char *name;
	const char *owner; /* NULL: perhaps none */
} exceptions[] = {
	{ "amd64_agp", NULL },       { "atkbd", NULL },       { "balloon", "xen" },
	{ "braille_console", NULL }, { "core", "kfence" },    { "encrypted_keys", NULL },
	{ "events", "xen" },         { "ghes", NULL },        { "lru_sort", "damon_lru_sort" },
	{ "main", "module" },        { "mmiotrace", NULL },   { "reclaim", "damon_reclaim" },
	{ "signing", "module" },     { "sis_agp", NULL },     { "tree", "rcutree" },
	{ "update", "rcupdate" },    { "xen_fbfront", NULL },
};

struct owning {
	const char *name; /* of the directory */
	const char *source, *tag;
	bool is_sure;
};

static struct owning owning_of(const struct index *x, const struct index_owner *owner)
{
	const char *name = names_text(x->names, owner->name);
	struct owning o = { .name = name, .source = name, .tag = owner->tag, .is_sure = true };

	/* a version has no prefix and is always shown */
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++) {
		if (strcmp(exceptions[i].name, name) != 0 || !strncmp(o.tag, "version=", 8))
			continue;
		o.is_sure = exceptions[i].owner;
		o.name = o.is_sure ? exceptions[i].owner : name;
	}
	return o;
}

static void report_clash(struct check *c, uint32_t module, const struct owning *o)
{
	struct finding *f = check_add_as(c, RULE_BUILTIN_NAME_CLASH, module,
					 o->is_sure ? SEV_ERROR : SEV_WARNING);

	if (!f)
		return;
	f->actual = o->name;
	f->message = arena_printf(c->arena, "%s: module is already loaded", o->name);
	f->detail = arena_printf(c->arena, "modules.builtin.modinfo: %s.%s", o->source, o->tag);
}

static void check_builtins(struct check *c)
{
	const struct index *x = c->index;
	struct names *names = names_new();
	struct owning *owners = mem_zalloc((x->n_owners + 1) * sizeof(*owners));

	for (size_t i = 0; i < x->n_owners; i++) {
		struct owning o = owning_of(x, &x->owners[i]);
		uint32_t n = names_count(names);
		if (names_add_string(names, o.name) == n) /* the first of a name, from 1 */
			owners[n - 1] = o;
	}
	for (uint32_t m = 0; x->n_owners && m < c->n_modules; m++) {
		const char *name = module_loaded_name(&c->modules[m]);
		nameid id = names_find(names, name, strlen(name));
		if (id != NAME_NONE && c->modules[m].is_readable)
			report_clash(c, m, &owners[id - 1]);
	}
	free(owners);
	names_free(names);
}

/*
 * A distribution may split a kernel into packages, of which one has modules.order and not all
 * are installed: a tenth or more of a long list is then missing, and no file was lost.
 */
static enum severity severity_of_missing(size_t n_missing, size_t n_listed)
{
	return n_listed >= 100 && n_missing * 10 >= n_listed ? SEV_INFO : SEV_WARNING;
}

static void report_order(struct check *c, const bool *is_there, enum severity severity)
{
	const struct index *x = c->index;

	for (uint32_t i = 0; i < x->n_order; i++) {
		struct finding *f;
		if (is_there[x->order[i]])
			continue;
		f = check_add_as(c, RULE_MODULES_ORDER_MISSING_FILE, MODULE_NONE, severity);
		if (!f)
			continue;
		f->path = arena_strdup(c->arena, names_text(x->names, x->order[i]));
		f->order = i;
	}
}

static void check_order(struct check *c)
{
	const struct index *x = c->index;
	bool *is_there = mem_zalloc(names_count(x->names) * sizeof(*is_there));
	size_t n_missing = 0;

	for (uint32_t i = 0; i < c->tree->n_entries; i++) {
		const char *path = c->tree->entries[i].path;
		is_there[names_find(x->names, path, text_unpacked_length(path, strlen(path)))] =
			true;
	}
	is_there[NAME_NONE] = true;
	for (size_t i = 0; i < x->n_order; i++)
		n_missing += !is_there[x->order[i]];
	if (n_missing)
		report_order(c, is_there, severity_of_missing(n_missing, x->n_order));
	free(is_there);
}

/* A file that is there and cannot be read leaves its rules without an answer. */
static void check_faults(struct check *c)
{
	static const enum rule_id rules[N_INDEX_FILES] = {
		[INDEX_DEP_BIN] = RULE_MODULES_DEP_STALE,
		[INDEX_DEP] = RULE_MODULES_DEP_STALE,
		[INDEX_ALIAS] = RULE_SOFTDEP_MISSING,
		[INDEX_ORDER] = RULE_MODULES_ORDER_MISSING_FILE,
		[INDEX_BUILTIN] = RULE_BUILTIN_NAME_CLASH,
		[INDEX_MODINFO] = RULE_BUILTIN_NAME_CLASH,
	};

	for (int i = 0; i < N_INDEX_FILES; i++) {
		struct finding *f;
		if (!c->index->faults[i])
			continue;
		f = check_add_as(c, rules[i], MODULE_NONE, SEV_WARNING);
		if (!f)
			continue;
		f->path = index_file_name((enum index_file)i);
		f->detail = c->index->faults[i];
	}
}

void check_index(struct check *c)
{
	check_faults(c);
	check_builtins(c);
	if (c->tree && c->index->n_order)
		check_order(c);
}
