/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module reader, both ways that a file can take: from memory, which is the file whole, and
 * from a descriptor, large enough that only the parts of it are read. One reader for all runs,
 * as a thread has it, so that what a broken file leaves behind meets the next one; its names
 * and arena are emptied now and then.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/names.h"
#include "read/read.h"

#define LARGE ((off_t)80 << 10) /* more than is ever read whole */
#define ROUNDS 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct module *m, const struct names *names)
{
	if (!m->is_readable && !m->faults)
		abort();
	for (uint32_t i = 0; i < m->n_imports; i++)
		if (m->imports[i].name == NAME_NONE || m->imports[i].name >= names_count(names))
			abort();
	for (uint32_t i = 0; i < m->n_exports; i++)
		if (m->exports[i].name == NAME_NONE || m->exports[i].ns >= names_count(names))
			abort();
}

static void read_from_descriptor(struct reader *r, const uint8_t *data, size_t size,
				 const struct names *names)
{
	struct module m = { .path = "fuzz.ko", .name = "fuzz" };
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, LARGE) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader_read_file(r, &m, path);
	check(&m, names);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reader *reader;
	static struct names *names;
	static struct arena *arena;
	static unsigned int round;
	struct module m = { .path = "fuzz.o", .name = "fuzz" };

	if (round++ % ROUNDS == 0) {
		reader_free(reader);
		names_free(names);
		arena_free(arena);
		names = names_new();
		arena = arena_new();
		reader = reader_new(names, arena);
	}
	reader_read_bytes(reader, &m, data, size);
	check(&m, names);
	if (size <= (size_t)LARGE)
		read_from_descriptor(reader, data, size, names);
	return 0;
}
