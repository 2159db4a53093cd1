/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC609: what modprobe.d keeps modprobe from loading by an alias. */
#include <string.h>

#include "base/arena.h"
#include "index/index.h"
#include "rules/check.h"

void check_blacklist(struct check *c)
{
	const struct index *x = c->index;

	for (uint32_t m = 0; x->n_blacklist && m < c->n_modules; m++) {
		nameid name = names_find(x->names, c->modules[m].name, strlen(c->modules[m].name));
		for (size_t i = 0; name && i < x->n_blacklist; i++) {
			if (x->blacklist[i].name != name)
				continue;
			struct finding *f = check_add(c, RULE_BLACKLISTED, m);
			if (f)
				f->detail = arena_strdup(c->arena, x->blacklist[i].file);
			break;
		}
	}
}
