/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depmod.d: any bytes as a file of it, then ranks of paths by what it said.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/depmodd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = { "updates/x.ko", "kernel/fs/fat/vfat.ko.xz", "x.ko",
					     "/opt/x.ko" };
	struct arena *a = arena_new();
	struct depmodd d;

	depmodd_init(&d, "6.1.0-57-amd64", a);
	depmodd_parse(&d, (const char *)data, size);
	depmodd_finish(&d);
	if (!d.searches || d.n_rules > LIMIT_CONFIG_RULES)
		abort();
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (depmodd_rank(&d, paths[i]) < 0)
			abort();
	depmodd_excludes(&d, "x.ko");
	arena_free(a);
	return 0;
}
