/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules are known by their path below the module directory where the log has it, else by their
 * name; a name and a path that end in the same file are one module. Of a second kernel in the same
 * log the paths are left as they are.
 */
#include "log/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "families.h"
#include "kernel/vermagic.h"
#include "log/kernel.h"
#include "log/log.h"
#include "scan/modname.h"
#include "summary.h"

/* A module as the log names it, taken apart. */
struct mention {
	const char *text;   /* of log.modules */
	const char *rest;   /* of a path: what is below the module directory */
	const char *path;   /* as reported */
	const char *name;   /* modprobe's */
	uint32_t directory; /* id of what is before rest, 0: none */
	uint32_t module;    /* index into s->modules */
};

struct report {
	struct session *s;
	const struct log *log;
	struct mention *mentions; /* by id of log.modules; [0] is unused */
	uint32_t n_mentions;
	struct names *directories;
	uint32_t directory; /* the one that most modules are in; 0: none */
};

/* "/mnt/lib/modules/6.1.0/kernel/fs/fat/fat.ko": the length up to "kernel", 0 if it is no such
 * path. */
static size_t directory_length(const char *path)
{
	static const char modules[] = "lib/modules/";
	const char *at = strstr(path, modules);

	if (!at || (at > path && at[-1] != '/'))
		return 0;
	at += strlen(modules);
	size_t release = strcspn(at, "/");
	return at[release] && release ? (size_t)(at + release + 1 - path) : 0;
}

static const char *name_of_text(const char *text, struct arena *a)
{
	const char *base = modname_base(text);
	bool is_file = modname_of(base, strlen(base)).kind != MODNAME_NONE;
	char *name = arena_strndup(a, base, is_file ? modname_stem(base) : strlen(base));

	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return name;
}

/* Which directory has most of the modules? */
static void find_directory(struct report *l)
{
	uint32_t n = names_count(l->directories), *count = mem_zalloc((n + 1) * sizeof(*count));

	for (uint32_t i = 1; i < l->n_mentions; i++)
		count[l->mentions[i].directory]++;
	for (uint32_t d = 1; d < n; d++) {
		if (!l->directory || count[d] > count[l->directory])
			l->directory = d;
	}
	free(count);
}

static void read_mentions(struct report *l)
{
	struct arena *a = l->s->arena;

	l->n_mentions = names_count(l->log->modules);
	l->mentions = arena_array(a, (size_t)l->n_mentions + 1, sizeof(*l->mentions));
	for (uint32_t i = 1; i < l->n_mentions; i++) {
		struct mention *m = &l->mentions[i];
		m->text = arena_strdup(a, names_text(l->log->modules, i));
		size_t length = directory_length(m->text);
		m->rest = m->text + length;
		m->directory = length ? names_add(l->directories, m->text, length) : 0;
		m->name = name_of_text(m->text, a);
	}
	find_directory(l);
	for (uint32_t i = 1; i < l->n_mentions; i++) {
		struct mention *m = &l->mentions[i];
		m->path = m->directory == l->directory ? m->rest : m->text;
	}
}

static int compare_mentions(const void *pa, const void *pb)
{
	const struct mention *a = *(const struct mention *const *)pa,
			     *b = *(const struct mention *const *)pb;

	return strcmp(a->path, b->path);
}

static bool has_directory(const struct mention *m)
{
	return m->directory || strchr(m->text, '/');
}

/* Names without a directory stand for the file of that name, if there is one. */
static void join_names(struct report *l, struct mention **sorted, uint32_t n)
{
	struct names *names = names_new();
	struct mention **first = mem_zalloc(((size_t)n + 1) * sizeof(struct mention *));

	for (uint32_t i = 0; i < n; i++) {
		nameid id = has_directory(sorted[i]) ? names_add_string(names, sorted[i]->name) : 0;
		if (id && !first[id])
			first[id] = sorted[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (has_directory(sorted[i]))
			continue;
		nameid id = names_find(names, sorted[i]->name, strlen(sorted[i]->name));
		sorted[i]->path = id ? first[id]->path : sorted[i]->name;
	}
	(void)l;
	free(first);
	names_free(names);
}

static struct module new_module(const struct mention *m)
{
	return (struct module) {
		.path = m->path,
		.name = m->name,
		.is_installed = true,
		.is_target = true,
		.is_readable = true,
		/* what the log does not say of it is not said */
		.info = { .license = "GPL", .has_intree = true, .is_loaded = true },
	};
}

static void make_modules(struct report *l)
{
	struct session *s = l->s;
	uint32_t n = l->n_mentions - 1;
	struct mention **sorted = mem_zalloc(((size_t)n + 1) * sizeof(struct mention *));

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = &l->mentions[i + 1];
	qsort(sorted, n, sizeof(struct mention *), compare_mentions);
	join_names(l, sorted, n);
	qsort(sorted, n, sizeof(struct mention *), compare_mentions);
	s->modules = arena_array(s->arena, (size_t)n + 1, sizeof(*s->modules));
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(sorted[i - 1]->path, sorted[i]->path) != 0)
			s->modules[s->n_modules++] = new_module(sorted[i]);
		sorted[i]->module = s->n_modules - 1;
	}
	free(sorted);
}

static const char *text_of(const struct report *l, nameid id)
{
	return id ? arena_strdup(l->s->arena, names_text(l->log->texts, id)) : NULL;
}

static uint32_t module_of(const struct report *l, const struct log_fact *fact)
{
	return fact->module ? l->mentions[fact->module].module : MODULE_NONE;
}

/* What is already told, and what of it explains a mere result. */
struct told {
	struct names *findings, *reasons;
	bool *has_reason; /* [module] an error that is more than "it could not be loaded" */
};

static nameid add_key(struct names *names, uint32_t a, uint32_t b, uint32_t c, const char *text)
{
	const uint32_t key[] = { a, b, c, text ? (uint32_t)strlen(text) : 0 };
	char bytes[sizeof(key) + 64];
	size_t n = text ? strnlen(text, 64) : 0;

	memcpy(bytes, key, sizeof(key));
	if (n)
		memcpy(bytes + sizeof(key), text, n);
	return names_add(names, bytes, sizeof(key) + n);
}

static void find_reasons(struct report *l, struct told *t)
{
	t->findings = names_new();
	t->reasons = names_new();
	t->has_reason = mem_zalloc(l->s->n_modules + 1);
	for (size_t i = 0; i < l->log->n_facts; i++) {
		const struct log_fact *fact = &l->log->facts[i];
		uint32_t module = module_of(l, fact);
		bool is_told = fact->rule == RULE_UNDEFINED_SYMBOL || !fact->is_result;
		if (module == MODULE_NONE || fact->severity != SEV_ERROR || !is_told)
			continue;
		t->has_reason[module] = true;
		if (!fact->is_result && fact->symbol)
			add_key(t->reasons, module, fact->symbol, 0, NULL);
	}
}

/* "Unknown symbol" behind a line that says why, a failed load of a module whose fault is told. */
static bool is_explained(const struct log_fact *fact, uint32_t module, struct told *t)
{
	if (!fact->is_result || module == MODULE_NONE)
		return false;
	if (!fact->symbol)
		return t->has_reason[module] && fact->rule != RULE_UNDEFINED_SYMBOL;
	uint32_t before = names_count(t->reasons);
	return add_key(t->reasons, module, fact->symbol, 0, NULL) < before;
}

static void add_import(struct session *s, struct module *m, nameid symbol)
{
	/* grown by doubling: the arena keeps what is left behind */
	if ((m->n_imports & (m->n_imports - 1)) == 0) {
		size_t room = m->n_imports ? 2 * (size_t)m->n_imports : 1;
		struct import *imports = arena_array(s->arena, room, sizeof(*imports));
		if (m->n_imports)
			memcpy(imports, m->imports, m->n_imports * sizeof(*imports));
		m->imports = imports;
	}
	m->imports[m->n_imports++].name = symbol;
}

static void note_tags(struct session *s, uint32_t module, const struct finding *f)
{
	struct module *m = &s->modules[module];

	if (f->rule == RULE_UNDEFINED_SYMBOL && f->symbol)
		add_import(s, m, f->symbol);
	if (f->rule == RULE_VERMAGIC_MISMATCH)
		m->info.vermagic = f->actual;
	if (f->rule != RULE_TAINTS || !f->detail)
		return;
	m->info.has_intree &= !strstr(f->detail, "(O)");
	m->info.has_staging |= strstr(f->detail, "(C)") != NULL;
	m->info.has_test |= strstr(f->detail, "(N)") != NULL;
	m->info.has_livepatch |= strstr(f->detail, "(K)") != NULL;
}

static void add_finding(struct report *l, const struct log_fact *fact, struct told *t)
{
	struct check *c = &l->s->check;
	uint32_t module = module_of(l, fact), n = names_count(t->findings);
	const char *actual = text_of(l, fact->actual);
	bool is_kernel = fact->writer == WRITER_KERNEL;

	if (is_explained(fact, module, t))
		return;
	uint32_t key = module == MODULE_NONE ? fact->line : fact->rule;
	if (add_key(t->findings, module, key, fact->symbol, actual) < n)
		return;
	struct finding *f =
		check_add_as(c, (enum rule_id)fact->rule, module, (enum severity)fact->severity);
	if (!f)
		return;
	f->stage = is_kernel ? f->stage : 0;
	f->error = fact->error;
	f->order = fact->line;
	f->symbol = fact->symbol;
	f->ns = fact->ns;
	f->provider = text_of(l, fact->provider);
	f->expected = text_of(l, fact->expected);
	f->actual = actual;
	f->detail = text_of(l, fact->detail);
	f->message = text_of(l, fact->message);
	if (module == MODULE_NONE)
		f->path = actual && fact->rule == RULE_DANGLING_LINK ? actual : NULL;
	else
		note_tags(l->s, module, f);
}

/* What the kernel says first: it knows more than depmod and modprobe. */
static void make_findings(struct report *l, const struct session_options *options)
{
	struct session *s = l->s;
	struct told t;

	s->check = (struct check) {
		.kernel = &s->kernel,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.links = &s->links,
		.names = s->names,
		.policy = &options->policy,
		.arena = s->arena,
	};
	s->check.is_refused = arena_array(s->arena, (size_t)s->n_modules + 1, sizeof(bool));
	s->check.inherits = arena_array(s->arena, (size_t)s->n_modules + 1, sizeof(bool));
	find_reasons(l, &t);
	for (int kernel = 1; kernel >= 0; kernel--) {
		for (size_t i = 0; i < l->log->n_facts; i++) {
			const struct log_fact *fact = &l->log->facts[i];
			if ((fact->writer == WRITER_KERNEL) == kernel)
				add_finding(l, fact, &t);
		}
	}
	names_free(t.findings);
	names_free(t.reasons);
	free(t.has_reason);
	check_finish(&s->check);
}

static const char *writers_of(const struct log *log, struct arena *a)
{
	static const struct {
		uint8_t writer;
		const char *name;
	} all[] = {
		{ WRITER_MODUTILS, "modutils" },
		{ WRITER_DEPMOD, "depmod" },
		{ WRITER_TOOLS, "modprobe" },
		{ WRITER_KERNEL, "kernel" },
	};
	const char *text = "";

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (log->writers & all[i].writer)
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", all[i].name);
	}
	return text;
}

static void make_view(struct report *l, const char *source)
{
	struct session *s = l->s;
	const struct log *log = l->log;
	struct log_view *view = arena_alloc(s->arena, sizeof(*view));
	const char **unknown = arena_array(s->arena, LOG_EXAMPLES, sizeof(*unknown));

	for (uint32_t i = 0; i < log->n_examples; i++)
		unknown[i] = arena_strdup(s->arena, names_text(log->unknown, i + 1));
	*view = (struct log_view) {
		.source = source,
		.n_lines = log->n_lines,
		.shows_all = log->lists_modules,
		.n_unknown = log->n_unknown,
		.unknown = unknown,
		.n_examples = log->n_examples,
	};
	view->names_kernel = log_kernel_fill(s, log, l->directories, l->directory);
	s->kernel.sources[0] = (struct source) {
		.kind = SOURCE_LOG,
		.path = source,
		.used = true,
		.note = arena_printf(s->arena, "%s, %s line%s", writers_of(log, s->arena),
				     text_count(s->arena, log->n_lines),
				     log->n_lines == 1 ? "" : "s"),
	};
	s->kernel.n_sources = 1;
	s->log = view;
}

static bool misses(const struct log *log, const char *name)
{
	for (size_t i = 0; i < log->n_facts; i++) {
		const struct log_fact *fact = &log->facts[i];
		const char *symbol = names_text(log->names, fact->symbol);
		size_t length = symbol_base_length(symbol, strlen(symbol));
		if (fact->rule == RULE_UNDEFINED_SYMBOL &&
		    (fact->writer & (WRITER_MODUTILS | WRITER_DEPMOD)) && length == strlen(name) &&
		    !memcmp(symbol, name, length))
			return true;
	}
	return false;
}

/* Why a log without a complaint, or with nothing but complaints, is no evidence; NULL if it is. */
static const char *why_blind(const struct log *log)
{
	if (log->blind && log->n_facts == 0)
		return names_text(log->texts, log->blind);
	if ((misses(log, "printk") || misses(log, "_printk")) && misses(log, "kfree"))
		return "depmod found neither printk nor kfree, which every kernel exports: what it "
		       "was given is no list of this kernel's exports (a stub System.map, or with "
		       "modutils another kernel that ran)";
	return NULL;
}

void log_report_init(struct session *s)
{
	*s = (struct session) {
		.arena = arena_new(),
		.tree_arena = arena_new(),
		.names = names_new(),
		.no_names = names_new(),
	};
	index_init(&s->index);
}

void log_report_run(struct session *s, const struct log *log, const char *source,
		    const struct session_options *options)
{
	struct report l = { .s = s, .log = log, .directories = names_new() };

	read_mentions(&l);
	make_modules(&l);
	make_view(&l, source);
	/* there is nothing to resolve, but who asks it for a name is to find none */
	resolve(&s->links, &s->kernel, s->modules, s->n_modules, false, s->names, s->arena);
	make_findings(&l, options);
	preemption_of_kernel(&s->preemption, &s->kernel, &s->links, s->names, s->arena);
	s->log_blind = options->allow_incomplete ? NULL : why_blind(log);
	s->groups = (struct grouping) {
		.kernel = &s->kernel,
		.modules = s->modules,
		.n_modules = s->n_modules,
		.links = &s->links,
		.preemption = &s->preemption,
		.names = s->names,
		.findings = s->check.findings,
		/* what a wrong list makes look wrong is not told, so it needs no causes */
		.n_findings = s->log_blind ? 0 : (uint32_t)s->check.n_findings,
		.arena = s->arena,
		.is_log = true,
		.log_models = s->log_blind ? 0 : log_kernel_likely_models(s),
	};
	group_findings(&s->groups);
	summary_fill(s, options);
	if (l.directory)
		s->tree.directory = arena_strndup(s->arena, names_text(l.directories, l.directory),
						  names_length(l.directories, l.directory) - 1);
	names_free(l.directories);
}
