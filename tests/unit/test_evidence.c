/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each test lays out a small root directory of its own and asks for the evidence of "6.1.0".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>
#include <ftw.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "kernel/discover.h"
#include "kernel/evidence.h"

struct fixture {
	char root[64];
	struct arena *arena;
	struct names *names;
	struct kernel kernel;
	struct err err;
	const char *symvers[4];
	struct evidence_options options;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const char *tmp = getenv("TMPDIR");

	assert_non_null(f);
	assert_true((size_t)snprintf(f->root, sizeof(f->root), "%s/evidence-XXXXXX",
				     tmp && strlen(tmp) < 40 ? tmp : "/tmp") < sizeof(f->root));
	assert_non_null(mkdtemp(f->root));
	f->arena = arena_new();
	f->names = names_new();
	f->options = (struct evidence_options) { .basedir = f->root,
						 .moddir = "lib/modules/6.1.0",
						 .release = "6.1.0",
						 .symvers = f->symvers };
	*state = f;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	nftw(f->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_free(f->arena);
	names_free(f->names);
	free(f);
	return 0;
}

/* The path below the root, its directories made. */
static const char *place(struct fixture *f, const char *path)
{
	char *full = arena_printf(f->arena, "%s/%s", f->root, path);

	for (char *p = full + strlen(f->root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0777);
		*p = '/';
	}
	return full;
}

static const char *put(struct fixture *f, const char *path, const char *text)
{
	const char *full = place(f, path);
	FILE *file = fopen(full, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	return full;
}

static void put_gzip(struct fixture *f, const char *path, const char *text)
{
	gzFile file = gzopen(place(f, path), "w");

	assert_non_null(file);
	assert_true(gzputs(file, text) > 0);
	assert_int_equal(gzclose(file), Z_OK);
}

static bool load(struct fixture *f)
{
	return evidence_load(&f->kernel, &f->options, f->names, f->arena, &f->err);
}

/* The kernel's own symbol of this name, NULL if there is none. */
static const struct ksym *sym(const struct fixture *f, const char *name)
{
	nameid id = names_find(f->names, name, strlen(name));

	for (uint32_t i = 0; id && i < f->kernel.n_syms; i++) {
		const struct ksym *s = &f->kernel.syms[i];
		if (s->name == id && s->provider == NAME_NONE)
			return s;
	}
	return NULL;
}

static bool exports(const struct fixture *f, const char *name)
{
	const struct ksym *s = sym(f, name);

	return s && s->is_exported;
}

#define SYMVERS                                                                                    \
	"0x00000001\tprintk\tvmlinux\tEXPORT_SYMBOL\t\n"                                           \
	"0x00000002\tkthread\tvmlinux\tEXPORT_SYMBOL_GPL\tNS\n"                                    \
	"0x00000003\tfat_alloc\tfs/fat/fat\tEXPORT_SYMBOL\t\n"
#define MAP                                                                                        \
	"c0100000 T printk\n"                                                                      \
	"c0100010 T preempt_schedule\n"                                                            \
	"c0200000 r __ksymtab_printk\n"                                                            \
	"c0200008 r __ksymtab_only_in_map\n"
#define STUB "ffffffffffffffff B The real System.map is in the linux-image-<version>-dbg package\n"

static void nothing_there(void **state)
{
	struct fixture *f = *state;

	assert_true(load(f));
	assert_false(f->kernel.has_exports);
	assert_int_equal(f->kernel.n_sources, 0);
	assert_int_equal(f->kernel.n_syms, 0);
	assert_int_equal(f->kernel.version, 0x060100);
	assert_int_equal(kconfig_get(&f->kernel.config, "CONFIG_SMP"), KCONFIG_UNKNOWN);
}

/* As Debian has it: an absolute link, a stub, a configuration. */
static void debian_layout(void **state)
{
	struct fixture *f = *state;

	put(f, "usr/src/linux-headers-6.1.0/Module.symvers", SYMVERS);
	assert_int_equal(
		symlink("/usr/src/linux-headers-6.1.0", place(f, "lib/modules/6.1.0/build")), 0);
	put(f, "boot/System.map-6.1.0", STUB);
	put(f, "boot/config-6.1.0", "CONFIG_X86_64=y\n");
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 3);
	assert_string_equal(f->kernel.sources[0].path, "lib/modules/6.1.0/build/Module.symvers");
	assert_int_equal(f->kernel.sources[0].exports, 3);
	assert_int_equal(f->kernel.sources[0].crcs, 3);
	assert_int_equal(f->kernel.sources[0].licences, 1);
	assert_int_equal(f->kernel.sources[0].namespaces, 1);
	assert_false(f->kernel.sources[1].used);
	assert_string_equal(f->kernel.sources[1].note, "stub: 1 line, no exported symbols");
	assert_int_equal(f->kernel.machine, EM_X86_64);
	assert_true(f->kernel.has_exports && f->kernel.has_crcs);
	assert_int_equal(f->kernel.n_syms, 3);
	assert_int_equal(sym(f, "kthread")->licence, LICENCE_GPL);
	assert_null(sym(f, "fat_alloc")); /* of a module */
}

static void packed_sources(void **state)
{
	struct fixture *f = *state;

	put_gzip(f, "boot/symvers-6.1.0.gz", SYMVERS);
	put_gzip(f, "boot/config-6.1.0", "CONFIG_ARM64=y\n");
	assert_true(load(f));
	assert_string_equal(f->kernel.sources[0].path, "boot/symvers-6.1.0.gz");
	assert_true(exports(f, "kthread"));
	assert_int_equal(f->kernel.machine, EM_AARCH64);
}

static void damaged_symvers_is_set_aside(void **state)
{
	struct fixture *f = *state;

	put(f, "lib/modules/6.1.0/symvers.gz", "\x1f\x8b\x08 cut off");
	put(f, "lib/modules/6.1.0/symvers.xz", "no symvers at all\n");
	put(f, "boot/symvers-6.1.0", SYMVERS);
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 3);
	assert_false(f->kernel.sources[0].used);
	assert_non_null(strstr(f->kernel.sources[0].note, "cannot be read: gzip"));
	assert_string_equal(f->kernel.sources[1].note, "not a Module.symvers");
	assert_true(f->kernel.sources[2].used);
	assert_true(f->kernel.has_exports);
}

static void map_alone(void **state)
{
	struct fixture *f = *state;

	put(f, "boot/System.map-6.1.0", MAP);
	assert_true(load(f));
	assert_true(f->kernel.has_exports);
	assert_false(f->kernel.has_crcs);
	assert_true(exports(f, "printk") && exports(f, "only_in_map"));
	assert_false(exports(f, "preempt_schedule"));
	assert_int_equal(sym(f, "preempt_schedule")->line, 2);
	assert_int_equal(sym(f, "preempt_schedule")->type, 'T');
	assert_int_equal(f->kernel.sources[0].exports, 2);
	assert_int_equal(f->kernel.sources[0].defined, 1);
}

/* The map adds what is defined; what it alone exports belongs to another build. */
static void symvers_and_map_together(void **state)
{
	struct fixture *f = *state;

	f->symvers[0] = put(f, "given.symvers", SYMVERS);
	f->options.n_symvers = 1;
	f->options.system_map = put(f, "given.map", MAP);
	assert_true(load(f));
	assert_true(exports(f, "printk") && exports(f, "kthread"));
	assert_int_equal(sym(f, "printk")->crc, 1);
	assert_int_equal(sym(f, "printk")->source, 0);
	assert_false(exports(f, "preempt_schedule"));
	assert_int_equal(sym(f, "preempt_schedule")->source, 1);
	assert_false(exports(f, "only_in_map"));
	/* only_in_map here, kthread there */
	assert_int_equal(f->kernel.sources[1].contradictions, 2);
	assert_string_equal(f->kernel.sources[1].note, "2 exports differ from Module.symvers");
}

static void named_map_stops_discovery(void **state)
{
	struct fixture *f = *state;

	put(f, "boot/symvers-6.1.0", SYMVERS);
	put(f, "boot/System.map-6.1.0", "c0100000 T other\nc0100000 r __ksymtab_other\n");
	f->options.system_map = put(f, "given.map", MAP);
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 1);
	assert_false(exports(f, "kthread"));
	assert_null(sym(f, "other"));
}

static void named_stub_does_not(void **state)
{
	struct fixture *f = *state;

	put(f, "boot/symvers-6.1.0", SYMVERS);
	f->options.system_map = put(f, "given.map", STUB);
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 2);
	assert_false(f->kernel.sources[0].used);
	assert_true(exports(f, "kthread"));
}

/* -E of an external module beside -E of the kernel; alone it says nothing of the kernel. */
static void several_symvers(void **state)
{
	struct fixture *f = *state;

	put(f, "boot/symvers-6.1.0", SYMVERS);
	f->symvers[0] = put(f, "extra.symvers", "0x00000004\textra\textra/x\tEXPORT_SYMBOL\t\n");
	f->options.n_symvers = 1;
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 2);
	assert_int_equal(f->kernel.n_syms, 4);
	f->symvers[1] = put(f, "kernel.symvers",
			    "0x00000001\tprintk\tvmlinux\tEXPORT_SYMBOL\t\n"
			    "0x00000005\textra\textra/x\tEXPORT_SYMBOL\t\n");
	f->options.n_symvers = 2;
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 2);
	assert_int_equal(f->kernel.n_syms, 2);
	assert_int_equal(f->kernel.syms[0].crc, 4); /* the first one counts */
}

/* A symvers of 2.6.11 tells no licences; a map with the tables' bounds does. */
static void later_source_fills_in(void **state)
{
	struct fixture *f = *state;

	f->symvers[0] = put(f, "s", "0x00000001\tprintk\tvmlinux\n0x00000002\tgpl\tvmlinux\n");
	f->options.n_symvers = 1;
	f->options.system_map = put(f, "m",
				    "c0200000 r __ksymtab_printk\n"
				    "c0200008 R __start___ksymtab_gpl\n"
				    "c0200008 r __ksymtab_gpl\n"
				    "c0200010 R __stop___ksymtab_gpl\n");
	assert_true(load(f));
	assert_int_equal(f->kernel.sources[1].contradictions, 0);
	assert_int_equal(sym(f, "printk")->licence, LICENCE_ANY);
	assert_int_equal(sym(f, "gpl")->licence, LICENCE_GPL);
	assert_int_equal(sym(f, "gpl")->crc, 2);
}

static void ksyms_of_2_4(void **state)
{
	struct fixture *f = *state;

	f->options.release = "2.4.8-ac12";
	f->options.system_map = put(f, "ksyms",
				    "c0100000 printk_R1b7d4074\n"
				    "d0800000 x\t[mod]\n");
	assert_true(load(f));
	assert_int_equal(f->kernel.sources[0].kind, SOURCE_KSYMS);
	assert_true(f->kernel.has_suffixes && f->kernel.has_exports);
	assert_true(exports(f, "printk_R1b7d4074"));
	assert_int_equal(f->kernel.n_syms, 1);
}

static void kallsyms_copy(void **state)
{
	struct fixture *f = *state;

	f->options.system_map = put(f, "k",
				    "0000000000000000 T schedule\n"
				    "0000000000000000 t x\t[mod]\n");
	assert_true(load(f));
	assert_int_equal(f->kernel.sources[0].kind, SOURCE_KALLSYMS);
	assert_true(f->kernel.sources[0].used);
	assert_false(f->kernel.has_exports);
	assert_int_equal(f->kernel.n_syms, 1);
}

static void named_files_must_be_good(void **state)
{
	struct fixture *f = *state;
	const char *map = put(f, "map", MAP), *symvers = put(f, "symvers", SYMVERS);

	f->options.system_map = "/nonexistent/map";
	assert_false(load(f));
	assert_string_equal(f->err.text, "cannot read /nonexistent/map: No such file or directory");
	f->options.system_map = f->root;
	assert_false(load(f));
	assert_non_null(strstr(f->err.text, "Is a directory"));
	f->options.system_map = symvers;
	assert_false(load(f));
	assert_non_null(strstr(f->err.text, "is given with -E"));
	f->options.system_map = NULL;
	f->options.kernel_config = map;
	assert_false(load(f));
	assert_non_null(strstr(f->err.text, "is not a kernel configuration"));
	f->options.kernel_config = NULL;
	f->symvers[0] = map;
	f->options.n_symvers = 1;
	assert_false(load(f));
	assert_non_null(strstr(f->err.text, "is given with -F"));
}

/* Nobody writes into the FIFO: a found one is passed over, a named one counts as empty. */
static void fifo_does_not_hang(void **state)
{
	struct fixture *f = *state;
	const char *fifo = place(f, "boot/System.map-6.1.0");

	assert_int_equal(mkfifo(fifo, 0600), 0);
	mkdir(place(f, "boot/symvers-6.1.0"), 0700);
	assert_true(load(f));
	assert_int_equal(f->kernel.n_sources, 2);
	assert_string_equal(f->kernel.sources[0].note, "cannot be read: Is a directory");
	assert_string_equal(f->kernel.sources[1].note, "cannot be read: not a regular file");
	f->options.system_map = fifo;
	assert_false(load(f)); /* nobody writes: what the user named is empty */
}

/* As the shell's <(command): the pipe's name leads to its reading end. */
static void pipes_can_be_named(void **state)
{
	struct fixture *f = *state;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], MAP, strlen(MAP)), strlen(MAP));
	close(ends[1]);
	f->options.system_map = arena_printf(f->arena, "/proc/self/fd/%d", ends[0]);
	assert_true(load(f));
	assert_true(exports(f, "printk"));
	close(ends[0]);
}

static void links_stay_below_basedir(void **state)
{
	struct fixture *f = *state;
	char *expected = arena_printf(f->arena, "%s/c/file", f->root);

	put(f, "c/file", "");
	assert_int_equal(symlink("/b", place(f, "a")), 0);
	assert_int_equal(symlink("../../../c", place(f, "b")), 0);
	assert_int_equal(symlink("loop", place(f, "loop")), 0);
	assert_string_equal(discover_resolve(f->root, "a/file", f->arena), expected);
	assert_string_equal(discover_resolve(f->root, "a/./../c//file", f->arena), expected);
	assert_string_equal(discover_resolve(f->root, "../../c/file", f->arena), expected);
	assert_null(discover_resolve(f->root, "loop/file", f->arena));
	assert_string_equal(discover_resolve("", "boot/x", f->arena), "/boot/x");
	assert_string_equal(discover_resolve(NULL, "boot/x", f->arena), "/boot/x");
}

static void file_limits(void **state)
{
	struct fixture *f = *state;
	const char *path = put(f, "file", "12345");
	struct file file;

	assert_int_equal(file_read(&file, path, FILE_REGULAR_ONLY, 5, &f->err), FILE_OK);
	assert_int_equal(file.size, 5);
	assert_string_equal(file.bytes, "12345");
	file_release(&file);
	assert_int_equal(file_read(&file, path, FILE_REGULAR_ONLY, 4, &f->err), FILE_BAD);
	assert_int_equal(file_read(&file, "/dev/zero", FILE_STREAMS, 100000, &f->err), FILE_BAD);
	assert_int_equal(file_read(&file, "/dev/zero", FILE_REGULAR_ONLY, 9, &f->err), FILE_BAD);
	assert_int_equal(file_read(&file, place(f, "no/file"), FILE_STREAMS, 9, &f->err),
			 FILE_ABSENT);
	/* fstat() says 0 bytes */
	assert_int_equal(file_read(&file, "/proc/self/maps", FILE_REGULAR_ONLY, 1 << 20, &f->err),
			 FILE_OK);
	assert_true(file.size > 0);
	file_release(&file);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_there),
		TEST(debian_layout),
		TEST(packed_sources),
		TEST(damaged_symvers_is_set_aside),
		TEST(map_alone),
		TEST(symvers_and_map_together),
		TEST(named_map_stops_discovery),
		TEST(named_stub_does_not),
		TEST(several_symvers),
		TEST(later_source_fills_in),
		TEST(ksyms_of_2_4),
		TEST(kallsyms_copy),
		TEST(named_files_must_be_good),
		TEST(fifo_does_not_hang),
		TEST(pipes_can_be_named),
		TEST(links_stay_below_basedir),
		TEST(file_limits),
	};

	return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
