/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run n jobs on several threads. Jobs are handed out in order, each to the first thread that
 * is free, so put the long ones first. What a thread may write to without locks is what its
 * worker argument owns and the job's own slot of an output array.
 */
#ifndef MODCHECK_POOL_H
#define MODCHECK_POOL_H

#include <stddef.h>

/*
 * worker: workers[t] for the thread t that runs it. job: 0..n_jobs-1.
 */
typedef void pool_job(void *shared, void *worker, size_t job);

/*
 * Returns when all jobs are done. The calling thread is thread 0; where the system gives no
 * further threads the work is done by those there are.
 */
void pool_run(unsigned int n_threads, size_t n_jobs, pool_job *run, void *shared, void **workers);

/* Processors this process may run on, at least 1. */
unsigned int pool_processors(void);

#endif
