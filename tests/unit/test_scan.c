/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk, on trees made by hand. A tree is written down as a list: "path" makes an empty file,
 * "path/" a directory, "path -> target" a link, "path |" a FIFO, "path =" a socket. What the
 * scan says is compared as text, one line an entry or problem.
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/root.h"
#include "scan/scan.h"

#define RELEASE "6.1.0-57-amd64"
#define TREE "lib/modules/" RELEASE "/"

struct fixture {
	struct arena *a;
	char dir[64];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->a = arena_new();
	snprintf(f->dir, sizeof(f->dir), P_tmpdir "/scan.XXXXXX");
	*state = f;
	return mkdtemp(f->dir) && chmod(f->dir, 0755) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int status = system(arena_printf(f->a, "chmod -R u+rwx '%s'; rm -rf '%s'", f->dir, f->dir));

	arena_free(f->a);
	free(f);
	return status;
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static void make_dirs(char *path)
{
	for (char *p = path + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
	}
}

/* One line of a tree, below the directory `in` of the base directory. */
static void make(const struct fixture *f, const char *in, const char *line)
{
	char *path = arena_printf(f->a, "%s/%s%s", f->dir, in, line);
	char *sign = strchr(path, ' ');
	FILE *file;

	if (sign)
		*sign++ = '\0';
	make_dirs(path);
	if (sign && *sign == '-') {
		assert_int_equal(symlink(sign + 3, path), 0);
	} else if (sign && *sign == '|') {
		assert_int_equal(mkfifo(path, 0644), 0);
	} else if (sign && *sign == '=') {
		make_socket(path);
	} else if (path[strlen(path) - 1] != '/') {
		file = fopen(path, "w");
		assert_non_null(file);
		fclose(file);
	}
}

static void make_all(const struct fixture *f, const char *in, const char *lines)
{
	char *rest = arena_strdup(f->a, lines);

	for (const char *line; (line = strsep(&rest, "\n"));)
		if (*line)
			make(f, in, line);
}

static const char *const problem_words[] = {
	[PROBLEM_DANGLING_LINK] = "dangling",
	[PROBLEM_LINK_LOOP] = "loop",
	[PROBLEM_UNREADABLE_DIR] = "unreadable",
	[PROBLEM_LIMIT] = "limit",
};

static const char *told(const struct fixture *f, const struct tree *t)
{
	const char *text = "";

	for (uint32_t i = 0; i < t->n_entries; i++) {
		const struct entry *e = &t->entries[i];
		const char *winner = e->winner == ENTRY_NONE ? "" : t->entries[e->winner].path;

		text = arena_printf(f->a, "%s%s%s%s%s%s\n", text, e->path, *winner ? " < " : "",
				    winner, e->has_fault ? ": " : "",
				    e->has_fault ? e->detail : "");
	}
	for (uint32_t i = 0; i < t->n_problems; i++)
		text = arena_printf(f->a, "%s%s %s\n", text, problem_words[t->problems[i].kind],
				    t->problems[i].path);
	return text;
}

static void scan(const struct fixture *f, const char *release, struct tree *tree)
{
	struct scan_options o = { .basedir = f->dir, .release = release };
	struct err err = { "" };

	assert_non_null(scan_find_moddir(&o, f->a));
	assert_true(scan_tree(tree, &o, f->a, &err));
	for (uint32_t i = 1; i < tree->n_entries; i++)
		assert_true(strcmp(tree->entries[i - 1].path, tree->entries[i].path) < 0);
}

static void expect(const struct fixture *f, const char *lines, const char *expected)
{
	struct tree tree;

	make_all(f, TREE, lines);
	scan(f, RELEASE, &tree);
	assert_string_equal(told(f, &tree), expected);
}

static void test_names(void **state)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{ "kernel/fs/fat/vfat.ko", "vfat" },
		{ "snd-hda-intel.ko.xz", "snd_hda_intel" },
		{ "/x/a.ko.zst", "a" },
		{ "a.ko.gz", "a" },
		{ "fs/nfs.o", "nfs" },
		{ "fs/nfs.o.gz", "nfs" },
		{ "./a,b.ko", "a,b" },
		/* kmod's path_to_modname(): up to the first dot */
		{ "foo.old.ko", "foo" },
		{ ".foo.ko", ".foo" },
		{ "vfat", NULL },
		{ "vfat.ko.bz2", NULL },
		{ "vfat.koo", NULL },
		{ "vfat.KO", NULL },
		{ "vfatko", NULL },
		{ ".ko", NULL },
		{ "dir.ko/", NULL },
		{ "dir.ko/modules.dep", NULL },
		{ "", NULL },
	};
	const struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *name = scan_module_name(cases[i].path, f->a);

		assert_int_equal(name != NULL, cases[i].name != NULL);
		if (name)
			assert_string_equal(name, cases[i].name);
	}
}

static void test_plain(void **state)
{
	expect(*state,
	       "modules.dep\nmodules.order\nkernel/fs/b.ko.xz\nkernel/fs/a.ko\nkernel/fs-x/c.ko\n"
	       "kernel/d.ko.zst\nkernel/e.ko.gz\nkernel/x.o\nkernel/README\nempty/\nupdates/f.ko\n",
	       "kernel/d.ko.zst\nkernel/e.ko.gz\nkernel/fs-x/c.ko\nkernel/fs/a.ko\n"
	       "kernel/fs/b.ko.xz\nupdates/f.ko\n");
}

/* Files of packed modules have a size, so that the long ones can be unpacked first. */
static void test_entry(void **state)
{
	const struct fixture *f = *state;
	struct tree t;
	FILE *file;

	make(f, TREE, "a-b.ko.xz");
	file = fopen(arena_printf(f->a, "%s/" TREE "a-b.ko.xz", f->dir), "w");
	fputs("12345", file);
	fclose(file);
	scan(f, RELEASE, &t);
	assert_int_equal(t.n_entries, 1);
	assert_string_equal(t.entries[0].name, "a_b");
	assert_int_equal(t.entries[0].size, 5);
	assert_int_equal(access(t.entries[0].open_path, R_OK), 0);
	assert_string_equal(t.basedir, f->dir);
	assert_string_equal(t.moddir, "lib/modules/" RELEASE);
	assert_string_equal(t.directory, arena_printf(f->a, "%s/lib/modules/" RELEASE, f->dir));
	assert_string_equal(t.release, RELEASE);
}

/* The links to the headers; the same names further down are ordinary directories. */
static void test_build(void **state)
{
	expect(*state,
	       "build -> /usr/src/none\nsource/fs/x.ko\nkernel/build/y.ko\nkernel/source/z.ko\n",
	       "kernel/build/y.ko\nkernel/source/z.ko\n");
}

static void test_links(void **state)
{
	expect(*state,
	       "kernel/drivers/pcmcia/ds.ko\npcmcia/ds.ko -> ../kernel/drivers/pcmcia/ds.ko\n"
	       /* one real file behind two links: the first path */
	       "a/one.ko -> /opt/one.ko\nb/one.ko -> /opt/one.ko\n../../../opt/one.ko\n"
	       /* a file that is no module by its own name */
	       "c/two.ko -> /opt/two.bin\n../../../opt/two.bin\n"
	       /* directories: outside, known, and one inside of another */
	       "ext -> /opt/drv\n../../../opt/drv/three.ko\n../../../opt/drv/sub/four.ko\n"
	       "again -> kernel\nsub -> /opt/drv/sub\n"
	       /* links to links, and no modules by name */
	       "d/five.ko -> six.ko\nd/six.ko -> seven.ko\nd/seven.ko\nd/x -> seven.ko\n",
	       "a/one.ko\nc/two.ko\nd/seven.ko\next/sub/four.ko\next/three.ko\n"
	       "kernel/drivers/pcmcia/ds.ko\n");
}

static void test_loops(void **state)
{
	expect(*state,
	       "kernel/x.ko\nkernel/here -> .\nkernel/a/up -> ../..\nkernel/self -> self\n"
	       "kernel/m.ko -> n.ko\nkernel/n.ko -> m.ko\n"
	       /* two directories that lead to each other, and the world above */
	       "p/q -> ../r\nr/s -> ../p\nr/y.ko\nbase -> /\n",
	       "kernel/x.ko\nr/y.ko\nloop base\nloop kernel/a/up\nloop kernel/here\n"
	       "loop kernel/m.ko\nloop kernel/n.ko\nloop kernel/self\n");
}

/* Told where modules are missing for it; other things at the top may point to nowhere. */
static void test_dangling(void **state)
{
	expect(*state,
	       "vmlinuz -> /boot/none\nSystem.map -> none\nextra -> /opt/none\nx.ko -> y.ko\n"
	       "kernel/z.ko.xz -> /none\nkernel/dir -> none\nkernel/notes.txt -> none\n"
	       "kernel/old.o -> none\nkernel/a.ko/b -> /none\n",
	       "kernel/a.ko: a directory, not a file\ndangling extra\ndangling kernel/a.ko/b\n"
	       "dangling kernel/dir\ndangling kernel/z.ko.xz\ndangling x.ko\n");
}

static void test_irregular(void **state)
{
	expect(*state,
	       "a.ko |\nb.ko =\nc.ko/d.ko\nc.ko/e.ko/\nf.ko -> a.ko\ng.ko -> c.ko\nh.ko -> "
	       "/dev/null\n"
	       "fifo |\nsocket =\n../../../dev/null |\n",
	       "a.ko: a FIFO, not a file\nb.ko: a socket, not a file\n"
	       "c.ko: a directory, not a file\nc.ko/d.ko\nc.ko/e.ko: a directory, not a file\n"
	       "f.ko: a FIFO, not a file\ng.ko: a link to a directory, not a file\n"
	       "h.ko: a FIFO, not a file\n");
}

/* Both are modules to modprobe; which of the same name counts is not the inode's matter. */
static void test_hard_links(void **state)
{
	const struct fixture *f = *state;
	const char *from = arena_printf(f->a, "%s/" TREE "kernel/x.ko", f->dir);

	make_all(f, TREE, "kernel/x.ko\nupdates/\n");
	assert_int_equal(link(from, arena_printf(f->a, "%s/" TREE "kernel/y.ko", f->dir)), 0);
	assert_int_equal(link(from, arena_printf(f->a, "%s/" TREE "updates/x.ko", f->dir)), 0);
	expect(f, "", "kernel/x.ko < updates/x.ko\nkernel/y.ko\nupdates/x.ko\n");
}

/* Among equals the first path; a link into updates/ lifts the file that it leads to. */
static void test_winners(void **state)
{
	expect(*state,
	       "kernel/b/x.ko\nkernel/a/x.ko.xz\nkernel/a/y-y.ko\nupdates/y_y.ko\n"
	       "kernel/z.ko\nweird/z.ko\nupdates/z.ko -> ../weird/z.ko\n"
	       "kernel/v.ko\nfar/v.ko\nupdates/w.ko -> ../far/v.ko\n"
	       "kernel/u.ko\nzoo/t/u.ko\nupdates/t -> ../zoo/t\nkernel/s.ko\nupdates/s.ko/\n",
	       "far/v.ko\nkernel/a/x.ko.xz\nkernel/a/y-y.ko < updates/y_y.ko\n"
	       "kernel/b/x.ko < kernel/a/x.ko.xz\nkernel/s.ko\nkernel/u.ko < zoo/t/u.ko\n"
	       "kernel/v.ko < far/v.ko\nkernel/z.ko < weird/z.ko\n"
	       "updates/s.ko: a directory, not a file\nupdates/y_y.ko\nweird/z.ko\nzoo/t/u.ko\n");
}

/* depmod.d of the tree's own root, with directories below that root. */
static void test_config(void **state)
{
	const struct fixture *f = *state;
	FILE *file;

	make_all(f, "", "etc/depmod.d/a.conf\nopt/ext/x.ko\nopt/ext/sub/y.ko\n");
	file = fopen(arena_printf(f->a, "%s/etc/depmod.d/a.conf", f->dir), "w");
	fputs("nonsense\nsearch external updates built-in\nexternal * /opt/ext/\nexternal * /none\n"
	      "external * /lib\nexclude staging no.ko\n",
	      file);
	fclose(file);
	expect(f, "updates/x.ko\nkernel/x.ko\nkernel/staging/z.ko\nkernel/no.ko\n",
	       "/opt/ext/sub/y.ko\n/opt/ext/x.ko\nkernel/x.ko < /opt/ext/x.ko\n"
	       "updates/x.ko < /opt/ext/x.ko\nloop /lib\n");
}

static void test_objects(void **state)
{
	static const struct {
		const char *release, *expected;
	} cases[] = {
		{ "2.4.8-ac12", "a.o\nb.o.gz\ndangling d.o\n" },
		{ "2.2.19", "a.o\nb.o.gz\ndangling d.o\n" },
		{ "2.5.40", "a.o\nb.o.gz\ndangling d.o\n" },
		{ "2.6.8-2-386", "" },
		{ "6.1.0-57-amd64", "" },
		{ "my-own", "a.o\nb.o.gz\ndangling d.o\n" },
	};
	const struct fixture *f = *state;
	struct tree t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_all(f, arena_printf(f->a, "lib/modules/%s/", cases[i].release),
			 "a.o\nb.o.gz\nc.c\nd.o -> none\n");
		scan(f, cases[i].release, &t);
		assert_string_equal(told(f, &t), cases[i].expected);
	}
	make(f, "lib/modules/my-own/", "x.ko");
	scan(f, "my-own", &t);
	assert_string_equal(told(f, &t), "x.ko\n");
}

static void test_layout_24(void **state)
{
	const struct fixture *f = *state;
	struct tree t;

	make_all(f, "lib/modules/2.4.8-ac12/",
		 "kernel/drivers/pcmcia/ds.o\npcmcia/ds.o -> ../kernel/drivers/pcmcia/ds.o\n"
		 "misc/mssclampfw.o\nbuild -> /usr/src/linux\nmodules.dep\n");
	scan(f, "2.4.8-ac12", &t);
	assert_string_equal(told(f, &t), "kernel/drivers/pcmcia/ds.o\nmisc/mssclampfw.o\n");
}

static void test_depth(void **state)
{
	const struct fixture *f = *state;
	const char *path = "";
	struct tree t;

	for (unsigned int i = 1; i <= LIMIT_TREE_DEPTH + 1; i++) {
		path = arena_printf(f->a, "%sd/", path);
		make(f, TREE, arena_printf(f->a, "%sx%u.ko", path, i));
	}
	scan(f, RELEASE, &t);
	assert_int_equal(t.n_entries, LIMIT_TREE_DEPTH);
	assert_int_equal(t.n_problems, 1);
	assert_int_equal(t.problems[0].kind, PROBLEM_LIMIT);
	assert_int_equal(strlen(t.problems[0].path), 2 * LIMIT_TREE_DEPTH + 1);
}

/* The same text whatever the order of the names in the directories. */
static void test_order(void **state)
{
	const struct fixture *f = *state;
	struct tree t;
	const char *texts[2];

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 50; i++) {
			int k = pass ? 49 - i : i;

			make(f, TREE, arena_printf(f->a, "d%d/m%d.ko", k % 7, k));
			make(f, TREE, arena_printf(f->a, "l%d/k.ko -> ../../o%d", k, k % 3));
		}
		make_all(f, TREE, "../o0\n../o1\n../o2\n");
		scan(f, RELEASE, &t);
		texts[pass] = told(f, &t);
		assert_int_equal(t.n_entries, 53);
		assert_int_equal(system(arena_printf(f->a, "rm -rf '%s/lib'", f->dir)), 0);
	}
	assert_string_equal(texts[0], texts[1]);
}

/* An image's absolute links lead to where they lead in the image. */
static void test_below_basedir(void **state)
{
	const struct fixture *f = *state;
	struct tree t;

	make_all(f, "", "lib -> /usr/lib\n");
	make_all(f, "usr/" TREE,
		 "kernel/x.ko\nweak-updates/y.ko -> /lib/modules/5.0/extra/y.ko\n"
		 "weak-updates/z -> /opt/z\nout.ko -> /../../../../opt/z/z.ko\nup -> /usr\n");
	make_all(f, "", "usr/lib/modules/5.0/extra/y.ko\nopt/z/z.ko\n");
	scan(f, RELEASE, &t);
	assert_string_equal(told(f, &t), "kernel/x.ko\nout.ko\nweak-updates/y.ko\nloop up\n");
	for (uint32_t i = 0; i < t.n_entries; i++)
		assert_int_equal(access(t.entries[i].open_path, R_OK), 0);
	assert_int_equal(access(t.directory, R_OK), 0);
}

/* What is followed by hand, for systems without openat2() or /proc, is what the kernel finds. */
static void test_follow(void **state)
{
	static const char *const there[] = {
		"o/f",      "/o/f",      "absolute", "relative",    "way/f", "far", "way/../o/./f",
		"../../o/", "deep/back", "//way//f", "deep/up/o/f", ".",     "/",
	};
	static const char *const absent[] = { "none", "dangling", "round", "o/f/x", "way/none" };
	const struct fixture *f = *state;
	struct target t;
	struct root r;

	make_all(f, "",
		 "o/f\nabsolute -> /o/f\nrelative -> ./way/../o/f\nway -> /o\nfar -> absolute\n"
		 "deep/back -> ../../../o/f\ndeep/up -> ..\ndangling -> /none\nround -> round\n");
	assert_true(root_init(&r, f->dir, f->a));
	for (size_t i = 0; i < sizeof(there) / sizeof(*there); i++) {
		assert_true(root_resolve(&r, there[i], f->a, &t));
		assert_string_equal(root_follow(&r, there[i], f->a), t.real);
	}
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		assert_false(root_resolve(&r, absent[i], f->a, &t));
		int error = errno;
		assert_null(root_follow(&r, absent[i], f->a));
		assert_int_equal(errno, error);
	}
	root_release(&r);
}

static void test_usr_only(void **state)
{
	const struct fixture *f = *state;
	struct scan_options o = { .release = RELEASE, .moddir = "/opt/mods//" };
	struct err err;
	struct tree t;

	make_all(f, "usr/" TREE, "kernel/x.ko\n");
	scan(f, RELEASE, &t);
	assert_string_equal(t.moddir, "usr/lib/modules/" RELEASE);
	make_all(f, "", "opt/mods/" RELEASE "/y.ko\n");
	o.basedir = arena_printf(f->a, "%s//", f->dir);
	assert_true(scan_tree(&t, &o, f->a, &err));
	assert_string_equal(t.basedir, f->dir);
	assert_string_equal(t.moddir, "opt/mods/" RELEASE);
	assert_string_equal(told(f, &t), "y.ko\n");
}

static void test_errors(void **state)
{
	static const char *const releases[] = { "5.0", "", ".", "..", "../modules", "file" };
	const struct fixture *f = *state;
	struct scan_options o = { .basedir = f->dir };
	const char *config = arena_printf(f->a, "%s/none", f->dir);
	struct tree t;

	make_all(f, "lib/modules/", "5.9/x.ko\nfile\n");
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		struct err err = { "" };

		o.release = releases[i];
		assert_null(scan_find_moddir(&o, f->a));
		assert_false(scan_tree(&t, &o, f->a, &err));
		assert_string_not_equal(err.text, "");
	}
	struct err err = { "" };
	o.release = "5.9";
	o.config_paths = &config;
	o.n_config_paths = 1;
	assert_false(scan_tree(&t, &o, f->a, &err));
	assert_non_null(strstr(err.text, "none: No such file"));
	o.basedir = arena_printf(f->a, "%s/none", f->dir);
	assert_false(scan_tree(&t, &o, f->a, &err));
}

/* In a child without root's rights: what is 0 if all is as it should be. */
static int scan_as_nobody(const struct fixture *f, const char *top)
{
	struct scan_options o = { .basedir = f->dir, .release = RELEASE };
	struct err err = { "" };
	struct tree t;

	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		return 77;
	if (!scan_tree(&t, &o, f->a, &err))
		return 1;
	if (strcmp(told(f, &t), "a.ko\nl.ko: points to kernel/secret/x.ko: Permission denied\n"
				"unreadable kernel/secret\n") != 0)
		return 2;
	o.release = "5.0";
	if (scan_tree(&t, &o, f->a, &err) || !strstr(err.text, "Permission denied"))
		return 3;
	return strstr(err.text, top) ? 0 : 4;
}

static void test_unreadable(void **state)
{
	const struct fixture *f = *state;
	int status = 0;
	pid_t child;

	make_all(f, TREE, "a.ko\nkernel/secret/x.ko\nl.ko -> kernel/secret/x.ko\n");
	make_all(f, "lib/modules/5.0/", "a.ko\n");
	assert_int_equal(chmod(arena_printf(f->a, "%s/" TREE "kernel/secret", f->dir), 0), 0);
	assert_int_equal(chmod(arena_printf(f->a, "%s/lib/modules/5.0", f->dir), 0), 0);
	child = fork();
	if (child == 0)
		_exit(scan_as_nobody(f, "lib/modules/5.0"));
	assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names),      TEST(plain),   TEST(entry),      TEST(build),
		TEST(links),      TEST(loops),   TEST(dangling),   TEST(irregular),
		TEST(hard_links), TEST(winners), TEST(config),     TEST(objects),
		TEST(layout_24),  TEST(depth),   TEST(order),      TEST(below_basedir),
		TEST(usr_only),   TEST(errors),  TEST(unreadable), TEST(follow),
	};

	return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
