/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/task.h"

static void *task_main(void *arg)
{
	struct task *t = arg;

	t->run(t->arg);
	return NULL;
}

void task_start(struct task *t, void (*run)(void *arg), void *arg, bool with_thread)
{
	t->run = run;
	t->arg = arg;
	t->has_thread = with_thread && pthread_create(&t->thread, NULL, task_main, t) == 0;
	if (!t->has_thread)
		task_main(t);
}

void task_wait(struct task *t)
{
	if (t->has_thread)
		pthread_join(t->thread, NULL);
	t->has_thread = false;
}
