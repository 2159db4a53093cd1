/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modutils 2.4 (depmod/depmod.c, util/xftw.c, insmod/insmod.c, obj/obj_load.c). depmod -e:
 *
 *   depmod: *** Unresolved symbols in /lib/modules/2.4.8-ac12/kernel/fs/fat/fat.o
 *   depmod: <tab>preempt_schedule
 *
 * on stderr; with -v each module's path, without basedir, on stdout when it was looked at, and
 * what the walk does before. What insmod says begins with the file's path.
 */
#include <errno.h>

#include "log/row.h"
#include "rules/table.h"

static const struct row rows[] = {
	{ "*** Unresolved symbols in %p", ROW_HEADER, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0, NULL },
	{ "depmod: %s", ROW_LISTED, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0, NULL },
	{ "xftw starting at %*", ROW_CALM, 0, 0, 0, NULL },
	{ "xftw_readdir %*", ROW_CALM, 0, 0, 0, NULL },
	{ "depmod: cannot read ELF header from %p", ROW_FINDING, RULE_UNREADABLE_MODULE,
	  SEV_OF_RULE, 0, "its ELF header cannot be read" },
	{ "depmod: %p is not an ELF file", ROW_FINDING, RULE_UNREADABLE_MODULE, SEV_OF_RULE, 0,
	  "not an ELF file" },
	{ "%p is not an ELF file", ROW_FINDING, RULE_UNREADABLE_MODULE, SEV_OF_RULE, 0,
	  "not an ELF file" },
	{ "depmod: ELF file %p not for this architecture", ROW_FINDING, RULE_WRONG_MACHINE,
	  SEV_OF_RULE, 0, NULL },
	{ "ELF file %p not for this architecture", ROW_FINDING, RULE_WRONG_MACHINE, SEV_OF_RULE, 0,
	  NULL },
	{ "depmod: ELF file %p not a relocatable object", ROW_FINDING, RULE_MALFORMED_ELF,
	  SEV_OF_RULE, 0, "not a relocatable object" },
	{ "ELF file %p not a relocatable object", ROW_FINDING, RULE_MALFORMED_ELF, SEV_OF_RULE, 0,
	  "not a relocatable object" },
	{ "%p: unresolved symbol %s", ROW_FINDING, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, ENOENT,
	  NULL },
	{ "%p: kernel-module version mismatch %* was compiled for kernel version %a while this "
	  "kernel is version %x.",
	  ROW_FINDING, RULE_VERMAGIC_MISMATCH, SEV_OF_RULE, ENOEXEC, NULL },
	{ "%p: couldn't find the kernel version the module was compiled for", ROW_FINDING,
	  RULE_VERMAGIC_MISSING, SEV_OF_RULE, ENOEXEC, "it does not say for which kernel" },
	{ "Warning: loading %p will taint the kernel: non-GPL license - %a", ROW_FINDING,
	  RULE_LICENSE_TAINTS, SEV_OF_RULE, 0, NULL },
	{ "Warning: loading %p will taint the kernel: no license", ROW_FINDING, RULE_LICENSE_TAINTS,
	  SEV_OF_RULE, 0, NULL },
	{ "Warning: loading %p will taint the kernel: forced load", ROW_OTHER, 0, 0, 0, NULL },
	{ "%p: insmod %* failed", ROW_FAILURE, 0, 0, 0, NULL },
	{ "modprobe: Can't locate module %m", ROW_ABSENT, 0, 0, 0, NULL },
};

const struct row_table modutils_rows = { rows, sizeof(rows) / sizeof(rows[0]), WRITER_MODUTILS };
