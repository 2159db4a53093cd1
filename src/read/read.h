/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a module file to a struct module. Nothing that a file contains can end the run: what is
 * wrong with it becomes a fault of the module, and whatever can still be read is read.
 */
#ifndef MODCHECK_READ_H
#define MODCHECK_READ_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/module.h"

struct arena;
struct btf_base;

/* What one thread keeps from file to file: buffers, decoders, scratch tables. */
struct reader;

/* Names go into `names`, all else that modules keep into the arena; both are this thread's own. */
struct reader *reader_new(struct names *names, struct arena *a);
void reader_free(struct reader *r);

/*
 * From now on, read all of a file, and look at its relocations, all of its signature, and what it
 * takes to verify that. This takes several times as long.
 */
void reader_set_thorough(struct reader *r, bool is_thorough);

/* What the BTF of modules goes on from, if it is known; it has to stay. */
void reader_set_btf_base(struct reader *r, const struct btf_base *base);

/*
 * Files that unpack to more than GIANT_BYTES are unpacked by one thread at a time, so that many of
 * them do not take all memory at once: all readers of a run share this lock. NULL: no other reader.
 */
void reader_share_giants(struct reader *r, pthread_mutex_t *giants);

/* errno if files could not be opened for want of descriptors or memory: no fault of theirs. */
int reader_shortage(const struct reader *r);

/*
 * From now on, somebody has seen (true) or not that the files are regular ones: a file that became
 * something else since then cannot be read, at worst.
 */
void reader_set_seen_regular(struct reader *r, bool is_seen_regular);

/*
 * Fill in *m (zeroed but for path, name, is_installed and is_target) from the file at open_path,
 * compressed or not. Only what is needed of an uncompressed file is read.
 */
void reader_read_file(struct reader *r, struct module *m, const char *open_path);

/* The same from memory, compressed or not: for tests and fuzzers. */
void reader_read_bytes(struct reader *r, struct module *m, const unsigned char *bytes, size_t size);

/*
 * Append a fault; detail is copied into the arena. At most LIMIT_FAULTS_PER_MODULE are kept.
 * Returns it, NULL if it was not kept.
 */
struct fault *module_add_fault(struct module *m, struct arena *a, enum fault_kind kind,
			       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Say which check it is that fails, and the numbers that go with it; fault may be NULL. */
void fault_set_check(struct fault *fault, enum elf_check check, uint64_t a, uint64_t b);

#endif
