/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two configurations, sorted and merged. An option that one of them does not mention is not set in
 * it: "n". A table says what modules and machines notice; all else only counts.
 */
#include "diff/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "kernel/kconfig.h"

/*
 * In order of importance; names and patterns of text_glob(), the first row that fits is taken.
 * What is said of each comes from its help text in the kernel's Kconfig files.
 */
static const struct {
	const char *names, *why;
} rows[] = {
	{ "CONFIG_64BIT CONFIG_X86_64 CONFIG_X86_32", "64 or 32 bits" },
	{ "CONFIG_X86_PAE", "the processor needs pae; more than 4 GB of memory, NX" },
	{ "CONFIG_HIGHMEM64G", "more than 4 GB of memory" },
	{ "CONFIG_HIGHMEM4G CONFIG_NOHIGHMEM CONFIG_HIGHMEM", "how much memory can be used" },
	{ "CONFIG_M386 CONFIG_M486 CONFIG_M486SX CONFIG_M586 CONFIG_M586TSC "
	  "CONFIG_M586MMX CONFIG_M686 CONFIG_MPENTIUMII CONFIG_MPENTIUMIII CONFIG_MPENTIUMM "
	  "CONFIG_MPENTIUM4 CONFIG_MK6 CONFIG_MK7 CONFIG_MK8 CONFIG_MCRUSOE CONFIG_MEFFICEON "
	  "CONFIG_MWINCHIPC6 CONFIG_MWINCHIP3D CONFIG_MELAN CONFIG_MGEODEGX1 CONFIG_MGEODE_LX "
	  "CONFIG_MCYRIXIII CONFIG_MVIAC3_2 CONFIG_MVIAC7 CONFIG_MPSC CONFIG_MCORE2 CONFIG_MATOM "
	  "CONFIG_GENERIC_CPU CONFIG_GENERIC_CPU? CONFIG_X86_NATIVE_CPU CONFIG_X86_64_VERSION",
	  "processor family: on i386 a word of vermagic" },
	{ "CONFIG_X86_MINIMUM_CPU_FAMILY", "the oldest processor that it boots on" },
	{ "CONFIG_X86_CMOV CONFIG_X86_CMPXCHG64 CONFIG_X86_CX8 CONFIG_X86_TSC "
	  "CONFIG_X86_USE_3DNOW CONFIG_X86_P6_NOP CONFIG_MATH_EMULATION "
	  "CONFIG_X86_REQUIRED_FEATURE_*",
	  "what the processor has to have" },
	{ "CONFIG_PREEMPT_RT CONFIG_PREEMPT_RT_FULL", "locks sleep, interrupts are threads" },
	{ "CONFIG_PREEMPT CONFIG_PREEMPT_NONE CONFIG_PREEMPT_VOLUNTARY CONFIG_PREEMPT_DYNAMIC "
	  "CONFIG_PREEMPT_LAZY CONFIG_PREEMPT_BUILD CONFIG_PREEMPT_NONE_BUILD "
	  "CONFIG_PREEMPT_VOLUNTARY_BUILD CONFIG_PREEMPT__LL CONFIG_PREEMPT_LL "
	  "CONFIG_PREEMPT_DESKTOP CONFIG_PREEMPT_RTB",
	  "preemption model" },
	{ "CONFIG_SMP", "more than one processor; a word of vermagic" },
	{ "CONFIG_NR_CPUS", "most processors; size of cpumasks in modules" },
	{ "CONFIG_CPUMASK_OFFSTACK", "layout of cpumask variables" },
	{ "CONFIG_HZ", "ticks a second" },
	{ "CONFIG_NO_HZ_FULL", "processors without ticks" },
	{ "CONFIG_PAGE_SHIFT CONFIG_ARM64_?K_PAGES CONFIG_ARM64_??K_PAGES CONFIG_PPC_?K_PAGES "
	  "CONFIG_PPC_??K_PAGES CONFIG_PPC_???K_PAGES CONFIG_PAGE_SIZE_?KB CONFIG_PAGE_SIZE_??KB "
	  "CONFIG_IA64_PAGE_SIZE_*",
	  "page size; programs may notice it too" },
	{ "CONFIG_PGTABLE_LEVELS CONFIG_X86_5LEVEL", "levels of page tables" },
	{ "CONFIG_ARM64_VA_BITS CONFIG_ARM64_PA_BITS CONFIG_PHYS_ADDR_T_64BIT "
	  "CONFIG_ARCH_DMA_ADDR_T_64BIT CONFIG_ARM_LPAE",
	  "size of addresses" },
	{ "CONFIG_VMSPLIT_* CONFIG_PAGE_OFFSET", "how memory is divided: 3 GB and 1 GB, ..." },
	{ "CONFIG_4KSTACKS CONFIG_8KSTACKS CONFIG_VMAP_STACK CONFIG_THREAD_SHIFT",
	  "kernel stacks" },
	{ "CONFIG_CPU_BIG_ENDIAN CONFIG_CPU_LITTLE_ENDIAN", "byte order" },
	{ "CONFIG_COMPAT CONFIG_IA32_EMULATION CONFIG_X86_X32 CONFIG_X86_X32_ABI",
	  "32-bit programs" },
	{ "CONFIG_MODULES", "loadable modules at all" },
	{ "CONFIG_MODVERSIONS CONFIG_EXTENDED_MODVERSIONS CONFIG_BASIC_MODVERSIONS",
	  "CRCs of symbols are compared" },
	{ "CONFIG_MODULE_UNLOAD", "a word of vermagic" },
	{ "CONFIG_MODULE_FORCE_LOAD", "modules without vermagic or CRCs" },
	{ "CONFIG_MODULE_SIG CONFIG_MODULE_SIG_FORCE CONFIG_MODULE_SIG_ALL CONFIG_MODULE_SIG_HASH "
	  "CONFIG_MODULE_SIG_SHA* "
	  "CONFIG_MODULE_HASHES CONFIG_SECURITY_LOCKDOWN_LSM CONFIG_LOCK_DOWN_*",
	  "signatures of modules" },
	{ "CONFIG_MODULE_COMPRESS CONFIG_MODULE_COMPRESS_GZIP CONFIG_MODULE_COMPRESS_XZ "
	  "CONFIG_MODULE_COMPRESS_ZSTD CONFIG_MODULE_DECOMPRESS",
	  "how modules are compressed, and by whom unpacked" },
	{ "CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS", "namespaces are enforced or not" },
	{ "CONFIG_TRIM_UNUSED_KSYMS", "only what its own modules use is exported" },
	{ "CONFIG_UNUSED_SYMBOLS", "which symbols are exported" },
	{ "CONFIG_LIVEPATCH", "live patches" },
	{ "CONFIG_RANDSTRUCT CONFIG_RANDSTRUCT_FULL CONFIG_RANDSTRUCT_PERFORMANCE "
	  "CONFIG_GCC_PLUGIN_RANDSTRUCT CONFIG_GCC_PLUGINS",
	  "layout of structures; a word of vermagic" },
	{ "CONFIG_KASAN CONFIG_KASAN_* CONFIG_KCSAN CONFIG_KMSAN CONFIG_UBSAN CONFIG_KCOV",
	  "modules call its checks" },
	{ "CONFIG_LOCKDEP CONFIG_PROVE_LOCKING CONFIG_DEBUG_SPINLOCK CONFIG_DEBUG_MUTEXES "
	  "CONFIG_DEBUG_LOCK_ALLOC CONFIG_LOCK_STAT CONFIG_DEBUG_RT_MUTEXES",
	  "layout of locks, and calls to check them" },
	{ "CONFIG_DEBUG_PREEMPT CONFIG_DEBUG_ATOMIC_SLEEP", "modules call its checks" },
	{ "CONFIG_DEBUG_INFO_BTF_MODULES CONFIG_DEBUG_INFO_BTF CONFIG_MODULE_ALLOW_BTF_MISMATCH",
	  "type information of modules" },
	{ "CONFIG_FUNCTION_TRACER CONFIG_DYNAMIC_FTRACE* CONFIG_FUNCTION_GRAPH_TRACER",
	  "modules call __fentry__ or mcount" },
	{ "CONFIG_STACKPROTECTOR CONFIG_STACKPROTECTOR_STRONG CONFIG_CC_STACKPROTECTOR*",
	  "modules call __stack_chk_fail" },
	{ "CONFIG_RETPOLINE CONFIG_MITIGATION_RETPOLINE CONFIG_RETHUNK CONFIG_MITIGATION_RETHUNK "
	  "CONFIG_CALL_THUNKS CONFIG_SLS CONFIG_MITIGATION_SLS CONFIG_X86_KERNEL_IBT",
	  "how modules are compiled against speculation" },
	{ "CONFIG_CFI_CLANG CONFIG_CFI CONFIG_LTO_CLANG* CONFIG_LTO CONFIG_SHADOW_CALL_STACK",
	  "how modules are compiled" },
	{ "CONFIG_TRANSPARENT_HUGEPAGE CONFIG_NUMA", "layout of structures of memory management" },
	{ "CONFIG_PARAVIRT CONFIG_PARAVIRT_XXL CONFIG_XEN", "runs under a hypervisor" },
	{ "CONFIG_SLAB CONFIG_SLUB CONFIG_SLOB", "allocator of memory" },
	{ "CONFIG_MEMCG CONFIG_NAMESPACES", "containers; layout of structures" },
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

struct options {
	struct kconfig_option *v; /* sorted by name, one a name; malloc'ed */
	size_t n, cap;
	bool is_cut;
};

static int compare_spans(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t least = a_length < b_length ? a_length : b_length;
	int order = memcmp(a, b, least);

	return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_options(const void *pa, const void *pb)
{
	const struct kconfig_option *a = pa, *b = pb;
	int order = compare_spans(a->name, a->name_length, b->name, b->name_length);

	return order ? order : (a->name > b->name) - (a->name < b->name); /* as in the file */
}

/* Of an option that is set twice the first line counts, as for kconfig_get(). */
static void read_options(struct options *o, const struct kconfig *config)
{
	struct kconfig_option option;
	size_t at = 0, n = 0;

	while (!o->is_cut && kconfig_next(config, &at, &option)) {
		o->is_cut = o->n == LIMIT_CONFIG_OPTIONS;
		if (!o->is_cut)
			VEC_PUSH(o->v, o->n, o->cap) = option;
	}
	if (!o->n)
		return;
	qsort(o->v, o->n, sizeof(*o->v), compare_options);
	for (size_t i = 0; i < o->n; i++) {
		const struct kconfig_option *last = n ? &o->v[n - 1] : NULL;
		if (last && compare_spans(last->name, last->name_length, o->v[i].name,
					  o->v[i].name_length) == 0)
			continue;
		o->v[n++] = o->v[i];
	}
	o->n = n;
}

static bool list_has(const char *list, const char *name)
{
	char pattern[64];

	while (*(list += strspn(list, " "))) {
		size_t length = strcspn(list, " ");
		if (length < sizeof(pattern)) {
			memcpy(pattern, list, length);
			pattern[length] = '\0';
			if (text_glob(pattern, name))
				return true;
		}
		list += length;
	}
	return false;
}

static void explain(struct option_diff *o)
{
	o->rank = N_ROWS;
	for (uint32_t i = 0; i < N_ROWS; i++) {
		if (!list_has(rows[i].names, o->name))
			continue;
		o->rank = i;
		o->why = rows[i].why;
		return;
	}
}

static const char *value_of(const struct kconfig_option *o, struct arena *a)
{
	return o ? arena_strndup(a, o->value, o->value_length) : "n";
}

/* NULL for the side that has no such option. */
static void add(struct config_diff *d, size_t *cap, const struct kconfig_option *old,
		const struct kconfig_option *new, struct arena *a)
{
	const struct kconfig_option *named = old ? old : new;
	const char *old_value = value_of(old, a), *new_value = value_of(new, a);

	if (strcmp(old_value, new_value) == 0)
		return;
	VEC_PUSH(d->options, d->n_options, *cap) = (struct option_diff) {
		.name = arena_strndup(a, named->name, named->name_length),
		.old = old_value,
		.new = new_value,
	};
	explain(&d->options[d->n_options - 1]);
	d->n_noticed += d->options[d->n_options - 1].why != NULL;
}

static bool is_same(const struct kconfig_option *a, const struct kconfig_option *b)
{
	return a->value_length == b->value_length &&
	       memcmp(a->value, b->value, a->value_length) == 0;
}

static void merge(struct config_diff *d, const struct options *old, const struct options *new,
		  struct arena *a)
{
	size_t i = 0, j = 0, cap = 0;

	while (i < old->n || j < new->n) {
		const struct kconfig_option *o = i < old->n ? &old->v[i] : NULL;
		const struct kconfig_option *n = j < new->n ? &new->v[j] : NULL;
		int order = !o ? 1 : -1;
		if (o && n)
			order = compare_spans(o->name, o->name_length, n->name, n->name_length);
		i += order <= 0;
		j += order >= 0;
		if (order != 0 || !is_same(o, n))
			add(d, &cap, order <= 0 ? o : NULL, order >= 0 ? n : NULL, a);
	}
}

static int compare_diffs(const void *pa, const void *pb)
{
	const struct option_diff *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

void config_compare(struct config_diff *d, const struct kconfig *old, const struct kconfig *new,
		    struct arena *a)
{
	struct options of_old = { 0 }, of_new = { 0 };

	*d = (struct config_diff) { .is_known = old->text && new->text };
	if (!d->is_known)
		return;
	read_options(&of_old, old);
	read_options(&of_new, new);
	d->is_cut = of_old.is_cut || of_new.is_cut;
	merge(d, &of_old, &of_new, a);
	free(of_old.v);
	free(of_new.v);
	struct option_diff *options = d->options;
	if (!d->n_options)
		return;
	d->options = arena_array(a, d->n_options, sizeof(*options));
	memcpy(d->options, options, d->n_options * sizeof(*options));
	free(options);
	qsort(d->options, d->n_options, sizeof(*d->options), compare_diffs);
}
