/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/group: findings made by hand, joined into causes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "group/group.h"
#include "rules/table.h"

#define MAX 32

struct fixture {
	struct arena *arena;
	struct names *names;
	struct kernel kernel;
	struct ksym printk;
	struct module modules[MAX];
	struct import imports[MAX];
	struct finding findings[MAX];
	struct resolution links;
	struct preemption preemption;
	struct grouping g;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->arena = arena_new();
	f->names = names_new();
	f->printk =
		(struct ksym) { .name = names_add_string(f->names, "printk"), .is_exported = true };
	f->kernel = (struct kernel) {
		.release = "6.1.0", .syms = &f->printk, .n_syms = 1, .has_exports = true
	};
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

static uint32_t add_module(struct fixture *f, const char *name)
{
	uint32_t m = f->g.n_modules++;

	f->modules[m] = (struct module) { .path = name,
					  .name = name,
					  .is_installed = true,
					  .is_target = true,
					  .is_readable = true };
	return m;
}

/* Findings are to be added in the order of their modules. */
static struct finding *add(struct fixture *f, enum rule_id rule, uint32_t module,
			   const char *symbol)
{
	struct finding *one = &f->findings[f->g.n_findings++];

	*one = (struct finding) {
		.rule = (uint16_t)rule,
		.severity = (uint8_t)rule_table[rule].severity,
		.module = module,
		.cause = CAUSE_NONE,
		.behind = MODULE_NONE,
		.symbol = names_add_string(f->names, symbol),
		.path = module == MODULE_NONE ? "a path" : f->modules[module].path,
	};
	return one;
}

static void group(struct fixture *f)
{
	struct grouping *g = &f->g;

	g->kernel = &f->kernel;
	g->modules = f->modules;
	g->links = &f->links;
	g->preemption = &f->preemption;
	g->names = f->names;
	g->findings = f->findings;
	g->arena = f->arena;
	resolve(&f->links, &f->kernel, f->modules, g->n_modules, false, f->names, f->arena);
	preemption_of_kernel(&f->preemption, &f->kernel, &f->links, f->names, f->arena);
	group_findings(g);
}

static void nothing(void **state)
{
	struct fixture *f = *state;

	group(f);
	assert_int_equal(f->g.n_causes, 0);
}

static void one_symbol_many_modules(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b"), c = add_module(f, "c");

	add(f, RULE_UNDEFINED_SYMBOL, a, "gone");
	add(f, RULE_UNDEFINED_SYMBOL, b, "gone");
	add(f, RULE_UNDEFINED_SYMBOL, c, "other");
	group(f);
	assert_int_equal(f->g.n_causes, 2);
	/* the one that hits most modules comes first */
	assert_string_equal(f->g.causes[0].id, "MC201:gone");
	assert_int_equal(f->g.causes[0].n_modules, 2);
	assert_int_equal(f->g.causes[0].n_direct, 2);
	assert_int_equal(f->g.causes[1].n_modules, 1);
	assert_int_equal(f->findings[0].cause, 0);
	assert_int_equal(f->findings[1].cause, 0);
	assert_int_equal(f->findings[2].cause, 1);
}

static void errors_come_first(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b"), c = add_module(f, "c");

	add(f, RULE_LICENSE_TAINTS, a, "")->actual = "P";
	add(f, RULE_LICENSE_TAINTS, b, "")->actual = "P";
	add(f, RULE_UNDEFINED_SYMBOL, c, "gone");
	group(f);
	assert_int_equal(f->g.n_causes, 2);
	assert_int_equal(f->g.causes[0].rule, RULE_UNDEFINED_SYMBOL);
	assert_int_equal(f->g.causes[1].severity, SEV_WARNING);
}

/* c waits for b, b for a, a lacks a symbol: one cause. */
static void a_stack_is_one_cause(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b"), c = add_module(f, "c");

	add(f, RULE_UNDEFINED_SYMBOL, a, "gone");
	add(f, RULE_PROVIDER_REFUSED, b, "")->behind = a;
	add(f, RULE_PROVIDER_REFUSED, c, "")->behind = b;
	group(f);
	assert_int_equal(f->g.n_causes, 1);
	assert_int_equal(f->g.causes[0].rule, RULE_UNDEFINED_SYMBOL);
	assert_int_equal(f->g.causes[0].n_modules, 3);
	assert_int_equal(f->g.causes[0].n_direct, 1);
}

/* Two that wait for each other and for nothing else: no endless walk, and nothing is lost on it. */
static void a_ring_of_refused_ends(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b");

	add(f, RULE_PROVIDER_REFUSED, a, "")->behind = b;
	add(f, RULE_PROVIDER_REFUSED, b, "")->behind = a;
	group(f);
	assert_int_equal(f->g.n_causes, 0);
	assert_int_equal(f->findings[0].cause, CAUSE_NONE);
}

static void only_targets_count(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b");

	f->modules[a].is_target = false;
	add(f, RULE_UNDEFINED_SYMBOL, a, "gone");
	add(f, RULE_UNDEFINED_SYMBOL, b, "other");
	group(f);
	assert_int_equal(f->g.n_causes, 1);
	assert_int_equal(f->findings[0].cause, CAUSE_NONE);
	assert_int_equal(f->findings[1].cause, 0);
}

static void of_the_tree_itself(void **state)
{
	struct fixture *f = *state;

	add(f, RULE_DANGLING_LINK, MODULE_NONE, "")->detail = "leads nowhere";
	add(f, RULE_DANGLING_LINK, MODULE_NONE, "")->detail = "leads nowhere";
	group(f);
	assert_int_equal(f->g.n_causes, 1);
	assert_int_equal(f->g.causes[0].n_modules, 0);
	assert_int_equal(f->g.causes[0].n_findings, 2);
	assert_string_equal(f->g.causes[0].title, "2 links");
}

/* One symbol that several others export; the first of them is named. */
static void duplicates_of_one_symbol(void **state)
{
	struct fixture *f = *state;

	add_module(f, "m0");
	for (int i = 1; i < 20; i++) {
		uint32_t m = add_module(f, arena_printf(f->arena, "m%d", i));
		add(f, RULE_DUPLICATE_EXPORT, m, "f")->provider = "m0";
	}
	group(f);
	assert_int_equal(f->g.n_causes, 1);
	assert_int_equal(f->g.causes[0].n_modules, 19);
	assert_non_null(strstr(f->g.causes[0].title, "m0 and others"));
}

/* What a symvers says that an installed module has, and it has not: one cause a module. */
static void lost_symbols_of_one_module(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a"), b = add_module(f, "b");
	const char *const symbols[] = { "fat_a", "fat_b", "fat_c" };

	for (int i = 0; i < 3; i++) {
		struct finding *one = add(f, RULE_UNDEFINED_SYMBOL, i < 2 ? a : b, symbols[i]);
		one->ksym = 1;
		one->provider = "fs/fat";
	}
	group(f);
	assert_int_equal(f->g.n_causes, 1);
	assert_int_equal(f->g.causes[0].n_modules, 2);
}

/* A module with imports of its own: n of them, "s0" and so on, and printk. */
static void add_needs(struct fixture *f, uint32_t m, uint32_t n)
{
	f->modules[m].imports = f->imports;
	f->modules[m].n_imports = n + 1;
	f->imports[n].name = f->printk.name;
	for (uint32_t i = 0; i < n; i++)
		f->imports[i].name = names_add_string(f->names, arena_printf(f->arena, "s%u", i));
}

/* The bound: at least 16 missing, and more than half. */
static void evidence_of_another_kernel(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a");

	add_needs(f, a, 16);
	group(f);
	assert_non_null(group_wrong_evidence(&f->g));
	f->modules[a].n_imports = 0;
	add_needs(f, a, 15);
	group(f);
	assert_null(group_wrong_evidence(&f->g));
}

static void evidence_without_printk(void **state)
{
	struct fixture *f = *state;
	uint32_t a = add_module(f, "a");

	add_needs(f, a, 1);
	f->kernel.n_syms = 0;
	group(f);
	assert_non_null(strstr(group_wrong_evidence(&f->g), "printk"));
	f->kernel.has_exports = false; /* no evidence is told elsewhere */
	group(f);
	assert_null(group_wrong_evidence(&f->g));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing),
		TEST(one_symbol_many_modules),
		TEST(errors_come_first),
		TEST(a_stack_is_one_cause),
		TEST(a_ring_of_refused_ends),
		TEST(only_targets_count),
		TEST(of_the_tree_itself),
		TEST(duplicates_of_one_symbol),
		TEST(lost_symbols_of_one_module),
		TEST(evidence_of_another_kernel),
		TEST(evidence_without_printk),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
