/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * s_show() in kernel/kallsyms.c:
 *
 *   ffffffff810a3c20 T preempt_schedule
 *   ffffffffc0401000 t vfat_fill_super<TAB>[vfat]
 *
 * Names behind "[bpf]" and "[__builtin__kprobes]" are made at run time. __ksymtab_X is there only
 * with CONFIG_KALLSYMS_ALL; else the file shows functions and nothing of exports. Addresses are
 * 0 for readers without the privilege, and then the tables of licences cannot be told apart.
 */
#include "kernel/kallsyms.h"

#include <string.h>

#include "kernel/sysmap.h"

/* A search for the bracket alone is several times faster than one for the tab with it. */
bool kallsyms_is(const char *bytes, size_t size)
{
	const char *end = bytes + size;

	if (!sysmap_is(bytes, size))
		return false;
	for (const char *at = bytes; (at = memchr(at, '[', (size_t)(end - at))); at++) {
		if (at > bytes && at[-1] == '\t')
			return true;
	}
	return false;
}

void kallsyms_read(struct listing *l, const char *bytes, size_t size, struct names *names)
{
	sysmap_read(l, bytes, size, names);
}
