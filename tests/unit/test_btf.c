/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .BTF byte by byte. Expected: the check_meta functions of kernel/bpf/btf.c (6.12), by hand. All is
 * little-endian; a base of the three strings "", "int" and "a b", and of two types: void and one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/btf.h"

static const char base_strings[] = "\0int\0a b"; /* 9 bytes: int is 1, "a b" 5 */
static const struct btf_base base = { base_strings, sizeof(base_strings), 2 };
static const struct btf_base unknown = { NULL, 0, 0 };

#define OWN 9u /* where the strings of the module begin: "" at 9, "own" at 10 */
static const char own_strings[] = "\0own";

struct bytes {
	unsigned char data[512];
	size_t size;
};

static void put(struct bytes *b, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		b->data[b->size++] = (unsigned char)(word >> 8 * i);
}

/* A section of these words of types and the strings behind them. */
static struct bytes section(const uint32_t *words, size_t n)
{
	struct bytes b = { .size = 0 };

	put(&b, 0x0001eb9f);
	put(&b, 24);
	put(&b, 0);
	put(&b, (uint32_t)n * 4);
	put(&b, (uint32_t)n * 4);
	put(&b, sizeof(own_strings));
	for (size_t i = 0; i < n; i++)
		put(&b, words[i]);
	memcpy(b.data + b.size, own_strings, sizeof(own_strings));
	b.size += sizeof(own_strings);
	return b;
}

#define INFO(kind, n) ((uint32_t)(kind) << 24 | (n))
#define FLAG 0x80000000u

struct test_case {
	uint32_t words[12], n;
	uint32_t error;  /* 0: taken */
	bool needs_base; /* without one nothing can be said */
	const char *what;
};

static const struct test_case cases[] = {
	{ { 1, INFO(1, 0), 4, 32 }, 4, 0, false, "int" },
	{ { 1, INFO(1, 0), 4, 33 }, 4, 22, false, "int of more bits" },
	{ { 1, INFO(1, 1), 4, 32 }, 4, 22, false, "int with members" },
	{ { 1, INFO(1, 0) | FLAG, 4, 32 }, 4, 22, false, "int with a flag" },
	{ { 1, INFO(1, 0), 4, 0x03000020 }, 4, 524, false, "int of two encodings" },
	{ { 1, INFO(1, 0), 4 }, 3, 22, false, "int cut off" },
	{ { 1, INFO(1, 0) }, 2, 22, false, "a type cut off" },
	{ { OWN + 4, INFO(1, 0), 4, 32 }, 4, 0, false, "the last NUL is a name" },
	{ { OWN + 5, INFO(1, 0), 4, 32 }, 4, 22, true, "a name beyond" },
	{ { 0x1000000, INFO(1, 0), 4, 32 }, 4, 22, false, "a name far beyond" },
	{ { 0, INFO(0, 0), 0 }, 3, 22, false, "kind 0" },
	{ { 0, INFO(20, 0), 0 }, 3, 22, false, "kind 20" },
	{ { 0, INFO(2, 0) | 0x10000, 0 }, 3, 22, false, "an unused bit" },
	{ { 0, INFO(2, 0), 1 }, 3, 0, false, "pointer" },
	{ { 1, INFO(2, 0), 1 }, 3, 22, false, "pointer with a name" },
	{ { 0, INFO(2, 0), 0x100000 }, 3, 22, false, "pointer to a type that cannot be" },
	{ { 0, INFO(3, 0), 0, 1, 1, 4 }, 6, 0, false, "array" },
	{ { 0, INFO(3, 0), 0, 0, 1, 4 }, 6, 22, false, "array of void" },
	{ { OWN + 1, INFO(4, 1), 4, 0, 1, 0 }, 6, 0, false, "struct" },
	{ { OWN + 1, INFO(4, 1), 4, 0, 0, 0 }, 6, 22, false, "struct of void" },
	{ { OWN + 1, INFO(4, 1), 4, 0, 1, 33 }, 6, 22, false, "member beyond" },
	{ { OWN + 1, INFO(4, 2), 4, 0, 1, 8, 0, 1, 0 }, 9, 22, false, "members backwards" },
	{ { OWN + 1, INFO(4, 1) | FLAG, 4, 0, 1, 0x4000008 }, 6, 0, false, "bit field" },
	{ { OWN + 1, INFO(5, 1), 4, 0, 1, 8 }, 6, 22, false, "union with an offset" },
	{ { 5, INFO(4, 0), 4 }, 3, 22, true, "struct of a name that is none" },
	{ { OWN, INFO(4, 0), 4 }, 3, 22, true, "struct of an empty name" },
	{ { 0, INFO(6, 1), 4, OWN + 1, 7 }, 5, 0, false, "enum" },
	{ { 0, INFO(6, 1), 3, OWN + 1, 7 }, 5, 22, false, "enum of three bytes" },
	{ { 0, INFO(6, 1), 4, 0, 7 }, 5, 22, false, "enumerator without a name" },
	{ { OWN + 1, INFO(8, 0), 2 }, 3, 40, true, "typedef of itself" },
	{ { OWN + 1, INFO(8, 0), 1 }, 3, 0, false, "typedef" },
	{ { OWN + 1, INFO(8, 0), 3 }, 3, 22, true, "typedef of nothing" },
	{ { 0, INFO(10, 0), 3, 0, INFO(9, 0), 2 }, 6, 40, true, "a circle of two" },
	{ { OWN + 1, INFO(12, 1), 1 }, 3, 0, false, "func" },
	{ { OWN + 1, INFO(12, 2), 1 }, 3, 22, false, "func of unknown linkage" },
	{ { 0, INFO(13, 1), 0, OWN + 1, 1 }, 5, 0, false, "func proto" },
	{ { OWN + 1, INFO(14, 0), 1, 1 }, 4, 0, false, "var" },
	{ { OWN + 1, INFO(14, 0), 1, 2 }, 4, 22, false, "var of unknown linkage" },
	{ { 5, INFO(15, 1), 8, 1, 4, 4 }, 6, 0, false, "section: blanks may be in its name" },
	{ { 5, INFO(15, 1), 8, 1, 5, 4 }, 6, 22, false, "variable beyond its section" },
	{ { 1, INFO(16, 0), 8 }, 3, 0, false, "float" },
	{ { 1, INFO(16, 0), 5 }, 3, 22, false, "float of five bytes" },
	{ { OWN + 1, INFO(17, 0), 1, UINT32_MAX }, 4, 0, false, "tag" },
	{ { OWN + 1, INFO(17, 0), 1, UINT32_MAX - 1 }, 4, 22, false, "tag of component -2" },
	{ { 0, INFO(19, 1), 8, OWN + 1, 1, 0 }, 6, 0, false, "enum64" },
	{ { 0, INFO(4, 0xffff), 8 }, 3, 22, false, "members that are not there" },
};

static void hold(const struct test_case *c, const struct btf_base *b, uint32_t expected)
{
	struct bytes s = section(c->words, c->n);
	uint32_t error;
	const char *wrong = btf_refusal(s.data, s.size, false, b, NULL, &error);

	if ((wrong ? error : 0) != expected)
		fail_msg("%s: %s, %u", c->what, wrong ? wrong : "taken", error);
}

static void test_types(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hold(&cases[i], &base, cases[i].error);
		hold(&cases[i], &unknown, cases[i].needs_base ? 0 : cases[i].error);
	}
}

/* A .BTF.base has numbers from 1 on, strings of its own, and only kinds that can be found again. */
static void test_base(void **state)
{
	static const uint32_t good[] = { 1, INFO(4, 0), 4 }, bad[] = { 0, INFO(2, 0), 0 };
	struct bytes s = section(good, 3);
	struct btf_base found;
	uint32_t error;

	(void)state;
	assert_null(btf_refusal(s.data, s.size, false, NULL, &found, &error));
	assert_int_equal(found.n_types, 2);
	assert_int_equal(found.strings_size, sizeof(own_strings));
	assert_string_equal(found.strings + 1, "own");
	s = section(bad, 3);
	assert_non_null(btf_refusal(s.data, s.size, false, NULL, &found, &error));
}

/* Cut off anywhere: refused, and nothing is read that is not there (ASan would tell). */
static void test_cut_off(void **state)
{
	struct bytes s = section(cases[0].words, cases[0].n);
	uint32_t error;

	(void)state;
	for (size_t n = 0; n < s.size; n++)
		assert_non_null(btf_refusal(s.data, n, false, &base, NULL, &error));
	s.data[s.size++] = 0;
	assert_non_null(btf_refusal(s.data, s.size, false, &base, NULL, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_cut_off),
	};

	return cmocka_run_group_tests_name("btf", tests, NULL, NULL);
}
