/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taken from the exports and the modules of kernels 2.4 to 7.2: which names modules refer to
 * under which configuration (include/linux/{preempt,spinlock,rcupdate,kernel}.h and the
 * EXPORT_SYMBOL lines in kernel/sched/core.c and kernel/locking/). The first row that fits is
 * taken.
 */
#include "families.h"

#include <string.h>

#include "base/text.h"

static const struct family rows[] = {
	/* preemption */
	{ "preempt_schedule preempt_schedule_thunk preempt_schedule_notrace "
	  "preempt_schedule_notrace_thunk ___preempt_schedule ___preempt_schedule_notrace "
	  "___preempt_schedule_context",
	  "preemption", "CONFIG_PREEMPT", MODEL_FULL | MODEL_LAZY | MODEL_RT,
	  "makes modules call it when they drop a lock" },
	{ "__SCT__preempt_schedule __SCT__preempt_schedule_notrace __SCT__cond_resched "
	  "__SCT__might_resched",
	  "preemption", "CONFIG_PREEMPT_DYNAMIC", MODEL_DYNAMIC | MODEL_RT,
	  "makes modules call the scheduler through patchable trampolines" },
	{ "dynamic_preempt_schedule dynamic_preempt_schedule_notrace dynamic_cond_resched "
	  "dynamic_might_resched",
	  "preemption", "CONFIG_PREEMPT_DYNAMIC", MODEL_DYNAMIC | MODEL_RT,
	  "makes modules call the scheduler through these functions" },
	{ "_cond_resched __cond_resched", "preemption", "CONFIG_PREEMPT_NONE or _VOLUNTARY",
	  MODEL_NONE | MODEL_VOLUNTARY,
	  "makes modules call it where they may give up the processor" },
	{ "__rcu_read_lock __rcu_read_unlock", "preemption", "CONFIG_PREEMPT_RCU",
	  MODEL_FULL | MODEL_DYNAMIC | MODEL_LAZY | MODEL_RT,
	  "turns rcu_read_lock() and rcu_read_unlock() into calls" },
	{ "preempt_count_add preempt_count_sub add_preempt_count sub_preempt_count "
	  "debug_smp_processor_id",
	  "preemption", "CONFIG_DEBUG_PREEMPT", 0, "has preemption counted by functions" },
	{ "lock_kernel unlock_kernel kernel_flag kernel_flag_cacheline", "preemption",
	  "CONFIG_SMP or CONFIG_PREEMPT", 0, "makes the big kernel lock a real one" },
	{ "rt_spin_lock rt_spin_unlock rt_spin_trylock rt_spin_trylock_bh rt_spin_lock_unlock "
	  "rt_spin_* rt_read_lock rt_read_unlock rt_read_trylock rt_write_lock rt_write_unlock "
	  "rt_write_trylock __rt_spin_lock_init __rt_rwlock_init _mutex_lock _mutex_unlock "
	  "_mutex_trylock _mutex_lock_interruptible _mutex_lock_killable _mutex_lock_* "
	  "__mutex_do_init __mutex_rt_init mutex_rt_init_generic __local_bh_disable_ip "
	  "preempt_schedule_lock",
	  "preemption", "CONFIG_PREEMPT_RT", MODEL_RT,
	  "turns spinlocks and mutexes into locks that sleep, and modules call those" },
	{ "migrate_disable migrate_enable rt_mutex_*", "preemption", "CONFIG_PREEMPT_RT", 0,
	  "keeps it out of line" },
	{ "__mutex_init mutex_init_generic _raw_read_lock _raw_read_unlock _raw_write_lock "
	  "_raw_write_unlock _raw_read_* _raw_write_*",
	  "preemption", "the lack of CONFIG_PREEMPT_RT", MODEL_ANY & ~MODEL_RT,
	  "leaves mutexes and reader-writer locks as they are" },
	{ "_raw_spin_unlock _raw_spin_unlock_irq", "preemption", "CONFIG_PREEMPT", 0,
	  "keeps the unlocking of spinlocks out of line" },
	/* tracing, hardening, debugging */
	{ "__fentry__ mcount _mcount __gnu_mcount_nc", "tracing", "CONFIG_FUNCTION_TRACER", 0,
	  "puts a call in front of each function" },
	{ "__stack_chk_* __ref_stack_chk_guard", "stack protector", "CONFIG_STACKPROTECTOR", 0,
	  "guards the stack of each function" },
	{ "__x86_return_thunk", "return thunks", "CONFIG_RETHUNK", 0, "replaces each return" },
	{ "__x86_indirect_*", "retpolines", "CONFIG_RETPOLINE", 0, "replaces indirect calls" },
	{ "__asan_* __kasan_*", "KASAN", "CONFIG_KASAN", 0, "checks each memory access" },
	{ "__hwasan_*", "KASAN", "CONFIG_KASAN_SW_TAGS", 0, "checks each memory access" },
	{ "__tsan_*", "KCSAN", "CONFIG_KCSAN", 0, "watches each memory access" },
	{ "__msan_*", "KMSAN", "CONFIG_KMSAN", 0, "watches each memory access" },
	{ "__ubsan_*", "UBSAN", "CONFIG_UBSAN", 0, "checks arithmetic and bounds" },
	{ "__sanitizer_cov_*", "KCOV", "CONFIG_KCOV", 0, "records coverage" },
	{ "__gcov_*", "gcov", "CONFIG_GCOV_KERNEL", 0, "records coverage" },
	{ "lock_acquire lock_release lockdep_*", "lock debugging", "CONFIG_LOCKDEP", 0,
	  "checks the order of locks" },
	{ "__might_sleep ___might_sleep __might_resched", "sleep debugging",
	  "CONFIG_DEBUG_ATOMIC_SLEEP", 0, "checks where code may sleep" },
	{ "__cfi_*", "CFI", "CONFIG_CFI_CLANG", 0, "checks indirect calls" },
};

const struct family *family_rows(size_t *n)
{
	*n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

const char *family_next_symbol(const char *list, char *word, size_t room)
{
	list += strspn(list, " ");
	size_t length = strcspn(list, " ");
	if (length == 0 || length >= room)
		return NULL;
	memcpy(word, list, length);
	word[length] = '\0';
	return list + length;
}

static bool list_matches(const char *list, const char *name)
{
	char pattern[64];

	while ((list = family_next_symbol(list, pattern, sizeof(pattern)))) {
		if (text_glob(pattern, name))
			return true;
	}
	return false;
}

const struct family *family_of(const char *symbol, size_t length)
{
	char name[256];

	if (length >= sizeof(name))
		return NULL;
	memcpy(name, symbol, length);
	name[length] = '\0';
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (list_matches(rows[i].symbols, name))
			return &rows[i];
	}
	return NULL;
}

static const struct {
	const char *older, *newer, *since;
} renames[] = {
	{ "printk", "_printk", "5.15" },
	{ "___preempt_schedule", "preempt_schedule_thunk", "5.8" },
	{ "___preempt_schedule_notrace", "preempt_schedule_notrace_thunk", "5.8" },
	{ "_cond_resched", "__cond_resched", "5.12" },
	{ "___might_sleep", "__might_resched", "5.16" },
	{ "mcount", "__fentry__", "3.19" },
	{ "del_timer", "timer_delete", "6.15" },
	{ "del_timer_sync", "timer_delete_sync", "6.15" },
	{ "complete_and_exit", "kthread_complete_and_exit", "5.17" },
};

const char *family_renamed(const char *symbol, size_t length, const char **since)
{
	for (size_t i = 0; i < sizeof(renames) / sizeof(renames[0]); i++) {
		const char *older = renames[i].older, *newer = renames[i].newer;
		*since = renames[i].since;
		if (strlen(older) == length && memcmp(older, symbol, length) == 0)
			return newer;
		if (strlen(newer) == length && memcmp(newer, symbol, length) == 0)
			return older;
	}
	return NULL;
}
