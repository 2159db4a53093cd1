/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing over a power of two slots, at most half full. A slot
 * holds the upper half of the hash beside the number, so that a probe touches the text of
 * another name only when 32 bits of hash agree.
 */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/mem.h"

struct slot {
	uint32_t tag; /* upper half of the hash */
	nameid id;    /* NAME_NONE: free */
};

struct entry {
	const char *text;
	uint32_t length;
	uint32_t hash; /* lower half of the hash: where probing starts */
	uint32_t tag;
};

struct names {
	struct arena *texts;
	struct slot *slots;
	size_t n_slots;
	struct entry *entries;
	size_t n_entries, cap_entries;
};

struct names *names_new(void)
{
	struct names *t = mem_zalloc(sizeof(*t));

	t->texts = arena_new();
	t->n_slots = 1024;
	t->slots = mem_zalloc(t->n_slots * sizeof(*t->slots));
	VEC_PUSH(t->entries, t->n_entries, t->cap_entries) = (struct entry) { .text = "" };
	return t;
}

void names_free(struct names *t)
{
	if (!t)
		return;
	arena_free(t->texts);
	free(t->slots);
	free(t->entries);
	free(t);
}

static uint64_t hash_of(const char *s, size_t length)
{
	return XXH3_64bits(s, length);
}

/* The slot of this name, or the free one where it belongs. */
static struct slot *probe(const struct names *t, uint32_t hash, uint32_t tag, const char *s,
			  size_t length)
{
	size_t mask = t->n_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct slot *slot = &t->slots[i];
		if (slot->id == NAME_NONE)
			return slot;
		if (slot->tag != tag)
			continue;
		const struct entry *e = &t->entries[slot->id];
		if (e->length == length && memcmp(e->text, s, length) == 0)
			return slot;
	}
}

static void double_slots(struct names *t)
{
	size_t n_slots = t->n_slots * 2, mask = n_slots - 1;
	struct slot *slots = mem_zalloc(n_slots * sizeof(*slots));

	for (size_t id = 1; id < t->n_entries; id++) {
		size_t i = t->entries[id].hash & mask;
		while (slots[i].id != NAME_NONE)
			i = (i + 1) & mask;
		slots[i] = (struct slot) { .tag = t->entries[id].tag, .id = (nameid)id };
	}
	free(t->slots);
	t->slots = slots;
	t->n_slots = n_slots;
}

/* Store a name that is not there yet; slot is where probe() wants it. */
static nameid store(struct names *t, struct slot *slot, struct entry e)
{
	nameid id = (nameid)t->n_entries;

	*slot = (struct slot) { .tag = e.tag, .id = id };
	VEC_PUSH(t->entries, t->n_entries, t->cap_entries) = e;
	if (t->n_entries * 2 > t->n_slots)
		double_slots(t);
	return id;
}

nameid names_add(struct names *t, const char *s, size_t length)
{
	if (length == 0)
		return NAME_NONE;
	uint64_t h = hash_of(s, length);
	struct entry e = { .length = (uint32_t)length, .hash = (uint32_t)h, .tag = h >> 32 };
	struct slot *slot = probe(t, e.hash, e.tag, s, length);
	if (slot->id != NAME_NONE)
		return slot->id;
	e.text = arena_strndup(t->texts, s, length);
	return store(t, slot, e);
}

nameid names_add_string(struct names *t, const char *s)
{
	return names_add(t, s, strlen(s));
}

nameid names_find(const struct names *t, const char *s, size_t length)
{
	if (length == 0)
		return NAME_NONE;
	uint64_t h = hash_of(s, length);
	return probe(t, (uint32_t)h, h >> 32, s, length)->id;
}

const char *names_text(const struct names *t, nameid id)
{
	return t->entries[id].text;
}

size_t names_length(const struct names *t, nameid id)
{
	return t->entries[id].length;
}

uint32_t names_count(const struct names *t)
{
	return (uint32_t)t->n_entries;
}

nameid *names_merge(struct names *to, const struct names *from)
{
	nameid *map = mem_resize(NULL, from->n_entries, sizeof(*map));

	map[0] = NAME_NONE;
	for (size_t i = 1; i < from->n_entries; i++) {
		const struct entry *e = &from->entries[i];
		struct slot *slot = probe(to, e->hash, e->tag, e->text, e->length);
		map[i] = slot->id != NAME_NONE ? slot->id : store(to, slot, *e);
	}
	return map;
}
