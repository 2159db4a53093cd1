/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of directories, each read to its end before the next: no recursion, one descriptor
 * open at a time. readdir() tells the type of nearly every file, so stat() is left for
 * packed modules (whose size decides which are unpacked first) and for file systems that do not
 * tell.
 */
#include "scan/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "scan/depmodd.h"
#include "scan/modname.h"
#include "scan/root.h"
#include "scan/scan.h"

void walk_init(struct walk *w, const char *top, const struct root *root,
	       const struct depmodd *config, struct arena *a)
{
	*w = (struct walk) { .a = a, .root = root, .config = config, .top = top };
}

void walk_release(struct walk *w)
{
	free(w->dirs);
	free(w->links);
	free(w->entries);
	free(w->problems);
	free(w->aliases);
	names_free(w->known);
}

void walk_add_entry(struct walk *w, const struct entry *e)
{
	VEC_PUSH(w->entries, w->n_entries, w->cap_entries) = *e;
	if (w->known)
		names_add_string(w->known, e->open_path);
}

void walk_add_problem(struct walk *w, enum problem_kind kind, const char *path, const char *detail)
{
	VEC_PUSH(w->problems, w->n_problems, w->cap_problems) =
		(struct problem) { .kind = kind, .path = path, .detail = detail };
}

void walk_add_alias(struct walk *w, const char *path, const char *real)
{
	VEC_PUSH(w->aliases, w->n_aliases, w->cap_aliases) = (struct walk_alias) { path, real };
}

/* Is this real path one that was seen? Only asked where links or external directories are. */
bool walk_knows(struct walk *w, const char *real)
{
	if (!w->known) {
		w->known = names_new();
		for (size_t i = 0; i < w->n_dirs; i++)
			names_add_string(w->known, w->dirs[i].real);
		for (size_t i = 0; i < w->n_entries; i++)
			names_add_string(w->known, w->entries[i].open_path);
	}
	return names_find(w->known, real, strlen(real)) != NAME_NONE;
}

bool walk_is_around(const char *directory, const char *path)
{
	size_t n = strlen(directory);

	if (strcmp(directory, "/") == 0)
		return true;
	return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static const char *join(struct arena *a, const char *directory, const char *name, size_t length)
{
	size_t n = strlen(directory);
	char *path = arena_alloc(a, n + length + 2);

	if (n == 0)
		return memcpy(path, name, length + 1);
	memcpy(path, directory, n);
	path[n] = '/';
	memcpy(path + n + 1, name, length + 1);
	return path;
}

/* One name in a directory. */
struct name {
	const struct walk_dir *dir;
	int fd; /* of the directory */
	const char *text;
	size_t length;
	struct modname says;
	unsigned int mode; /* S_IFMT bits */
};

static struct entry new_entry(struct walk *w, const struct name *name)
{
	return (struct entry) {
		.path = join(w->a, name->dir->path, name->text, name->length),
		.name = scan_module_name(name->text, w->a),
		.open_path = join(w->a, name->dir->real, name->text, name->length),
		.winner = ENTRY_NONE,
	};
}

static void add_fault(struct walk *w, const struct name *name, enum fault_kind fault,
		      const char *detail)
{
	struct entry e = new_entry(w, name);

	e.has_fault = true;
	e.fault = fault;
	e.detail = detail;
	walk_add_entry(w, &e);
}

const char *walk_irregular(unsigned int mode)
{
	static const struct {
		unsigned int mode;
		const char *phrase;
	} types[] = {
		{ S_IFDIR, "a directory, not a file" },
		{ S_IFIFO, "a FIFO, not a file" },
		{ S_IFSOCK, "a socket, not a file" },
		{ S_IFCHR, "a character device, not a file" },
		{ S_IFBLK, "a block device, not a file" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].mode == (mode & S_IFMT))
			return types[i].phrase;
	return "not a regular file";
}

static void add_file(struct walk *w, const struct name *name)
{
	struct entry e = new_entry(w, name);
	struct stat st;

	if (w->known && walk_knows(w, e.open_path))
		return;
	if (name->says.is_packed && fstatat(name->fd, name->text, &st, AT_SYMLINK_NOFOLLOW) == 0)
		e.size = (uint64_t)st.st_size;
	walk_add_entry(w, &e);
}

static void push_dir(struct walk *w, struct walk_dir dir)
{
	if (dir.depth > LIMIT_TREE_DEPTH) {
		walk_add_problem(
			w, PROBLEM_LIMIT, dir.path,
			arena_printf(w->a, "more than %u directories deep", LIMIT_TREE_DEPTH));
		return;
	}
	if (w->known && walk_knows(w, dir.real))
		return;
	VEC_PUSH(w->dirs, w->n_dirs, w->cap_dirs) = dir;
	if (w->known)
		names_add_string(w->known, dir.real);
}

/* S_IFMT bits of the name itself; 0 with errno set if they cannot be told. */
static unsigned int mode_of(int fd, const struct dirent *de)
{
	struct stat st;

	if (de->d_type != DT_UNKNOWN)
		return DTTOIF(de->d_type);
	return fstatat(fd, de->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : st.st_mode & S_IFMT;
}

static void add_link(struct walk *w, const struct name *name)
{
	VEC_PUSH(w->links, w->n_links, w->cap_links) = (struct walk_link) {
		.path = join(w->a, name->dir->path, name->text, name->length),
		.real = join(w->a, name->dir->real, name->text, name->length),
		.depth = name->dir->depth + 1,
	};
}

static void add_name(struct walk *w, const struct name *name)
{
	bool is_module = name->says.kind != MODNAME_NONE;

	if (S_ISREG(name->mode) && is_module)
		add_file(w, name);
	if (S_ISREG(name->mode))
		return;
	if (S_ISLNK(name->mode)) {
		add_link(w, name);
		return;
	}
	if (is_module && name->mode == 0)
		add_fault(w, name, FAULT_UNREADABLE, arena_strdup(w->a, strerror(errno)));
	else if (is_module)
		add_fault(w, name, FAULT_NOT_REGULAR, walk_irregular(name->mode));
	if (!S_ISDIR(name->mode))
		return;
	push_dir(w, (struct walk_dir) {
			    .path = join(w->a, name->dir->path, name->text, name->length),
			    .real = join(w->a, name->dir->real, name->text, name->length),
			    .depth = name->dir->depth + 1,
		    });
}

/*
 * depmod leaves out every `build` and `source`, wherever it is; but the links to the kernel's
 * headers are at the top, and a directory further down may be called that for good reasons.
 */
static bool is_left_out(const struct walk *w, const struct walk_dir *dir, const char *name)
{
	if (name[0] == '.' && (name[1] == '\0' || strcmp(name, "..") == 0))
		return true;
	if (!dir->path[0] && (strcmp(name, "build") == 0 || strcmp(name, "source") == 0))
		return true;
	return w->config->excludes && depmodd_excludes(w->config, name);
}

static void tell_full(struct walk *w, const struct walk_dir *dir)
{
	walk_add_problem(w, PROBLEM_LIMIT, dir->path,
			 arena_printf(w->a, "more than %u files in the tree", LIMIT_TREE_FILES));
}

/* Read all names. Returns 0 or an errno; what was read before an error counts. */
static int read_names(struct walk *w, const struct walk_dir *dir, DIR *stream)
{
	const struct dirent *de;

	for (errno = 0; (de = readdir(stream)); errno = 0) {
		struct name name = { .dir = dir, .fd = dirfd(stream), .text = de->d_name };

		if (is_left_out(w, dir, de->d_name))
			continue;
		if (w->n_names++ >= LIMIT_TREE_FILES) {
			tell_full(w, dir);
			return 0;
		}
		name.length = strlen(de->d_name);
		name.says = modname_of(de->d_name, name.length);
		name.mode = mode_of(name.fd, de);
		add_name(w, &name);
	}
	return errno;
}

/* Returns 0 or an errno. (opendir() needs three system calls less than open() and fdopendir().) */
static int read_dir(struct walk *w, const struct walk_dir *dir)
{
	DIR *stream = opendir(dir->real);
	int error;

	if (!stream)
		return errno;
	error = read_names(w, dir, stream);
	closedir(stream);
	return error;
}

static void read_queue(struct walk *w)
{
	while (w->next_dir < w->n_dirs && w->n_names <= LIMIT_TREE_FILES) {
		struct walk_dir dir = w->dirs[w->next_dir++];
		int error = read_dir(w, &dir);

		if (error)
			walk_add_problem(w, PROBLEM_UNREADABLE_DIR, dir.path,
					 arena_strdup(w->a, strerror(error)));
	}
}

int walk_top(struct walk *w)
{
	struct walk_dir top = { .path = "", .real = w->top };
	int error;

	push_dir(w, top);
	w->next_dir++;
	error = read_dir(w, &top);
	if (!error)
		read_queue(w);
	return error;
}

void walk_drain(struct walk *w, struct walk_dir dir)
{
	push_dir(w, dir);
	read_queue(w);
}

void walk_external(struct walk *w, const char *path)
{
	struct target t;

	if (!root_resolve(w->root, path, w->a, &t) || !S_ISDIR(t.mode))
		return;
	walk_add_alias(w, path, t.real);
	if (walk_is_around(t.real, w->top)) {
		if (strcmp(t.real, w->top) != 0)
			walk_add_problem(w, PROBLEM_LINK_LOOP, path,
					 "an external directory around the tree itself");
		return;
	}
	if (!walk_knows(w, t.real))
		walk_drain(w, (struct walk_dir) { .path = path, .real = t.real });
}
