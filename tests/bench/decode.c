/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode THREADS <LIST: read and unpack the files whose paths are on stdin, and do nothing else:
 * what any program that looks into compressed modules has to spend. The largest first, as modcheck
 * does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/pool.h"
#include "codec/codec.h"

struct job {
	char path[1024];
	off_t size;
};

static void decode(void *shared, void *worker, size_t i)
{
	const struct job *job = (struct job *)shared + i;
	struct file file;
	struct err err;
	const char *detail;

	if (file_read(&file, job->path, FILE_REGULAR_ONLY, LIMIT_MODULE_BYTES, &err) != FILE_OK ||
	    codec_unpack(worker, (unsigned char *)file.bytes, file.size, LIMIT_MODULE_BYTES,
			 &detail) != CODEC_OK) {
		fprintf(stderr, "decode: %s\n", job->path);
		exit(2);
	}
	file_release(&file);
}

static int by_size(const void *pa, const void *pb)
{
	const struct job *a = pa, *b = pb;

	return a->size > b->size ? -1 : a->size < b->size;
}

int main(int argc, char **argv)
{
	static struct job jobs[20000];
	static struct codec_buffer buffers[16];
	void *workers[16];
	unsigned int n_threads = argc == 2 ? (unsigned int)atoi(argv[1]) : 0;
	size_t n = 0;
	struct stat st;

	if (n_threads < 1 || n_threads > 16)
		return 2;
	while (n < 20000 && fgets(jobs[n].path, sizeof(jobs[n].path), stdin)) {
		jobs[n].path[strcspn(jobs[n].path, "\n")] = '\0';
		jobs[n].size = stat(jobs[n].path, &st) == 0 ? st.st_size : 0;
		n++;
	}
	qsort(jobs, n, sizeof(*jobs), by_size);
	for (unsigned int t = 0; t < n_threads; t++) {
		codec_buffer_init(&buffers[t]);
		workers[t] = &buffers[t];
	}
	pool_run(n_threads, n, decode, jobs, workers);
	for (unsigned int t = 0; t < n_threads; t++)
		codec_buffer_release(&buffers[t]);
	return 0;
}
