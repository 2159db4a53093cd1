/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One function on a thread of its own, beside what its starter goes on to do.
 */
#ifndef MODCHECK_TASK_H
#define MODCHECK_TASK_H

#include <pthread.h>
#include <stdbool.h>

struct task {
	void (*run)(void *arg);
	void *arg;
	pthread_t thread;
	bool has_thread;
};

/*
 * Start run(arg). Where the system gives no thread, or with_thread is false, it is run here and
 * now. The task is the caller's and has to stay where it is until task_wait(), which has to follow.
 */
void task_start(struct task *t, void (*run)(void *arg), void *arg, bool with_thread);
void task_wait(struct task *t);

#endif
