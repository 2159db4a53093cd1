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

bool kallsyms_is(const char *bytes, size_t size)
{
	return sysmap_is(bytes, size) && memmem(bytes, size, "\t[", 2);
}

void kallsyms_read(struct listing *l, const char *bytes, size_t size, struct names *names)
{
	sysmap_read(l, bytes, size, names);
}
