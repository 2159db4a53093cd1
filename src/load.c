/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The largest modules are read first. Most of their names stand in the evidence already, whose
 * table nobody changes meanwhile; for the others each thread has a table of its own on top of
 * it, so nothing is locked. Afterwards these are joined and the numbers in what was read are
 * exchanged.
 */
#include "load.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "read/read.h"
#include "scan/scan.h"

struct worker {
	uint16_t index;
	struct names *names;
	struct arena *arena;
	struct reader *reader;
	nameid first_own;
	nameid *map; /* of its own numbers, from names_first_own() on, to the session's */
};

/* What to read, beside the module that it becomes. */
struct item {
	struct module module;      /* path and name so far */
	const struct entry *entry; /* NULL: a FILE by its name alone */
	const char *open_path;
	uint64_t size;
};

struct jobs {
	struct load *load;
	struct item *items; /* sorted by path, as modules */
	uint32_t *order;    /* items in reading order */
	atomic_uint n_done;
	atomic_bool has_shown;
	atomic_llong next_tick; /* milliseconds: when progress is to be shown next */
};

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The thread that moves next_tick on is the one that writes. */
static void show_progress(struct jobs *j)
{
	unsigned int done = atomic_fetch_add(&j->n_done, 1) + 1;
	long long tick = atomic_load(&j->next_tick), now = now_ms();

	if (now < tick || !atomic_compare_exchange_strong(&j->next_tick, &tick, now + 100))
		return;
	j->has_shown = true;
	fprintf(stderr, "\rmodcheck: %u of %u modules", done, j->load->n_modules);
	fflush(stderr);
}

static void read_item(struct worker *w, struct item *item, bool is_thorough)
{
	const struct entry *e = item->entry;

	if (e && e->has_fault) {
		module_add_fault(&item->module, w->arena, e->fault, "%s", e->detail);
		return;
	}
	reader_set_thorough(w->reader, is_thorough || !e);
	reader_set_seen_regular(w->reader, e);
	reader_read_file(w->reader, &item->module, item->open_path);
}

static void run_job(void *shared, void *worker, size_t job)
{
	struct jobs *j = shared;
	struct worker *w = worker;

	uint32_t i = j->order[job];
	j->load->reader_of[i] = w->index;
	read_item(w, &j->load->items[i], j->load->is_thorough);
	if (j->load->show_progress)
		show_progress(j);
}

static bool is_replaced(const struct entry *e, const struct item *files, uint32_t n_files)
{
	for (uint32_t i = 0; i < n_files; i++) {
		if (strcmp(files[i].module.name, e->name) == 0)
			return true;
	}
	return false;
}

static int compare_items(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	return strcmp(a->module.path, b->module.path);
}

static struct item file_item(const char *path, bool is_target, struct arena *a)
{
	const char *name = scan_module_name(path, a);
	struct item item = { .open_path = path, .size = UINT64_MAX };

	item.module.path = path;
	item.module.name = name ? name : path;
	item.module.is_target = is_target;
	return item;
}

static struct item entry_item(const struct entry *e, bool is_installed, bool is_target)
{
	struct item item = { .open_path = e->open_path, .entry = e, .size = e->size };

	item.module.path = e->path;
	item.module.name = e->name;
	item.module.is_installed = is_installed;
	item.module.is_target = is_target;
	return item;
}

/* FILEs and overlays first, then what of the tree they do not replace. Returns a malloc'ed vector.
 */
static struct item *list_items(const struct load *l, struct arena *a, uint32_t *n_items)
{
	struct item *items = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; l->files && l->files[i]; i++)
		VEC_PUSH(items, n, cap) = file_item(l->files[i], true, a);
	for (uint32_t i = 0; l->files && i < l->n_given; i++)
		VEC_PUSH(items, n, cap) = entry_item(&l->given[i], false, true);
	for (unsigned int i = 0; i < l->n_overlays; i++) {
		VEC_PUSH(items, n, cap) = file_item(l->overlays[i], !l->files, a);
		items[n - 1].module.is_installed = true;
	}
	uint32_t n_files = (uint32_t)n;
	for (uint32_t i = 0; l->tree && i < l->tree->n_entries; i++) {
		const struct entry *e = &l->tree->entries[i];
		if (e->winner != ENTRY_NONE || is_replaced(e, items, n_files))
			continue;
		VEC_PUSH(items, n, cap) = entry_item(e, true, !l->files);
	}
	if (n_files)
		qsort(items, n, sizeof(*items), compare_items);
	*n_items = (uint32_t)n;
	return items;
}

struct sized {
	uint64_t size;
	uint32_t item;
};

static int compare_sizes(const void *pa, const void *pb)
{
	const struct sized *a = pa, *b = pb;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* The largest first, so that no thread is left alone with one at the end. */
static uint32_t *reading_order(const struct item *items, uint32_t n)
{
	struct sized *sized = mem_zalloc(n * sizeof(*sized));
	uint32_t *order = mem_zalloc(n * sizeof(*order));

	for (uint32_t i = 0; i < n; i++)
		sized[i] = (struct sized) { items[i].size, i };
	qsort(sized, n, sizeof(*sized), compare_sizes);
	for (uint32_t i = 0; i < n; i++)
		order[i] = sized[i].item;
	free(sized);
	return order;
}

static void exchange(nameid *id, const struct worker *w)
{
	if (*id >= w->first_own)
		*id = w->map[*id - w->first_own];
}

static void renumber(struct module *m, const struct worker *w)
{
	for (uint32_t i = 0; i < m->n_imports; i++)
		exchange(&m->imports[i].name, w);
	for (uint32_t i = 0; i < m->n_exports; i++) {
		exchange(&m->exports[i].name, w);
		exchange(&m->exports[i].ns, w);
	}
	for (uint32_t i = 0; i < m->info.n_import_ns; i++)
		exchange(&m->info.import_ns[i], w);
	exchange(&m->layout_symbol, w);
}

static void start_workers(struct load *l, const struct names *names, pthread_mutex_t *giants)
{
	l->n_workers = l->n_threads;
	l->workers = mem_zalloc(l->n_workers * sizeof(*l->workers));
	for (unsigned int t = 0; t < l->n_workers; t++) {
		struct worker *w = l->workers[t] = mem_zalloc(sizeof(*w));
		w->index = (uint16_t)t;
		w->names = names_new_over(names);
		w->first_own = names_first_own(w->names);
		w->arena = arena_new();
		w->reader = reader_new(w->names, w->arena);
		reader_share_giants(w->reader, giants);
		if (l->btf_base)
			reader_set_btf_base(w->reader, l->btf_base);
	}
}

/* Buffers and decoders are not needed any more, names and arenas are. */
static void stop_readers(struct load *l)
{
	for (unsigned int t = 0; t < l->n_workers; t++) {
		int shortage = reader_shortage(l->workers[t]->reader);
		if (shortage)
			l->shortage = shortage;
		reader_free(l->workers[t]->reader);
		l->workers[t]->reader = NULL;
	}
}

void load_read(struct load *l, const struct names *base, struct arena *a)
{
	struct jobs j = { .load = l };
	pthread_mutex_t giants = PTHREAD_MUTEX_INITIALIZER;

	l->items = list_items(l, a, &l->n_modules);
	l->reader_of = mem_zalloc(l->n_modules * sizeof(*l->reader_of));
	j.order = reading_order(l->items, l->n_modules);
	atomic_store(&j.next_tick, now_ms() + 1000);
	start_workers(l, base, &giants);
	pool_run(l->n_threads, l->n_modules, run_job, &j, (void **)l->workers);
	if (j.has_shown)
		fprintf(stderr, "\r\033[K");
	stop_readers(l);
	free(j.order);
}

void load_join(struct load *l, struct names *names, struct arena *a)
{
	for (unsigned int t = 0; t < l->n_workers; t++)
		l->workers[t]->map = names_join(names, l->workers[t]->names);
	l->modules = arena_array(a, l->n_modules, sizeof(*l->modules));
	for (uint32_t i = 0; i < l->n_modules; i++) {
		l->modules[i] = l->items[i].module;
		renumber(&l->modules[i], l->workers[l->reader_of[i]]);
	}
	for (unsigned int t = 0; t < l->n_workers; t++) {
		free(l->workers[t]->map);
		l->workers[t]->map = NULL;
	}
	free(l->items);
	free(l->reader_of);
}

void load_release(struct worker **workers, unsigned int n_workers)
{
	for (unsigned int t = 0; t < n_workers; t++) {
		names_free(workers[t]->names);
		arena_free(workers[t]->arena);
		free(workers[t]);
	}
	free(workers);
}
