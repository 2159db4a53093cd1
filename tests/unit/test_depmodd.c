/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depmod.d: what lines mean, which files are read, and that the same module wins as in the
 * real depmod (skipped where there is none).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/depmodd.h"
#include "scan/root.h"
#include "scan/scan.h"

#define RELEASE "6.1.0-57-amd64"

struct fixture {
	struct arena *a;
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->a = arena_new();
	snprintf(f->dir, sizeof(f->dir), P_tmpdir "/depmodd.XXXXXX");
	*state = f;
	return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int status = system(arena_printf(f->a, "rm -rf '%s'", f->dir));

	arena_free(f->a);
	free(f);
	return status;
}

/* Write a file below the fixture's directory, with the directories it needs. */
static const char *put(const struct fixture *f, const char *path, const char *text)
{
	char *full = arena_printf(f->a, "%s/%s", f->dir, path);
	FILE *out;

	for (char *p = full + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	return full;
}

static struct depmodd parsed(struct fixture *f, const char *text)
{
	struct depmodd d;

	depmodd_init(&d, RELEASE, f->a);
	depmodd_parse(&d, text, strlen(text));
	depmodd_finish(&d);
	return d;
}

static const char *words(const struct fixture *f, const struct depmodd_word *w)
{
	const char *text = "";

	for (; w; w = w->next)
		text = arena_printf(f->a, "%s%s%s", w->text, *text ? "," : "", text);
	return text;
}

/* Lines and what is left of them, in the order of the lines. */
static void test_lines(void **state)
{
	static const struct {
		const char *text, *searches, *overrides, *externals, *excludes;
		uint32_t bad;
	} cases[] = {
		{ "", "updates", "", "", "", 0 },
		{ "search a b\nsearch c", "a,b,c", "", "", "", 0 },
		{ "  search\ta  b \n", "a,b", "", "", "", 0 },
		/* freadline_wrapped(): joined lines, dropped backslashes, one at the end */
		{ "search a \\\nb\n", "a,b", "", "", "", 0 },
		{ "sea\\\nrch a\\b\\", "ab", "", "", "", 0 },
		{ "# search a\n#\n\n", "updates", "", "", "", 0 },
		{ " # search a\n", "updates", "", "", "", 1 },
		{ "search a # b\n", "a,#,b", "", "", "", 0 },
		{ "include /x\nmake_map_files yes\n", "updates", "", "", "", 0 },
		{ "frobnicate\nsearch a\nSEARCH b\n", "a", "", "", "", 2 },
		{ "override e1000e * up\n", "updates", "up/e1000e", "", "", 0 },
		{ "override e1000e *\noverride\n", "updates", "", "", "", 2 },
		{ "override x 6.1 up\noverride y ^5 up\noverride z amd64$ w\n", "updates",
		  "up/x,w/z", "", "", 0 },
		{ "override x ( up\noverride y a{255}{255}{255} up\n", "updates", "", "", "", 0 },
		{ "override x (.)\\\\1 up\n", "updates", "", "", "", 0 },
		{ "override x 6\\\\.1\\\\.[0-9] up\n", "updates", "up/x", "", "", 0 },
		{ "external * /opt/ext//\nexternal 5\\.10 /no\n", "updates", "", "/opt/ext", "",
		  0 },
		{ "external * opt\nexternal *\n", "updates", "", "", "", 2 },
		{ "exclude a b\nexclude c\n", "updates", "", "", "a,b,c", 0 },
		{ "search a\r\n", "a\r", "", "", "", 0 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct depmodd d = parsed(f, cases[i].text);

		assert_string_equal(words(f, d.searches), cases[i].searches);
		assert_string_equal(words(f, d.overrides), cases[i].overrides);
		assert_string_equal(words(f, d.externals), cases[i].externals);
		assert_string_equal(words(f, d.excludes), cases[i].excludes);
		assert_int_equal(d.n_bad_lines, cases[i].bad);
	}
}

static void test_no_text(void **state)
{
	static const char bytes[] = "search a\0b\nsearch c\0\n\0\0\\";
	struct fixture *f = *state;
	struct depmodd d;

	depmodd_init(&d, RELEASE, f->a);
	depmodd_parse(&d, bytes, sizeof(bytes) - 1);
	assert_string_equal(words(f, d.searches), "a,c");
}

static void test_limit(void **state)
{
	struct fixture *f = *state;
	struct depmodd d;

	depmodd_init(&d, RELEASE, f->a);
	for (int i = 0; i < 3000; i++)
		depmodd_parse(&d, "exclude a b\n", 12);
	depmodd_finish(&d);
	assert_int_equal(d.n_rules, LIMIT_CONFIG_RULES);
	assert_string_equal(d.searches->text, "updates");
}

/* The first path of each pair beats the second one; "=" in front: neither does. */
static void test_ranks(void **state)
{
	static const struct {
		const char *config, *better, *worse;
	} cases[] = {
		{ "", "updates/x.ko", "kernel/x.ko" },
		{ "", "updates/a/b/x.ko.xz", "extra/x.ko" },
		{ "", "=updatesx/x.ko", "kernel/x.ko" },
		{ "", "=/opt/x.ko", "kernel/x.ko" },
		{ "search kernel updates", "kernel/x.ko", "updates/x.ko" },
		{ "search updates built-in weak", "kernel/x.ko", "weak/x.ko" },
		{ "search updates built-in weak", "updates/x.ko", "kernel/x.ko" },
		{ "search updates/dkms updates", "updates/dkms/x.ko", "updates/x.ko" },
		{ "search extra/", "=extra/x.ko", "kernel/x.ko" },
		{ "search a\noverride x * low", "low/x.ko", "a/x.ko" },
		{ "override x * low\noverride x * last", "last/x.ko", "low/x.ko" },
		{ "override a-b * low", "low/a-b.ko", "updates/a-b.ko" },
		{ "override a_b * low", "updates/a-b.ko", "low/a-b.ko" },
		{ "override x * low", "updates/x.ko", "low/y/x.ko" },
		{ "search external built-in\nexternal * /opt", "/opt/x.ko", "kernel/x.ko" },
		{ "search built-in external\nexternal * /opt", "kernel/x.ko", "/opt/x.ko" },
		{ "search external\nexternal * /a\nexternal * /b", "/a/x.ko", "/b/x.ko" },
		{ "search /opt\nexternal * /opt", "=/opt/x.ko", "kernel/x.ko" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct depmodd d = parsed(f, cases[i].config);
		bool is_tie = cases[i].better[0] == '=';
		int64_t better = depmodd_rank(&d, cases[i].better + is_tie);
		int64_t worse = depmodd_rank(&d, cases[i].worse);

		assert_true(is_tie ? better == worse : better > worse);
	}
}

static void load(struct fixture *f, struct depmodd *d, const char *path, bool is_ok)
{
	struct err err = { "" };
	struct root root;

	depmodd_init(d, RELEASE, f->a);
	assert_true(root_init(&root, f->dir, f->a));
	assert_int_equal(depmodd_load(d, &root, &path, path != NULL, &err), is_ok);
	assert_int_equal(err.text[0] == '\0', is_ok);
	root_release(&root);
}

/* Sorted by name over all directories; the first directory's file hides the others. */
static void test_files(void **state)
{
	struct fixture *f = *state;
	struct depmodd d;

	put(f, "lib/depmod.d/b.conf", "search lib-b\n");
	put(f, "lib/depmod.d/c.conf", "search lib-c\n");
	put(f, "lib/depmod.d/z.conf", "search lib-z\n");
	put(f, "run/depmod.d/b.conf", "search run-b\n");
	put(f, "usr/local/lib/depmod.d/a.conf", "search local-a\n");
	put(f, "usr/lib/depmod.d/c.conf", "search usr-c\n");
	put(f, "etc/depmod.d/.hidden.conf", "search no\n");
	put(f, "etc/depmod.d/readme", "search no\n");
	put(f, "etc/depmod.d/dir.conf/x", "search no\n");
	assert_int_equal(symlink("/dev/null", arena_printf(f->a, "%s/etc/depmod.d/z.conf", f->dir)),
			 0);
	/* It means the directory's own /etc/link, not the host's. */
	put(f, "etc/link", "search link\n");
	assert_int_equal(symlink("/etc/link", arena_printf(f->a, "%s/etc/depmod.d/l.conf", f->dir)),
			 0);
	assert_int_equal(mkfifo(arena_printf(f->a, "%s/etc/depmod.d/fifo.conf", f->dir), 0600), 0);
	load(f, &d, NULL, true);
	assert_string_equal(words(f, d.searches), "local-a,run-b,usr-c,link");
	assert_int_equal(d.n_files, 4);
	assert_string_equal(d.files[1], "/run/depmod.d/b.conf");
	assert_string_equal(d.files[3], "/etc/depmod.d/l.conf");
}

static void test_given(void **state)
{
	struct fixture *f = *state;
	struct depmodd d;

	put(f, "etc/depmod.d/a.conf", "search etc\n");
	load(f, &d, put(f, "mine.txt", "search mine\n"), true);
	assert_string_equal(words(f, d.searches), "mine");
	put(f, "mine/1.conf", "search one\n");
	put(f, "mine/2.conf", "search two\n");
	load(f, &d, arena_printf(f->a, "%s/mine", f->dir), true);
	assert_string_equal(words(f, d.searches), "one,two");
	load(f, &d, "/dev/null", true);
	assert_string_equal(words(f, d.searches), "updates");
	load(f, &d, arena_printf(f->a, "%s/absent", f->dir), false);
}

/* Which of the files depmod lists: its own words against our winners. */
struct contest {
	const char *config; /* "@" stands for the base directory, which only depmod wants to see */
	const char *files;  /* below lib/modules/RELEASE, or absolute below the base directory */
};

static const char *replaced(const struct fixture *f, const char *text, const char *by)
{
	const char *at = strchr(text, '@');

	if (!at)
		return text;
	return arena_printf(f->a, "%.*s%s%s", (int)(at - text), text, by, replaced(f, at + 1, by));
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *joined(const struct fixture *f, const char **lines, size_t n)
{
	const char *text = "";

	qsort(lines, n, sizeof(*lines), compare);
	for (size_t i = 0; i < n; i++)
		text = arena_printf(f->a, "%s%s\n", text, lines[i]);
	return text;
}

/* The paths in the modules.dep that depmod prints, sorted. */
static const char *ask_depmod(const struct fixture *f, const char *base, const char *config)
{
	const char *lines[64];
	char line[512];
	size_t n = 0;
	FILE *in = popen(
		arena_printf(f->a, "depmod -n -b %s -C %s %s 2>/dev/null", base, config, RELEASE),
		"r");

	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		char *end = strstr(line, ".ko:");

		if (!end || n == 64)
			continue;
		end[3] = '\0';
		bool is_below = strncmp(line, base, strlen(base)) == 0;
		lines[n++] = arena_strdup(f->a, is_below ? line + strlen(base) : line);
	}
	pclose(in);
	return joined(f, lines, n);
}

static const char *ask_scan(const struct fixture *f, const char *base, const char *config)
{
	struct scan_options o = {
		.basedir = base, .release = RELEASE, .config_paths = &config, .n_config_paths = 1
	};
	const char *lines[64];
	struct tree tree;
	struct err err;
	size_t n = 0;

	assert_true(scan_tree(&tree, &o, f->a, &err));
	for (uint32_t i = 0; i < tree.n_entries && n < 64; i++)
		if (tree.entries[i].winner == ENTRY_NONE && !tree.entries[i].has_fault)
			lines[n++] = tree.entries[i].path;
	return joined(f, lines, n);
}

static void test_same_as_depmod(void **state)
{
	static const struct contest cases[] = {
		{ "", "kernel/a/x.ko updates/x.ko extra/y.ko kernel/z-z.ko updates/z_z.ko" },
		{ "search built-in updates", "kernel/a/x.ko updates/x.ko" },
		{ "search extra built-in weak-updates updates",
		  "kernel/x.ko extra/x.ko weak-updates/y.ko kernel/y.ko updates/y.ko updates/z.ko "
		  "weak-updates/z.ko" },
		{ "search updates/dkms updates", "updates/x.ko updates/dkms/x.ko updates/y.ko "
						 "kernel/y.ko updates/a/z.ko kernel/z.ko" },
		{ "override x * weak\noverride z-z 6.1 weak\noverride z_z * kernel",
		  "weak/x.ko updates/x.ko kernel/x.ko weak/z-z.ko updates/z-z.ko" },
		{ "override x ^5 weak\noverride y amd64$ weak", "weak/x.ko updates/x.ko weak/y.ko "
								"updates/y.ko" },
		{ "override x * one\noverride x * two\n", "one/x.ko two/x.ko updates/x.ko" },
		{ "search external built-in\nexternal * @/ext", "/ext/x.ko kernel/x.ko /ext/y.ko" },
		{ "search built-in external\nexternal * @/ext/", "/ext/a/x.ko kernel/x.ko" },
		{ "search external\nexternal * @/e1\nexternal * @/e2",
		  "/e1/x.ko /e2/x.ko kernel/x.ko" },
		{ "external 5.10 @/ext\nexternal * @/none", "/ext/x.ko kernel/y.ko" },
		{ "exclude staging\nexclude y.ko", "kernel/staging/x.ko kernel/y.ko kernel/z.ko" },
		{ "bad line\noverride x\n\\\nsearch weak\\\n updates\n# c\n",
		  "weak/x.ko updates/x.ko kernel/x.ko" },
		{ "search extra/ kernel", "extra/x.ko kernel/x.ko extra/y.ko kernel/y.ko/z" },
		{ "", "updates/x.old.ko kernel/x.ko" },
	};
	struct fixture *f = *state;

	if (system("depmod --version >/dev/null 2>&1") != 0)
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *base = arena_printf(f->a, "%s/%zu", f->dir, i);
		char *files = arena_strdup(f->a, cases[i].files);
		const char *theirs, *ours;

		for (char *p; (p = strsep(&files, " "));) {
			const char *in = p[0] == '/' ? "" : "lib/modules/" RELEASE "/";

			put(f, arena_printf(f->a, "%zu/%s%s", i, in, p), "");
		}
		theirs = put(f, arena_printf(f->a, "%zu/their.conf", i),
			     replaced(f, cases[i].config, base));
		ours = put(f, arena_printf(f->a, "%zu/our.conf", i),
			   replaced(f, cases[i].config, ""));
		const char *expected = ask_depmod(f, base, theirs);
		assert_string_not_equal(expected, "");
		assert_string_equal(ask_scan(f, base, ours), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_text, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ranks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_given, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_as_depmod, setup, teardown),
	};

	return cmocka_run_group_tests_name("depmodd", tests, NULL, NULL);
}
