/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The faults of a module: a short list in the order found. A hostile file can have millions of
 * them, so the list ends with one entry that only counts the rest, in place.
 */
#include "read/read.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/limits.h"

/* The entry behind the last one that is kept. */
struct overflow {
	struct fault fault; /* first: its address is that of the list entry */
	unsigned long more;
	char text[64];
};

static void count_overflow(struct overflow *o)
{
	o->more++;
	snprintf(o->text, sizeof(o->text), "%lu more faults, not listed", o->more);
}

struct fault *module_add_fault(struct module *m, struct arena *a, enum fault_kind kind,
			       const char *format, ...)
{
	struct fault **end = &m->faults;
	unsigned int n = 0;
	va_list args;
	char text[1024];

	for (; *end && n < LIMIT_FAULTS_PER_MODULE; end = &(*end)->next)
		n++;
	if (n == LIMIT_FAULTS_PER_MODULE) {
		if (!*end) {
			struct overflow *o = arena_alloc(a, sizeof(*o));
			o->fault.kind = FAULT_LIMIT;
			o->fault.detail = o->text;
			*end = &o->fault;
		}
		count_overflow((struct overflow *)(void *)*end);
		return NULL;
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	*end = arena_alloc(a, sizeof(**end));
	(*end)->kind = kind;
	(*end)->detail = arena_strdup(a, text);
	return *end;
}

void fault_set_check(struct fault *fault, enum elf_check check, uint64_t a, uint64_t b)
{
	if (!fault)
		return;
	fault->check = check;
	fault->numbers[0] = (uint32_t)a;
	fault->numbers[1] = (uint32_t)b;
}
