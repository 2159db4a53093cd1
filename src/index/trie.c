/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format (libkmod/libkmod-index.h, kmod 30), all numbers big-endian:
 *
 *   u32 magic 0xb007f457, u32 version (major 2 in the upper half), u32 root
 *
 * root and all other references to a node are its offset in the file, with flags in the upper four
 * bits that tell what the node has. In this order:
 *
 *   0x8  char prefix[]; NUL                          part of the key
 *   0x2  u8 first, u8 last; u32 child[last-first+1]  by the next character of the key; 0: none
 *   0x4  u32 n; n times: u32 priority, char value[]; NUL
 *
 * Nodes do not overlap, so all of them together are no longer than the file. That is what ends the
 * walk when references run in circles.
 */
#include "index/trie.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define TRIE_MAGIC 0xb007f457u
#define TRIE_MAJOR 2
#define HEADER_SIZE 12
#define HAS_PREFIX 0x80000000u
#define HAS_VALUES 0x40000000u
#define HAS_CHILDREN 0x20000000u
#define OFFSET_MASK 0x0fffffffu

struct trie {
	const char *bytes;
	size_t size;
	size_t left; /* bytes that nodes may still take */
	uint32_t *todo;
	size_t n_todo, cap_todo;
	trie_value *each;
	void *arg;
};

/* Take n bytes of the node at hand: NULL if the file, or what nodes may take of it, ends first. */
static const char *take(struct trie *t, size_t *at, size_t n)
{
	const char *p = t->bytes + *at;

	if (n > t->left || !bytes_has_range(t->size, *at, n))
		return NULL;
	t->left -= n;
	*at += n;
	return p;
}

static const char *take_string(struct trie *t, size_t *at, size_t *length)
{
	const char *end;

	if (*at >= t->size)
		return NULL;
	end = memchr(t->bytes + *at, '\0', t->size - *at);
	if (!end)
		return NULL;
	*length = (size_t)(end - (t->bytes + *at));
	return take(t, at, *length + 1);
}

static bool take_u32(struct trie *t, size_t *at, uint32_t *value)
{
	const char *p = take(t, at, 4);

	if (p)
		*value = bytes_get32((const unsigned char *)p, true);
	return p;
}

static bool take_children(struct trie *t, size_t *at)
{
	const char *range = take(t, at, 2);
	const unsigned char *child;
	size_t n;

	if (!range || (unsigned char)range[1] < (unsigned char)range[0])
		return false;
	n = (size_t)((unsigned char)range[1] - (unsigned char)range[0]) + 1;
	child = (const unsigned char *)take(t, at, n * 4);
	if (!child)
		return false;
	for (size_t i = n; i-- > 0;) { /* the last one goes below the others */
		uint32_t reference = bytes_get32(child + i * 4, true);
		if (reference & OFFSET_MASK)
			VEC_PUSH(t->todo, t->n_todo, t->cap_todo) = reference;
	}
	return true;
}

static bool take_values(struct trie *t, size_t *at)
{
	uint32_t n, priority;
	size_t length;

	if (!take_u32(t, at, &n))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const char *value;
		if (!take_u32(t, at, &priority))
			return false;
		value = take_string(t, at, &length);
		if (!value)
			return false;
		t->each(t->arg, value, length);
	}
	return true;
}

static bool read_node(struct trie *t, uint32_t reference)
{
	size_t at = reference & OFFSET_MASK, length;

	if (at < HEADER_SIZE)
		return false;
	if ((reference & HAS_PREFIX) && !take_string(t, &at, &length))
		return false;
	if ((reference & HAS_CHILDREN) && !take_children(t, &at))
		return false;
	return !(reference & HAS_VALUES) || take_values(t, &at);
}

const char *trie_read(const char *bytes, size_t size, trie_value *each, void *arg)
{
	struct trie t = { .bytes = bytes, .size = size, .left = size, .each = each, .arg = arg };
	const unsigned char *header = (const unsigned char *)bytes;
	bool is_sound = true;

	if (size < HEADER_SIZE || bytes_get32(header, true) != TRIE_MAGIC)
		return "not an index of kmod";
	if (bytes_get32(header + 4, true) >> 16 != TRIE_MAJOR)
		return "an index of another version";
	if (bytes_get32(header + 8, true) & OFFSET_MASK)
		VEC_PUSH(t.todo, t.n_todo, t.cap_todo) = bytes_get32(header + 8, true);
	while (is_sound && t.n_todo)
		is_sound = read_node(&t, t.todo[--t.n_todo]);
	free(t.todo);
	return is_sound ? NULL : "damaged: a node of it is outside of the file, or in two places";
}
