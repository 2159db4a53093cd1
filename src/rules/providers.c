/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC204: the loader only finds exports of modules that are loaded, so a module behind a refused
 * one is refused too, and so on up. Refusal spreads along the reversed links from a work list. A
 * module that is refused for a reason of its own is not told to be behind another as well.
 */
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

/* How many symbols of its provider does the module need, and where is the first? */
static uint32_t count_symbols(const struct check *c, uint32_t user, uint32_t provider,
			      uint32_t *first)
{
	uint32_t n = 0;

	for (uint32_t i = c->modules[user].n_imports; i-- > 0;) {
		if (!is_hard_link(c, user, i) || c->links->links[user][i].target != provider)
			continue;
		*first = i;
		n++;
	}
	return n;
}

static void blame(struct check *c, uint32_t user, uint32_t provider)
{
	uint32_t first = 0, n = count_symbols(c, user, provider, &first);
	struct finding *f = check_add(c, RULE_PROVIDER_REFUSED, user);

	if (!f)
		return;
	f->order = first;
	f->behind = provider;
	f->provider = c->modules[provider].path;
	f->detail = arena_printf(c->arena, "needs %u of its symbols", n);
}

void check_providers(struct check *c)
{
	struct users u;
	uint32_t *queue = mem_zalloc(c->n_modules * sizeof(*queue)), n_queue = 0;
	bool *is_queued = mem_zalloc(c->n_modules * sizeof(*is_queued));
	bool *is_direct = arena_copy(c->arena, c->is_refused, c->n_modules * sizeof(*is_direct));

	if (!policy_options_wants(c->policy, RULE_PROVIDER_REFUSED, false) ||
	    !memchr(c->is_refused, 1, c->n_modules * sizeof(*c->is_refused)))
		goto out;
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
			if (user == last || is_direct[user])
				continue;
			last = user;
			blame(c, user, provider);
			if (is_queued[user])
				continue;
			is_queued[user] = true;
			queue[n_queue++] = user;
		}
	}
	free(u.start);
	free(u.user);
out:
	free(queue);
	free(is_queued);
}
