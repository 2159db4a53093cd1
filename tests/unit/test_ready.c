/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of symbols in a rebuild: the table of emissions.h by model and by exports, stubs of
 * options that are not set, modules that both kernels have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "families.h"
#include "ready/emissions.h"
#include "ready/fates.h"
#include "ready/peers.h"
#include "session.h"

/* Words are as the table's readers take them: short enough, alternatives without gaps. */
static void check_words(const char *list, bool has_alternatives)
{
	char word[512];
	size_t n = 0;

	assert_non_null(list);
	for (const char *rest = list; (rest = family_next_symbol(rest, word, sizeof(word))); n++) {
		assert_null(strstr(word, "||"));
		assert_true(word[0] != '|' && word[strlen(word) - 1] != '|');
		if (!has_alternatives)
			assert_null(strpbrk(word, "|?=-"));
	}
	assert_true(n > 0);
	assert_true(list[strspn(list, " ")] && !strstr(list, "  "));
}

static void test_tables(void **state)
{
	size_t n;
	const struct emission *rows = emission_rows(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		check_words(rows[i].symbols, false);
		check_words(rows[i].becomes, true);
		if (rows[i].beside)
			check_words(rows[i].beside, false);
		assert_true(rows[i].models && !(rows[i].models & ~MODEL_ANY));
	}
	const struct stub *stubs = stub_rows(&n);
	for (size_t i = 0; i < n; i++) {
		check_words(stubs[i].symbols, false);
		assert_memory_equal(stubs[i].option, "CONFIG_", 7);
	}
}

enum { MOST_SYMS = 16, MOST_MODULES = 32 };

struct fixture {
	struct session s;
	struct ksym syms[MOST_SYMS];
	struct module modules[MOST_MODULES];
	struct fates fates;
};

static nameid name(struct fixture *f, const char *text)
{
	return names_add_string(f->s.names, text);
}

static void begin(struct fixture *f, uint8_t models, const char *config)
{
	*f = (struct fixture) { .s = { .arena = arena_new(), .names = names_new() } };
	f->s.preemption.models = models;
	f->s.kernel = (struct kernel) { .release = "6.1.0", .syms = f->syms, .has_exports = true };
	f->s.kernel.config = (struct kconfig) { config, config ? strlen(config) : 0 };
	f->s.modules = f->modules;
}

static void has(struct fixture *f, const char *symbol, enum licence licence)
{
	f->syms[f->s.kernel.n_syms++] =
		(struct ksym) { .name = name(f, symbol), .licence = licence, .is_exported = true };
}

/* symbol: NULL if it needs none */
static struct module needing(struct fixture *f, const char *module, const char *symbol)
{
	struct import *import = arena_array(f->s.arena, 1, sizeof(*import));

	import->name = symbol ? name(f, symbol) : NAME_NONE;
	return (struct module) { .name = module,
				 .path = module,
				 .is_readable = true,
				 .is_installed = true,
				 .imports = import,
				 .n_imports = symbol != NULL };
}

static const struct fate *fate(struct fixture *f, const char *symbol)
{
	nameid id = name(f, symbol);

	resolve(&f->s.links, &f->s.kernel, f->modules, f->s.n_modules, false, f->s.names,
		f->s.arena);
	fates_init(&f->fates, &f->s, f->modules, f->s.n_modules);
	return fates_of(&f->fates, id);
}

static bool becomes(struct fixture *f, const struct fate *fate, const char *symbol)
{
	for (uint8_t i = 0; i < fate->n_to; i++) {
		if (fate->to[i] == name(f, symbol))
			return true;
	}
	return false;
}

static void end(struct fixture *f)
{
	names_free(f->s.names);
	arena_free(f->s.arena);
}

/* include/linux/spinlock_rt.h: spin_unlock_bh() is rt_spin_unlock() and local_bh_enable(). */
static void test_spinlock_on_rt(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "rt_spin_unlock", LICENCE_ANY);
	has(&f, "__local_bh_enable_ip", LICENCE_ANY);
	has(&f, "_raw_spin_unlock_bh", LICENCE_ANY);
	of = fate(&f, "_raw_spin_unlock_bh");
	assert_int_equal(of->kind, FATE_TABLE);
	assert_int_equal(of->n_to, 2);
	assert_true(becomes(&f, of, "rt_spin_unlock") && becomes(&f, of, "__local_bh_enable_ip"));
	end(&f);
}

/* On another model it is what it was; and where the model is open, nothing is said. */
static void test_spinlock_stays(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, MODEL_DYNAMIC, NULL);
	has(&f, "_raw_spin_unlock_bh", LICENCE_ANY);
	assert_int_equal(fate(&f, "_raw_spin_unlock_bh")->kind, FATE_STAYS);
	f.s.preemption.models = MODEL_DYNAMIC | MODEL_RT;
	assert_int_equal(fate(&f, "_raw_spin_unlock_bh")->kind, FATE_STAYS);
	end(&f);
}

/* A row that this kernel has no symbol of says nothing, so the symbol is judged as it is. */
static void test_row_without_symbols(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "_printk", LICENCE_ANY);
	assert_int_equal(fate(&f, "_raw_spin_unlock")->kind, FATE_STAYS);
	end(&f);
}

/* The first alternative that is exported; "-" is nothing. */
static void test_alternatives(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_NONE, NULL);
	has(&f, "_printk", LICENCE_ANY);
	of = fate(&f, "__SCT__preempt_schedule");
	assert_int_equal(of->kind, FATE_TABLE);
	assert_int_equal(of->n_to, 0);
	has(&f, "___preempt_schedule", LICENCE_ANY);
	of = fate(&f, "__SCT__preempt_schedule");
	assert_true(of->n_to == 1 && becomes(&f, of, "___preempt_schedule"));
	end(&f);
}

static void test_gpl_only(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "__rcu_read_lock", LICENCE_GPL);
	has(&f, "__rcu_read_unlock", LICENCE_GPL);
	of = fate(&f, "rcu_read_unlock_strict");
	assert_true(becomes(&f, of, "__rcu_read_lock") && becomes(&f, of, "__rcu_read_unlock"));
	assert_true(fates_is_gpl_only(&f.fates, name(&f, "__rcu_read_lock")));
	assert_false(fates_is_gpl_only(&f.fates, name(&f, "rcu_read_unlock_strict")));
	end(&f);
}

/* include/linux/of.h has stubs of all where CONFIG_OF is not set, and only there. */
static void test_stubs(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, MODEL_DYNAMIC, "# CONFIG_OF is not set\n");
	assert_int_equal(fate(&f, "of_get_property")->kind, FATE_TABLE);
	end(&f);
	begin(&f, MODEL_DYNAMIC, "CONFIG_OF=y\n");
	assert_int_equal(fate(&f, "of_get_property")->kind, FATE_STAYS);
	end(&f);
	begin(&f, MODEL_DYNAMIC, NULL);
	assert_int_equal(fate(&f, "of_get_property")->kind, FATE_STAYS);
	end(&f);
}

/* include/linux/slab.h of 6.10: kmemdup() is a macro around kmemdup_noprof(). */
static void test_allocations(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_DYNAMIC, NULL);
	has(&f, "kmemdup_noprof", LICENCE_ANY);
	of = fate(&f, "kmemdup");
	assert_true(of->kind == FATE_TABLE && becomes(&f, of, "kmemdup_noprof"));
	assert_int_equal(fate(&f, "kmemdup_noprof")->kind, FATE_STAYS);
	assert_int_equal(fate(&f, "kmemdup_nul")->kind, FATE_STAYS);
	end(&f);
	begin(&f, MODEL_DYNAMIC, NULL);
	has(&f, "kmemdup", LICENCE_ANY);
	of = fate(&f, "kmemdup_noprof");
	assert_true(of->kind == FATE_TABLE && becomes(&f, of, "kmemdup"));
	end(&f);
}

/* n modules of both kernels that need one symbol before and another after, and some others. */
static const struct fate *ask_peers(struct fixture *f, uint32_t n, const char *after,
				    bool is_same_version)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h",
					     "i", "j", "k", "l", "m", "n", "o", "p" };
	struct module before[16];
	struct peers p = { .is_same_version = is_same_version };

	for (uint32_t i = 0; i < 16; i++) {
		before[i] = needing(f, names[i], i < n ? "old" : "_printk");
		f->modules[i] = needing(f, names[i], i < n ? after : "_printk");
	}
	f->s.n_modules = 16;
	fate(f, "old");
	bool *wanted = arena_array(f->s.arena, f->fates.n_names, sizeof(*wanted));
	wanted[name(f, "old")] = true;
	p.before = (struct peer_tree) { .modules = before, .n_modules = 16 };
	p.after = (struct peer_tree) { .modules = f->modules, .n_modules = 16 };
	peers_look(&p, &f->s, &f->fates, wanted, f->fates.n_names);
	return fates_of(&f->fates, name(f, "old"));
}

static void test_peers(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "_printk", LICENCE_ANY);
	has(&f, "fresh", LICENCE_ANY);
	of = ask_peers(&f, 5, "fresh", false);
	assert_int_equal(of->kind, FATE_PEERS);
	assert_true(of->n_to == 1 && becomes(&f, of, "fresh"));
	end(&f);
}

/* Two modules may have gained anything; that its name is alike would say more. */
static void test_too_few_peers(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "_printk", LICENCE_ANY);
	has(&f, "fresh", LICENCE_ANY);
	has(&f, "__old", LICENCE_ANY);
	assert_int_equal(ask_peers(&f, 2, "fresh", false)->kind, FATE_GONE);
	assert_int_equal(ask_peers(&f, 2, "__old", false)->kind, FATE_PEERS);
	end(&f);
}

/* They do without it: of one version its headers see to that, of another the source may have. */
static void test_peers_without_heir(void **state)
{
	struct fixture f;
	const struct fate *of;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "_printk", LICENCE_ANY);
	assert_int_equal(ask_peers(&f, 5, NULL, false)->kind, FATE_GONE);
	of = ask_peers(&f, 5, NULL, true);
	assert_int_equal(of->kind, FATE_PEERS);
	assert_int_equal(of->n_to, 0);
	end(&f);
}

/* Those that still need it show that it stays. */
static void test_peers_that_stay(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, MODEL_RT, NULL);
	has(&f, "_printk", LICENCE_ANY);
	assert_int_equal(ask_peers(&f, 5, "old", true)->kind, FATE_STAYS);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_spinlock_on_rt),
		cmocka_unit_test(test_spinlock_stays),
		cmocka_unit_test(test_row_without_symbols),
		cmocka_unit_test(test_alternatives),
		cmocka_unit_test(test_gpl_only),
		cmocka_unit_test(test_stubs),
		cmocka_unit_test(test_allocations),
		cmocka_unit_test(test_peers),
		cmocka_unit_test(test_too_few_peers),
		cmocka_unit_test(test_peers_without_heir),
		cmocka_unit_test(test_peers_that_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
