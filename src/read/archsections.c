/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections that module_frob_arch_sections(), or module_finalize() of arm64, (arch/.../kernel/
 * module*.c, 6.12; of ia64 6.1) wants a module to have. They come from the kernel's linker script,
 * nearly empty, and the loader makes room in them for jumps that reach too far. It takes any of
 * that name, loaded or not. Whether this kernel asks for them is for rules/arch.c to say.
 */
#include <elf.h>
#include <string.h>

#include "read/reader.h"

struct arch_name {
	uint16_t machine;
	uint16_t section; /* enum arch_section */
	const char *name;
};

/* All of a machine together. */
static const struct arch_name table[] = {
	{ EM_AARCH64, ARCH_PLT, ".plt" },
	{ EM_AARCH64, ARCH_INIT_PLT, ".init.plt" },
	{ EM_AARCH64, ARCH_FTRACE, ".text.ftrace_trampoline" },
	{ EM_AARCH64, ARCH_INIT_FTRACE, ".init.text.ftrace_trampoline" },
	{ EM_ARM, ARCH_PLT, ".plt" },
	{ EM_ARM, ARCH_INIT_PLT, ".init.plt" },
	{ EM_PPC64, ARCH_STUBS, ".stubs" },
	{ EM_PPC64, ARCH_MY_GOT, ".mygot" },
	{ EM_PPC, ARCH_PLT, ".plt" },
	{ EM_PPC, ARCH_INIT_PLT, ".init.plt" },
	{ EM_RISCV, ARCH_PLT, ".plt" },
	{ EM_RISCV, ARCH_GOT, ".got" },
	{ EM_RISCV, ARCH_GOT_PLT, ".got.plt" },
	{ EM_LOONGARCH, ARCH_PLT, ".plt" },
	{ EM_LOONGARCH, ARCH_PLT_IDX, ".plt.idx" },
	{ EM_ALPHA, ARCH_GOT, ".got" },
	{ EM_IA_64, ARCH_CORE_PLT, ".core.plt" },
	{ EM_IA_64, ARCH_INIT_PLT, ".init.plt" },
	{ EM_IA_64, ARCH_GOT, ".got" },
	{ EM_IA_64, ARCH_OPD, ".opd" },
};

static bool has_section(const struct elffile *f, const char *name)
{
	for (uint32_t i = 1; i < f->header.shnum; i++)
		if (strcmp(sections_name(f, i), name) == 0)
			return true;
	return false;
}

void archsections_find(struct elffile *f)
{
	/* without a name table, or in a 2.4 object, nothing is to be found */
	if (f->reader->image.names == NOT_LOADED || !f->parts[PART_THIS_MODULE])
		return;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].machine == f->header.machine && !has_section(f, table[i].name))
			f->m->lacks |= table[i].section;
}
