/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel follows the links (openat2 with RESOLVE_IN_ROOT, O_PATH), and /proc tells the
 * canonical path of what it found. Where there is no openat2() or no /proc, as in a chroot, the
 * links are followed one by one here.
 */
#include "scan/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"

#define MAX_LINKS 40 /* as in the kernel: MAXSYMLINKS */

static bool is_absolute(const char *path)
{
	return path[0] == '/';
}

static const char *real_path(const char *path, struct arena *a)
{
	char *real = realpath(path, NULL);
	const char *copy = real ? arena_strdup(a, real) : NULL;

	free(real);
	return copy;
}

/* The path of an open file; NULL where there is no /proc. */
static const char *fd_path(int fd, struct arena *a)
{
	char text[PATH_MAX];
	ssize_t n = readlink(arena_printf(a, "/proc/self/fd/%d", fd), text, sizeof(text));

	if (n > 0 && (size_t)n < sizeof(text) && is_absolute(text))
		return arena_strndup(a, text, (size_t)n);
	return NULL;
}

bool root_init(struct root *r, const char *basedir, struct arena *a)
{
	*r = (struct root) { .fd = -1, .real = "" };
	if (!basedir[0])
		return true;
	r->fd = open(basedir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r->fd < 0)
		return false;
	r->real = real_path(basedir, a);
	if (!r->real) {
		root_release(r);
		return false;
	}
	if (strcmp(r->real, "/") == 0) {
		root_release(r);
		r->real = "";
	}
	r->real_length = strlen(r->real);
	return true;
}

void root_release(struct root *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* One name further: the path then, and in *link what it points to if it is a link, else NULL. */
static const char *step(const struct root *r, const char *done, const char *name, size_t length,
			const char **link, struct arena *a)
{
	char target[PATH_MAX];

	*link = NULL;
	if (length == 2 && memcmp(name, "..", 2) == 0) {
		const char *last = strrchr(done, '/');
		return last ? arena_strndup(a, done, (size_t)(last - done)) : done;
	}
	if (length == 1 && name[0] == '.')
		return done;
	const char *next = arena_printf(a, "%s/%.*s", done, (int)length, name);
	ssize_t n = readlink(arena_printf(a, "%s%s", r->real, next), target, sizeof(target));
	if (n < 0)
		return errno == EINVAL ? next : NULL; /* EINVAL: it is no link */
	*link = arena_strndup(a, target, (size_t)n);
	return is_absolute(*link) ? "" : done;
}

const char *root_follow(const struct root *r, const char *path, struct arena *a)
{
	const char *done = "", *link;
	unsigned int links = 0;

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		size_t length = strcspn(path, "/");
		done = step(r, done, path, length, &link, a);
		if (!done)
			return NULL;
		path += length;
		if (!link)
			continue;
		if (++links > MAX_LINKS) {
			errno = ELOOP;
			return NULL;
		}
		path = arena_printf(a, "%s%s", link, path);
	}
	return arena_printf(a, "%s%s", r->real, *done || *r->real ? done : "/");
}

/* An O_PATH descriptor, or -1 with errno set. `path` is meant below the root. */
static int open_below(const struct root *r, const char *path, struct arena *a)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	long fd;

	if (r->fd < 0)
		return open(path, O_PATH | O_CLOEXEC);
	fd = syscall(SYS_openat2, r->fd, path, &how, sizeof(how));
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return (int)fd;
	path = root_follow(r, path, a);
	return path ? open(path, O_PATH | O_CLOEXEC) : -1;
}

static bool describe(const struct root *r, int fd, const char *path, struct arena *a,
		     struct target *t)
{
	struct stat st;
	const char *real = fd_path(fd, a);

	if (fstat(fd, &st) < 0)
		return false;
	if (!real)
		real = r->fd < 0 ? real_path(path, a) : root_follow(r, path, a);
	*t = (struct target) { .real = real, .mode = st.st_mode, .size = st.st_size };
	return real != NULL;
}

bool root_resolve(const struct root *r, const char *path, struct arena *a, struct target *t)
{
	bool is_ok;
	int fd, error;

	if (r->fd < 0 && !is_absolute(path))
		path = arena_printf(a, "/%s", path);
	fd = open_below(r, path, a);
	if (fd < 0)
		return false;
	is_ok = describe(r, fd, path, a, t);
	error = errno;
	close(fd);
	errno = error;
	return is_ok;
}

bool root_resolve_real(const struct root *r, const char *path, struct arena *a, struct target *t)
{
	static const struct root host = { .fd = -1, .real = "" };

	/* Outside of the root: taken as it is. */
	if (strncmp(path, r->real, r->real_length) != 0 || path[r->real_length] != '/')
		return root_resolve(&host, path, a, t);
	return root_resolve(r, path + r->real_length, a, t);
}
