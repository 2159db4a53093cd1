/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files of depmod.d (and modprobe.d, conf.h) are read, and in which order: of files with the
 * same name only the one in the first directory, then all sorted by name (kmod's cfg_files_list). A
 * file counts if its name ends with ".conf" and does not begin with a dot; a link to /dev/null in
 * an earlier directory therefore switches off a file of a later one.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "scan/conf.h"
#include "scan/depmodd.h"
#include "scan/modname.h"
#include "scan/root.h"

/* Both /lib and /usr/lib, so that it does not matter whether a tree has merged them. */
static const char *const places[] = { "/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib" };

struct config_file {
	const char *path; /* canonical */
	const char *name; /* sorted by; not always the name in path: that may be a link's target */
	const char *shown;
	uint32_t rank; /* of its directory */
};

struct config_list {
	struct config_file *files; /* malloc'ed */
	size_t n, cap;
	struct arena *a;
	const struct root *root;
	bool is_given; /* by -C: what cannot be read is an error then, and a pipe is welcome */
};

static void add_file(struct config_list *l, const char *path, const char *shown, uint32_t rank)
{
	if (l->n >= LIMIT_CONFIG_RULES)
		return;
	VEC_PUSH(l->files, l->n, l->cap) = (struct config_file) {
		.path = path,
		.name = modname_base(shown),
		.shown = shown,
		.rank = rank,
	};
}

static bool is_config_name(const char *name)
{
	return name[0] != '.' && strlen(name) > 5 && text_has_suffix(name, ".conf");
}

/*
 * Where the file leads to, NULL to nowhere. An image without a /dev of its own still means
 * "nothing" by a link to /dev/null.
 */
static const char *resolve_file(struct config_list *l, int fd, const char *real, const char *name)
{
	char text[sizeof("/dev/null")];
	struct target t;

	if (root_resolve_real(l->root, arena_printf(l->a, "%s/%s", real, name), l->a, &t))
		return S_ISDIR(t.mode) ? NULL : t.real;
	if (readlinkat(fd, name, text, sizeof(text)) == sizeof(text) - 1 &&
	    memcmp(text, "/dev/null", sizeof(text) - 1) == 0)
		return "/dev/null";
	return NULL;
}

/* false with errno set if the directory cannot be read. */
static bool add_directory(struct config_list *l, const char *real, const char *shown, uint32_t rank)
{
	const struct dirent *de;
	DIR *dir = opendir(real);
	const char *path;

	if (!dir)
		return false;
	while ((de = readdir(dir))) {
		if (!is_config_name(de->d_name))
			continue;
		path = resolve_file(l, dirfd(dir), real, de->d_name);
		if (path)
			add_file(l, path, arena_printf(l->a, "%s/%s", shown, de->d_name), rank);
	}
	closedir(dir);
	return true;
}

static int compare(const void *pa, const void *pb)
{
	const struct config_file *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* false only for what -C named: elsewhere unreadable files say nothing, nor do FIFOs and such. */
static bool parse_file(struct depmodd *d, const struct config_list *l, const char *path,
		       const char *shown, struct err *err)
{
	enum file_flags flags = l->is_given ? FILE_STREAMS : FILE_REGULAR_ONLY;
	struct err reason;
	struct file file;

	if (file_read(&file, path, flags, LIMIT_CONFIG_BYTES, &reason) != FILE_OK)
		return !l->is_given || err_set(err, "%s: %s", shown, reason.text);
	depmodd_parse(d, file.bytes, file.size);
	file_release(&file);
	d->files[d->n_files++] = shown;
	return true;
}

/* Sort them, and leave out those that one of the same name stands before. */
static void settle(struct config_list *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->files, l->n, sizeof(*l->files), compare);
	for (size_t i = 0; i < l->n; i++) {
		if (n == 0 || strcmp(l->files[i].name, l->files[n - 1].name) != 0)
			l->files[n++] = l->files[i];
	}
	l->n = n;
}

static bool parse_all(struct depmodd *d, struct config_list *l, struct err *err)
{
	settle(l);
	d->files = arena_array(d->arena, l->n + 1, sizeof(*d->files));
	for (size_t i = 0; i < l->n; i++) {
		const struct config_file *f = &l->files[i];

		if (!parse_file(d, l, f->path, f->shown, err))
			return false;
	}
	return true;
}

static void list_usual(struct config_list *l, const char *name)
{
	struct target t;

	for (uint32_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *directory = arena_printf(l->a, "%s/%s", places[i], name);
		if (root_resolve(l->root, directory, l->a, &t) && S_ISDIR(t.mode))
			add_directory(l, t.real, directory, i);
	}
}

size_t conf_list(struct conf_file **files, const struct root *root, const char *name,
		 struct arena *a)
{
	struct config_list l = { .a = a, .root = root };

	list_usual(&l, name);
	settle(&l);
	*files = arena_array(a, l.n + 1, sizeof(**files));
	for (size_t i = 0; i < l.n; i++)
		(*files)[i] = (struct conf_file) { l.files[i].path, l.files[i].shown };
	free(l.files);
	return l.n;
}

/* A path of -C is the user's own and means the host, whatever -b says. */
static bool list_given(struct config_list *l, const char *path, uint32_t rank, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		add_file(l, path, path, rank);
		return true;
	}
	if (!add_directory(l, path, path, rank))
		return err_set(err, "%s: %s", path, strerror(errno));
	return true;
}

bool depmodd_load(struct depmodd *d, const struct root *root, const char *const *paths,
		  unsigned int n_paths, struct err *err)
{
	static const struct root host = { .fd = -1, .real = "" };
	struct config_list l = { .a = d->arena,
				 .root = n_paths ? &host : root,
				 .is_given = n_paths };
	bool is_ok = true;

	if (!n_paths)
		list_usual(&l, "depmod.d");
	for (unsigned int i = 0; i < n_paths && is_ok; i++)
		is_ok = list_given(&l, paths[i], i, err);
	is_ok = is_ok && parse_all(d, &l, err);
	free(l.files);
	depmodd_finish(d);
	return is_ok;
}
