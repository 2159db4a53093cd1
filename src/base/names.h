/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned names: every symbol, namespace and provider is stored once and known by a small
 * number from then on, so that names compare as integers and index arrays.
 *
 *   names_add("printk")  -> 17          names_text(17) -> "printk"
 *   names_add("printk")  -> 17          NAME_NONE (0) is the empty string
 *
 * A table is for one thread at a time. Each reader thread fills its own; names_join() joins
 * them afterwards and says which number became which. Texts live as long as the table that
 * first stored them; names_join() does not copy them.
 */
#ifndef MODCHECK_NAMES_H
#define MODCHECK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t nameid;
#define NAME_NONE ((nameid)0)

struct names;

struct names *names_new(void);

/* The same, with room for n names; it grows as needed. */
struct names *names_new_for(size_t n);

/*
 * A table on top of `base`, which no one may change while this one is in use: names that base
 * has keep their numbers, new ones get numbers from names_count(base) on. Many threads may
 * have one each on the same base. base must outlive it.
 */
struct names *names_new_over(const struct names *base);
void names_free(struct names *t); /* NULL is allowed */

/* The number of s, length bytes long without NUL; stored if it is new. */
nameid names_add(struct names *t, const char *s, size_t length);
nameid names_add_string(struct names *t, const char *s);

/*
 * names_add() in two steps, for who has many names at hand: looking one up misses the cache
 * twice, and while memory is asked for one the others can be. First for all of them
 * names_announce(), which returns what names_add_announced() wants, then names_await() for all,
 * then names_add_announced().
 */
uint64_t names_announce(const struct names *t, const char *s, size_t length);
void names_await(const struct names *t, uint64_t announced);
nameid names_add_announced(struct names *t, const char *s, size_t length, uint64_t announced);

/* The number of s, or NAME_NONE if it was never stored. */
nameid names_find(const struct names *t, const char *s, size_t length);

/* NUL-terminated; valid while the table lives. id must come from this table. */
const char *names_text(const struct names *t, nameid id);
size_t names_length(const struct names *t, nameid id);

/* One more than the largest number given out. */
uint32_t names_count(const struct names *t);

/*
 * Add the names of `from` to `to`: the base that `from` was made over, or any table if that base
 * was empty. Returns an array of the new numbers of from's own names, in their order, to be freed
 * by the caller. The texts stay with `from`, which must outlive `to`. Several tables can be joined
 * into their base in turn.
 */
nameid *names_join(struct names *to, const struct names *from) __attribute__((returns_nonnull));

/* The first number that is not one of the base's: what names_join()'s array begins with. */
nameid names_first_own(const struct names *t);

#endif
