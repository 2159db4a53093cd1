/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of src/read: modules made by mkko of a recipe, and what was read of one as text.
 * Each module is read twice, as a file and from memory; both have to say the same.
 */
#ifndef MODCHECK_READ_FIXTURE_H
#define MODCHECK_READ_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/names.h"
#include "read/read.h"

struct fixture {
	char dir[64];
	char path[128]; /* of the module made last */
	struct names *names;
	struct arena *arena;
	struct reader *reader;
	char text[16384];
	size_t length;
};

static int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	snprintf(f->dir, sizeof(f->dir), "/tmp/test_read.XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	f->names = names_new();
	f->arena = arena_new();
	f->reader = reader_new(f->names, f->arena);
	*state = f;
	return 0;
}

static int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", f->dir);
	int status = system(command);
	reader_free(f->reader);
	names_free(f->names);
	arena_free(f->arena);
	free(f);
	return status;
}

/* Make the module `file` (x.ko, x.o) of the lines. */
static void make(struct fixture *f, const char *file, const char *lines)
{
	const char *tools = getenv("TOOLS");
	char command[512];

	snprintf(f->path, sizeof(f->path), "%s/%s", f->dir, file);
	unlink(f->path);
	snprintf(command, sizeof(command), "%s/mkko -o %s", tools ? tools : "build/tools", f->dir);
	FILE *pipe = popen(command, "w");
	assert_non_null(pipe);
	fprintf(pipe, "module %s\n%s", file, lines);
	assert_int_equal(pclose(pipe), 0);
}

static unsigned char *load(const struct fixture *f, size_t *size)
{
	FILE *file = fopen(f->path, "rb");

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

__attribute__((format(printf, 2, 3))) static void say(struct fixture *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(f->text + f->length, sizeof(f->text) - f->length, format, args);
	va_end(args);
	assert_true(n >= 0 && (size_t)n < sizeof(f->text) - f->length);
	f->length += (size_t)n;
}

/* "_printk=5595a2cf foo(weak) | aaa=00000001 bbb(gpl,NS)": imports | exports. */
__attribute__((unused)) static void say_symbols(struct fixture *f, const struct module *m)
{
	static const char *const licences[] = { "", "gpl", "gpl-future", "unused", "unused-gpl" };

	for (uint32_t i = 0; i < m->n_imports; i++) {
		const struct import *s = &m->imports[i];
		say(f, "%s", names_text(f->names, s->name));
		if (s->flags & IMPORT_HAS_CRC)
			say(f, "=%08x", s->crc);
		say(f, "%s%s ", s->flags & IMPORT_WEAK ? "(weak)" : "",
		    s->flags & IMPORT_UNREFERENCED ? "(unreferenced)" : "");
	}
	say(f, "|");
	for (uint32_t i = 0; i < m->n_exports; i++) {
		const struct export *e = &m->exports[i];
		say(f, " %s", names_text(f->names, e->name));
		if (e->has_crc)
			say(f, "=%08x", e->crc);
		if (e->licence != LICENCE_ANY || e->ns != NAME_NONE)
			say(f, "(%s,%s)", licences[e->licence], names_text(f->names, e->ns));
	}
}

/* Each fault on a line "KIND: detail". */
__attribute__((unused)) static void say_faults(struct fixture *f, const struct module *m)
{
	static const char *const kinds[] = {
		"UNREADABLE",  "NOT_REGULAR", "NOT_ELF",  "TRUNCATED",    "COMPRESSION",
		"LIMIT",       "ELF",         "ELF_6_12", "ELF_7_2",      "WRONG_TYPE",
		"STRIPPED",    "WRITE_EXEC",  "EMPTY",    "UNNAMED",      "COMMON_SYMBOL",
		"RELOCATION",  "TARGET",      "OVERFLOW", "CALL",         "STATIC_CALL",
		"KLP_SECTION", "KLP_MARK",    "KLP_NAME", "SYMBOL_INDEX", "CONSTRUCTORS",
		"BTF",
	};

	for (const struct fault *fault = m->faults; fault; fault = fault->next)
		say(f, "%s: %s\n", kinds[fault->kind], fault->detail);
}

typedef void say_function(struct fixture *f, const struct module *m);

static struct module read_file(struct fixture *f)
{
	struct module m = { .path = f->path, .name = "x" };

	reader_read_file(f->reader, &m, f->path);
	return m;
}

static struct module read_bytes(struct fixture *f, const unsigned char *bytes, size_t size)
{
	struct module m = { .path = f->path, .name = "x" };

	reader_read_bytes(f->reader, &m, bytes, size);
	return m;
}

/* What `how` says of the module made last, by either way. */
static const char *told(struct fixture *f, say_function *how)
{
	static char first[sizeof(f->text)];
	size_t size;
	unsigned char *bytes = load(f, &size);
	struct module m = read_file(f);

	f->length = 0;
	f->text[0] = '\0';
	how(f, &m);
	memcpy(first, f->text, sizeof(first));
	m = read_bytes(f, bytes, size);
	free(bytes);
	f->length = 0;
	f->text[0] = '\0';
	how(f, &m);
	assert_string_equal(f->text, first);
	return f->text;
}

#endif
