/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open addressing with linear probing over a power of two slots, at most three quarters full. A
 * slot holds the upper half of the hash beside the number, so that a probe touches the text of
 * another name only when 32 bits of hash agree; and where the text is, so that a name that is
 * known already costs two misses of the cache and no more.
 */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/mem.h"

enum { FEW_SLOTS = 1 << 10, MANY_SLOTS = 1 << 15 };

struct slot {
	const char *text;
	uint32_t tag;   /* upper half of the hash */
	uint32_t place; /* index into entries + 1; 0: free */
};

struct entry {
	const char *text; /* its length stands in front of it */
	uint64_t hash;
};

struct names {
	const struct names *base; /* what this one is on top of, NULL if nothing */
	nameid first;             /* number of entries[0] */
	struct arena *texts;
	struct slot *slots;
	size_t n_slots;
	struct entry *entries;
	size_t n_entries, cap_entries;
};

/* How many names so many slots are for: beyond that, probing takes longer and longer. */
static size_t capacity_of(size_t n_slots)
{
	return n_slots / 4 * 3;
}

static uint32_t length_of(const char *text)
{
	uint32_t length;

	memcpy(&length, text - sizeof(length), sizeof(length));
	return length;
}

static const char *copy_text(struct arena *a, const char *s, uint32_t length)
{
	char *record = arena_bytes(a, sizeof(length) + length + 1);

	memcpy(record, &length, sizeof(length));
	memcpy(record + sizeof(length), s, length);
	return record + sizeof(length);
}

/*
 * Slots are read before they are written, so the kernel would fault in each page of a large table
 * twice, and the second time interrupt the other processors.
 */
static struct slot *new_slots(size_t n)
{
	size_t size = n * sizeof(struct slot);

	return n < MANY_SLOTS ? mem_zalloc(size) : mem_map(size);
}

static void free_slots(struct slot *slots, size_t n)
{
	if (n < MANY_SLOTS)
		free(slots);
	else
		mem_unmap(slots, n * sizeof(*slots));
}

static struct names *new_table(size_t n_slots)
{
	struct names *t = mem_zalloc(sizeof(*t));

	t->texts = arena_new();
	t->n_slots = n_slots;
	t->slots = new_slots(n_slots);
	return t;
}

struct names *names_new_for(size_t n)
{
	size_t n_slots = FEW_SLOTS;

	while (capacity_of(n_slots) < n)
		n_slots *= 2;
	struct names *t = new_table(n_slots);
	VEC_PUSH(t->entries, t->n_entries, t->cap_entries) =
		(struct entry) { copy_text(t->texts, "", 0), 0 };
	return t;
}

struct names *names_new(void)
{
	return names_new_for(0);
}

struct names *names_new_over(const struct names *base)
{
	struct names *t = new_table(FEW_SLOTS);

	t->base = base;
	t->first = names_count(base);
	return t;
}

void names_free(struct names *t)
{
	if (!t)
		return;
	arena_free(t->texts);
	free_slots(t->slots, t->n_slots);
	free(t->entries);
	free(t);
}

/* The slot of this name, or the free one where it belongs. */
static struct slot *probe(const struct names *t, uint64_t hash, const char *s, size_t length)
{
	size_t mask = t->n_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct slot *slot = &t->slots[i];
		if (slot->place == 0)
			return slot;
		if (slot->tag != hash >> 32)
			continue;
		if (length_of(slot->text) == length && memcmp(slot->text, s, length) == 0)
			return slot;
	}
}

static nameid number_of(const struct names *t, const struct slot *slot)
{
	return t->first + slot->place - 1;
}

static void double_slots(struct names *t)
{
	size_t n_slots = t->n_slots * 2, mask = n_slots - 1;
	struct slot *slots = new_slots(n_slots);

	for (size_t i = 0; i < t->n_slots; i++) {
		if (t->slots[i].place == 0)
			continue;
		size_t at = t->entries[t->slots[i].place - 1].hash & mask;
		while (slots[at].place != 0)
			at = (at + 1) & mask;
		slots[at] = t->slots[i];
	}
	free_slots(t->slots, t->n_slots);
	t->slots = slots;
	t->n_slots = n_slots;
}

/* Store a name that is not there yet; slot is where probe() wants it. */
static nameid store(struct names *t, struct slot *slot, struct entry e)
{
	VEC_PUSH(t->entries, t->n_entries, t->cap_entries) = e;
	*slot = (struct slot) { e.text, e.hash >> 32, (uint32_t)t->n_entries };
	nameid id = number_of(t, slot);
	if (t->n_entries > capacity_of(t->n_slots))
		double_slots(t);
	return id;
}

static nameid find(const struct names *t, uint64_t hash, const char *s, size_t length)
{
	for (; t; t = t->base) {
		const struct slot *slot = probe(t, hash, s, length);
		if (slot->place)
			return number_of(t, slot);
	}
	return NAME_NONE;
}

nameid names_add_announced(struct names *t, const char *s, size_t length, uint64_t hash)
{
	if (length == 0)
		return NAME_NONE;
	nameid id = t->base ? find(t->base, hash, s, length) : NAME_NONE;
	if (id != NAME_NONE)
		return id;
	struct slot *slot = probe(t, hash, s, length);
	if (slot->place)
		return number_of(t, slot);
	struct entry e = { copy_text(t->texts, s, (uint32_t)length), hash };
	return store(t, slot, e);
}

nameid names_add(struct names *t, const char *s, size_t length)
{
	return names_add_announced(t, s, length, XXH3_64bits(s, length));
}

/* The slot where probing for this hash starts, in the table where most names are found. */
static const struct slot *first_slot(const struct names *t, uint64_t hash)
{
	const struct names *likely = t->base ? t->base : t;

	return &likely->slots[hash & (likely->n_slots - 1)];
}

uint64_t names_announce(const struct names *t, const char *s, size_t length)
{
	uint64_t hash = XXH3_64bits(s, length);

	__builtin_prefetch(first_slot(t, hash));
	return hash;
}

void names_await(const struct names *t, uint64_t hash)
{
	const struct slot *slot = first_slot(t, hash);

	if (slot->place)
		__builtin_prefetch(slot->text - sizeof(uint32_t));
}

nameid names_add_string(struct names *t, const char *s)
{
	return names_add(t, s, strlen(s));
}

nameid names_find(const struct names *t, const char *s, size_t length)
{
	return length ? find(t, XXH3_64bits(s, length), s, length) : NAME_NONE;
}

static const struct entry *entry_of(const struct names *t, nameid id)
{
	while (id < t->first)
		t = t->base;
	return &t->entries[id - t->first];
}

const char *names_text(const struct names *t, nameid id)
{
	return entry_of(t, id)->text;
}

size_t names_length(const struct names *t, nameid id)
{
	return length_of(entry_of(t, id)->text);
}

uint32_t names_count(const struct names *t)
{
	return t->first + (uint32_t)t->n_entries;
}

nameid names_first_own(const struct names *t)
{
	return t->first;
}

nameid *names_join(struct names *to, const struct names *from)
{
	nameid *map = mem_resize(NULL, from->n_entries, sizeof(*map));

	for (size_t i = 0; i < from->n_entries; i++) {
		const struct entry *e = &from->entries[i];
		struct slot *slot = probe(to, e->hash, e->text, length_of(e->text));
		map[i] = slot->place ? number_of(to, slot) : store(to, slot, *e);
	}
	return map;
}
