/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists and indexes beside the modules; the first byte says which.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/limits.h"
#include "index/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct index *x, size_t size)
{
	if (x->n_dep_paths > size || x->n_order > size || x->n_builtins > size)
		abort();
	for (size_t i = 0; i < x->n_deps; i++) {
		const struct index_dep *dep = &x->deps[i];
		if (dep->path == NAME_NONE || dep->first + (size_t)dep->n > x->n_dep_paths)
			abort();
	}
	for (size_t i = 0; i < x->n_owners; i++) {
		if (x->owners[i].name == NAME_NONE || !x->owners[i].tag)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "crypto_sha1", "a", "_x" };
	const char *text = (const char *)data + 1;
	bool is_found[3] = { false };
	struct index x;

	if (size-- < 2)
		return 0;
	index_init(&x);
	if (data[0] % 5 == 0)
		(void)index_read_dep_bin(&x, text, size, "lib/modules/6.1.0");
	else if (data[0] % 5 == 1)
		index_read_dep(&x, text, size, "lib/modules/6.1.0");
	else if (data[0] % 5 == 2)
		index_read_order(&x, text, size);
	else if (data[0] % 5 == 3)
		index_read_builtin(&x, text, size);
	else
		index_read_modinfo(&x, text, size);
	check(&x, size);
	x.alias = x.modinfo = (struct file) { (char *)(uintptr_t)text, size };
	index_find_aliases(&x, words, is_found, 3);
	x.alias = x.modinfo = (struct file) { 0 };
	index_release(&x);
	return 0;
}
