/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module reader, both ways that a file can take: from memory, which is the file whole, and
 * from a descriptor, large enough that only the parts of it are read (its end is that of the data,
 * where a signature would be); each quickly and thoroughly. One reader for all runs,
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
#include "read/pkcs7.h"
#include "read/read.h"

#define LARGE ((off_t)80 << 10) /* more than is ever read whole */
#define TAIL ((size_t)1 << 10)
#define ROUNDS 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct module *m, const struct names *names)
{
	if (m->signed_content) {
		struct pkcs7_keys *keys = pkcs7_keys_new();
		if (pkcs7_verify(keys, m->signed_content) != PKCS7_OTHER_KEY)
			abort();
		pkcs7_keys_free(keys);
	}
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
	size_t tail = size < TAIL ? size : TAIL;
	if (pwrite(fd, data + size - tail, tail, LARGE - (off_t)tail) != (ssize_t)tail)
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

	if (round++ % ROUNDS == 0) {
		reader_free(reader);
		names_free(names);
		arena_free(arena);
		names = names_new();
		arena = arena_new();
		reader = reader_new(names, arena);
	}
	for (int is_thorough = 0; is_thorough < 2; is_thorough++) {
		struct module m = { .path = "fuzz.o", .name = "fuzz" };
		reader_set_thorough(reader, is_thorough);
		reader_read_bytes(reader, &m, data, size);
		check(&m, names);
		if (size <= (size_t)LARGE)
			read_from_descriptor(reader, data, size, names);
	}
	return 0;
}
