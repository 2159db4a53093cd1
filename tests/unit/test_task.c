/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/base/task.c: with a thread and without, the work is done once, and done when waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/task.h"

struct work {
	int n_runs;
	pthread_t thread;
	pthread_mutex_t *gate; /* NULL, or what to wait for */
};

static void work(void *arg)
{
	struct work *w = arg;

	if (w->gate) {
		pthread_mutex_lock(w->gate);
		pthread_mutex_unlock(w->gate);
	}
	w->n_runs++;
	w->thread = pthread_self();
}

static void here_and_now(void **state)
{
	struct work w = { 0 };
	struct task t;

	(void)state;
	task_start(&t, work, &w, false);
	assert_int_equal(w.n_runs, 1);
	assert_true(pthread_equal(w.thread, pthread_self()));
	task_wait(&t);
	assert_int_equal(w.n_runs, 1);
}

static void beside_its_starter(void **state)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	struct work w = { .gate = &gate };
	struct task t;

	(void)state;
	pthread_mutex_lock(&gate);
	task_start(&t, work, &w, true);
	if (!t.has_thread)
		skip(); /* no threads to be had, and the gate would never open */
	pthread_mutex_unlock(&gate);
	task_wait(&t);
	assert_int_equal(w.n_runs, 1);
	assert_false(pthread_equal(w.thread, pthread_self()));
	task_wait(&t); /* twice is no harm */
	assert_int_equal(w.n_runs, 1);
}

static void many_at_once(void **state)
{
	struct work w[16] = { 0 };
	struct task t[16];

	(void)state;
	for (int i = 0; i < 16; i++)
		task_start(&t[i], work, &w[i], i % 3 != 0);
	for (int i = 0; i < 16; i++) {
		task_wait(&t[i]);
		assert_int_equal(w[i].n_runs, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(here_and_now),
		cmocka_unit_test(beside_its_starter),
		cmocka_unit_test(many_at_once),
	};

	return cmocka_run_group_tests_name("task", tests, NULL, NULL);
}
