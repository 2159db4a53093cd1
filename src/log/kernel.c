/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "families.h"
#include "kernel/evidence.h"
#include "log/log.h"

/* "/lib/modules/6.1.0/" -> "6.1.0" */
static const char *release_of_directory(const char *directory, struct arena *a)
{
	const char *end = directory + strlen(directory) - 1, *start = end;

	while (start > directory && start[-1] != '/')
		start--;
	return arena_strndup(a, start, (size_t)(end - start));
}

static const char *first_word(const char *text, struct arena *a)
{
	return arena_strndup(a, text, strcspn(text, " "));
}

static const char banner_start[] = "Linux version ";

static const char *banner_of(const struct log *log)
{
	const char *text = log->banner ? names_text(log->texts, log->banner) : NULL;

	return text && text_has_prefix(text, banner_start) ? text : NULL;
}

bool log_kernel_fill(struct session *s, const struct log *log, const struct names *directories,
		     nameid directory)
{
	const char *banner = banner_of(log);
	const char *vermagic = log->vermagic ? names_text(log->texts, log->vermagic) : NULL;
	const char *release = NULL;

	if (banner)
		s->kernel.banner = arena_strdup(s->arena, banner);
	if (vermagic)
		s->kernel.vermagic = arena_strdup(s->arena, vermagic);
	if (directory)
		release = release_of_directory(names_text(directories, directory), s->arena);
	else if (banner)
		release = first_word(banner + strlen(banner_start), s->arena);
	else if (vermagic)
		release = first_word(vermagic, s->arena);
	s->kernel.release = release ? release : "unknown kernel";
	s->kernel.version = release ? kernel_version_of(release) : 0;
	return release != NULL;
}

/* Models whose modules need what is missing; 0 unless two different symbols of them are. */
static uint8_t lacking_models(const struct session *s)
{
	uint8_t *is_seen = mem_zalloc(names_count(s->names));
	uint8_t lacking = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < s->check.n_findings; i++) {
		const struct finding *f = &s->check.findings[i];
		const char *text = names_text(s->names, f->symbol);
		if (f->rule != RULE_UNDEFINED_SYMBOL || !f->symbol || is_seen[f->symbol])
			continue;
		is_seen[f->symbol] = 1;
		const struct family *family = family_of(
			text, symbol_base_length(text, names_length(s->names, f->symbol)));
		if (!family || !family->models)
			continue;
		lacking |= family->models;
		n++;
	}
	free(is_seen);
	return n < 2 ? 0 : lacking;
}

/* What the modules that lack symbols have in common, by these; those of a log mostly are of one
 * build. */
static uint8_t common_models(const struct session *s)
{
	uint8_t common = MODEL_ANY;
	uint32_t n = 0, n_telling = 0;

	for (uint32_t i = 0; i < s->n_modules; i++) {
		if (s->modules[i].n_imports == 0)
			continue;
		uint8_t models = preemption_of_module(&s->preemption, &s->modules[i]);
		n++;
		n_telling += models != MODEL_ANY;
		common &= models;
	}
	return n_telling > n / 2 ? common : 0;
}

uint8_t log_kernel_likely_models(const struct session *s)
{
	uint8_t lacking = lacking_models(s), common = common_models(s);
	uint8_t kernel = (uint8_t)(s->preemption.models & ~lacking);

	/* where models exclude each other, what is missing says nothing of any */
	return lacking && common && kernel ? common & lacking : 0;
}
