/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/base: memory, names, text, threads, output. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/sink.h"
#include "base/text.h"

/* Does f(), in a child, end the program as mem.h says: with status 2? */
static bool ends_with_2(void (*f)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(9);
		f();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

static void overflow_resize(void)
{
	free(mem_resize(NULL, SIZE_MAX / 2, 4));
}

static void overflow_array(void)
{
	arena_array(arena_new(), SIZE_MAX / 4, 8);
}

static void overflow_alloc(void)
{
	arena_alloc(arena_new(), SIZE_MAX - 8);
}

static void sizes_that_overflow_end_the_program(void **unused)
{
	(void)unused;
	assert_true(ends_with_2(overflow_resize));
	assert_true(ends_with_2(overflow_array));
	assert_true(ends_with_2(overflow_alloc));
}

static void vectors_grow(void **unused)
{
	uint32_t *v = NULL;
	size_t n = 0, cap = 0;

	(void)unused;
	for (uint32_t i = 0; i < 1000; i++)
		VEC_PUSH(v, n, cap) = i * 3;
	assert_int_equal(n, 1000);
	assert_true(cap >= n);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(v[i], i * 3);
	free(v);
}

static void numbers_of_either_order(void **unused)
{
	static const unsigned char p[] = { 0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88 };

	(void)unused;
	assert_int_equal(bytes_get16(p, false), 0x0281);
	assert_int_equal(bytes_get16(p, true), 0x8102);
	assert_int_equal(bytes_get32(p, false), 0x04030281);
	assert_int_equal(bytes_get32(p, true), 0x81020304);
	assert_true(bytes_get64(p, false) == 0x8807060504030281u);
	assert_true(bytes_get64(p, true) == 0x8102030405060788u);
}

static void ranges_do_not_overflow(void **unused)
{
	(void)unused;
	assert_true(bytes_has_range(10, 0, 10));
	assert_true(bytes_has_range(10, 10, 0));
	assert_true(bytes_has_range(0, 0, 0));
	assert_false(bytes_has_range(10, 1, 10));
	assert_false(bytes_has_range(10, 11, 0));
	assert_false(bytes_has_range(10, UINT64_MAX, 1));
	assert_false(bytes_has_range(10, 1, UINT64_MAX));
}

static void errors_are_cut_not_overrun(void **unused)
{
	struct err e;
	char *text = mem_zalloc(5001);

	(void)unused;
	memset(text, 'x', 5000);
	assert_false(err_set(&e, "%s", text));
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_false(err_set(&e, "%s: %d", "boot", 7));
	assert_string_equal(e.text, "boot: 7");
	free(text);
}

static void arena_memory_is_zeroed_aligned_and_apart(void **unused)
{
	static const size_t sizes[] = { 1, 3, 16, 100, 17000, 65536, 70000, 1000000, 0, 5 };
	struct arena *a = arena_new();
	unsigned char *blocks[200];

	(void)unused;
	for (size_t i = 0; i < 200; i++) {
		size_t size = sizes[i % 10];
		blocks[i] = arena_alloc(a, size);
		assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(blocks[i][k], 0);
		memset(blocks[i], (int)i, size);
		/* Shifts the cursor, so that the next allocation has to align it. */
		arena_copy(a, "abc", i % 4);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t k = 0; k < sizes[i % 10]; k++)
			assert_int_equal(blocks[i][k], i);
	arena_free(a);
	arena_free(NULL);
}

static void arena_strings(void **unused)
{
	struct arena *a = arena_new();
	char longer[1001];

	(void)unused;
	memset(longer, 'y', 1000);
	longer[1000] = '\0';
	assert_string_equal(arena_strndup(a, "printk_ratelimit", 6), "printk");
	assert_string_equal(arena_strdup(a, ""), "");
	assert_string_equal(arena_printf(a, "%s-%u", "a", 5u), "a-5");
	/* 255 and 256 characters: the border of arena_printf's first try. */
	for (int n = 254; n <= 257; n++)
		assert_int_equal(strlen(arena_printf(a, "%.*s", n, longer)), n);
	assert_string_equal(arena_printf(a, "%s", longer), longer);
	arena_free(a);
}

static void names_are_stored_once(void **unused)
{
	struct names *t = names_new();
	nameid printk = names_add_string(t, "printk");

	(void)unused;
	assert_int_not_equal(printk, NAME_NONE);
	assert_int_equal(names_add(t, "printk_once", 6), printk);
	assert_int_not_equal(names_add_string(t, "printk_once"), printk);
	assert_int_equal(names_find(t, "printk", 6), printk);
	assert_int_equal(names_find(t, "print", 5), NAME_NONE);
	assert_int_equal(names_find(t, "", 0), NAME_NONE);
	assert_int_equal(names_add_string(t, ""), NAME_NONE);
	assert_string_equal(names_text(t, NAME_NONE), "");
	assert_string_equal(names_text(t, printk), "printk");
	assert_int_equal(names_length(t, printk), 6);
	assert_int_equal(names_count(t), 3);
	names_free(t);
	names_free(NULL);
}

static size_t name_of(char *text, size_t size, unsigned int i)
{
	return (size_t)snprintf(text, size, "symbol_%u_of_many", i);
}

static void names_keep_their_numbers_while_the_table_grows(void **unused)
{
	enum { N = 50000 };
	struct names *t = names_new();
	char text[64];

	(void)unused;
	for (unsigned int i = 0; i < N; i++)
		assert_int_equal(names_add(t, text, name_of(text, sizeof(text), i)), i + 1);
	for (unsigned int i = 0; i < N; i++) {
		size_t length = name_of(text, sizeof(text), i);
		assert_int_equal(names_find(t, text, length), i + 1);
		assert_string_equal(names_text(t, i + 1), text);
	}
	assert_int_equal(names_count(t), N + 1);
	names_free(t);
}

/* Names `from`..`to` - 1. The first name is number 1, so symbol_7_of_many is 8 in a base that has
 * all. */
static void add_range(struct names *t, unsigned int from, unsigned int to)
{
	char text[64];

	for (unsigned int i = from; i < to; i++)
		names_add(t, text, name_of(text, sizeof(text), i));
}

static void names_over_a_base_keep_its_numbers(void **unused)
{
	struct names *base = names_new();
	char text[64];

	(void)unused;
	add_range(base, 0, 3000);
	struct names *over = names_new_over(base);
	assert_int_equal(names_first_own(over), 3001);
	add_range(over, 2000, 5000);
	assert_int_equal(names_count(base), 3001);
	assert_int_equal(names_count(over), 5001);
	for (unsigned int i = 0; i < 5000; i++) {
		size_t length = name_of(text, sizeof(text), i);
		assert_int_equal(names_find(over, text, length), i + 1);
		assert_string_equal(names_text(over, i + 1), text);
		assert_int_equal(names_length(over, i + 1), length);
		assert_int_equal(names_find(base, text, length), i < 3000 ? i + 1 : NAME_NONE);
	}
	assert_int_equal(names_add(over, "", 0), NAME_NONE);
	assert_string_equal(names_text(over, NAME_NONE), "");
	names_free(over);
	names_free(base);
}

/* Two threads' tables into their base, one after the other; 4000..4999 are in both. */
static void names_join_maps_each_own_number(void **unused)
{
	struct names *base = names_new();

	(void)unused;
	add_range(base, 0, 3000);
	struct names *one = names_new_over(base), *two = names_new_over(base);
	add_range(one, 2000, 5000);
	add_range(two, 4000, 6000);
	nameid *map_one = names_join(base, one), *map_two = names_join(base, two);
	assert_int_equal(names_count(base), 6001);
	for (nameid id = 3001; id < names_count(one); id++) {
		assert_int_equal(map_one[id - 3001], id);
		assert_string_equal(names_text(base, id), names_text(one, id));
	}
	for (nameid id = 3001; id < names_count(two); id++) {
		nameid joined = map_two[id - 3001];
		assert_int_equal(joined, id + 1000);
		assert_string_equal(names_text(base, joined), names_text(two, id));
	}
	free(map_one);
	free(map_two);
	names_free(base);
	names_free(one);
	names_free(two);
}

static void safe_text_is_left_alone(void **unused)
{
	static const char *const texts[] = {
		"", "vfat.ko", "a b~!\"'", "na\xc3\xafve", "\xe2\x82\xac", "\xf0\x9f\x90\xa7",
	};
	struct arena *a = arena_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_ptr_equal(text_safe(a, texts[i]), texts[i]);
	arena_free(a);
}

static void unsafe_text_is_escaped(void **unused)
{
	static const struct {
		const char *text, *safe;
	} cases[] = {
		{ "\x1b[31m", "\\x1b[31m" },
		{ "a\nb\tc\r", "a\\x0ab\\x09c\\x0d" },
		{ "a\\b", "a\\\\b" },
		{ "\x7f", "\\x7f" },
		{ "\xff", "\\xff" },
		/* C1 control (CSI in one character), in UTF-8 and bare */
		{ "\xc2\x9b", "\\xc2\\x9b" },
		{ "\x9b", "\\x9b" },
		/* overlong '/', in two and three bytes */
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
		/* a surrogate, and one past the last character (U+110000) */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		/* cut short */
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xe2\x82x", "\\xe2\\x82x" },
		/* U+202E turns the line around, U+2028 ends it, U+FEFF and U+200B are invisible */
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
		{ "\xef\xbb\xbf", "\\xef\\xbb\\xbf" },
		{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
		{ "na\xc3\xafve\x01", "na\xc3\xafve\\x01" },
	};
	struct arena *a = arena_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(text_safe(a, cases[i].text), cases[i].safe);
	arena_free(a);
}

/* What escaping makes is safe itself: once escaped, only backslashes are escaped again. */
static void every_byte_is_safe_afterwards(void **unused)
{
	struct arena *a = arena_new();

	(void)unused;
	for (int c = 1; c < 256; c++) {
		char text[] = { 'x', (char)c, 'y', '\0' };
		const char *safe = text_safe(a, text);
		for (const char *p = safe; *p; p++)
			assert_true(*p >= 0x20 && *p < 0x7f);
	}
	arena_free(a);
}

static void prefix_and_suffix(void **unused)
{
	(void)unused;
	assert_true(text_has_suffix("vfat.ko.xz", ".ko.xz"));
	assert_false(text_has_suffix("ko", ".ko"));
	assert_true(text_has_suffix("a", ""));
	assert_true(text_has_prefix("__ksymtab_x", "__ksymtab_"));
	assert_false(text_has_prefix("__k", "__ksymtab_"));
}

/* text_glob() as its header puts it, without any thought of speed. */
static bool slow_glob(const char *p, const char *s)
{
	if (!*p)
		return !*s;
	if (p[0] == '*' && p[1] == '*')
		return slow_glob(p + 2, s) || (*s && slow_glob(p, s + 1));
	if (*p == '*')
		return slow_glob(p + 1, s) || (*s && *s != '/' && slow_glob(p, s + 1));
	if (*p == '?')
		return *s && *s != '/' && slow_glob(p + 1, s + 1);
	return *s == *p && slow_glob(p + 1, s + 1);
}

/* The i-th string over the alphabet; every string of up to `longest` characters has one. */
static void word(char *out, const char *alphabet, unsigned int i)
{
	unsigned int base = (unsigned int)strlen(alphabet);

	for (; i > 0; i = (i - 1) / base)
		*out++ = alphabet[(i - 1) % base];
	*out = '\0';
}

static void globs_agree_with_their_definition(void **unused)
{
	char pattern[16], s[16];

	(void)unused;
	/* 5,460 patterns of up to 6 characters, 126 strings of up to 6 */
	for (unsigned int i = 0; i < 5461; i++) {
		word(pattern, "a/?*", i);
		for (unsigned int k = 0; k < 127; k++) {
			word(s, "a/", k);
			if (text_glob(pattern, s) != slow_glob(pattern, s))
				fail_msg("pattern \"%s\", string \"%s\"", pattern, s);
		}
	}
}

static void globs_as_one_writes_them(void **unused)
{
	(void)unused;
	assert_true(text_glob("kernel/drivers/**", "kernel/drivers/net/ppp/ppp_async.ko"));
	assert_false(text_glob("kernel/*.ko", "kernel/fs/fat/vfat.ko"));
	assert_true(text_glob("**/vfat.ko*", "kernel/fs/fat/vfat.ko.xz"));
	assert_true(text_glob("preempt_*", "preempt_schedule"));
	assert_false(text_glob("preempt_?", "preempt_schedule"));
	assert_true(text_glob("[a]", "[a]"));
	assert_false(text_glob("[a]", "a"));
	assert_true(text_glob("", ""));
	assert_false(text_glob("", "a"));
}

static void counts_have_separators(void **unused)
{
	struct arena *a = arena_new();

	(void)unused;
	assert_string_equal(text_count(a, 0), "0");
	assert_string_equal(text_count(a, 999), "999");
	assert_string_equal(text_count(a, 1000), "1,000");
	assert_string_equal(text_count(a, 147868), "147,868");
	assert_string_equal(text_count(a, UINT64_MAX), "18,446,744,073,709,551,615");
	arena_free(a);
}

enum { N_JOBS = 5000 };

struct worker {
	size_t n_jobs;
};

static void count_job(void *shared, void *worker, size_t job)
{
	atomic_uchar *done = shared;
	struct worker *w = worker;

	atomic_fetch_add(&done[job], 1);
	w->n_jobs++;
}

static void each_job_runs_once(void **unused)
{
	static const unsigned int threads[] = { 1, 2, 7, 32 };

	(void)unused;
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		atomic_uchar *done = mem_zalloc(N_JOBS * sizeof(*done));
		struct worker workers[32] = { 0 };
		void *pointers[32];
		size_t total = 0;
		for (size_t t = 0; t < 32; t++)
			pointers[t] = &workers[t];
		pool_run(threads[i], N_JOBS, count_job, done, pointers);
		for (size_t job = 0; job < N_JOBS; job++)
			assert_int_equal(done[job], 1);
		for (size_t t = 0; t < 32; t++)
			total += workers[t].n_jobs;
		assert_int_equal(total, N_JOBS);
		free(done);
	}
}

static void fewer_jobs_than_threads(void **unused)
{
	atomic_uchar done[3] = { 0 };
	struct worker workers[8] = { 0 };
	void *pointers[8];

	(void)unused;
	for (size_t t = 0; t < 8; t++)
		pointers[t] = &workers[t];
	pool_run(8, 0, count_job, done, pointers);
	assert_int_equal(done[0], 0);
	pool_run(8, 3, count_job, done, pointers);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(done[i], 1);
	assert_true(pool_processors() >= 1);
}

static void sink_writes_what_it_is_given(void **unused)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct sink s;

	(void)unused;
	assert_non_null(file);
	sink_init(&s, file);
	sink_puts(&s, "E MC202 ");
	sink_printf(&s, "%u of %u", 56u, 83u);
	sink_write(&s, "\n\0x", 3);
	sink_write(&s, "", 0);
	assert_int_equal(sink_finish(&s), 0);
	fclose(file);
	assert_int_equal(size, 19);
	assert_memory_equal(text, "E MC202 56 of 83\n\0x", 19);
	free(text);
}

static void sink_keeps_the_first_error(void **unused)
{
	FILE *file = fopen("/dev/full", "w");
	struct sink s;

	(void)unused;
	if (!file)
		skip();
	setvbuf(file, NULL, _IONBF, 0);
	sink_init(&s, file);
	sink_puts(&s, "one");
	assert_int_equal(s.error, ENOSPC);
	errno = EINVAL;
	sink_printf(&s, "%s", "two");
	assert_int_equal(sink_finish(&s), ENOSPC);
	fclose(file);
}

/* What fits into stdio's buffer fails only when it is flushed. */
static void sink_finish_flushes(void **unused)
{
	FILE *file = fopen("/dev/full", "w");
	struct sink s;

	(void)unused;
	if (!file)
		skip();
	sink_init(&s, file);
	sink_puts(&s, "one");
	assert_int_equal(s.error, 0);
	assert_int_equal(sink_finish(&s), ENOSPC);
	fclose(file);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_that_overflow_end_the_program),
		cmocka_unit_test(vectors_grow),
		cmocka_unit_test(numbers_of_either_order),
		cmocka_unit_test(ranges_do_not_overflow),
		cmocka_unit_test(errors_are_cut_not_overrun),
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(arena_strings),
		cmocka_unit_test(names_are_stored_once),
		cmocka_unit_test(names_keep_their_numbers_while_the_table_grows),
		cmocka_unit_test(names_over_a_base_keep_its_numbers),
		cmocka_unit_test(names_join_maps_each_own_number),
		cmocka_unit_test(safe_text_is_left_alone),
		cmocka_unit_test(unsafe_text_is_escaped),
		cmocka_unit_test(every_byte_is_safe_afterwards),
		cmocka_unit_test(prefix_and_suffix),
		cmocka_unit_test(globs_agree_with_their_definition),
		cmocka_unit_test(globs_as_one_writes_them),
		cmocka_unit_test(counts_have_separators),
		cmocka_unit_test(each_job_runs_once),
		cmocka_unit_test(fewer_jobs_than_threads),
		cmocka_unit_test(sink_writes_what_it_is_given),
		cmocka_unit_test(sink_keeps_the_first_error),
		cmocka_unit_test(sink_finish_flushes),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
