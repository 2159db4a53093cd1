/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taken from include/linux/{spinlock,spinlock_rt,rwlock_rt,mutex,rcupdate,bottom_half,preempt,
 * sched,slab,highmem-internal}.h of 2.6.32 to 7.2, and held against the modules of Debian's
 * kernels: what those that have a spin_lock() need in the one and in the other. All rows that fit a
 * symbol hold together.
 */
#include "ready/emissions.h"

#include "families.h"

enum {
	RT = MODEL_RT,
	NOT_RT = MODEL_ANY & ~MODEL_RT,
	ANY = MODEL_ANY,
};

#define PREEMPT_SYMBOLS                                                                            \
	"__SCT__preempt_schedule dynamic_preempt_schedule preempt_schedule_thunk "                 \
	"___preempt_schedule preempt_schedule"
#define NOTRACE_SYMBOLS                                                                            \
	"__SCT__preempt_schedule_notrace dynamic_preempt_schedule_notrace "                        \
	"preempt_schedule_notrace_thunk ___preempt_schedule_notrace ___preempt_schedule_context "  \
	"preempt_schedule_notrace"
#define MUTEX_RT_MARKS "__mutex_do_init __rt_spin_lock_init __rt_rwlock_init __rwsem_init"

static const struct emission rows[] = {
	/* spinlocks: include/linux/spinlock_rt.h, whose irqsave and irq variants mask nothing */
	{ "_raw_spin_lock _raw_spin_lock_irqsave _raw_spin_lock_irq", RT, NULL, "rt_spin_lock" },
	{ "_raw_spin_lock_nested _raw_spin_lock_irqsave_nested _raw_spin_lock_nest_lock", RT, NULL,
	  "rt_spin_lock_nested|rt_spin_lock" },
	{ "_raw_spin_lock_bh", RT, NULL, "rt_spin_lock __local_bh_disable_ip" },
	{ "_raw_spin_unlock _raw_spin_unlock_irqrestore _raw_spin_unlock_irq", RT, NULL,
	  "rt_spin_unlock" },
	{ "_raw_spin_unlock_bh", RT, NULL, "rt_spin_unlock __local_bh_enable_ip" },
	{ "_raw_spin_trylock", RT, NULL, "rt_spin_trylock" },
	{ "_raw_spin_trylock_bh", RT, NULL, "rt_spin_trylock_bh" },
	{ "__raw_spin_lock_init __rt_spin_lock_init", RT, NULL,
	  "__rt_spin_lock_init|rt_mutex_base_init" },
	{ "rt_spin_lock rt_spin_lock_nested rt_spin_lock_nest_lock", NOT_RT, NULL,
	  "_raw_spin_lock|_spin_lock|-" },
	{ "rt_spin_unlock", NOT_RT, NULL, "_raw_spin_unlock|_raw_spin_unlock_irqrestore|-" },
	{ "rt_spin_trylock", NOT_RT, NULL, "_raw_spin_trylock|_spin_trylock|-" },
	{ "rt_spin_trylock_bh", NOT_RT, NULL, "_raw_spin_trylock_bh|-" },
	{ "__rt_spin_lock_init", NOT_RT, NULL, "__raw_spin_lock_init|__spin_lock_init|-" },
	/* some machines and models do it inline: then the symbol is not there */
	{ "_raw_spin_lock*", NOT_RT, NULL, "=|queued_spin_lock_slowpath|-" },
	{ "_raw_read_lock*", NOT_RT, NULL, "=|queued_read_lock_slowpath|-" },
	{ "_raw_write_lock*", NOT_RT, NULL, "=|queued_write_lock_slowpath|-" },
	{ "_raw_*_unlock* _raw_*_trylock* __raw_spin_lock_init __rwlock_init", NOT_RT, NULL,
	  "=|-" },
	{ "queued_spin_lock_slowpath queued_read_lock_slowpath queued_write_lock_slowpath", ANY,
	  NULL, "=|-" },

	/* reader-writer locks: include/linux/rwlock_rt.h */
	{ "_raw_read_lock _raw_read_lock_irqsave _raw_read_lock_irq", RT, NULL, "rt_read_lock" },
	{ "_raw_read_lock_bh", RT, NULL, "rt_read_lock __local_bh_disable_ip" },
	{ "_raw_read_unlock _raw_read_unlock_irqrestore _raw_read_unlock_irq", RT, NULL,
	  "rt_read_unlock" },
	{ "_raw_read_unlock_bh", RT, NULL, "rt_read_unlock __local_bh_enable_ip" },
	{ "_raw_read_trylock", RT, NULL, "rt_read_trylock" },
	{ "_raw_write_lock _raw_write_lock_irqsave _raw_write_lock_irq _raw_write_lock_nested", RT,
	  NULL, "rt_write_lock" },
	{ "_raw_write_lock_bh", RT, NULL, "rt_write_lock __local_bh_disable_ip" },
	{ "_raw_write_unlock _raw_write_unlock_irqrestore _raw_write_unlock_irq", RT, NULL,
	  "rt_write_unlock" },
	{ "_raw_write_unlock_bh", RT, NULL, "rt_write_unlock __local_bh_enable_ip" },
	{ "_raw_write_trylock", RT, NULL, "rt_write_trylock" },
	{ "__rwlock_init __rt_rwlock_init", RT, NULL, "__rt_rwlock_init|rt_mutex_base_init" },
	{ "rt_read_lock", NOT_RT, NULL, "_raw_read_lock|_read_lock|-" },
	{ "rt_read_unlock", NOT_RT, NULL, "_raw_read_unlock|_raw_read_unlock_irqrestore|-" },
	{ "rt_read_trylock", NOT_RT, NULL, "_raw_read_trylock|_read_trylock|-" },
	{ "rt_write_lock", NOT_RT, NULL, "_raw_write_lock|_write_lock|-" },
	{ "rt_write_unlock", NOT_RT, NULL, "_raw_write_unlock|_raw_write_unlock_irqrestore|-" },
	{ "rt_write_trylock", NOT_RT, NULL, "_raw_write_trylock|_write_trylock|-" },
	{ "__rt_rwlock_init", NOT_RT, NULL, "__rwlock_init|-" },

	/* mutexes: 5.10-rt has its own (mutex_rt.h), later ones only another init function */
	{ "__mutex_init mutex_init_generic __mutex_rt_init mutex_rt_init_generic __mutex_do_init",
	  RT, NULL, "__mutex_rt_init|mutex_rt_init_generic|__mutex_do_init" },
	{ "__mutex_init __init_rwsem __mutex_rt_init __mutex_do_init", RT, NULL,
	  "rt_mutex_base_init|__rt_mutex_init|-" },
	{ "__mutex_init mutex_init_generic __mutex_rt_init mutex_rt_init_generic __mutex_do_init",
	  NOT_RT, NULL, "__mutex_init|mutex_init_generic" },
	{ "rt_mutex_base_init", NOT_RT, NULL, "-" },
	{ "rt_mutex_base_init", RT, NULL, "rt_mutex_base_init|__rt_mutex_init|-" },
	{ "__rt_mutex_init", NOT_RT, MUTEX_RT_MARKS, "-" },
	{ "__rt_mutex_init", RT, MUTEX_RT_MARKS, "rt_mutex_base_init|__rt_mutex_init" },
	{ "mutex_lock _mutex_lock", ANY, NULL, "_mutex_lock|mutex_lock" },
	{ "mutex_unlock _mutex_unlock", ANY, NULL, "_mutex_unlock|mutex_unlock" },
	{ "mutex_trylock _mutex_trylock", ANY, NULL, "_mutex_trylock|mutex_trylock" },
	{ "mutex_lock_interruptible _mutex_lock_interruptible", ANY, NULL,
	  "_mutex_lock_interruptible|mutex_lock_interruptible" },
	{ "mutex_lock_killable _mutex_lock_killable", ANY, NULL,
	  "_mutex_lock_killable|mutex_lock_killable" },
	{ "mutex_lock_io _mutex_lock_io _mutex_lock_io_nested", ANY, NULL,
	  "_mutex_lock_io|_mutex_lock_io_nested|mutex_lock_io" },
	{ "mutex_is_locked", RT, NULL, "=|-" },
	{ "__init_rwsem __rwsem_init", ANY, NULL, "__rwsem_init|__init_rwsem" },

	/* preemption: include/linux/preempt.h, asm/preempt.h, kernel.h */
	{ PREEMPT_SYMBOLS, ANY, NULL,
	  "__SCT__preempt_schedule|dynamic_preempt_schedule|preempt_schedule_thunk|"
	  "___preempt_schedule|preempt_schedule|-" },
	{ NOTRACE_SYMBOLS, ANY, NULL,
	  "__SCT__preempt_schedule_notrace|dynamic_preempt_schedule_notrace|"
	  "preempt_schedule_notrace_thunk|___preempt_schedule_notrace|"
	  "___preempt_schedule_context|preempt_schedule_notrace|-" },
	{ "__SCT__cond_resched dynamic_cond_resched __cond_resched _cond_resched", ANY, NULL,
	  "__SCT__cond_resched|dynamic_cond_resched|__cond_resched|_cond_resched|cond_resched|-" },
	{ "__SCT__might_resched dynamic_might_resched", ANY, NULL,
	  "__SCT__might_resched|dynamic_might_resched|-" },
	{ "__SCT__might_resched dynamic_might_resched", MODEL_VOLUNTARY, NULL,
	  "__cond_resched|_cond_resched|-" },
	{ "preempt_count_add add_preempt_count", ANY, NULL,
	  "preempt_count_add|add_preempt_count|-" },
	{ "preempt_count_sub sub_preempt_count", ANY, NULL,
	  "preempt_count_sub|sub_preempt_count|-" },
	{ "__preempt_count", ANY, NULL, "__preempt_count|pcpu_hot|-" },
	{ "current_task const_current_task const_pcpu_hot", ANY, NULL,
	  "const_current_task|const_pcpu_hot|current_task|pcpu_hot|-" },
	{ "cpu_number", ANY, NULL, "cpu_number|pcpu_hot|-" },
	{ "pcpu_hot", ANY, NULL, "pcpu_hot|__preempt_count|-" },
	{ "preempt_model_*", ANY, NULL, "=|-" },
	{ "__might_sleep ___might_sleep __might_resched", ANY, NULL, "=|__might_resched|-" },
	{ "debug_smp_processor_id", ANY, NULL, "=|-" },
	{ "__klp_sched_try_switch klp_sched_try_switch_key", ANY, NULL, "=|-" },

	/* RCU: include/linux/rcupdate.h; calls where CONFIG_PREEMPT_RCU is set */
	{ "__rcu_read_lock", ANY, NULL, "__rcu_read_lock|-" },
	{ "__rcu_read_unlock", ANY, NULL, "__rcu_read_unlock|rcu_read_unlock_strict|-" },
	{ "rcu_read_unlock_strict", ANY, NULL, "__rcu_read_lock|rcu_read_unlock_strict|-" },
	{ "rcu_read_unlock_strict", ANY, NULL, "__rcu_read_unlock|rcu_read_unlock_strict|-" },

	/* bottom halves: out of line under PREEMPT_RT and lock debugging */
	{ "__local_bh_disable_ip", ANY, NULL, "=|-" },

	/* what ends in migrate_disable() under PREEMPT_RT: kmap_atomic(), local_lock(), put_cpu_ptr
	 */
	{ "migrate_disable migrate_enable ___migrate_enable", NOT_RT, NULL, "-" },
	{ "migrate_disable", RT, NULL, "migrate_disable|-" },
	{ "migrate_enable ___migrate_enable", RT, NULL, "migrate_enable|___migrate_enable|-" },
	{ PREEMPT_SYMBOLS, RT, NULL, "?migrate_disable ?migrate_enable|___migrate_enable" },
	{ "kmap_atomic_high_prot", ANY, NULL, "kmap_atomic_high_prot|__kmap_local_page_prot" },
	{ "kunmap_atomic_high", ANY, NULL, "kunmap_atomic_high|kunmap_local_indexed" },
	{ "kmap_atomic_high_prot", RT, NULL, "migrate_disable|-" },
	{ "kunmap_atomic_high", RT, NULL, "migrate_enable|___migrate_enable|-" },
	{ "__kmap_local_page_prot", ANY, NULL, "__kmap_local_page_prot|kmap_atomic_high_prot|-" },
	{ "kunmap_local_indexed", ANY, NULL, "kunmap_local_indexed|kunmap_atomic_high|-" },
	{ "kmap_to_page __kmap_to_page", ANY, NULL, "__kmap_to_page|kmap_to_page|-" },
	{ "iomap_atomic_prot_pfn __iomap_local_pfn_prot", ANY, NULL,
	  "__iomap_local_pfn_prot|iomap_atomic_prot_pfn" },
	{ "iounmap_atomic", ANY, NULL, "iounmap_atomic|kunmap_local_indexed" },
	{ "idr_preload radix_tree_preload radix_tree_maybe_preload", RT, NULL,
	  "= radix_tree_preloads migrate_enable|___migrate_enable|-" },
	{ "radix_tree_preloads", NOT_RT, NULL, "=|-" },
	{ "radix_tree_preloads", RT, NULL, "= migrate_enable|___migrate_enable|-" },
	{ "__put_task_struct", RT, NULL, "= __put_task_struct_rcu_cb|- ?call_rcu" },
	{ "__put_task_struct_rcu_cb", ANY, NULL, "=|-" },
	{ "__tasklet_schedule __tasklet_hi_schedule tasklet_init tasklet_setup tasklet_kill", RT,
	  NULL, "= ?tasklet_unlock_wait" },
	{ "tasklet_unlock_wait tasklet_unlock_spin_wait tasklet_unlock", ANY, NULL, "=|-" },

	/* memory, lists, strings: names that include/linux/ gives to the same calls */
	{ "kmem_cache_alloc_trace kmalloc_trace __kmalloc_cache_noprof", ANY, NULL,
	  "__kmalloc_cache_noprof|kmalloc_trace|kmem_cache_alloc_trace|__kmalloc" },
	{ "kmem_cache_alloc_node_trace kmalloc_node_trace __kmalloc_cache_node_noprof", ANY, NULL,
	  "__kmalloc_cache_node_noprof|kmalloc_node_trace|kmem_cache_alloc_node_trace|"
	  "__kmalloc_node" },
	{ "kmalloc_order kmalloc_order_trace kmalloc_large __kmalloc_large_noprof", ANY, NULL,
	  "__kmalloc_large_noprof|kmalloc_large|kmalloc_order_trace|kmalloc_order" },
	{ "kmem_cache_create kmem_cache_create_usercopy __kmem_cache_create_args", ANY, NULL,
	  "__kmem_cache_create_args|=|kmem_cache_create" },
	{ "__alloc_percpu __alloc_percpu_gfp pcpu_alloc_noprof", ANY, NULL,
	  "pcpu_alloc_noprof|=|__alloc_percpu" },
	{ "kvmalloc_node __kvmalloc_node_noprof kvmalloc_node_noprof", ANY, NULL,
	  "__kvmalloc_node_noprof|kvmalloc_node_noprof|kvmalloc_node" },
	{ "__get_free_pages get_free_pages_noprof", ANY, NULL,
	  "get_free_pages_noprof|__get_free_pages" },
	{ "kmalloc_caches kmalloc_dma_caches random_kmalloc_seed", ANY, NULL, "=|-" },
	{ "__list_add_valid __list_add_valid_or_report", ANY, NULL,
	  "__list_add_valid_or_report|__list_add_valid|-" },
	{ "__list_del_entry_valid __list_del_entry_valid_or_report", ANY, NULL,
	  "__list_del_entry_valid_or_report|__list_del_entry_valid|-" },
	{ "fortify_panic __fortify_panic", ANY, NULL, "__fortify_panic|fortify_panic|-" },
	{ "strscpy sized_strscpy", ANY, NULL, "sized_strscpy|strscpy" },
	{ "printk _printk", ANY, NULL, "_printk|printk" },
	{ "kfree_skb_reason sk_skb_reason_drop", ANY, NULL,
	  "sk_skb_reason_drop|kfree_skb_reason|kfree_skb" },
	{ "__dev_kfree_skb_any dev_kfree_skb_any_reason", ANY, NULL,
	  "dev_kfree_skb_any_reason|__dev_kfree_skb_any" },
	{ "__dev_kfree_skb_irq dev_kfree_skb_irq_reason", ANY, NULL,
	  "dev_kfree_skb_irq_reason|__dev_kfree_skb_irq" },
	/* the compiler's own */
	{ "__fentry__ mcount _mcount __gnu_mcount_nc", ANY, NULL,
	  "__fentry__|mcount|_mcount|__gnu_mcount_nc|-" },
	{ "__stack_chk_guard __ref_stack_chk_guard", ANY, NULL,
	  "__ref_stack_chk_guard|__stack_chk_guard|-" },
};

const struct emission *emission_rows(size_t *n)
{
	*n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

/* The #else branches of include/linux/{of,acpi,clk,huge_mm,net/busy_poll,...}.h. */
static const struct stub stubs[] = {
	{ "CONFIG_OF", "of_* devm_of_* irq_of_parse_and_map *_of_get *_of_node" },
	{ "CONFIG_OLPC", "olpc_platform_info olpc_ec_*" },
	{ "CONFIG_ACPI", "acpi_* devm_acpi_*" },
	{ "CONFIG_TRANSPARENT_HUGEPAGE",
	  "thp_get_unmapped_area thp_get_unmapped_area_* is_transparent_hugepage" },
	{ "CONFIG_NET_RX_BUSY_POLL", "napi_busy_loop napi_busy_loop_* sk_busy_loop_end" },
	{ "CONFIG_SECURITY", "security_*" },
	{ "CONFIG_SECURITY_NETWORK",
	  "security_sk_* security_sock_* security_req_* security_inet_*" },
	{ "CONFIG_SECURITY_INFINIBAND", "security_ib_*" },
	{ "CONFIG_DEBUG_FS", "debugfs_*" },
	{ "CONFIG_PROC_FS", "proc_* remove_proc_*" },
	{ "CONFIG_SYSCTL", "register_sysctl* unregister_sysctl*" },
	{ "CONFIG_PM", "pm_runtime_* __pm_runtime_* devm_pm_runtime_*" },
	{ "CONFIG_PM_SLEEP", "pm_wakeup_* __pm_relax __pm_stay_awake pm_system_wakeup" },
	{ "CONFIG_PM_GENERIC_DOMAINS", "dev_pm_domain_* pm_genpd_*" },
	{ "CONFIG_PM_OPP", "dev_pm_opp_* devm_pm_opp_*" },
	{ "CONFIG_HAVE_CLK", "clk_* devm_clk_*" },
	{ "CONFIG_REGULATOR", "regulator_* devm_regulator_*" },
	{ "CONFIG_GPIOLIB", "gpiod_* devm_gpiod_* gpio_*" },
	{ "CONFIG_PINCTRL", "pinctrl_* devm_pinctrl_*" },
	{ "CONFIG_RESET_CONTROLLER", "reset_control_* __reset_control_* __devm_reset_control_*" },
	{ "CONFIG_NVMEM", "nvmem_* devm_nvmem_*" },
	{ "CONFIG_PWM", "pwm_* devm_pwm_*" },
	{ "CONFIG_PM_DEVFREQ", "devfreq_* devm_devfreq_*" },
	{ "CONFIG_THERMAL", "thermal_* devm_thermal_*" },
	{ "CONFIG_LEDS_TRIGGERS", "led_trigger_*" },
	{ "CONFIG_FS_ENCRYPTION", "fscrypt_* __fscrypt_*" },
	{ "CONFIG_FS_VERITY", "fsverity_*" },
	{ "CONFIG_MEMORY_FAILURE", "hwpoison_* memory_failure*" },
	{ "CONFIG_VGA_ARB", "vga_get vga_put vga_client_register vga_set_legacy_decoding" },
};

const struct stub *stub_rows(size_t *n)
{
	*n = sizeof(stubs) / sizeof(stubs[0]);
	return stubs;
}
