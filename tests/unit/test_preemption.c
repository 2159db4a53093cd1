/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/preemption/ and src/families.c: which preemption models fit a kernel's evidence and a
 * module's words and symbols. That is what include/linux/vermagic.h and the EXPORT_SYMBOL lines of
 * kernel/sched/core.c say in the kernels named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "families.h"
#include "preemption/census.h"
#include "preemption/preemption.h"

#define CALM (MODEL_NONE | MODEL_VOLUNTARY)

struct fixture {
	struct arena *arena;
	struct names *names;
	struct kernel kernel;
	struct ksym syms[8];
	struct resolution links;
	struct preemption p;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->arena = arena_new();
	f->names = names_new();
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	arena_free(f->arena);
	names_free(f->names);
	free(f);
	return 0;
}

/* The kernel's models by these exports (separated by blanks, NULL: not known) and this config. */
static uint8_t models_of_kernel(struct fixture *f, const char *exports, const char *config)
{
	struct kernel *k = &f->kernel;

	k->syms = f->syms;
	k->n_syms = 0;
	k->has_exports = exports != NULL;
	k->config = (struct kconfig) { config, config ? strlen(config) : 0 };
	while (exports && *exports) {
		size_t n = strcspn(exports, " ");
		f->syms[k->n_syms++] = (struct ksym) {
			.name = names_add(f->names, exports, n),
			.is_exported = true,
		};
		exports += n + (exports[n] == ' ');
	}
	resolve(&f->links, k, NULL, 0, false, f->names, f->arena);
	preemption_of_kernel(&f->p, k, &f->links, f->names, f->arena);
	return f->p.models;
}

static void kernel_by_config(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(models_of_kernel(f, NULL, NULL), MODEL_ANY);
	assert_string_equal(f->p.name, "");
	assert_int_equal(models_of_kernel(f, NULL, "CONFIG_PREEMPT_VOLUNTARY=y\n"),
			 MODEL_VOLUNTARY);
	assert_int_equal(models_of_kernel(f, NULL, "# CONFIG_PREEMPT is not set\n"), MODEL_NONE);
	/* VOLUNTARY is only what the dynamic one starts with */
	assert_int_equal(models_of_kernel(f, NULL,
					  "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_BUILD=y\n"
					  "CONFIG_PREEMPT_DYNAMIC=y\n"),
			 MODEL_DYNAMIC);
	assert_string_equal(f->p.at_boot, "voluntary");
	/* an RT kernel of 6.12 has all of them */
	assert_int_equal(models_of_kernel(f, NULL,
					  "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_LAZY=y\n"
					  "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT_RT=y\n"),
			 MODEL_RT);
	assert_string_equal(f->p.name, "PREEMPT_RT");
	assert_null(f->p.at_boot);
	assert_string_equal(f->p.evidence[0], "config");
}

/* Exports that are not known, or that fit every model, bear witness to none. */
static void silent_exports_are_no_evidence(void **state)
{
	struct fixture *f = *state;

	f->kernel.version = KERNEL_VERSION_CODE(6, 1, 0);
	models_of_kernel(f, NULL, "CONFIG_PREEMPT_RT=y\n");
	assert_int_equal(f->p.n_evidence, 1);
	models_of_kernel(f, "printk", "CONFIG_PREEMPT_RT=y\n");
	assert_int_equal(f->p.n_evidence, 1);
}

static void kernel_by_exports(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(models_of_kernel(f, "rt_spin_lock preempt_schedule_thunk", NULL),
			 MODEL_RT);
	assert_int_equal(models_of_kernel(f, "__SCT__preempt_schedule __cond_resched", NULL),
			 MODEL_DYNAMIC);
	assert_int_equal(models_of_kernel(f, "dynamic_preempt_schedule", NULL), MODEL_DYNAMIC);
	/* the static models export the same, but LAZY is not older than 6.12 */
	assert_int_equal(models_of_kernel(f, "preempt_schedule", NULL), MODEL_FULL | MODEL_LAZY);
	f->kernel.version = KERNEL_VERSION_CODE(6, 1, 0);
	assert_int_equal(models_of_kernel(f, "preempt_schedule", NULL), MODEL_FULL);
	f->kernel.version = 0;
	assert_int_equal(models_of_kernel(f, "__cond_resched", NULL), CALM);
	assert_string_equal(f->p.name, "PREEMPT_NONE or PREEMPT_VOLUNTARY");
	f->kernel.version = KERNEL_VERSION_CODE(6, 1, 0);
	assert_int_equal(models_of_kernel(f, "printk", NULL), MODEL_ANY);
	/* 2.4: only a preemptible kernel exported any of it */
	f->kernel.version = KERNEL_VERSION_CODE(2, 4, 18);
	assert_int_equal(models_of_kernel(f, "printk", NULL), MODEL_NONE); /* no VOLUNTARY yet */
}

static void config_and_exports(void **state)
{
	struct fixture *f = *state;

	/* the config says which of the two that the exports leave */
	assert_int_equal(models_of_kernel(f, "__cond_resched", "CONFIG_PREEMPT_VOLUNTARY=y\n"),
			 MODEL_VOLUNTARY);
	assert_int_equal(f->p.n_evidence, 2);
	/* PREEMPT without its export is the fault looked for, no other kernel */
	assert_int_equal(models_of_kernel(f, "_cond_resched", "CONFIG_PREEMPT=y\n"), MODEL_FULL);
	assert_int_equal(f->p.n_evidence, 1);
	assert_null(f->p.contradiction);
	/* rt_spin_lock is only there on RT: the config is that of another */
	assert_int_equal(models_of_kernel(f, "rt_spin_lock", "CONFIG_PREEMPT=y\n"), MODEL_RT);
	assert_non_null(strstr(f->p.evidence[f->p.n_evidence - 1], "the config says PREEMPT"));
	assert_non_null(f->p.contradiction);
	f->kernel.version = KERNEL_VERSION_CODE(5, 10, 0);
	assert_int_equal(models_of_kernel(f, "preempt_schedule", "CONFIG_PREEMPT_RT=y\n"),
			 MODEL_FULL);
	/* one lost export does not make it another kernel */
	assert_int_equal(models_of_kernel(f, "rt_spin_unlock", "CONFIG_PREEMPT_RT=y\n"), MODEL_RT);
	assert_null(f->p.contradiction);
}

static uint8_t models_of_vermagic(struct fixture *f, const char *vermagic)
{
	struct module m = { .info.vermagic = vermagic };

	return preemption_of_module(&f->p, &m);
}

static void module_by_vermagic(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *vermagic;
		uint8_t models;
	} rows[] = {
		{ "6.1.0 SMP preempt_rt mod_unload modversions ", MODEL_RT },
		{ "5.10.0 SMP preempt_rt mod_unload modversions ", MODEL_RT },
		{ "7.2.0 SMP preempt_rt mod_unload ", MODEL_RT },
		{ "5.10.0 SMP preempt mod_unload ", MODEL_FULL }, /* DYNAMIC: 5.12 */
		{ "6.1.0 SMP preempt mod_unload ", MODEL_FULL | MODEL_DYNAMIC },
		/* PREEMPT_BUILD is asked before PREEMPT_RT, and lazy RT kernels set it */
		{ "6.12.0 SMP preempt mod_unload ",
		  MODEL_FULL | MODEL_DYNAMIC | MODEL_LAZY | MODEL_RT },
		/* from 7.2 on PREEMPT_RT is asked first */
		{ "7.2.0 SMP preempt mod_unload ", MODEL_FULL | MODEL_DYNAMIC | MODEL_LAZY },
		/* before the word preempt_rt RT patches said "preempt", or nothing */
		{ "4.19.0 SMP preempt mod_unload ", MODEL_FULL | MODEL_RT },
		{ "4.19.0 SMP mod_unload ", CALM | MODEL_RT },
		{ "5.10.0 SMP mod_unload modversions ", CALM },
		{ "6.1.0 SMP mod_unload ", CALM },
		/* nothing to read, or no words */
		{ NULL, MODEL_ANY },
		{ "", MODEL_ANY },
		{ "6.1.0", MODEL_ANY },
		{ "nonsense preempt ", MODEL_ANY },
	};

	models_of_kernel(f, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(models_of_vermagic(f, rows[i].vermagic), rows[i].models);
}

static void module_by_symbols(void **state)
{
	struct fixture *f = *state;
	struct import imports[2] = { 0 };
	struct module m = { .imports = imports, .n_imports = 2 };

	imports[0].name = names_add_string(f->names, "rt_spin_lock");
	imports[1].name = names_add_string(f->names, "printk");
	nameid later = names_add_string(f->names, "preempt_schedule");
	models_of_kernel(f, NULL, NULL);
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_RT);
	imports[0].name = later;
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_FULL | MODEL_LAZY | MODEL_RT);
	m.info.vermagic = "6.1.0 SMP preempt mod_unload ";
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_FULL);
	m.info.vermagic = "6.1.0 SMP mod_unload "; /* patched: symbols do not lie */
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_FULL | MODEL_RT);
	m.info.vermagic = NULL;
	imports[0].name = imports[1].name;
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_ANY);
	/* a name that came after the index was made says nothing */
	imports[0].name = names_add_string(f->names, "a_name_of_later");
	assert_int_equal(preemption_of_module(&f->p, &m), MODEL_ANY);
}

static void census(void **state)
{
	struct fixture *f = *state;
	struct module modules[5] = {
		{ .is_target = true, .is_readable = true, .info.vermagic = "6.1.0 preempt_rt " },
		{ .is_target = true, .is_readable = true, .info.vermagic = "6.1.0 SMP " },
		{ .is_target = true, .is_readable = true },
		{ .is_target = true },                                         /* cannot be read */
		{ .is_readable = true, .info.vermagic = "6.1.0 preempt_rt " }, /* only provides */
	};

	models_of_kernel(f, NULL, "CONFIG_PREEMPT_RT=y\n");
	preemption_of_modules(&f->p, modules, 5, f->arena);
	assert_string_equal(census_tell(&f->p, modules, 5, f->arena),
			    "1 module built for it, 1 for another, 2 cannot tell");
	uint32_t n;
	struct model_count *rows = census_count(&f->p, modules, 5, &n, f->arena);
	assert_int_equal(n, 3);
	assert_string_equal(rows[0].name, "PREEMPT_NONE or PREEMPT_VOLUNTARY");
	assert_int_equal(rows[0].n, 1);
	assert_string_equal(rows[1].name, "PREEMPT_RT");
	assert_int_equal(rows[1].n, 1);
	assert_string_equal(rows[2].name, "unknown");
	assert_int_equal(rows[2].n, 2);
	assert_false(preemption_is_foreign(&f->p, 0));
	assert_true(preemption_is_foreign(&f->p, 1));
	assert_false(preemption_is_foreign(&f->p, 2));
	models_of_kernel(f, NULL, NULL);
	preemption_of_modules(&f->p, modules, 5, f->arena);
	assert_string_equal(census_tell(&f->p, modules, 5, f->arena), "");
	assert_false(preemption_is_foreign(&f->p, 1));
}

/* The words of real banners; "PREEMPT" was said of PREEMPT_DYNAMIC as well until 5.15. */
static void kernel_by_banner(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *banner;
		uint8_t models;
	} rows[] = {
		{ "Linux version 6.1.0-50-rt-amd64 (x@y) (gcc-12, GNU ld 2.40) #1 SMP PREEMPT_RT "
		  "Debian 6.1.1-1 (2026-01-01)",
		  MODEL_RT },
		{ "Linux version 6.1.0 (x@y) (gcc) #1 SMP PREEMPT_DYNAMIC Debian", MODEL_DYNAMIC },
		{ "Linux version 6.1.0 (x@y) (gcc) #1 SMP Debian", CALM },
		{ "Linux version 6.1.0 (x@y) (gcc) #1 SMP PREEMPT Tue Jan 1",
		  MODEL_FULL | MODEL_DYNAMIC },
		{ "Linux version 4.19.0 (x@y) (gcc) #1 SMP PREEMPT RT Tue", MODEL_RT },
		{ "Linux version 6.1.0-PREEMPT_RT (x@y) (gcc) #1 SMP Tue", CALM }, /* only a name */
		{ "Linux version 6.1.0", MODEL_ANY },
	};

	f->kernel.version = KERNEL_VERSION_CODE(6, 1, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f->kernel.banner = rows[i].banner;
		assert_int_equal(models_of_kernel(f, NULL, NULL), rows[i].models);
		assert_int_equal(f->p.n_evidence, rows[i].models != MODEL_ANY);
	}
	/* all of them agree, and each is named */
	f->kernel.banner = rows[1].banner;
	f->kernel.vermagic = "6.1.0 SMP preempt mod_unload ";
	assert_int_equal(
		models_of_kernel(f, "__SCT__preempt_schedule", "CONFIG_PREEMPT_DYNAMIC=y\n"),
		MODEL_DYNAMIC);
	assert_int_equal(f->p.n_evidence, 4);
	/* the image is one build, the configuration beside it another */
	models_of_kernel(f, NULL, "CONFIG_PREEMPT_NONE=y\n");
	assert_int_equal(f->p.models, MODEL_DYNAMIC);
	assert_string_equal(f->p.contradiction,
			    "The config says PREEMPT_NONE, the banner says PREEMPT_DYNAMIC");
}

/* 6.12: RT and dynamic kernels have one vermagic, but module_layout has another CRC. */
static void layouts_tell_rt_apart(void **state)
{
	struct fixture *f = *state;
	struct import rt = { .name = names_add_string(f->names, "rt_spin_lock") };
	struct module modules[4] = { 0 };

	for (int i = 0; i < 4; i++) {
		modules[i] = (struct module) { .is_target = true,
					       .is_readable = true,
					       .has_layout_crc = true,
					       .layout_crc = i < 2 ? 0x11 : i,
					       .info.vermagic = "6.12.0 SMP preempt mod_unload " };
	}
	modules[0].imports = &rt;
	modules[0].n_imports = 1;
	f->kernel.version = KERNEL_VERSION_CODE(6, 12, 0);
	names_add_string(f->names, "module_layout");
	models_of_kernel(f, "module_layout __SCT__preempt_schedule", NULL);
	f->p.layout_crc = 2;
	preemption_of_modules(&f->p, modules, 4, f->arena);
	assert_int_equal(f->p.models_of_module[0], MODEL_RT);
	assert_int_equal(f->p.models_of_module[1], MODEL_RT);     /* as the other with its CRC */
	assert_int_equal(f->p.models_of_module[2] & MODEL_RT, 0); /* as the kernel */
	assert_true(preemption_is_foreign(&f->p, 1));
	assert_false(preemption_is_foreign(&f->p, 2));
	/* the last is of a build that nobody knows */
	assert_string_equal(census_tell(&f->p, modules, 4, f->arena),
			    "1 module built for it, 2 for another, 1 cannot tell");
}

static const char *family_name(const char *symbol)
{
	const struct family *family = family_of(symbol, strlen(symbol));

	return family ? family->name : "none";
}

static void families(void **state)
{
	(void)state;
	assert_string_equal(family_name("preempt_schedule"), "preemption");
	assert_string_equal(family_name("__SCT__preempt_schedule"), "preemption");
	assert_string_equal(family_name("rt_spin_lock"), "preemption");
	assert_string_equal(family_name("rt_spin_lock_nested"), "preemption"); /* rt_spin_* */
	assert_string_equal(family_name("__asan_load4_noabort"), "KASAN");
	assert_string_equal(family_name("__stack_chk_fail"), "stack protector");
	assert_string_equal(family_name("__x86_return_thunk"), "return thunks");
	assert_string_equal(family_name("__x86_indirect_thunk_rax"), "retpolines");
	assert_string_equal(family_name("printk"), "none");
	assert_string_equal(family_name("preempt_schedul"), "none");
	assert_string_equal(family_name("preempt_schedule_x"), "none");
	assert_string_equal(family_name("x__asan_load4"), "none");
	assert_string_equal(family_name(""), "none");
	assert_string_equal(family_name("*"), "none"); /* a name is no pattern */
	/* of "preempt_schedule_R12345678" without what follows */
	assert_non_null(family_of("preempt_schedule_R12345678", 16));
	assert_int_equal(family_of("rt_spin_lock", 12)->models, MODEL_RT);
	assert_int_equal(family_of("__cond_resched", 14)->models, CALM);
}

static void very_long_symbol_has_no_family(void **state)
{
	char name[600];

	(void)state;
	memset(name, '_', sizeof(name));
	memcpy(name, "__asan_", 7);
	assert_null(family_of(name, sizeof(name)));
	assert_null(family_of(name, 256));
	assert_non_null(family_of(name, 255));
}

/* Each name in the table has to be found, and in its own row unless an earlier one takes it. */
static void every_row_can_be_found(void **state)
{
	size_t n;
	const struct family *rows = family_rows(&n);
	char word[64];

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const char *list = rows[i].symbols;
		size_t end = 0;
		while ((list = family_next_symbol(list, word, sizeof(word)))) {
			const struct family *family = family_of(word, strlen(word));
			assert_non_null(family);
			assert_true(family <= &rows[i]);
			assert_true(!strchr(word, '*') ? family == &rows[i] : true);
			end += strlen(word) + 1;
		}
		assert_int_equal(end, strlen(rows[i].symbols) + 1); /* none was too long */
	}
}

static void renames(void **state)
{
	const char *since;

	(void)state;
	assert_string_equal(family_renamed("printk", 6, &since), "_printk");
	assert_string_equal(since, "5.15");
	assert_string_equal(family_renamed("_printk", 7, &since), "printk");
	assert_string_equal(family_renamed("printk_R12345678", 6, &since), "_printk");
	assert_null(family_renamed("print", 5, &since));
	assert_null(family_renamed("kmalloc", 7, &since));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kernel_by_config),
		TEST(silent_exports_are_no_evidence),
		TEST(kernel_by_exports),
		TEST(config_and_exports),
		TEST(module_by_vermagic),
		TEST(module_by_symbols),
		TEST(census),
		TEST(kernel_by_banner),
		TEST(layouts_tell_rt_apart),
		cmocka_unit_test(families),
		cmocka_unit_test(very_long_symbol_has_no_family),
		cmocka_unit_test(every_row_can_be_found),
		cmocka_unit_test(renames),
	};

	return cmocka_run_group_tests_name("preempt", tests, NULL, NULL);
}
