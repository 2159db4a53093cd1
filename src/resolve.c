/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules are those of resolve_symbol() and simplify_symbols() in kernel/module/main.c (6.1):
 * the kernel's tables first, then the modules; only a name that is in an export table counts.
 * For objects of 2.4 those of modutils' insmod: names carry a version suffix _R<crc>, which is
 * compared when both sides have one and ignored when one has none.
 *
 * All lookups are array accesses by name number: the arrays are filled once, from the exports.
 * Then nobody changes them any more, and several threads resolve a few modules at a time each.
 */
#include "resolve.h"

#include <ctype.h>
#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/text.h"

#define MODULES_PER_JOB 64

/* One for each thread, alike but for what it is at. */
struct resolver {
	struct resolution *r;
	const struct kernel *kernel;
	const struct module *modules;
	uint32_t n_modules;
	struct names *names;
	struct arena *arena;
	pthread_mutex_t *lock;      /* of the arena, once there are threads */
	bool has_unknown;           /* some link is LINK_UNKNOWN or LINK_UNREADABLE */
	uint32_t *listed_of;        /* by name: ksym + 1 that symvers lists for a module, 0 */
	nameid got;                 /* _GLOBAL_OFFSET_TABLE_ */
	bool has_blind_spots;       /* a part of the tree could not be seen */
	bool lists_modules;         /* some evidence lists the exports of modules, too */
	struct names *module_names; /* of the modules, '-' as '_' */
	uint32_t *module_of;        /* by number in module_names: index + 1 */
	uint32_t depends_of;        /* the module + 1 that the next two are about */
	uint32_t unreadable;        /* module + 1 */
	const char *absent;         /* name of a module that is not here */
	/* 2.4 only, by name without suffix: an export with a suffix. 0 or index + 1. */
	uint32_t *suffixed_ksym;
	uint32_t *suffixed_provider;
	uint32_t n_suffixed; /* size of these two */
};

bool kernel_exports(const struct kernel *kernel, const struct resolution *r,
		    const struct names *names, const char *name)
{
	nameid id = names_find(names, name, strlen(name));

	return id != NAME_NONE && id < r->n_names && r->ksym_of[id] != KSYM_NONE &&
	       kernel->syms[r->ksym_of[id]].is_exported;
}

static void index_kernel(struct resolver *v)
{
	struct resolution *r = v->r;

	memset(r->ksym_of, 0xff, r->n_names * sizeof(*r->ksym_of));
	for (uint32_t i = 0; i < v->kernel->n_syms; i++) {
		const struct ksym *s = &v->kernel->syms[i];
		if (s->provider == NAME_NONE)
			r->ksym_of[s->name] = i;
		else if (!v->listed_of[s->name])
			v->listed_of[s->name] = i + 1;
		v->lists_modules |= s->provider != NAME_NONE;
	}
}

static void index_modules(struct resolver *v)
{
	struct resolution *r = v->r;
	uint32_t n = 0;

	for (uint32_t m = 0; m < v->n_modules; m++)
		r->n_providers += v->modules[m].n_exports;
	r->providers = arena_array(v->arena, r->n_providers, sizeof(*r->providers));
	/* from the last to the first, each put in front: the lists come out in module order */
	for (uint32_t m = v->n_modules; m-- > 0;) {
		const struct module *mod = &v->modules[m];
		for (uint32_t e = mod->n_exports; e-- > 0;) {
			nameid name = mod->exports[e].name;
			r->providers[n] = (struct provider) { m, e, r->provider_of[name] };
			r->provider_of[name] = ++n;
		}
	}
}

static void index_module_names(struct resolver *v)
{
	v->module_names = names_new();
	v->module_of = mem_zalloc(((size_t)v->n_modules + 1) * sizeof(*v->module_of));
	for (uint32_t m = 0; m < v->n_modules; m++) {
		nameid id = names_add_string(v->module_names, v->modules[m].name);
		v->module_of[id] = m + 1;
	}
}

static nameid base_name(struct resolver *v, nameid name)
{
	const char *text = names_text(v->names, name);
	size_t length = names_length(v->names, name), base = symbol_base_length(text, length);

	return base == length ? name : names_add(v->names, text, base);
}

/* Note for each export with a suffix what its name is without: two passes, as names are added. */
static void index_suffixes(struct resolver *v)
{
	const struct resolution *r = v->r;

	for (uint32_t i = 0; i < v->kernel->n_syms; i++)
		base_name(v, v->kernel->syms[i].name);
	for (uint32_t p = 0; p < r->n_providers; p++) {
		const struct provider *p_ = &r->providers[p];
		base_name(v, v->modules[p_->module].exports[p_->export].name);
	}
	v->n_suffixed = names_count(v->names);
	v->suffixed_ksym = arena_array(v->arena, v->n_suffixed, sizeof(uint32_t));
	v->suffixed_provider = arena_array(v->arena, v->n_suffixed, sizeof(uint32_t));
	for (uint32_t i = 0; i < v->kernel->n_syms; i++) {
		const struct ksym *s = &v->kernel->syms[i];
		nameid base = base_name(v, s->name);
		if (base != s->name && s->is_exported)
			v->suffixed_ksym[base] = i + 1;
	}
	for (uint32_t p = r->n_providers; p-- > 0;) {
		const struct provider *of = &r->providers[p];
		nameid name = v->modules[of->module].exports[of->export].name;
		if (base_name(v, name) != name)
			v->suffixed_provider[base_name(v, name)] = p + 1;
	}
}

static struct link to_provider(const struct resolver *v, uint32_t provider, enum link_state state)
{
	const struct provider *p = &v->r->providers[provider - 1];

	return (struct link) { .target = p->module, .extra = p->export & 0xffffff, .state = state };
}

/* The kernel's export of this name, or the first other module's. */
static bool find_export(const struct resolver *v, uint32_t module, nameid name, struct link *link)
{
	const struct resolution *r = v->r;

	if (name >= r->n_names)
		return false;
	uint32_t k = r->ksym_of[name];
	if (k != KSYM_NONE && v->kernel->syms[k].is_exported) {
		*link = (struct link) { .target = k, .state = LINK_KERNEL };
		return true;
	}
	for (uint32_t p = r->provider_of[name]; p; p = r->providers[p - 1].next) {
		if (r->providers[p - 1].module == module)
			continue;
		*link = to_provider(v, p, LINK_MODULE);
		return true;
	}
	return false;
}

/* 2.4: the name did not match as a whole. */
static bool find_suffixed(struct resolver *v, uint32_t module, nameid name, struct link *link)
{
	nameid base = base_name(v, name);

	if (base != name && find_export(v, module, base, link))
		return true; /* exported without a suffix: insmod ignores ours */
	if (base >= v->n_suffixed)
		return false;
	uint32_t k = v->suffixed_ksym[base], p = v->suffixed_provider[base];
	if (!k && !p)
		return false;
	bool differs = base != name; /* both have one, and it is not the same */
	enum link_state state = differs ? LINK_SUFFIX_KERNEL : LINK_KERNEL;
	if (p && !k)
		*link = to_provider(v, p, differs ? LINK_SUFFIX_MODULE : LINK_MODULE);
	else
		*link = (struct link) { .target = k - 1, .state = state };
	return true;
}

static const char *keep(struct resolver *v, const char *text)
{
	pthread_mutex_lock(v->lock);
	const char *copy = arena_strdup(v->arena, text);
	pthread_mutex_unlock(v->lock);
	return copy;
}

/* The names in a `depends=`, one after another; false at the end. */
static bool next_depends(const char **list, char *name, size_t room)
{
	size_t length = strcspn(*list, ",");

	if (length == 0 || length >= room)
		return false;
	for (size_t i = 0; i < length; i++)
		name[i] = text_module_char((*list)[i]);
	name[length] = '\0';
	*list += length;
	*list += **list == ',';
	return true;
}

/* The module of this name, index + 1, 0 if there is none here. */
static uint32_t module_named(const struct resolver *v, const char *name)
{
	nameid id = names_find(v->module_names, name, strlen(name));

	return id ? v->module_of[id] : 0;
}

/* Look through `depends=`, once a module: what in it cannot be read, what is not here at all? */
static void look_at_depends(struct resolver *v, uint32_t module)
{
	const char *list = v->modules[module].info.depends;
	char name[128];

	if (v->depends_of == module + 1)
		return;
	v->depends_of = module + 1;
	v->unreadable = 0;
	v->absent = NULL;
	while (list && next_depends(&list, name, sizeof(name))) {
		uint32_t found = module_named(v, name);
		if (!found && !v->absent)
			v->absent = keep(v, name);
		if (found && !v->modules[found - 1].is_readable && !v->unreadable)
			v->unreadable = found;
	}
}

static bool is_exempt(const struct resolver *v, const struct module *m, const struct import *i)
{
	if (i->flags & IMPORT_UNREFERENCED)
		return true;
	if (m->is_object_24) { /* insmod makes these itself */
		const char *name = names_text(v->names, i->name);
		return !strcmp(name, "__this_module") || !strcmp(name, "mod_use_count_") ||
		       i->name == v->got;
	}
	return i->name == v->got && (m->machine == EM_386 || m->machine == EM_X86_64);
}

/* "drivers/net/mii" of Module.symvers is "mii" to modprobe. */
static uint32_t listed_module(const struct resolver *v, const struct ksym *s)
{
	const char *path = names_text(v->names, s->provider), *file = strrchr(path, '/');
	char name[128];

	file = file ? file + 1 : path;
	return next_depends(&file, name, sizeof(name)) ? module_named(v, name) : 0;
}

/* symvers lists the symbol for a module: is that here, and what is the matter with it? */
static struct link not_in_module(struct resolver *v, uint32_t ksym)
{
	uint32_t module = listed_module(v, &v->kernel->syms[ksym]);

	if (!module)
		return (struct link) { .target = ksym,
				       .state = v->has_blind_spots ? LINK_UNKNOWN
								   : LINK_NOT_INSTALLED };
	if (!v->modules[module - 1].is_readable)
		return (struct link) { .target = module - 1, .state = LINK_UNREADABLE };
	return (struct link) { .target = ksym, .state = LINK_LOST };
}

/* The name without its 2.4 suffix, if that is a name at all. */
static nameid plain_name(const struct resolver *v, const struct module *m, nameid name)
{
	const char *text = names_text(v->names, name);

	if (!m->is_object_24)
		return name;
	nameid base =
		names_find(v->names, text, symbol_base_length(text, names_length(v->names, name)));
	return base ? base : name;
}

/* What is known of a name that nobody exports. */
static struct link not_found(struct resolver *v, uint32_t module, const struct import *i)
{
	nameid name = plain_name(v, &v->modules[module], i->name);

	if (i->flags & IMPORT_WEAK)
		return (struct link) { .state = LINK_WEAK };
	if (name < v->r->n_names && v->r->ksym_of[name] != KSYM_NONE && v->kernel->has_exports)
		return (struct link) { .target = v->r->ksym_of[name], .state = LINK_NOT_EXPORTED };
	if (name < v->r->n_names && v->listed_of[name])
		return not_in_module(v, v->listed_of[name] - 1);
	look_at_depends(v, module);
	/* a symvers that lists modules would list it, were it one of theirs */
	if (v->unreadable && !v->lists_modules)
		return (struct link) { .target = v->unreadable - 1, .state = LINK_UNREADABLE };
	if (!v->kernel->has_exports || v->has_blind_spots)
		return (struct link) { .state = LINK_UNKNOWN };
	if (v->absent && !v->lists_modules)
		v->r->absent_of[module] = v->absent;
	return (struct link) { .state = LINK_MISSING };
}

static struct link resolve_import(struct resolver *v, uint32_t module, const struct import *i)
{
	const struct module *m = &v->modules[module];
	struct link link;

	if (find_export(v, module, i->name, &link))
		return link;
	if (is_exempt(v, m, i))
		return (struct link) { .state = LINK_EXEMPT };
	if (m->is_object_24 && find_suffixed(v, module, i->name, &link))
		return link;
	link = not_found(v, module, i);
	if (link.state == LINK_UNKNOWN || link.state == LINK_UNREADABLE)
		v->has_unknown = true;
	return link;
}

static void resolve_some(void *shared, void *worker, size_t job)
{
	struct resolver *v = worker;
	struct link **links = shared;
	uint32_t first = (uint32_t)job * MODULES_PER_JOB;

	for (uint32_t m = first; m < v->n_modules && m - first < MODULES_PER_JOB; m++)
		for (uint32_t i = 0; i < v->modules[m].n_imports; i++)
			links[m][i] = resolve_import(v, m, &v->modules[m].imports[i]);
}

static void resolve_all(struct resolver *v, unsigned int n_threads)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct resolver *resolvers = mem_zalloc(n_threads * sizeof(*resolvers));
	void **workers = mem_zalloc(n_threads * sizeof(*workers));
	size_t n_jobs = ((size_t)v->n_modules + MODULES_PER_JOB - 1) / MODULES_PER_JOB;

	v->lock = &lock;
	for (unsigned int t = 0; t < n_threads; t++) {
		resolvers[t] = *v;
		workers[t] = &resolvers[t];
	}
	pool_run(n_threads, n_jobs, resolve_some, v->r->links, workers);
	for (unsigned int t = 0; t < n_threads; t++)
		v->r->has_unknown |= resolvers[t].has_unknown;
	free(workers);
	free(resolvers);
}

static bool has_objects_24(const struct module *modules, uint32_t n)
{
	for (uint32_t m = 0; m < n; m++) {
		if (modules[m].is_object_24)
			return true;
	}
	return false;
}

/* The links of all modules, in one row. */
static void make_links(struct resolver *v)
{
	struct resolution *r = v->r;
	size_t n = 0;

	for (uint32_t m = 0; m < v->n_modules; m++)
		n += v->modules[m].n_imports;
	r->links = arena_array(v->arena, v->n_modules, sizeof(*r->links));
	struct link *row = arena_array(v->arena, n, sizeof(*row));
	for (uint32_t m = 0; m < v->n_modules; m++) {
		r->links[m] = row;
		row += v->modules[m].n_imports;
	}
}

void resolve_on_threads(struct resolution *r, const struct kernel *kernel,
			const struct module *modules, uint32_t n_modules, bool has_blind_spots,
			struct names *names, struct arena *a, unsigned int n_threads)
{
	struct resolver v = { .r = r,
			      .kernel = kernel,
			      .modules = modules,
			      .n_modules = n_modules,
			      .has_blind_spots = has_blind_spots,
			      .names = names,
			      .arena = a };

	*r = (struct resolution) { .n_names = names_count(names) };
	r->ksym_of = arena_array(a, r->n_names, sizeof(*r->ksym_of));
	r->provider_of = arena_array(a, r->n_names, sizeof(*r->provider_of));
	r->absent_of = arena_array(a, n_modules, sizeof(*r->absent_of));
	v.listed_of = mem_zalloc(r->n_names * sizeof(*v.listed_of));
	v.got = names_add_string(names, "_GLOBAL_OFFSET_TABLE_");
	index_kernel(&v);
	index_modules(&v);
	index_module_names(&v);
	make_links(&v);
	if (has_objects_24(modules, n_modules)) {
		index_suffixes(&v);
		n_threads = 1; /* names without suffix are added on the way */
	}
	resolve_all(&v, n_threads);
	free(v.listed_of);
	names_free(v.module_names);
	free(v.module_of);
}

void resolve(struct resolution *r, const struct kernel *kernel, const struct module *modules,
	     uint32_t n_modules, bool has_blind_spots, struct names *names, struct arena *a)
{
	resolve_on_threads(r, kernel, modules, n_modules, has_blind_spots, names, a, 1);
}
