/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/ready.h"

#include "base/arena.h"
#include "base/text.h"

static enum ready worst_of(const struct readiness *r)
{
	static const enum ready order[] = { READY_NOT, READY_UNKNOWN, READY_REBUILD };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (r->count[order[i]])
			return order[i];
	}
	return READY_AS_IS;
}

const char *ready_word(const struct result *r)
{
	static const char *const words[N_READY] = {
		[READY_AS_IS] = "READY",
		[READY_REBUILD] = "REBUILD",
		[READY_NOT] = "NOT READY",
		[READY_UNKNOWN] = "UNKNOWN",
	};

	return r->outcome == OUTCOME_INCOMPLETE ? "UNKNOWN" : words[worst_of(r->readiness)];
}

enum page_style ready_style(const struct result *r)
{
	static const enum page_style styles[N_READY] = {
		[READY_AS_IS] = STYLE_GOOD,
		[READY_REBUILD] = STYLE_WARNING,
		[READY_NOT] = STYLE_ERROR,
		[READY_UNKNOWN] = STYLE_PLAIN,
	};

	return styles[worst_of(r->readiness)];
}

/* "the module" where there is but one: "needs a rebuild". */
static const char *sentence_of_one(enum ready ready)
{
	static const char *const sentences[N_READY] = {
		[READY_AS_IS] = "the module loads as it is",
		[READY_REBUILD] = "the module loads after a rebuild",
		[READY_NOT] = "the module does not load, and a rebuild alone does not mend it",
		[READY_UNKNOWN] = "the module cannot be judged",
	};

	return sentences[ready];
}

const char *ready_sentence(const struct result *r, struct arena *a)
{
	static const struct {
		enum ready ready;
		const char *one, *many;
	} parts[] = {
		{ READY_NOT, "is not mended by a rebuild alone",
		  "are not mended by a rebuild alone" },
		{ READY_REBUILD, "loads after a rebuild", "load after a rebuild" },
		{ READY_AS_IS, "loads as it is", "load as they are" },
		{ READY_UNKNOWN, "cannot be judged", "cannot be judged" },
	};
	const char *text = "";

	if (r->n_targets == 0)
		return arena_printf(a, "%s has its own build of all %s", r->release,
				    page_count(a, r->readiness->n_own_build, "module"));
	if (r->n_targets == 1)
		return sentence_of_one(worst_of(r->readiness));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint32_t n = r->readiness->count[parts[i].ready];
		if (n == 0)
			continue;
		const char *what = n == 1 ? parts[i].one : parts[i].many;
		if (n == r->n_targets)
			return arena_printf(a, "all %s modules %s", text_count(a, n),
					    parts[i].many);
		text = *text ? arena_printf(a, "%s, %s %s", text, text_count(a, n), what)
			     : arena_printf(a, "%s of %s modules %s", text_count(a, n),
					    text_count(a, r->n_targets), what);
	}
	return text;
}

const char *ready_source(const struct result *r, struct arena *a)
{
	const struct readiness *of = r->readiness;
	const char *text = "";

	if (of->source)
		text = arena_printf(a, "of %s%s", of->source,
				    of->is_running ? ", the running kernel" : "");
	if (of->n_own_build)
		text = arena_printf(a,
				    "%s%s%s have their own build in %s and are not judged "
				    "(--all: judge them, too)",
				    text, *text ? "; " : "", text_count(a, of->n_own_build),
				    r->release);
	return text;
}
