/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every file is opened with O_NONBLOCK, so that open() itself never waits for the other end of a
 * FIFO; what it turned out to be decides how it is read.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

/* What a file of unknown size is given room for at first: most of /proc fits. */
#define FIRST_BYTES ((size_t)64 << 10)
/* How long a FIFO may be without any writer until it counts as empty. */
#define FIFO_PATIENCE_MS 1000

/*
 * A pipe, unlike a FIFO whose writer has yet to come, has its writer already. poll() waits for
 * the latter a little; from then on read() ends by itself when there is no writer.
 */
static void wait_for_writer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	poll(&p, 1, FIFO_PATIENCE_MS);
}

static bool is_acceptable(int fd, const struct stat *st, enum file_flags flags, uint64_t limit,
			  struct err *err)
{
	if (S_ISDIR(st->st_mode))
		return err_set(err, "Is a directory");
	if (S_ISREG(st->st_mode)) {
		if ((uint64_t)st->st_size > limit)
			return err_set(err, "larger than %llu MiB",
				       (unsigned long long)limit >> 20);
		return true;
	}
	if (!(flags & FILE_STREAMS))
		return err_set(err, "not a regular file");
	wait_for_writer(fd);
	return true;
}

/* Read to the end of the file; one byte more than the limit is asked for, to notice the rest. */
static bool read_all(struct file *file, int fd, size_t expected, uint64_t limit, struct err *err)
{
	size_t cap = expected + 2 > FIRST_BYTES ? expected + 2 : FIRST_BYTES;

	file->bytes = mem_resize(NULL, cap, 1);
	for (;;) {
		if (file->size + 2 > cap)
			file->bytes = mem_grow(file->bytes, &cap, cap + 1, 1);
		ssize_t n = read(fd, file->bytes + file->size, cap - file->size - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, "%s", strerror(errno));
		if (n == 0)
			break;
		file->size += (size_t)n;
		if (file->size > limit)
			return err_set(err, "larger than %llu MiB",
				       (unsigned long long)limit >> 20);
	}
	file->bytes[file->size] = '\0';
	return true;
}

enum file_result file_read(struct file *file, const char *path, enum file_flags flags,
			   uint64_t limit, struct err *err)
{
	struct stat st;
	bool is_read = false;

	*file = (struct file) { 0 };
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		enum file_result result =
			errno == ENOENT || errno == ENOTDIR ? FILE_ABSENT : FILE_BAD;
		err_set(err, "%s", strerror(errno));
		return result;
	}
	if (fstat(fd, &st) < 0)
		err_set(err, "%s", strerror(errno));
	else if (is_acceptable(fd, &st, flags, limit, err))
		is_read = read_all(file, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, limit,
				   err);
	close(fd);
	if (!is_read)
		file_release(file);
	return is_read ? FILE_OK : FILE_BAD;
}

void file_release(struct file *file)
{
	free(file->bytes);
	*file = (struct file) { 0 };
}
