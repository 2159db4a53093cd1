/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC608: modules of another kernel release than most of the tree. Only of what the loader would
 * take: a module that is refused, for its version magic or for another reason, has that told of it,
 * and its release stands in that finding.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "rules/check.h"

/* Does the version magic begin with this release? */
static bool is_of_release(const char *vermagic, const char *release, size_t length)
{
	return strncmp(vermagic, release, length) == 0 &&
	       (vermagic[length] == ' ' || vermagic[length] == '\0');
}

/* Modules of this kernel that another one was linked to on purpose (weak-modules(8)). */
static bool is_borrowed(const char *path)
{
	return strncmp(path, "weak-updates/", strlen("weak-updates/")) == 0;
}

void check_foreign(struct check *c)
{
	const char *release = c->tree ? c->tree->release : "", *last = NULL;
	uint32_t n_of_release = 0, n_others = 0;
	bool is_same = false;
	bool *is_other = mem_zalloc((c->n_modules + 1) * sizeof(*is_other));

	for (uint32_t m = 0; c->tree && m < c->n_modules; m++) {
		const char *vermagic = c->modules[m].info.vermagic;
		if (!vermagic || !c->modules[m].is_installed || c->modules[m].is_object_24)
			continue;
		if (vermagic != last)
			is_same = is_of_release(vermagic, release, strlen(release));
		last = vermagic;
		is_other[m] = !is_same;
		*(is_same ? &n_of_release : &n_others) += 1;
	}
	for (uint32_t m = 0; n_others && n_of_release > n_others && m < c->n_modules; m++) {
		struct finding *f = NULL;
		if (is_other[m] && !c->is_refused[m] && !is_borrowed(c->modules[m].path))
			f = check_add(c, RULE_FOREIGN_MODULE, m);
		if (!f)
			continue;
		const char *vermagic = c->modules[m].info.vermagic;
		f->actual = arena_strndup(c->arena, vermagic, strcspn(vermagic, " "));
		f->expected = release;
	}
	free(is_other);
}
