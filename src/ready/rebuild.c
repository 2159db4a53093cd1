/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build system makes what the loader compares (vermagic, versions, struct module, sections,
 * signature), so all of that fits and module.is_rebuilt says so; the licence, the namespaces and
 * the exports are the module's own. Its imports change as the headers do.
 */
#include "ready/rebuild.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "families.h"
#include "model/module.h"
#include "rules/check.h"
#include "session.h"

/* The list of imports that is being made. */
struct making {
	struct import *imports;
	uint32_t n;
	struct hidden_call hidden[FATE_MOST];
	uint32_t n_hidden;
};

static void put(struct rebuild *b, struct making *to, const struct import *i, nameid name)
{
	if (b->stamp[name] == b->serial)
		return;
	b->stamp[name] = b->serial;
	to->imports[to->n] = *i;
	if (name != i->name) {
		to->imports[to->n].name = name;
		to->imports[to->n].flags = (uint8_t)((i->flags & IMPORT_WEAK) | IMPORT_EMITTED);
	}
	to->n++;
}

static bool needs_one_of(const struct rebuild *b, const struct module *m, const char *list)
{
	char word[64];

	while ((list = family_next_symbol(list, word, sizeof(word)))) {
		nameid name = names_find(b->fates->s->names, word, strlen(word));
		for (uint32_t i = 0; name != NAME_NONE && i < m->n_imports; i++) {
			if (m->imports[i].name == name)
				return true;
		}
	}
	return false;
}

static bool changes(const struct rebuild *b, const struct module *m, const struct fate *fate)
{
	if (fate->kind == FATE_BESIDE)
		return needs_one_of(b, m, fate->beside);
	return fate->kind == FATE_TABLE || fate->kind == FATE_PEERS;
}

static bool needs(const struct module *m, nameid name)
{
	for (uint32_t i = 0; i < m->n_imports; i++) {
		if (m->imports[i].name == name)
			return true;
	}
	return false;
}

/* What may be behind a symbol matters where the module may not use it. */
static void add_hidden(struct rebuild *b, struct making *to, const struct module *m, nameid symbol,
		       const char *why)
{
	if (!fates_is_gpl_only(b->fates, symbol) || needs(m, symbol) || to->n_hidden == FATE_MOST)
		return;
	for (uint32_t i = 0; i < to->n_hidden; i++) {
		if (to->hidden[i].symbol == symbol)
			return;
	}
	to->hidden[to->n_hidden++] = (struct hidden_call) { symbol, why };
}

static void add_perhaps(struct rebuild *b, struct making *to, const struct module *m, nameid name)
{
	const struct fate *fate = fates_of(b->fates, name);

	for (uint8_t i = 0; i < fate->n_perhaps; i++)
		add_hidden(b, to, m, fate->perhaps[i],
			   arena_printf(b->arena, "code that needs %s often needs it here",
					names_text(b->fates->s->names, name)));
}

/*
 * rcu_read_lock() leaves no trace in a module of a kernel that is not preemptible, and is a call
 * of __rcu_read_lock in one of a kernel that is.
 */
static void add_rcu(struct rebuild *b, struct making *to, const struct module *m, uint8_t models)
{
	static const char symbol[] = "__rcu_read_lock";
	nameid name = names_find(b->fates->s->names, symbol, strlen(symbol));

	if (name == NAME_NONE || models == 0 || (models & ~(MODEL_NONE | MODEL_VOLUNTARY)))
		return;
	add_hidden(b, to, m, name, "rcu_read_lock() is inline where it was built, and a call here");
}

static void keep_hidden(struct rebuild *b, const struct making *to, struct module_readiness *r)
{
	if (!to->n_hidden)
		return;
	r->hidden = arena_array(b->arena, to->n_hidden, sizeof(*r->hidden));
	for (uint32_t i = 0; i < to->n_hidden; i++) {
		if (b->stamp[to->hidden[i].symbol] != b->serial)
			r->hidden[r->n_hidden++] = to->hidden[i];
	}
}

static void change_imports(struct rebuild *b, struct module *m, struct module_readiness *r,
			   uint8_t models)
{
	struct making to = { .n = 0 };
	bool is_compatible = module_is_compatible(m);

	to.imports =
		arena_array(b->arena, (size_t)m->n_imports * FATE_MOST + 1, sizeof(*to.imports));
	b->serial++;
	for (uint32_t i = 0; i < m->n_imports; i++) {
		const struct import *import = &m->imports[i];
		const struct fate *fate = fates_of(b->fates, import->name);
		if (!is_compatible)
			add_perhaps(b, &to, m, import->name);
		if (!changes(b, m, fate)) {
			put(b, &to, import, import->name);
			continue;
		}
		bool stays = false;
		for (uint8_t k = 0; k < fate->n_to; k++) {
			stays |= fate->to[k] == import->name;
			put(b, &to, import, fate->to[k]);
		}
		b->replaced[import->name] += !stays;
	}
	if (!is_compatible)
		add_rcu(b, &to, m, models);
	keep_hidden(b, &to, r);
	m->imports = to.imports;
	m->n_imports = to.n;
}

void rebuild_module(struct rebuild *b, struct module *m, struct module_readiness *r)
{
	uint8_t models = preemption_of_module(&b->fates->s->preemption, m);

	change_imports(b, m, r, models);
	m->is_rebuilt = true;
	if (b->machine)
		m->machine = b->machine;
	if (b->vermagic)
		m->info.vermagic = b->vermagic;
	m->info.has_retpoline = true;
	m->faults = NULL;
	m->lacks = 0;
	m->has_flag_table = true;
	m->has_layout_crc = b->fates->s->preemption.layout_crc != 0;
	m->layout_crc = b->fates->s->preemption.layout_crc;
	for (uint32_t i = 0; i < m->n_exports; i++)
		m->exports[i].has_crc = false;
}
