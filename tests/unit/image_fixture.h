/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel made by hand: its memory from the export tables on, as the linker script lays it out
 * (include/asm-generic/vmlinux.lds.h). Symbol i of the plain table is called "plain_000i",
 * value, CRC and namespace follow from i.
 */
#ifndef IMAGE_FIXTURE_H
#define IMAGE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

#define N_PLAIN 120u
#define N_GPL 110u
#define IMAGE_ROOM 65536u

static const char fixture_banner[] = "Linux version 6.1.0-test (a@b) (gcc) #1 SMP\n";
static const char fixture_vermagic[] = "6.1.0-test SMP mod_unload ";

struct made {
	/* what to make */
	bool is_prel, is_big, has_flags;
	uint8_t n_fields, word, crc_bytes;
	uint64_t base; /* address of bytes[0] */
	/* what was made */
	unsigned char bytes[IMAGE_ROOM];
	uint32_t size, n;
	uint32_t tables, gpl, crcs, flags, strings;
};

static inline void put(struct made *m, uint32_t at, uint64_t value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		m->bytes[at + i] = (unsigned char)(value >> 8 * (m->is_big ? n - 1 - i : i));
}

static inline uint32_t put_text(struct made *m, const char *text, size_t n)
{
	uint32_t at = m->size;

	memcpy(m->bytes + at, text, n);
	m->size += (uint32_t)n;
	return at;
}

static inline void put_field(struct made *m, uint32_t entry, uint32_t i, uint32_t target)
{
	uint32_t bytes = m->is_prel ? 4 : m->word, at = entry + i * bytes;

	put(m, at, m->is_prel ? target - at : m->base + target, bytes);
}

static inline uint32_t made_crc(uint32_t i)
{
	return 0x9e3779b1u * (i + 1);
}

/* struct module of 896 bytes: string "module" at 1, one type. */
static inline void put_btf(struct made *m)
{
	uint32_t at = m->size;

	m->size += 24 + 12 + 8;
	put(m, at, 0xeb9f, 2);
	put(m, at + 2, 1, 1);
	put(m, at + 4, 24, 4);
	put(m, at + 12, 12, 4); /* type_len */
	put(m, at + 16, 12, 4); /* str_off */
	put(m, at + 20, 8, 4);
	put(m, at + 24, 1, 4);        /* name_off */
	put(m, at + 28, 4u << 24, 4); /* BTF_KIND_STRUCT, no members */
	put(m, at + 32, 896, 4);
	memcpy(m->bytes + at + 37, "module", 7);
}

/* The tables begin at offset 4096 + 8, behind zeros. */
static inline void make_kernel(struct made *m)
{
	uint32_t entry = m->n_fields * (m->is_prel ? 4u : m->word);
	uint32_t n_plain = N_PLAIN, n_gpl = m->has_flags ? 0 : N_GPL;
	char name[32];

	memset(m->bytes, 0, sizeof(m->bytes));
	m->n = n_plain + n_gpl;
	m->tables = 4096 + 8;
	m->gpl = m->tables + n_plain * entry;
	m->crcs = m->gpl + n_gpl * entry;
	m->flags = m->crcs + m->n * m->crc_bytes;
	m->strings = m->size = m->flags + (m->has_flags ? m->n : 0);
	bool has_ns = m->n_fields == 3; /* every string is pointed to */
	uint32_t no_ns = put_text(m, "", has_ns), ns = put_text(m, "SOME_NS", has_ns ? 8 : 0);
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t at = m->tables + i * entry;
		snprintf(name, sizeof(name), "%s_%05u", i < n_plain ? "plain" : "gpl", i);
		put_field(m, at, 0, 16 * i + 16);
		put_field(m, at, 1, put_text(m, name, strlen(name) + 1));
		if (m->n_fields == 3)
			put_field(m, at, 2, i == 7 ? ns : no_ns);
		if (m->crc_bytes)
			put(m, m->crcs + i * m->crc_bytes, made_crc(i), m->crc_bytes);
		if (m->has_flags)
			m->bytes[m->flags + i] = i & 1;
	}
	put_text(m, fixture_banner, sizeof(fixture_banner));
	put_text(m, fixture_vermagic, sizeof(fixture_vermagic));
	put_btf(m);
}

#endif
