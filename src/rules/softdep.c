/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC606: `softdep=` of a module's .modinfo, "pre: a b post: c", may name modules and aliases.
 * modprobe passes over one that is nowhere and says nothing. Words in front of `pre:` and `post:`
 * it does not take at all (kmod_config_add_softdep(), kmod 30). Aliases are known where depmod was,
 * so nothing is said without modules.alias.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "index/index.h"
#include "rules/check.h"

#define MAX_WORD 256 /* bytes; module names have at most 60 */

/* Where in a module's softdeps we are. */
struct place {
	const char *at;
	bool is_active; /* behind pre: or post: */
	char word[MAX_WORD];
};

static bool is_word(const char *s, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(s, word, length) == 0;
}

/* The next module or alias, with '_' for '-'. */
static bool next_word(struct place *p)
{
	while (*p->at) {
		const char *s = p->at;
		size_t length = strcspn(s, " \t\n");
		p->at += length + (s[length] != '\0');
		if (is_word(s, length, "pre:") || is_word(s, length, "post:"))
			p->is_active = true;
		else if (p->is_active && length && length < MAX_WORD) {
			for (size_t i = 0; i < length; i++)
				p->word[i] = text_module_char(s[i]);
			p->word[length] = '\0';
			p->is_active = s[length] != '\n';
			return true;
		}
		if (s[length] == '\n') /* the next softdep= begins */
			p->is_active = false;
	}
	return false;
}

struct softdeps {
	struct names *words;
	const char **texts; /* by nameid */
	bool *is_found;
};

static struct names *collect_words(const struct check *c)
{
	struct names *words = names_new();

	for (uint32_t m = 0; m < c->n_modules; m++) {
		struct place p = { .at = c->modules[m].info.softdep };
		while (p.at && next_word(&p))
			names_add_string(words, p.word);
	}
	return words;
}

static void find_words(const struct check *c, struct softdeps *s)
{
	const struct index *x = c->index;
	size_t n = names_count(s->words);

	for (uint32_t m = 0; m < c->n_modules; m++) {
		const char *name = c->modules[m].name;
		s->is_found[names_find(s->words, name, strlen(name))] = true;
	}
	for (size_t i = 0; i < x->n_builtins; i++) {
		const char *name = names_text(x->names, x->builtins[i]);
		s->is_found[names_find(s->words, name, names_length(x->names, x->builtins[i]))] =
			true;
	}
	s->is_found[NAME_NONE] = true;
	for (nameid i = 0; i < n; i++)
		s->texts[i] = names_text(s->words, i);
	if (memchr(s->is_found, 0, n))
		index_find_aliases(x, s->texts, s->is_found, n);
}

static void report(struct check *c, uint32_t module, const struct softdeps *s)
{
	struct place p = { .at = c->modules[module].info.softdep };
	uint32_t order = 0;

	while (p.at && next_word(&p)) {
		struct finding *f = NULL;
		if (!s->is_found[names_find(s->words, p.word, strlen(p.word))])
			f = check_add(c, RULE_SOFTDEP_MISSING, module);
		if (!f)
			continue;
		f->provider = arena_strdup(c->arena, p.word);
		f->order = order++;
	}
}

void check_softdeps(struct check *c)
{
	const struct index *x = c->index;
	struct softdeps s;

	if (!x->has[INDEX_ALIAS] || x->faults[INDEX_ALIAS] || !x->has[INDEX_BUILTIN])
		return;
	s.words = collect_words(c);
	size_t n = names_count(s.words);
	if (n > 1) {
		s.texts = mem_zalloc(n * sizeof(*s.texts));
		s.is_found = mem_zalloc(n * sizeof(*s.is_found));
		find_words(c, &s);
		for (uint32_t m = 0; m < c->n_modules; m++)
			report(c, m, &s);
		free(s.texts);
		free(s.is_found);
	}
	names_free(s.words);
}
