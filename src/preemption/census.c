/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preemption/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

enum fit { FIT_SAME, FIT_OTHER, FIT_OPEN };

/* A module of another build that might be RT as well as not does not count as built for it. */
static enum fit fit_of(const struct preemption *p, const struct module *m, uint8_t models)
{
	bool is_other_build = m->has_layout_crc && p->layout_crc && m->layout_crc != p->layout_crc;
	bool is_rt_open = (models & MODEL_RT) && models != MODEL_RT;

	if (!(models & p->models))
		return FIT_OTHER;
	return models == MODEL_ANY || (is_other_build && is_rt_open) ? FIT_OPEN : FIT_SAME;
}

const char *census_tell(const struct preemption *p, const struct module *modules,
			uint32_t n_modules, struct arena *a)
{
	uint32_t n[3] = { 0 };

	if (p->models == MODEL_ANY)
		return "";
	for (uint32_t i = 0; i < n_modules; i++) {
		if (modules[i].is_target)
			n[fit_of(p, &modules[i], p->models_of_module[i])]++;
	}
	const char *text = arena_printf(a, "%s module%s built for it", text_count(a, n[FIT_SAME]),
					n[FIT_SAME] == 1 ? "" : "s");
	if (n[FIT_OTHER])
		text = arena_printf(a, "%s, %s for another", text, text_count(a, n[FIT_OTHER]));
	if (n[FIT_OPEN])
		text = arena_printf(a, "%s, %s cannot tell", text, text_count(a, n[FIT_OPEN]));
	return text;
}

static int compare_counts(const void *pa, const void *pb)
{
	const struct model_count *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

struct model_count *census_count(const struct preemption *p, const struct module *modules,
				 uint32_t n_modules, uint32_t *n_rows, struct arena *a)
{
	uint32_t count[MODEL_ANY + 1] = { 0 }, n = 0;
	struct model_count *rows = arena_array(a, MODEL_ANY + 1, sizeof(*rows));

	for (uint32_t i = 0; i < n_modules; i++) {
		uint8_t models = p->models_of_module[i];
		bool is_same = p->models != MODEL_ANY && fit_of(p, &modules[i], models) == FIT_SAME;
		if (modules[i].is_target)
			count[is_same ? p->models : models]++;
	}
	for (unsigned int models = 0; models < MODEL_ANY; models++) {
		if (count[models])
			rows[n++] = (struct model_count) { preemption_name((uint8_t)models, a),
							   count[models] };
	}
	qsort(rows, n, sizeof(*rows), compare_counts);
	if (count[MODEL_ANY])
		rows[n++] = (struct model_count) { "unknown", count[MODEL_ANY] };
	*n_rows = n;
	return rows;
}
