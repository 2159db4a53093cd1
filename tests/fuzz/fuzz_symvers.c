/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module.symvers.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/limits.h"
#include "kernel/symvers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every symbol has a name and stands in a line that was read. */
static void check(const struct listing *l, const struct names *names)
{
	if (l->n_bad > l->n_lines && l->n_syms < LIMIT_SYMBOLS)
		abort();
	for (size_t i = 0; i < l->n_syms; i++) {
		const struct ksym *sym = &l->syms[i];
		if (sym->name == NAME_NONE || sym->name >= names_count(names) || sym->line == 0)
			abort();
		if (sym->provider >= names_count(names) || sym->ns >= names_count(names))
			abort();
		if (!sym->is_exported && !sym->type)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct names *names = names_new();
	struct listing list = { 0 };
	const char *text = (const char *)data;

	symvers_read(&list, text, size, names);
	check(&list, names);
	listing_join(&list, names);
	check(&list, names);
	listing_release(&list);
	names_free(names);
	return 0;
}
