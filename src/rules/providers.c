/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC204: the loader only finds exports of modules that are loaded, so a module behind a refused
 * one is refused too, and so on up. Refusal spreads along the reversed links from a work list. A
 * module that is refused for a reason of its own is not told to be behind another as well, unless
 * that decides what the loader returns.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/check.h"

/* Users of each module, as one array of (provider, user) pairs in compressed rows. */
struct users {
	uint32_t *start; /* [n_modules + 1] */
	uint32_t *user;
};

static bool is_hard_link(const struct check *c, uint32_t m, uint32_t i)
{
	enum link_state state = c->links->links[m][i].state;

	return (state == LINK_MODULE && !(c->modules[m].imports[i].flags & IMPORT_WEAK)) ||
	       state == LINK_UNREADABLE;
}

/* Call it twice: first only counts, second time fills the rows. */
static void for_each_link(const struct check *c, struct users *u, bool is_filling)
{
	for (uint32_t m = 0; m < c->n_modules; m++) {
		uint32_t last = MODULE_NONE; /* imports from one provider often stand together */
		for (uint32_t i = 0; i < c->modules[m].n_imports; i++) {
			uint32_t p = c->links->links[m][i].target;
			if (!is_hard_link(c, m, i) || p == last)
				continue;
			last = p;
			if (is_filling)
				u->user[--u->start[p]] = m;
			else
				u->start[p]++;
		}
	}
}

static void users_init(struct users *u, const struct check *c)
{
	u->start = mem_zalloc((c->n_modules + 1) * sizeof(*u->start));
	for_each_link(c, u, false);
	for (uint32_t m = 1; m <= c->n_modules; m++)
		u->start[m] += u->start[m - 1];
	u->user = mem_zalloc(u->start[c->n_modules] * sizeof(*u->user));
	for_each_link(c, u, true);
}

/* How many symbols of its provider does the module need, and where is the last? */
static uint32_t count_symbols(const struct check *c, uint32_t user, uint32_t provider,
			      uint32_t *last)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->modules[user].n_imports; i++) {
		if (!is_hard_link(c, user, i) || c->links->links[user][i].target != provider)
			continue;
		*last = i;
		n++;
	}
	return n;
}

/* What a module is refused for by itself, as far as it decides the errno. */
struct own {
	uint32_t order; /* of its last symbol that fails */
	int error;      /* of that symbol */
	bool is_direct; /* refused by itself */
	bool is_early;  /* ... before symbols are looked at */
};

static struct own *find_own(const struct check *c)
{
	struct own *own = mem_zalloc(((size_t)c->n_modules + 1) * sizeof(*own));

	for (uint32_t m = 0; m < c->n_modules; m++)
		own[m].is_direct = c->is_refused[m];
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &c->findings[i];
		if (f->module == MODULE_NONE || f->severity != SEV_ERROR)
			continue;
		struct own *o = &own[f->module];
		o->is_early |= f->stage && f->stage < STAGE_SYMBOLS;
		if (f->stage != STAGE_SYMBOLS || f->order < o->order)
			continue;
		o->order = f->order;
		o->error = f->error;
	}
	return own;
}

/*
 * The loader goes through all symbols and returns the error of the last that fails. Where that
 * is one of a refused provider and the module's own say something else, it has to be told.
 */
static bool decides_error(const struct own *own, uint32_t last)
{
	return !own->is_early && own->error && own->error != ENOENT && last > own->order;
}

static void blame(struct check *c, const struct own *own, uint32_t user, uint32_t provider)
{
	uint32_t last = 0, n = count_symbols(c, user, provider, &last);

	if (own[user].is_direct && !decides_error(&own[user], last))
		return;
	struct finding *f = check_add(c, RULE_PROVIDER_REFUSED, user);
	if (!f)
		return;
	f->order = last;
	f->symbol = NAME_NONE;
	f->behind = provider;
	f->provider = c->modules[provider].path;
	f->detail = arena_printf(c->arena, "needs %u of its symbols", n);
}

/* Of two modules that export a symbol only the one that loads counts. */
static void prefer_loading_providers(struct check *c)
{
	const struct resolution *r = c->links;

	for (uint32_t m = 0; m < c->n_modules; m++) {
		for (uint32_t i = 0; i < c->modules[m].n_imports; i++) {
			struct link *link = &r->links[m][i];
			if (link->state != LINK_MODULE || !c->is_refused[link->target])
				continue;
			uint32_t p = r->provider_of[c->modules[m].imports[i].name];
			while (p && (r->providers[p - 1].module == m ||
				     c->is_refused[r->providers[p - 1].module]))
				p = r->providers[p - 1].next;
			if (!p)
				continue;
			link->target = r->providers[p - 1].module;
			link->extra = r->providers[p - 1].export & 0xffffff;
		}
	}
}

void check_providers(struct check *c)
{
	struct users u;
	uint32_t *queue = mem_zalloc(c->n_modules * sizeof(*queue)), n_queue = 0;
	bool *is_queued = mem_zalloc(c->n_modules * sizeof(*is_queued));
	struct own *own = NULL;

	if (!policy_options_wants(c->policy, RULE_PROVIDER_REFUSED, false) ||
	    !memchr(c->is_refused, 1, c->n_modules * sizeof(*c->is_refused)))
		goto out;
	prefer_loading_providers(c);
	own = find_own(c);
	users_init(&u, c);
	for (uint32_t m = 0; m < c->n_modules; m++) {
		is_queued[m] = c->is_refused[m];
		if (is_queued[m])
			queue[n_queue++] = m;
	}
	for (uint32_t next = 0; next < n_queue; next++) {
		uint32_t provider = queue[next];
		uint32_t last = MODULE_NONE; /* a user's entries stand together in the row */
		for (uint32_t i = u.start[provider]; i < u.start[provider + 1]; i++) {
			uint32_t user = u.user[i];
			if (user == last)
				continue;
			last = user;
			blame(c, own, user, provider);
			if (is_queued[user])
				continue;
			is_queued[user] = true;
			queue[n_queue++] = user;
		}
	}
	free(u.start);
	free(u.user);
out:
	free(own);
	free(queue);
	free(is_queued);
}
