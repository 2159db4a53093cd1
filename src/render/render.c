/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of formats: a row each.
 */
#include "render/render.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "render/formats.h"

static const struct {
	const char *name;
	render_function *render;
} formats[] = {
	{ "text", render_text },
	{ "short", render_short },
	{ "json", render_json },
	{ "depmod", render_depmod },
};

render_function *render_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, name) == 0)
			return formats[i].render;
	}
	return NULL;
}

const char *render_names(struct arena *a)
{
	const char *text = formats[0].name;

	for (size_t i = 1; i < sizeof(formats) / sizeof(formats[0]); i++)
		text = arena_printf(a, "%s, %s", text, formats[i].name);
	return text;
}
