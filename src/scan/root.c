/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel follows the links (openat2 with RESOLVE_IN_ROOT, O_PATH), and /proc tells the
 * canonical path of what it found; realpath() does where there is no /proc.
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

/* The path of an open file; `path` is what it was opened by. NULL with errno set. */
static const char *fd_path(int fd, const char *path, struct arena *a)
{
	char text[PATH_MAX];
	ssize_t n = readlink(arena_printf(a, "/proc/self/fd/%d", fd), text, sizeof(text));

	if (n > 0 && (size_t)n < sizeof(text) && is_absolute(text))
		return arena_strndup(a, text, (size_t)n);
	return real_path(path, a);
}

bool root_init(struct root *r, const char *basedir, struct arena *a)
{
	*r = (struct root) { .fd = -1, .real = "" };
	if (!basedir[0])
		return true;
	r->fd = open(basedir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r->fd < 0)
		return false;
	r->real = fd_path(r->fd, basedir, a);
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

/* An O_PATH descriptor, or -1 with errno set. `path` is meant below the root. */
static int open_below(const struct root *r, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	long fd;

	if (r->fd < 0)
		return open(path, O_PATH | O_CLOEXEC);
	fd = syscall(SYS_openat2, r->fd, path, &how, sizeof(how));
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return (int)fd;
	path += strspn(path, "/");
	return openat(r->fd, path[0] ? path : ".", O_PATH | O_CLOEXEC);
}

static bool describe(int fd, const char *path, struct arena *a, struct target *t)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	*t = (struct target) { .real = fd_path(fd, path, a),
			       .mode = st.st_mode,
			       .size = st.st_size };
	return t->real != NULL;
}

bool root_resolve(const struct root *r, const char *path, struct arena *a, struct target *t)
{
	const char *full;
	bool is_ok;
	int fd, error;

	if (r->fd < 0 && !is_absolute(path))
		path = arena_printf(a, "/%s", path);
	fd = open_below(r, path);
	if (fd < 0)
		return false;
	full = r->fd < 0 ? path : arena_printf(a, "%s/%s", r->real, path);
	is_ok = describe(fd, full, a, t);
	error = errno;
	close(fd);
	errno = error;
	return is_ok;
}

bool root_resolve_real(const struct root *r, const char *path, struct arena *a, struct target *t)
{
	static const struct root host = { .fd = -1, .real = "" };

	/* Outside of the root: only where openat2() is missing and a link led there. */
	if (strncmp(path, r->real, r->real_length) != 0 || path[r->real_length] != '/')
		return root_resolve(&host, path, a, t);
	return root_resolve(r, path + r->real_length, a, t);
}
