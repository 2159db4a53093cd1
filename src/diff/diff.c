/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/diff.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "diff/stages.h"

#define CPUINFO_BYTES ((uint64_t)64 << 20) /* 8192 processors take 20 MB */

static bool has_word(const char *text, const char *word, size_t length)
{
	while (*(text += strspn(text, " "))) {
		size_t n = strcspn(text, " ");
		if (n == length && memcmp(text, word, n) == 0)
			return true;
		text += n;
	}
	return false;
}

/* Room for one more word than there are spaces in either. */
static void add_words(struct diff *d, const char *one, const char *other, bool is_new)
{
	while (*(one += strspn(one, " "))) {
		size_t length = strcspn(one, " ");
		if (!has_word(other, one, length))
			d->words[d->n_words++] = (struct vermagic_word) {
				.word = arena_strndup(d->arena, one, length),
				.is_new = is_new,
			};
		one += length;
	}
}

void diff_vermagic(struct diff *d)
{
	const char *old = d->old.vermagic, *new = d->new.vermagic;

	d->knows_vermagic = old && new;
	if (!d->knows_vermagic)
		return;
	d->words = arena_array(d->arena, strlen(old) + strlen(new) + 2, sizeof(*d->words));
	old += strcspn(old, " "); /* the release is no word */
	new += strcspn(new, " ");
	add_words(d, old, new, false);
	add_words(d, new, old, true);
}

static bool read_processor(struct diff *d, const char *path, struct err *err)
{
	struct err phrase = { "" };
	struct file file;

	if (!path)
		return true;
	if (file_read(&file, path, FILE_STREAMS, CPUINFO_BYTES, &phrase) != FILE_OK)
		return err_set(err, "cannot read %s: %.512s", path, phrase.text);
	d->processor.source = path;
	cpuinfo_read(&d->processor.info, file.bytes, file.size, d->arena);
	file_release(&file);
	processor_judge(&d->processor, &d->new.session.kernel, d->new.machine, d->arena);
	return true;
}

static bool load_sides(struct diff *d, const struct diff_options *o, struct err *err)
{
	const struct evidence_options *e = &o->session->evidence;

	if (!side_load(&d->old, o->old, e->n_symvers ? e->symvers[0] : NULL, o->session, err) ||
	    !side_load(&d->new, o->new, e->n_symvers ? e->symvers[1] : NULL, o->session, err))
		return false;
	if (strcmp(d->old.label, d->new.label) == 0) { /* two builds of one release */
		d->old.label = o->old;
		d->new.label = o->new;
	}
	return true;
}

bool diff_run(struct diff *d, const struct diff_options *options, struct err *err)
{
	*d = (struct diff) { .arena = arena_new(), .names = names_new() };
	if (!load_sides(d, options, err) || !read_processor(d, options->cpuinfo, err))
		return false;
	d->has_other_machine = d->old.machine && d->new.machine && d->old.machine != d->new.machine;
	diff_modules(d);
	diff_exports(d);
	diff_vermagic(d);
	config_compare(&d->config, &d->old.session.kernel.config, &d->new.session.kernel.config,
		       d->arena);
	diff_judge(d, options->policy);
	return true;
}

void diff_release(struct diff *d)
{
	side_release(&d->old);
	side_release(&d->new);
	names_free(d->names);
	arena_free(d->arena);
}
