/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `explain RULE` prints the explanation of a rule; `explain SYMBOL` runs the stages and tells who
 * exports the symbol, who needs it, and which names are close to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/near.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "families.h"
#include "kernel/evidence.h"
#include "rules/explain.h"
#include "subsystem.h"

#define WIDTH 79
#define MAX_NEAR 8

/* Print words from column `indent` on, broken before WIDTH. */
static void print_wrapped(const char *text, int indent)
{
	int column = 0;

	while (*text) {
		int length = (int)strcspn(text, " \n");
		if (column == 0 || column + 1 + length > WIDTH) {
			printf("%s%*s", column ? "\n" : "", indent, "");
			column = indent;
		} else {
			putchar(' ');
			column++;
		}
		printf("%.*s", length, text);
		column += length;
		text += length;
		text += strspn(text, " \n");
	}
	putchar('\n');
}

static int explain_rule(enum rule_id id)
{
	const struct rule *r = &rule_table[id];
	const struct explanation *e = rule_explanation(id);

	printf("%s %s (%s, group %s)\n\n", r->code, r->name, severity_name(r->severity), r->group);
	print_wrapped(e->meaning, 2);
	if (e->message)
		printf("\n  The kernel says:\n    %s\n", e->message);
	if (r->error)
		printf("  and the call returns %s.\n", strerrorname_np(r->error));
	printf("\n  What to do:\n");
	print_wrapped(e->fix, 4);
	return 0;
}

static void print_details(const struct session *s, bool has_crc, uint32_t crc, nameid ns)
{
	if (has_crc)
		printf(", CRC 0x%08x", crc);
	if (ns)
		printf(", namespace %s", text_safe(s->arena, names_text(s->names, ns)));
	putchar('\n');
}

static bool print_ksyms(const struct session *s, nameid name)
{
	bool is_found = false;

	for (uint32_t i = 0; i < s->kernel.n_syms; i++) {
		const struct ksym *k = &s->kernel.syms[i];
		const struct source *source = &s->kernel.sources[k->source];
		if (k->name != name)
			continue;
		const char *owner = k->provider ? names_text(s->names, k->provider) : "vmlinux";
		is_found = true;
		printf("  %-10s %s", k->is_exported ? "exported" : "defined",
		       text_safe(s->arena, owner));
		printf(" (%s", text_safe(s->arena, source->path));
		printf(k->line ? " line %u)" : ")", k->line);
		if (!k->is_exported)
			printf(", not exported");
		else if (source->knows_licences)
			printf(", %s", licence_word((enum licence)k->licence));
		print_details(s, k->has_crc, k->crc, k->ns);
	}
	return is_found;
}

static bool print_providers(const struct session *s, nameid name)
{
	uint32_t p = name < s->links.n_names ? s->links.provider_of[name] : 0;
	bool is_found = p != 0;

	for (; p; p = s->links.providers[p - 1].next) {
		const struct provider *of = &s->links.providers[p - 1];
		const struct module *m = &s->modules[of->module];
		const struct export *e = &m->exports[of->export];
		printf("  %-10s %s, %s", "exported", text_safe(s->arena, m->path),
		       licence_word((enum licence)e->licence));
		print_details(s, e->has_crc, e->crc, e->ns);
	}
	return is_found;
}

/* More than these are counted by subsystem, unless -v is given. */
#define MAX_USERS 24

static const struct import *find_import(const struct module *m, nameid name)
{
	for (uint32_t i = 0; i < m->n_imports; i++)
		if (m->imports[i].name == name)
			return &m->imports[i];
	return NULL;
}

static void print_user(const struct session *s, const struct module *m, const struct import *import)
{
	printf("  %s%s", text_safe(s->arena, m->path),
	       import->flags & IMPORT_WEAK ? " (weak)" : "");
	if (import->flags & IMPORT_HAS_CRC)
		printf(", CRC 0x%08x", import->crc);
	putchar('\n');
}

/* How many are in each subsystem. */
struct users {
	struct names *names;
	uint32_t *counts; /* by number in names */
};

/* The first `depth` directories of a subsystem. */
static size_t fold(const char *subsystem, unsigned int depth)
{
	size_t n = 0;

	for (; subsystem[n]; n++)
		if (subsystem[n] == '/' && --depth == 0)
			break;
	return n;
}

static bool count_users(struct users *u, const struct session *s, nameid name, unsigned int depth)
{
	u->names = names_new();
	u->counts = mem_zalloc((s->n_modules + 2) * sizeof(*u->counts));
	for (uint32_t m = 0; m < s->n_modules; m++) {
		if (!find_import(&s->modules[m], name))
			continue;
		const char *subsystem = subsystem_of(s->modules[m].path, s->arena);
		u->counts[names_add(u->names, subsystem, fold(subsystem, depth))]++;
	}
	return names_count(u->names) <= MAX_USERS;
}

static void release_users(struct users *u)
{
	names_free(u->names);
	free(u->counts);
}

/* As deep as it fits. */
static void print_counts(const struct session *s, nameid name)
{
	struct users u;
	unsigned int depth = 4;

	while (!count_users(&u, s, name, depth) && depth > 1) {
		release_users(&u);
		depth--;
	}
	for (nameid id = 1; id < names_count(u.names); id++)
		printf("  %-40s %4u\n", text_safe(s->arena, names_text(u.names, id)), u.counts[id]);
	release_users(&u);
	printf("  (-v lists them)\n");
}

static void print_users(const struct session *s, nameid name, bool lists_all)
{
	uint32_t n = 0;

	for (uint32_t m = 0; m < s->n_modules; m++)
		n += find_import(&s->modules[m], name) != NULL;
	if (n == 0)
		printf("\nneeded by no module\n");
	else
		printf("\nneeded by %u module%s:\n", n, n == 1 ? "" : "s");
	if (n > MAX_USERS && !lists_all) {
		print_counts(s, name);
		return;
	}
	for (uint32_t m = 0; n && m < s->n_modules; m++) {
		const struct import *import = find_import(&s->modules[m], name);
		if (import)
			print_user(s, &s->modules[m], import);
	}
}

static void print_near(const struct session *s, const char *symbol)
{
	struct near list[MAX_NEAR];
	size_t n = 0;

	for (nameid id = 1; id < s->links.n_names; id++) {
		uint32_t k = s->links.ksym_of[id];
		bool is_exported = s->links.provider_of[id] ||
				   (k != KSYM_NONE && s->kernel.syms[k].is_exported);
		struct near candidate = { id, near_distance(symbol, names_text(s->names, id)) };
		if (is_exported && candidate.distance > 0 && candidate.distance < NEAR_NONE)
			n = near_insert(list, n, MAX_NEAR, candidate, s->names);
	}
	if (n)
		printf("\nexported, and close to it:\n");
	for (size_t i = 0; i < n; i++)
		printf("  %s\n", text_safe(s->arena, names_text(s->names, list[i].name)));
}

static void print_family(const char *symbol)
{
	const char *since;
	size_t length = strlen(symbol);
	const struct family *family = family_of(symbol, length);
	const char *other = family_renamed(symbol, length, &since);

	if (family)
		printf("  %-10s %s: %s %s\n", "family", family->name, family->config, family->why);
	if (other)
		printf("  %-10s %s is the other name (renamed in %s)\n", "renamed", other, since);
}

static int explain_symbol(struct options *o)
{
	struct session s;
	int status = 2;

	if (run_session(&s, o)) {
		nameid name = names_find(s.names, o->subject, strlen(o->subject));
		printf("%s in %s\n", text_safe(s.arena, o->subject),
		       text_safe(s.arena, s.kernel.release));
		bool is_known = name && print_ksyms(&s, name);
		is_known |= name && print_providers(&s, name);
		print_family(o->subject);
		if (!is_known)
			printf("  %-10s %s\n", s.kernel.has_exports ? "no export" : "unknown",
			       s.kernel.has_exports
				       ? "neither the kernel nor a module exports this name"
				       : "nothing tells what this kernel exports");
		print_users(&s, name, o->is_verbose);
		print_near(&s, o->subject);
		status = is_known || s.kernel.has_exports ? 0 : 2;
	}
	session_release(&s);
	return status;
}

int explain_verb(struct options *o)
{
	enum rule_id rule = rule_find(o->subject);

	if (rule == N_RULES && !strncasecmp(o->subject, "MC", 2) &&
	    strspn(o->subject + 2, "0123456789") == 3 && strlen(o->subject) == 5)
		return fail("there is no such rule (modcheck rules lists them)");
	return rule < N_RULES ? explain_rule(rule) : explain_symbol(o);
}
