/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules are those of resolve_symbol() and simplify_symbols() in kernel/module/main.c (6.1):
 * the kernel's tables first, then the modules; only a name that is in an export table counts.
 * For objects of 2.4 those of modutils' insmod: names carry a version suffix _R<crc>, which is
 * compared when both sides have one and ignored when one has none.
 *
 * All lookups are array accesses by name number: the arrays are filled once, from the exports.
 */
#include "resolve.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

struct resolver {
	struct resolution *r;
	const struct kernel *kernel;
	const struct module *modules;
	uint32_t n_modules;
	struct names *names;
	struct arena *arena;
	uint32_t *listed_of; /* by name: ksym + 1 that symvers lists for a module, 0 */
	nameid got;          /* _GLOBAL_OFFSET_TABLE_ */
	bool has_unreadable; /* some module could not be read: its exports are not known */
	/* 2.4 only, by name without suffix: an export with a suffix. 0 or index + 1. */
	uint32_t *suffixed_ksym;
	uint32_t *suffixed_provider;
	uint32_t n_suffixed; /* size of these two */
};

bool link_is_broken(enum link_state state)
{
	return state >= LINK_UNREADABLE && state <= LINK_MISSING;
}

bool kernel_exports(const struct kernel *kernel, const struct resolution *r,
		    const struct names *names, const char *name)
{
	nameid id = names_find(names, name, strlen(name));

	return id != NAME_NONE && id < r->n_names && r->ksym_of[id] != KSYM_NONE &&
	       kernel->syms[r->ksym_of[id]].is_exported;
}

size_t symbol_base_length(const char *name, size_t length)
{
	size_t digits = 0;

	while (digits < 8 && digits < length && isxdigit((unsigned char)name[length - 1 - digits]))
		digits++;
	if (digits < 8)
		return length;
	/* _R, then words such as smp_ and 2gig_, then the eight digits */
	for (size_t i = length - 8; i >= 2; i--) {
		if (name[i - 2] == '_' && name[i - 1] == 'R' && i > 2)
			return i - 2;
		if (i < length - 8 && !isalnum((unsigned char)name[i]) && name[i] != '_')
			break;
	}
	return length;
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
		if (!mod->is_readable)
			v->has_unreadable = true;
		for (uint32_t e = mod->n_exports; e-- > 0;) {
			nameid name = mod->exports[e].name;
			r->providers[n] = (struct provider) { m, e, r->provider_of[name] };
			r->provider_of[name] = ++n;
		}
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
	enum link_state state = k ? LINK_KERNEL : LINK_MODULE;
	if (base != name)
		state = LINK_OTHER_SUFFIX; /* both have one, and they differ */
	if (p && !k)
		*link = to_provider(v, p, state);
	else
		*link = (struct link) { .target = k - 1, .state = state };
	return true;
}

/* Does the comma separated list hold this module name, '-' and '_' being the same? */
static bool list_has_name(const char *list, const char *name)
{
	while (*list) {
		size_t i = 0;
		while (list[i] && list[i] != ',' && name[i] &&
		       (list[i] == name[i] || (list[i] == '-' && name[i] == '_')))
			i++;
		if ((list[i] == ',' || !list[i]) && !name[i])
			return true;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return false;
}

/* The unreadable module that `depends=` names, if there is one. */
static bool find_unreadable(const struct resolver *v, const struct module *m, struct link *link)
{
	if (!v->has_unreadable || !m->info.depends)
		return false;
	for (uint32_t i = 0; i < v->n_modules; i++) {
		const struct module *p = &v->modules[i];
		if (p->is_readable || p == m || !list_has_name(m->info.depends, p->name))
			continue;
		*link = (struct link) { .target = i, .state = LINK_UNREADABLE };
		return true;
	}
	return false;
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

/* What is known of a name that nobody exports. */
static struct link not_found(struct resolver *v, const struct module *m, const struct import *i)
{
	struct link link;

	if (i->flags & IMPORT_WEAK)
		return (struct link) { .state = LINK_WEAK };
	if (find_unreadable(v, m, &link))
		return link;
	if (!v->kernel->has_exports) {
		v->r->has_unknown = true;
		return (struct link) { .state = LINK_UNKNOWN };
	}
	nameid base = i->name;
	if (m->is_object_24) {
		const char *text = names_text(v->names, base);
		size_t length = names_length(v->names, base);
		nameid found = names_find(v->names, text, symbol_base_length(text, length));
		base = found ? found : base;
	}
	if (base < v->r->n_names && v->r->ksym_of[base] != KSYM_NONE)
		return (struct link) { .target = v->r->ksym_of[base], .state = LINK_NOT_EXPORTED };
	if (base < v->r->n_names && v->listed_of[base])
		return (struct link) { .target = v->listed_of[base] - 1,
				       .state = LINK_NOT_INSTALLED };
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
	return not_found(v, m, i);
}

static bool has_objects_24(const struct module *modules, uint32_t n)
{
	for (uint32_t m = 0; m < n; m++) {
		if (modules[m].is_object_24)
			return true;
	}
	return false;
}

void resolve(struct resolution *r, const struct kernel *kernel, const struct module *modules,
	     uint32_t n_modules, struct names *names, struct arena *a)
{
	struct resolver v = { .r = r,
			      .kernel = kernel,
			      .modules = modules,
			      .n_modules = n_modules,
			      .names = names,
			      .arena = a };

	*r = (struct resolution) { .n_names = names_count(names) };
	r->ksym_of = arena_array(a, r->n_names, sizeof(*r->ksym_of));
	r->provider_of = arena_array(a, r->n_names, sizeof(*r->provider_of));
	r->links = arena_array(a, n_modules, sizeof(*r->links));
	v.listed_of = mem_zalloc(r->n_names * sizeof(*v.listed_of));
	v.got = names_add_string(names, "_GLOBAL_OFFSET_TABLE_");
	index_kernel(&v);
	index_modules(&v);
	if (has_objects_24(modules, n_modules))
		index_suffixes(&v);
	for (uint32_t m = 0; m < n_modules; m++) {
		r->links[m] = arena_array(a, modules[m].n_imports, sizeof(**r->links));
		for (uint32_t i = 0; i < modules[m].n_imports; i++)
			r->links[m][i] = resolve_import(&v, m, &modules[m].imports[i]);
	}
	free(v.listed_of);
}
