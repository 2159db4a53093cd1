/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned names: every symbol, namespace and provider is stored once and known by a small
 * number from then on, so that names compare as integers and index arrays.
 *
 *   names_add("printk")  -> 17          names_text(17) -> "printk"
 *   names_add("printk")  -> 17          NAME_NONE (0) is the empty string
 *
 * A table is for one thread at a time. Each reader thread fills its own; names_merge() joins
 * them afterwards and says which number became which. Texts live as long as the table that
 * first stored them; names_merge() does not copy them.
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
void names_free(struct names *t); /* NULL is allowed */

/* The number of s, length bytes long without NUL; stored if it is new. */
nameid names_add(struct names *t, const char *s, size_t length);
nameid names_add_string(struct names *t, const char *s);

/* The number of s, or NAME_NONE if it was never stored. */
nameid names_find(const struct names *t, const char *s, size_t length);

/* NUL-terminated; valid while the table lives. id must come from this table. */
const char *names_text(const struct names *t, nameid id);
size_t names_length(const struct names *t, nameid id);

/* One more than the largest number given out. */
uint32_t names_count(const struct names *t);

/*
 * Add all names of `from` to `to`. Returns an array of names_count(from) numbers, indexed by
 * the number in `from`, to be freed by the caller. `from` must outlive `to`.
 */
nameid *names_merge(struct names *to, const struct names *from) __attribute__((returns_nonnull));

#endif
