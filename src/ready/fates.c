/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "a|b|c" is the first that is exported and that one of the kernel's own modules needs: a kernel
 * often exports names that its headers do not emit any more. Where there are few modules of its
 * own, what is exported decides.
 */
#include "ready/fates.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "families.h"
#include "ready/emissions.h"
#include "session.h"

enum {
	WORD = 512,       /* room for a word of emissions.h */
	OWN_MODULES = 500 /* from here on what none of them needs is not emitted */
};

static nameid name_of(const struct fates *f, const char *text, size_t length)
{
	return names_find(f->s->names, text, length);
}

static const struct export *provided(const struct fates *f, nameid name)
{
	uint32_t p = name < f->s->links.n_names ? f->s->links.provider_of[name] : 0;
	const struct provider *of = p ? &f->s->links.providers[p - 1] : NULL;

	return of ? &f->s->modules[of->module].exports[of->export] : NULL;
}

static const struct ksym *of_kernel(const struct fates *f, nameid name)
{
	const struct resolution *r = &f->s->links;
	uint32_t k = name != NAME_NONE && name < r->n_names ? r->ksym_of[name] : KSYM_NONE;

	return k != KSYM_NONE && f->s->kernel.syms[k].is_exported ? &f->s->kernel.syms[k] : NULL;
}

bool fates_is_exported(const struct fates *f, nameid name)
{
	return of_kernel(f, name) || provided(f, name);
}

bool fates_is_gpl_only(const struct fates *f, nameid name)
{
	const struct ksym *s = of_kernel(f, name);
	const struct export *e = s ? NULL : provided(f, name);

	if (!s && !e)
		return false;
	return licence_is_gpl_only(s ? s->licence : e->licence);
}

void fates_init(struct fates *f, const struct session *s, const struct module *own, uint32_t n_own)
{
	uint32_t n = 0;

	*f = (struct fates) { .s = s, .n_names = names_count(s->names) };
	f->of = arena_array(s->arena, f->n_names, sizeof(*f->of));
	f->n_users = arena_array(s->arena, f->n_names, sizeof(*f->n_users));
	for (uint32_t m = 0; m < n_own; m++) {
		n += own[m].is_installed;
		for (uint32_t i = 0; own[m].is_installed && i < own[m].n_imports; i++)
			f->n_users[own[m].imports[i].name]++;
	}
	f->has_own_modules = n >= OWN_MODULES;
}

static bool list_has(const char *list, const char *name)
{
	char word[WORD];

	while ((list = family_next_symbol(list, word, sizeof(word)))) {
		if (text_glob(word, name))
			return true;
	}
	return false;
}

static void add(nameid *list, uint8_t *n, nameid name)
{
	for (uint8_t i = 0; i < *n; i++) {
		if (list[i] == name)
			return;
	}
	if (*n < FATE_MOST)
		list[(*n)++] = name;
}

/* One of "a|b|=|-". */
struct choice {
	nameid name; /* NAME_NONE with is_found: nothing at all */
	bool is_found;
};

static struct choice choose(const struct fates *f, const char *word, nameid self, bool by_use)
{
	while (*word) {
		size_t length = strcspn(word, "|");
		if (length == 1 && *word == '-')
			return (struct choice) { NAME_NONE, true };
		nameid name = length == 1 && *word == '=' ? self : name_of(f, word, length);
		bool is_used = !by_use || (name != NAME_NONE && f->n_users[name]);
		if (is_used && fates_is_exported(f, name))
			return (struct choice) { name, true };
		word += length;
		word += *word == '|';
	}
	return (struct choice) { NAME_NONE, false };
}

/* What one word of a row makes of the symbol. False: nothing that this kernel has. */
static bool apply_word(const struct fates *f, struct fate *fate, const char *word, nameid self)
{
	bool is_perhaps = *word == '?';
	struct choice c = { NAME_NONE, false };

	word += is_perhaps;
	if (f->has_own_modules)
		c = choose(f, word, self, true);
	if (!c.is_found)
		c = choose(f, word, self, false);
	if (is_perhaps && c.name != NAME_NONE)
		add(fate->perhaps, &fate->n_perhaps, c.name);
	else if (!is_perhaps && c.name != NAME_NONE)
		add(fate->to, &fate->n_to, c.name);
	return is_perhaps || c.is_found;
}

/* "?a ?b": leaves the symbol as it is. */
static bool is_only_perhaps(const char *becomes)
{
	char word[WORD];
	bool is_only = true;

	while ((becomes = family_next_symbol(becomes, word, sizeof(word))))
		is_only &= *word == '?';
	return is_only;
}

static void apply_row(const struct fates *f, struct fate *fate, const struct emission *row,
		      nameid self)
{
	const char *list = row->becomes;
	char word[WORD];
	bool is_known = true;

	while ((list = family_next_symbol(list, word, sizeof(word))))
		is_known &= apply_word(f, fate, word, self);
	if (is_only_perhaps(row->becomes) || fate->kind == FATE_TABLE)
		return;
	if (is_known)
		fate->kind = row->beside ? FATE_BESIDE : FATE_TABLE;
	if (row->beside)
		fate->beside = row->beside;
}

/* What only some configurations have the compiler or the headers emit (families.h). */
static void ask_families(const struct fates *f, struct fate *fate, nameid self, const char *text)
{
	const struct family *family = family_of(text, names_length(f->s->names, self));

	if (family && strcmp(family->name, "preemption") != 0 && !fates_is_exported(f, self))
		fate->kind = FATE_TABLE;
}

/*
 * Since 6.10 (include/linux/alloc_tag.h) a function that allocates is a macro around one whose name
 * ends in _noprof.
 */
static void ask_allocations(const struct fates *f, struct fate *fate, nameid self, const char *text)
{
	static const char suffix[] = "_noprof";
	size_t length = strlen(text), n = strlen(suffix);
	char name[128];

	if (fates_is_exported(f, self) || length + n >= sizeof(name))
		return;
	memcpy(name, text, length);
	memcpy(name + length, suffix, n + 1);
	nameid other = text_has_suffix(text, suffix) ? name_of(f, text, length - n)
						     : name_of(f, name, length + n);
	if (other == NAME_NONE || !fates_is_exported(f, other))
		return;
	fate->kind = FATE_TABLE;
	add(fate->to, &fate->n_to, other);
}

/* What the headers only have a stub of, as the option is not set. */
static void ask_stubs(const struct fates *f, struct fate *fate, nameid self, const char *text)
{
	size_t n;
	const struct stub *stubs = stub_rows(&n);

	for (size_t i = 0; i < n && !fates_is_exported(f, self); i++) {
		if (list_has(stubs[i].symbols, text) &&
		    kconfig_get(&f->s->kernel.config, stubs[i].option) == KCONFIG_NO)
			fate->kind = FATE_TABLE;
	}
}

/* Unless nothing is known of the kernel, a row holds that is of all models that it may have. */
static bool is_of_kernel(const struct emission *row, uint8_t models)
{
	return (models & ~row->models) == 0;
}

static void look_up(const struct fates *f, struct fate *fate, nameid self)
{
	const char *text = names_text(f->s->names, self);
	size_t n;
	const struct emission *rows = emission_rows(&n);

	fate->is_found = true;
	for (size_t i = 0; i < n; i++) {
		if (is_of_kernel(&rows[i], f->s->preemption.models) &&
		    list_has(rows[i].symbols, text))
			apply_row(f, fate, &rows[i], self);
	}
	if (fate->kind == FATE_STAYS)
		ask_families(f, fate, self, text);
	if (fate->kind == FATE_STAYS)
		ask_stubs(f, fate, self, text);
	if (fate->kind == FATE_STAYS)
		ask_allocations(f, fate, self, text);
	if (fate->kind == FATE_TABLE && fate->n_to == 1 && fate->to[0] == self)
		fate->kind = FATE_STAYS;
}

struct fate *fates_of(struct fates *f, nameid name)
{
	struct fate *fate = &f->of[name];

	if (!fate->is_found)
		look_up(f, fate, name);
	return fate;
}

/* "f" is wrapped around "__f" or "f_more", and "__f" may have become "f". */
static bool is_wrapped_by(const char *inner, const char *outer, size_t length)
{
	if (strncmp(inner, outer, length) == 0)
		return inner[length] == '_';
	if (inner[0] == '_' && inner[1] == '_')
		return strcmp(inner + 2, outer) == 0;
	return outer[0] == '_' && outer[1] == '_' && strcmp(inner, outer + 2) == 0;
}

void fates_guess(struct fates *f, nameid name)
{
	struct fate *fate = fates_of(f, name);
	const char *text = names_text(f->s->names, name);
	size_t length = strlen(text);
	nameid best = NAME_NONE;

	if (fate->kind != FATE_STAYS || !f->has_own_modules || fates_is_exported(f, name))
		return;
	for (nameid i = 1; i < f->n_names; i++) {
		if (f->n_users[i] <= (best ? f->n_users[best] : 0) ||
		    !is_wrapped_by(names_text(f->s->names, i), text, length))
			continue;
		if (fates_is_exported(f, i))
			best = i;
	}
	if (best == NAME_NONE)
		return;
	fate->kind = FATE_TABLE;
	fate->n_to = 0;
	add(fate->to, &fate->n_to, best);
}
