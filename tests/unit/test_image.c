/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw kernels of every layout of the export tables: what was put in must be read. The two heads
 * that a raw kernel may have tell the word size; the others are inside of a wrapper.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <elf.h>

#include "image/body.h"
#include "image_fixture.h"
#include "model/module.h"

static struct body body_of(const struct made *m)
{
	return (struct body) {
		.bytes = m->bytes, .size = m->size, .word = m->word, .is_big = m->is_big
	};
}

static void assert_export(const struct made *m, const struct kernel_image *im, uint32_t i)
{
	const struct kernel_image_export *e = &im->exports[i];
	bool is_gpl = m->has_flags ? i & 1 : i >= N_PLAIN;
	char name[32];

	snprintf(name, sizeof(name), "%s_%05u", i < N_PLAIN ? "plain" : "gpl", i);
	assert_int_equal(e->name_length, strlen(name));
	assert_memory_equal(e->name, name, strlen(name));
	assert_int_equal(e->licence, is_gpl ? LICENCE_GPL : LICENCE_ANY);
	assert_int_equal(e->crc, m->crc_bytes ? made_crc(i) : 0);
	assert_int_equal(e->ns_length, i == 7 && m->n_fields == 3 ? 7 : 0);
}

static void assert_exports(const struct made *m, const struct kernel_image *im)
{
	assert_int_equal(im->n_exports, m->n);
	assert_int_equal(im->has_crcs, m->crc_bytes != 0);
	for (uint32_t i = 0; i < m->n; i++)
		assert_export(m, im, i);
}

static void assert_shape(struct made *m)
{
	struct kernel_image im = { 0 };

	make_kernel(m);
	struct body b = body_of(m);
	assert_true(shape_read(&im, &b));
	assert_exports(m, &im);
	kernel_image_release(&im);
}

#define X86_64_BASE UINT64_C(0xffffffff80000000)

/* What kernels of which time and architecture look like. */
static void layouts_of_all_times(void **state)
{
	static struct made kernels[] = {
		{ .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4 },     /* arm64 5.4- */
		{ .is_prel = true, .n_fields = 3, .word = 4, .crc_bytes = 4 },     /* i386 */
		{ .is_prel = true, .n_fields = 2, .word = 8, .crc_bytes = 4 },     /* 4.19 */
		{ .n_fields = 2, .word = 8, .crc_bytes = 8, .base = X86_64_BASE }, /* 3.x, 4.9 */
		{ .n_fields = 3, .word = 8, .crc_bytes = 4, .base = X86_64_BASE }, /* riscv */
		{ .n_fields = 3, .word = 4, .crc_bytes = 4, .base = 0xc0208000 },  /* arm */
		{ .n_fields = 3, .word = 8, .crc_bytes = 4, .base = 0x100000, .is_big = true },
		{ .n_fields = 3, .word = 8, .base = X86_64_BASE }, /* no modversions */
		{ .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4, .has_flags = true },
		{ .is_prel = true, .n_fields = 3, .word = 8, .has_flags = true }, /* 7.2 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		assert_shape(&kernels[i]);
}

/* On 32 bits any table of pointers looks like entries: some of them end where ours begin. */
static void pointers_in_front(void **state)
{
	static struct made m = { .n_fields = 3, .word = 4, .crc_bytes = 4, .base = 0xc0208000 };
	struct kernel_image im = { 0 };

	(void)state;
	make_kernel(&m);
	for (uint32_t at = m.tables - 40 * 12; at < m.tables; at += 4)
		put(&m, at, m.base + at * 7 % m.size, 4);
	struct body b = body_of(&m);
	assert_true(shape_read(&im, &b));
	assert_exports(&m, &im);
	kernel_image_release(&im);
}

/* Neither found nor half found: a table whose CRCs or names are not where they have to be. */
static void shapes_that_are_none(void **state)
{
	static struct made m = { .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4 };
	struct kernel_image im = { 0 };

	(void)state;
	make_kernel(&m);
	struct body b = body_of(&m);
	m.bytes[m.strings + 1 + 8] = '9'; /* "9lain_00000" is no identifier */
	assert_false(shape_read(&im, &b));
	make_kernel(&m);
	put_field(&m, m.tables, 1, m.strings + 1 + 8 + 3 * 12); /* not sorted */
	put_field(&m, m.tables + 12 * 5, 1, m.strings + 1 + 8);
	assert_false(shape_read(&im, &b));
	for (b.size = 0; b.size < m.size; b.size += 97)
		shape_read(&im, &b);
	kernel_image_release(&im);
}

static void heads(void **state)
{
	static struct made m = { .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4 };
	struct kernel_image im;
	struct err err;

	(void)state;
	make_kernel(&m);
	assert_false(kernel_image_read(&im, m.bytes, m.size, &err));
	kernel_image_release(&im);
	memcpy(m.bytes + 0x38, "ARM\x64", 4);
	assert_true(kernel_image_read(&im, m.bytes, m.size, &err));
	assert_int_equal(im.machine, EM_AARCH64);
	assert_exports(&m, &im);
	assert_int_equal(im.module_struct_size, 896);
	assert_int_equal(im.vermagic_length, strlen(fixture_vermagic));
	assert_memory_equal(im.vermagic, fixture_vermagic, strlen(fixture_vermagic));
	assert_int_equal(im.banner_length, strlen(fixture_banner) - 1); /* no newline */
	kernel_image_release(&im);
}

/* What looks like a vermagic, and is none. */
static void other_strings(void **state)
{
	static const char text[] = "Linux version %s\0Linux version 6.1.0 (x) #1\n\0"
				   "6.1.0 (x@y) #1 SMP\0x6.1.0 SMP \0 6.1.0 SMP \0"
				   "6.1.0 SMP  two\0"
				   "6.1.0 SMP aarch64";
	struct body b = { .bytes = (const unsigned char *)text, .size = sizeof(text), .word = 8 };
	struct kernel_image im = { 0 };

	(void)state;
	strings_find(&im, &b);
	assert_int_equal(im.vermagic_length, strlen("6.1.0 SMP aarch64"));
	b.size -= 1; /* its NUL is not there */
	strings_find(&im, &b);
	assert_null(im.vermagic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_of_all_times), cmocka_unit_test(pointers_in_front),
		cmocka_unit_test(shapes_that_are_none), cmocka_unit_test(heads),
		cmocka_unit_test(other_strings),
	};

	return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
