/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/cli/near.c: which names a user may have meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/near.h"

/* The same both ways. */
static void assert_distance(const char *a, const char *b, unsigned int distance)
{
	assert_int_equal(near_distance(a, b), distance);
	assert_int_equal(near_distance(b, a), distance);
}

static void renamed(void **state)
{
	(void)state;
	assert_distance("printk", "printk", 0);
	assert_distance("printk", "_printk", 1);
	assert_distance("_cond_resched", "__cond_resched", 1);
	assert_distance("preempt_schedule", "preempt_schedule_thunk", 2);
	assert_distance("___preempt_schedule", "preempt_schedule_thunk", 2);
}

/* One change is as far as a suffix, which is no accident; two are further. */
static void mistyped(void **state)
{
	(void)state;
	assert_distance("kmallocc", "kmalloc", 2);
	assert_distance("kmalloc", "kmalloe", 2);
	assert_distance("register_netdev", "registr_netdew", 3);
}

static void unrelated(void **state)
{
	char long_name[513];

	(void)state;
	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_distance("printk", "vmalloc", NEAR_NONE);
	assert_distance("dump", "pump", NEAR_NONE);       /* short names are near to everything */
	assert_distance("kmalloc", "kzallok", NEAR_NONE); /* two changes in seven letters */
	assert_distance("preempt_schedule", "preempt_scheduled_out", NEAR_NONE);
	assert_distance("abs", "abs_diff", NEAR_NONE); /* too short to be a stem */
	assert_distance(long_name, "printk", NEAR_NONE);
	long_name[511] = 'b';
	assert_distance(long_name, long_name, 0);
	assert_distance("", "printk", NEAR_NONE);
	assert_distance("", "", 0);
	assert_distance("_", "", 1);
}

/* Every candidate that was put in, in whatever order: by distance, then by name; the rest is lost.
 */
static void inserted_in_order(void **state)
{
	static const struct {
		const char *name;
		unsigned int distance;
	} in[] = { { "d", 2 }, { "b", 1 }, { "e", 3 }, { "a", 2 }, { "c", 1 }, { "f", 9 } };
	static const char *const expected[] = { "b", "c", "a", "d" };
	struct near list[5] = { 0 };
	struct names *names = names_new();
	size_t n = 0;

	(void)state;
	list[4].distance = 77; /* behind the room: not to be touched */
	for (size_t i = 0; i < 6; i++) {
		n = near_insert(
			list, n, 4,
			(struct near) { names_add_string(names, in[i].name), in[i].distance },
			names);
		assert_int_equal(n, i < 4 ? i + 1 : 4);
	}
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(names_text(names, list[i].name), expected[i]);
	assert_int_equal(list[4].distance, 77);
	names_free(names);
}

static void inserted_without_room(void **state)
{
	struct names *names = names_new();
	struct near one = { NAME_NONE, 1 }, list[1] = { { NAME_NONE, 7 } };

	(void)state;
	assert_int_equal(near_insert(list, 0, 0, one, names), 0);
	assert_int_equal(list[0].distance, 7);
	names_free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renamed),
		cmocka_unit_test(mistyped),
		cmocka_unit_test(unrelated),
		cmocka_unit_test(inserted_in_order),
		cmocka_unit_test(inserted_without_room),
	};

	return cmocka_run_group_tests_name("near", tests, NULL, NULL);
}
