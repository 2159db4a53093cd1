/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each file goes the same way: read it, unpack it, see whether it is what it should be, let its
 * reader make a listing of it, say in sources[] what came of it. At the end the listings are
 * merged.
 */
#include "kernel/evidence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "codec/codec.h"
#include "kernel/discover.h"
#include "kernel/imagesource.h"
#include "kernel/kallsyms.h"
#include "kernel/kconfig.h"
#include "kernel/ksyms.h"
#include "kernel/listing.h"
#include "kernel/merge.h"
#include "kernel/symvers.h"
#include "kernel/sysmap.h"

struct loader {
	struct kernel *kernel;
	const struct evidence_options *options;
	struct names *names;
	struct arena *arena;
	struct listing listings[KERNEL_MAX_SOURCES]; /* of the source of the same index */
	bool shows_definitions;                      /* some map was used */
	bool shows_exports;                          /* some source lists the kernel's exports */
};

/* A file's bytes, unpacked. */
struct text {
	struct file file;
	struct codec_buffer unpacked;
	const char *bytes;
	size_t size;
};

/* What a file turned out to be. */
enum reading {
	READ_USED,
	READ_ABSENT,  /* not there */
	READ_EMPTY,   /* of its kind, and says nothing: a stub */
	READ_FOREIGN, /* something else */
	READ_FAILED,
};

/* An image is left as it is: its reader knows how much of it has to be unpacked. */
static enum file_result text_read(struct text *t, const char *path, enum source_kind kind,
				  enum file_flags flags, struct err *err)
{
	uint64_t limit = kind == SOURCE_IMAGE ? LIMIT_IMAGE_BYTES : LIMIT_TEXT_BYTES;
	const char *detail = "";

	codec_buffer_init(&t->unpacked);
	enum file_result result = file_read(&t->file, path, flags, limit, err);
	if (result != FILE_OK)
		return result;
	const unsigned char *packed = (const unsigned char *)t->file.bytes;
	t->bytes = t->file.bytes;
	t->size = t->file.size;
	if (kind == SOURCE_IMAGE || !codec_name(packed, t->size))
		return FILE_OK;
	if (codec_unpack(&t->unpacked, packed, t->size, LIMIT_TEXT_BYTES, &detail) != CODEC_OK) {
		err_set(err, "%s: %s", codec_name(packed, t->file.size), detail);
		return FILE_BAD;
	}
	t->bytes = t->unpacked.size ? (const char *)t->unpacked.bytes : "";
	t->size = t->unpacked.size;
	return FILE_OK;
}

static void text_release(struct text *t)
{
	file_release(&t->file);
	codec_buffer_release(&t->unpacked);
}

static enum reading read_symvers(struct loader *l, struct listing *list, const struct text *t)
{
	symvers_read(list, t->bytes, t->size, l->names);
	listing_join(list, l->names);
	if (list->n_syms)
		return READ_USED;
	return list->n_lines ? READ_FOREIGN : READ_EMPTY;
}

/* The kinds of map, the more particular first. */
static const struct {
	enum source_kind kind;
	bool (*is_one)(const char *bytes, size_t size);
	void (*read)(struct listing *l, const char *bytes, size_t size, struct names *names);
} maps[] = {
	{ SOURCE_KALLSYMS, kallsyms_is, kallsyms_read },
	{ SOURCE_SYSTEM_MAP, sysmap_is, sysmap_read },
	{ SOURCE_KSYMS, ksyms_is, ksyms_read },
};

/* Any of the maps, whatever it was taken for. */
static enum reading read_map(struct loader *l, struct listing *list, struct source *source,
			     const struct text *t)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		if (!maps[i].is_one(t->bytes, t->size))
			continue;
		if (source->kind != SOURCE_KALLSYMS) /* which may list no module */
			source->kind = maps[i].kind;
		maps[i].read(list, t->bytes, t->size, l->names);
		listing_join(list, l->names);
		return list->n_syms ? READ_USED : READ_EMPTY;
	}
	return t->size ? READ_FOREIGN : READ_EMPTY;
}

static enum reading read_config(struct loader *l, const struct text *t)
{
	if (!kconfig_is(t->bytes, t->size))
		return READ_FOREIGN;
	l->kernel->config.text = arena_strndup(l->arena, t->bytes, t->size);
	l->kernel->config.size = t->size;
	return READ_USED;
}

static enum reading read_image(struct loader *l, struct listing *list, struct source *source,
			       const struct text *t, struct err *err)
{
	if (!imagesource_read(list, l->kernel, t->bytes, t->size, l->options->wants_types, l->names,
			      l->arena, err)) {
		source->note = arena_printf(l->arena, "cannot be used: %s", err->text);
		return READ_FAILED;
	}
	listing_join(list, l->names);
	source->note = list->n_syms ? imagesource_doubt(l->kernel, l->arena)
				    : "a kernel without loadable modules";
	return list->n_syms ? READ_USED : READ_EMPTY;
}

/* What goes into sources[] of a file that was read. */
static void describe(struct loader *l, struct source *s, const struct listing *list)
{
	for (size_t i = 0; i < list->n_syms; i++) {
		const struct ksym *sym = &list->syms[i];
		s->exports += sym->is_exported;
		s->defined += !sym->is_exported;
		s->crcs += sym->has_crc && sym->crc;
		s->licences += sym->licence != LICENCE_ANY;
		s->namespaces += sym->ns != NAME_NONE;
	}
	s->knows_licences = list->knows_licences;
	s->knows_namespaces = list->knows_namespaces;
	if (!s->exports && !list->n_lines)
		s->note = "empty";
	else if (!s->exports && !s->defined)
		s->note = arena_printf(l->arena, "stub: %u line%s, no exported symbols",
				       list->n_lines, list->n_lines == 1 ? "" : "s");
	else if (!s->exports)
		s->note = "no exported symbols";
	if (list->is_cut)
		s->note = arena_printf(l->arena, "cut at %llu symbols",
				       (unsigned long long)LIMIT_SYMBOLS);
	else if (list->n_bad && s->used)
		s->note = arena_printf(l->arena, "%s%s%u line%s not understood",
				       s->note ? s->note : "", s->note ? "; " : "", list->n_bad,
				       list->n_bad == 1 ? "" : "s");
}

static const char *kind_name(enum source_kind kind)
{
	static const char *const names[] = {
		[SOURCE_SYMVERS] = "Module.symvers",
		[SOURCE_SYSTEM_MAP] = "System.map or copy of /proc/ksyms or /proc/kallsyms",
		[SOURCE_KSYMS] = "copy of /proc/ksyms",
		[SOURCE_KALLSYMS] = "copy of /proc/kallsyms",
		[SOURCE_CONFIG] = "kernel configuration",
		[SOURCE_IMAGE] = "kernel image",
	};

	return names[kind];
}

static enum reading read_text(struct loader *l, uint32_t index, const struct text *t,
			      struct err *err)
{
	struct source *source = &l->kernel->sources[index];
	struct listing *list = &l->listings[index];
	enum reading result;

	if (source->kind == SOURCE_CONFIG)
		result = read_config(l, t);
	else if (source->kind == SOURCE_IMAGE)
		result = read_image(l, list, source, t, err);
	else if (source->kind == SOURCE_SYMVERS)
		result = read_symvers(l, list, t);
	else
		result = read_map(l, list, source, t);
	source->used = result == READ_USED;
	if (result == READ_FOREIGN) {
		err_set(err, "not a %s", kind_name(source->kind));
		source->note = arena_strdup(l->arena, err->text);
		return result;
	}
	if (source->kind != SOURCE_CONFIG && (source->kind != SOURCE_IMAGE || source->used))
		describe(l, source, list);
	l->shows_exports |= list->n_kernel_exports > 0;
	l->shows_definitions |= source->used && source->kind >= SOURCE_SYSTEM_MAP &&
				source->kind <= SOURCE_KALLSYMS;
	return result;
}

/*
 * Read one file and add it to sources[], unless it is absent. `shown` is what the report calls it.
 * *err says what was wrong, as a phrase.
 */
static enum reading take(struct loader *l, enum source_kind kind, const char *shown,
			 const char *path, enum file_flags flags, struct err *err)
{
	struct kernel *k = l->kernel;
	struct text text = { 0 };
	enum reading result = READ_FAILED;

	if (k->n_sources == KERNEL_MAX_SOURCES) {
		err_set(err, "too many files of evidence, at most %d", KERNEL_MAX_SOURCES);
		return READ_FAILED;
	}
	enum file_result found = text_read(&text, path, kind, flags, err);
	if (found == FILE_ABSENT) {
		text_release(&text);
		return READ_ABSENT;
	}
	uint32_t index = k->n_sources++;
	k->sources[index] = (struct source) { .kind = kind, .path = arena_strdup(l->arena, shown) };
	if (found == FILE_OK)
		result = read_text(l, index, &text, err);
	else
		k->sources[index].note = arena_printf(l->arena, "cannot be read: %s", err->text);
	text_release(&text);
	return result;
}

/* A file that the user named: it has to be there and of its kind, though it may say nothing. */
static bool take_named(struct loader *l, enum source_kind kind, const char *path, struct err *err)
{
	struct err phrase = { "" };
	enum reading result = take(l, kind, path, path, FILE_STREAMS, &phrase);

	const char *note =
		result == READ_EMPTY ? l->kernel->sources[l->kernel->n_sources - 1].note : NULL;
	if (result == READ_USED || result == READ_EMPTY)
		l->kernel->sources[l->kernel->n_sources - 1].is_named = true;
	if (note && strcmp(note, "empty") == 0)
		return err_set(err, "%s is empty", path);
	if (result == READ_USED || result == READ_EMPTY)
		return true;
	if (result != READ_FOREIGN)
		return err_set(err, "cannot read %s: %.512s", path, phrase.text);
	const char *hint = "";
	if (kind == SOURCE_SYMVERS)
		hint = " (a System.map is given with -F)";
	else if (kind == SOURCE_SYSTEM_MAP)
		hint = " (a Module.symvers is given with -E)";
	return err_set(err, "%s is %.512s%s", path, phrase.text, hint);
}

static bool take_all_named(struct loader *l, struct err *err)
{
	const struct evidence_options *o = l->options;

	for (unsigned int i = 0; i < o->n_symvers; i++) {
		if (!take_named(l, SOURCE_SYMVERS, o->symvers[i], err))
			return false;
	}
	if (o->system_map && !take_named(l, SOURCE_SYSTEM_MAP, o->system_map, err))
		return false;
	if (o->kernel_image && !take_named(l, SOURCE_IMAGE, o->kernel_image, err))
		return false;
	return !o->kernel_config || take_named(l, SOURCE_CONFIG, o->kernel_config, err);
}

/* Go through the places for this kind until one has what is looked for. */
static void discover(struct loader *l, enum source_kind kind)
{
	const struct evidence_options *o = l->options;
	unsigned int i = 0;
	const char *shown;

	while ((shown = discover_next(o, kind, &i, l->arena))) {
		struct err ignored;
		const char *path = discover_resolve(o->basedir, shown, l->arena);
		if (!path || take(l, kind, shown, path, FILE_REGULAR_ONLY, &ignored) != READ_USED)
			continue;
		if (kind == SOURCE_CONFIG || l->listings[l->kernel->n_sources - 1].n_kernel_exports)
			return;
	}
}

static void discover_all(struct loader *l)
{
	const struct evidence_options *o = l->options;
	bool may_ask_proc = o->is_running && !(o->basedir && *o->basedir);
	struct err ignored;

	if (!l->shows_exports)
		discover(l, SOURCE_SYMVERS);
	if (!l->shows_exports && !o->kernel_image)
		discover(l, SOURCE_IMAGE);
	if (!o->system_map)
		discover(l, SOURCE_SYSTEM_MAP);
	if (!o->system_map && !l->shows_definitions && may_ask_proc)
		take(l, SOURCE_KALLSYMS, "/proc/kallsyms", "/proc/kallsyms", FILE_REGULAR_ONLY,
		     &ignored);
	if (!o->kernel_config)
		discover(l, SOURCE_CONFIG);
	if (!l->kernel->config.text && !o->kernel_config && may_ask_proc)
		take(l, SOURCE_CONFIG, "/proc/config.gz", "/proc/config.gz", FILE_REGULAR_ONLY,
		     &ignored);
}

static bool has_used(const struct kernel *k, enum source_kind kind)
{
	for (uint32_t i = 0; i < k->n_sources; i++)
		if (k->sources[i].kind == kind && k->sources[i].used)
			return true;
	return false;
}

static void note_contradictions(struct loader *l)
{
	bool by_image = !has_used(l->kernel, SOURCE_SYMVERS) && has_used(l->kernel, SOURCE_IMAGE);
	const char *base = kind_name(by_image ? SOURCE_IMAGE : SOURCE_SYMVERS);

	for (uint32_t i = 0; i < l->kernel->n_sources; i++) {
		struct source *s = &l->kernel->sources[i];
		if (!s->contradictions)
			continue;
		s->note = arena_printf(l->arena, "%s%s%u export%s from %s", s->note ? s->note : "",
				       s->note ? "; " : "", s->contradictions,
				       s->contradictions == 1 ? " differs" : "s differ", base);
	}
}

static void finish(struct loader *l)
{
	struct kernel *k = l->kernel;

	merge_listings(k, l->listings, l->names, l->arena);
	note_contradictions(l);
	for (uint32_t i = 0; i < k->n_sources; i++) {
		k->has_crcs |= l->listings[i].has_crcs;
		k->has_suffixes |= l->listings[i].has_suffixes;
	}
	if (!k->machine)
		k->machine = kconfig_machine(&k->config);
}

bool evidence_load(struct kernel *kernel, const struct evidence_options *options,
		   struct names *names, struct arena *a, struct err *err)
{
	struct loader l = { .kernel = kernel, .options = options, .names = names, .arena = a };

	*kernel = (struct kernel) { .release = arena_strdup(a, options->release),
				    .version = kernel_version_of(options->release) };
	bool is_loaded = take_all_named(&l, err);
	if (is_loaded) {
		discover_all(&l);
		finish(&l);
	}
	for (size_t i = 0; i < KERNEL_MAX_SOURCES; i++)
		listing_release(&l.listings[i]);
	return is_loaded;
}

/* A decimal number, held to 255 as KERNEL_VERSION() does for long-lived series. */
static bool get_number(const char **text, uint32_t *n)
{
	if (!isdigit((unsigned char)**text))
		return false;
	for (*n = 0; isdigit((unsigned char)**text); (*text)++)
		*n = *n > 255 ? *n : *n * 10 + (uint32_t)(**text - '0');
	*n = *n > 255 ? 255 : *n;
	return true;
}

uint32_t kernel_version_of(const char *release)
{
	uint32_t major, minor, patch = 0;

	if (!release || !get_number(&release, &major) || *release++ != '.' ||
	    !get_number(&release, &minor))
		return 0;
	if (*release == '.') {
		release++;
		get_number(&release, &patch);
	}
	return KERNEL_VERSION_CODE(major, minor, patch);
}
