/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image among the other evidence of "6.1.0-test", in a root directory of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>

#include "base/arena.h"
#include "image_fixture.h"
#include "kernel/evidence.h"

struct fixture {
	char root[32], boot[64], image[128], symvers[128];
	struct arena *arena;
	struct names *names;
	struct kernel kernel;
	struct evidence_options options;
	struct err err;
};

static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	static struct made m = { .is_prel = true, .n_fields = 3, .word = 8, .crc_bytes = 4 };
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	snprintf(f->root, sizeof(f->root), "/tmp/image-XXXXXX");
	assert_non_null(mkdtemp(f->root));
	snprintf(f->boot, sizeof(f->boot), "%s/boot", f->root);
	snprintf(f->image, sizeof(f->image), "%s/vmlinuz-6.1.0-test", f->boot);
	snprintf(f->symvers, sizeof(f->symvers), "%s/symvers-6.1.0-test", f->boot);
	assert_int_equal(mkdir(f->boot, 0700), 0);
	make_kernel(&m);
	memcpy(m.bytes + 0x38, "ARM\x64", 4);
	write_file(f->image, m.bytes, m.size);
	f->arena = arena_new();
	f->names = names_new();
	f->options = (struct evidence_options) { .basedir = f->root, .release = "6.1.0-test" };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->image);
	unlink(f->symvers);
	rmdir(f->boot);
	rmdir(f->root);
	names_free(f->names);
	arena_free(f->arena);
	free(f);
	return 0;
}

static bool load(struct fixture *f)
{
	return evidence_load(&f->kernel, &f->options, f->names, f->arena, &f->err);
}

static void image_alone(void **state)
{
	struct fixture *f = *state;

	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 1);
	assert_int_equal(f->kernel.sources[0].kind, SOURCE_IMAGE);
	assert_string_equal(f->kernel.sources[0].path, "boot/vmlinuz-6.1.0-test");
	assert_int_equal(f->kernel.sources[0].exports, N_PLAIN + N_GPL);
	assert_int_equal(f->kernel.sources[0].licences, N_GPL);
	assert_int_equal(f->kernel.sources[0].namespaces, 1);
	assert_null(f->kernel.sources[0].note);
	assert_true(f->kernel.has_exports && f->kernel.has_crcs);
	assert_string_equal(f->kernel.vermagic, fixture_vermagic);
	assert_int_equal(f->kernel.module_struct_size, 896);
	assert_int_equal(f->kernel.machine, EM_AARCH64);
}

/* Unpacking takes long: a symvers that was found is enough. */
static void not_read_beside_symvers(void **state)
{
	static const char row[] = "0x9e3779b1\tplain_00000\tvmlinux\tEXPORT_SYMBOL\t\n";
	struct fixture *f = *state;

	write_file(f->symvers, row, strlen(row));
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 1);
	assert_int_equal(f->kernel.sources[0].kind, SOURCE_SYMVERS);
	assert_null(f->kernel.vermagic);
}

/* Both named: the symvers decides, and what the image says otherwise is counted. */
static void held_against_symvers(void **state)
{
	static const char rows[] = "0x9e3779b1\tplain_00000\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x00000001\tplain_00001\tvmlinux\tEXPORT_SYMBOL\t\n"
				   "0x00000002\tother\tvmlinux\tEXPORT_SYMBOL\t\n";
	struct fixture *f = *state;
	const char *symvers[] = { f->symvers };

	write_file(f->symvers, rows, strlen(rows));
	f->options.symvers = symvers;
	f->options.n_symvers = 1;
	f->options.kernel_image = f->image;
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 2);
	/* 228 only in the image, "other" not in it, one CRC */
	assert_int_equal(f->kernel.sources[1].contradictions, 228 + 1 + 1);
	uint32_t n_exports = 0;
	for (uint32_t i = 0; i < f->kernel.n_syms; i++)
		n_exports += f->kernel.syms[i].is_exported;
	assert_int_equal(n_exports, 3);
	assert_string_equal(f->kernel.vermagic, fixture_vermagic);
}

static void named_and_no_image(void **state)
{
	struct fixture *f = *state;

	write_file(f->symvers, "text", 4);
	f->options.kernel_image = f->symvers;
	assert_false(load(f));
	assert_non_null(strstr(f->err.text, "no kernel image"));
}

static void of_another_release(void **state)
{
	struct fixture *f = *state;

	f->options.kernel_image = f->image;
	f->options.release = "6.1.0-other";
	assert_true(load(f));
	assert_string_equal(f->kernel.sources[0].note, "of another release, 6.1.0-test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(image_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(not_read_beside_symvers, setup, teardown),
		cmocka_unit_test_setup_teardown(held_against_symvers, setup, teardown),
		cmocka_unit_test_setup_teardown(named_and_no_image, setup, teardown),
		cmocka_unit_test_setup_teardown(of_another_release, setup, teardown),
	};

	return cmocka_run_group_tests_name("image_evidence", tests, NULL, NULL);
}
