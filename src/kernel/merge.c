/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/merge.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"

struct merger {
	struct kernel *kernel;
	uint32_t *first;    /* [name] index + 1 into kernel->syms, 0: none */
	uint32_t *next;     /* [sym] the next of the same name */
	uint32_t n_exports; /* of the kernel, so far */
};

static uint32_t *find(struct merger *m, const struct ksym *sym)
{
	uint32_t *k = &m->first[sym->name];

	while (*k && m->kernel->syms[*k - 1].provider != sym->provider)
		k = &m->next[*k - 1];
	return k;
}

/* Both sources say that it is exported: take what the first does not know. */
static void fill_in(struct merger *m, struct ksym *old, const struct ksym *sym)
{
	const struct source *sources = m->kernel->sources;
	const struct source *knew = &sources[old->source], *knows = &sources[sym->source];

	if (!knew->knows_licences && knows->knows_licences)
		old->licence = sym->licence;
	if (!knew->knows_namespaces && knows->knows_namespaces)
		old->ns = sym->ns;
	if (!old->has_crc && sym->has_crc) {
		old->has_crc = true;
		old->crc = sym->crc;
	}
}

static void add(struct merger *m, const struct ksym *sym)
{
	struct kernel *k = m->kernel;
	uint32_t *slot = find(m, sym);

	if (!*slot) {
		k->syms[k->n_syms] = *sym;
		*slot = ++k->n_syms;
		return;
	}
	struct ksym *old = &k->syms[*slot - 1];
	if (sym->is_exported && !old->is_exported)
		*old = *sym;
	else if (sym->is_exported)
		fill_in(m, old, sym);
}

/* Do both know the CRC, and not the same one? */
static bool has_other_crc(const struct ksym *old, const struct ksym *sym)
{
	return old->has_crc && sym->has_crc && old->crc != sym->crc;
}

/* A map or image after the kernel's exports are known: it may only add definitions. */
static void add_definitions(struct merger *m, struct source *source, const struct listing *l,
			    uint8_t index)
{
	uint32_t n_agreed = 0, n_other = 0;

	for (size_t i = 0; i < l->n_syms; i++) {
		struct ksym sym = l->syms[i];
		uint32_t k = *find(m, &sym);
		bool is_known = k && m->kernel->syms[k - 1].is_exported;
		n_agreed += sym.is_exported && is_known;
		n_other +=
			sym.is_exported && is_known && has_other_crc(&m->kernel->syms[k - 1], &sym);
		sym.source = index;
		sym.is_exported &= is_known;
		add(m, &sym);
	}
	if (l->n_kernel_exports)
		source->contradictions =
			(l->n_kernel_exports - n_agreed) + (m->n_exports - n_agreed) + n_other;
}

static void add_listing(struct merger *m, const struct listing *l, uint8_t index)
{
	struct source *source = &m->kernel->sources[index];

	if (source->kind != SOURCE_SYMVERS && m->n_exports) {
		add_definitions(m, source, l, index);
		return;
	}
	for (size_t i = 0; i < l->n_syms; i++) {
		struct ksym sym = l->syms[i];
		sym.source = index;
		add(m, &sym);
	}
}

static void count_exports(struct merger *m)
{
	m->n_exports = 0;
	for (uint32_t i = 0; i < m->kernel->n_syms; i++) {
		const struct ksym *sym = &m->kernel->syms[i];
		m->n_exports += sym->is_exported && sym->provider == NAME_NONE;
	}
}

/* Those that know all of an export come first. */
static unsigned int rank_of(enum source_kind kind)
{
	return kind == SOURCE_SYMVERS ? 0 : kind == SOURCE_IMAGE ? 1 : 2;
}

static void add_all(struct merger *m, const struct listing *listings, unsigned int rank)
{
	for (uint32_t i = 0; i < m->kernel->n_sources; i++) {
		const struct source *source = &m->kernel->sources[i];
		if (!source->used || rank_of(source->kind) != rank)
			continue;
		add_listing(m, &listings[i], (uint8_t)i);
		count_exports(m);
	}
}

void merge_listings(struct kernel *kernel, const struct listing *listings,
		    const struct names *names, struct arena *a)
{
	size_t n = 0;

	for (uint32_t i = 0; i < kernel->n_sources; i++)
		n += kernel->sources[i].used ? listings[i].n_syms : 0;
	kernel->syms = arena_array(a, n, sizeof(*kernel->syms));
	struct merger m = { .kernel = kernel,
			    .first = mem_zalloc(names_count(names) * sizeof(*m.first)),
			    .next = mem_zalloc(n * sizeof(*m.next)) };
	for (unsigned int rank = 0; rank < 3; rank++)
		add_all(&m, listings, rank);
	kernel->has_exports = m.n_exports > 0;
	free(m.first);
	free(m.next);
}
