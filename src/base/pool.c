/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"

struct pool {
	pool_job *run;
	void *shared;
	size_t n_jobs;
	atomic_size_t next;
};

struct thread {
	struct pool *pool;
	void *worker;
	pthread_t handle;
};

static void *thread_main(void *arg)
{
	struct thread *t = arg;
	struct pool *p = t->pool;

	for (;;) {
		size_t job = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
		if (job >= p->n_jobs)
			return NULL;
		p->run(p->shared, t->worker, job);
	}
}

void pool_run(unsigned int n_threads, size_t n_jobs, pool_job *run, void *shared, void **workers)
{
	struct pool pool = { .run = run, .shared = shared, .n_jobs = n_jobs };
	unsigned int n_started = 1;

	if (n_threads > n_jobs)
		n_threads = n_jobs ? (unsigned int)n_jobs : 1;
	struct thread *threads = mem_zalloc(n_threads * sizeof(*threads));
	for (unsigned int t = 0; t < n_threads; t++) {
		threads[t].pool = &pool;
		threads[t].worker = workers[t];
	}
	for (; n_started < n_threads; n_started++) {
		struct thread *t = &threads[n_started];
		if (pthread_create(&t->handle, NULL, thread_main, t) != 0)
			break;
	}
	thread_main(&threads[0]);
	for (unsigned int t = 1; t < n_started; t++)
		pthread_join(threads[t].handle, NULL);
	free(threads);
}

unsigned int pool_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	int n = CPU_COUNT(&set);
	return n > 0 ? (unsigned int)n : 1;
}
