/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/subsystem.c: the directory below kernel/, for paths of trees and of the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "subsystem.h"

struct row {
	const char *path, *subsystem;
};

static void assert_rows(const struct row *rows, size_t n)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < n; i++)
		assert_string_equal(subsystem_of(rows[i].path, a), rows[i].subsystem);
	arena_free(a);
}

static void directories_below_kernel(void **state)
{
	static const struct row rows[] = {
		{ "kernel/drivers/net/ppp/ppp_async.ko", "drivers/net/ppp" },
		{ "kernel/net/ipv4/netfilter/ip_tables.o", "net/ipv4/netfilter" },
		{ "kernel/lib/crc16.ko.xz", "lib" },
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

/* A last directory that only repeats the module's name says nothing more. */
static void repeated_names(void **state)
{
	static const struct row rows[] = {
		{ "kernel/fs/nfs/nfs.ko", "fs" },
		{ "kernel/fs/nfs/nfs.ko.zst", "fs" },
		{ "kernel/fs/nfs/nfsv4.ko", "fs/nfs" },
		{ "kernel/net/ip-vs/ip_vs.ko", "net" }, /* '-' and '_' are the same to modprobe */
		/* "drivers" alone would say nothing at all */
		{ "kernel/drivers/cdrom/cdrom.ko", "drivers/cdrom" },
		{ "kernel/drivers/net/mii/mii.ko", "drivers/net" },
		{ "kernel/fat/fat.ko", "fat" }, /* nothing would be left */
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

static void whole_subsystems(void **state)
{
	static const struct row rows[] = {
		{ "updates/dkms/a.ko", "updates" },
		{ "extra/a.ko", "extra" },
		{ "kernel/misc/deep/er/a.ko", "misc" },
		{ "extras/a.ko", "extras" }, /* only begins like one */
	};

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
}

/* Paths of the command line, as a user may write them; here it only must not go astray. */
static void odd_paths(void **state)
{
	static const struct row rows[] = {
		{ "x.ko", "." }, { "/x.ko", "." }, { "kernel/x.ko", "." }, { "kernel//x.ko", "." },
		{ "", "." },     { "/", "." },     { "./x.ko", "." },
	};
	static const char *const any[] = { "//x.ko",  "x/",           "kernel/",
					   "///",     "/kernel/x.ko", "kernel///x/x.ko",
					   "x//x.ko", "/x/x.ko",      "drivers/" };
	struct arena *a = arena_new();

	(void)state;
	assert_rows(rows, sizeof(rows) / sizeof(rows[0]));
	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
		assert_true(strlen(subsystem_of(any[i], a)) <= strlen(any[i]) + 1);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directories_below_kernel),
		cmocka_unit_test(repeated_names),
		cmocka_unit_test(whole_subsystems),
		cmocka_unit_test(odd_paths),
	};

	return cmocka_run_group_tests_name("subsystem", tests, NULL, NULL);
}
