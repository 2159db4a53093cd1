/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A /proc/cpuinfo, judged for kernels with each kind of configuration.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "diff/processor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char pae[] = "CONFIG_X86_32=y\nCONFIG_X86_PAE=y\nCONFIG_X86_CMOV=y\n"
				  "CONFIG_X86_MINIMUM_CPU_FAMILY=6\n";
	struct kernel kernel = { .config = { pae, sizeof(pae) - 1 } };
	struct processor p = { .state = PROCESSOR_NOT_ASKED };
	struct arena *a = arena_new();

	cpuinfo_read(&p.info, (const char *)data, size, a);
	processor_judge(&p, &kernel, EM_386, a);
	if (p.state == PROCESSOR_FITS && !cpuinfo_has(&p.info, "pae"))
		abort();
	if (p.info.is_x86 != (p.state != PROCESSOR_UNKNOWN))
		abort();
	arena_free(a);
	return 0;
}
