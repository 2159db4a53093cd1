/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine.h"

#include <elf.h>
#include <stddef.h>

#include "base/arena.h"

static const struct {
	uint16_t machine;
	uint8_t elf_class; /* 0: either */
	const char *name;
} machines[] = {
	{ EM_X86_64, 0, "x86_64" },
	{ EM_386, 0, "i386" },
	{ 6, 0, "i386" },
	{ EM_AARCH64, 0, "aarch64" },
	{ EM_ARM, 0, "arm" },
	{ EM_PPC64, 0, "ppc64" },
	{ EM_PPC, 0, "ppc" },
	{ EM_S390, 0, "s390x" },
	{ EM_RISCV, ELFCLASS32, "riscv32" },
	{ EM_RISCV, 0, "riscv64" },
	{ EM_MIPS, ELFCLASS64, "mips64" },
	{ EM_MIPS, 0, "mips" },
	{ EM_LOONGARCH, 0, "loongarch64" },
	{ EM_SPARCV9, 0, "sparc64" },
	{ EM_SPARC, 0, "sparc" },
	{ EM_ALPHA, 0, "alpha" },
	{ 0x9026, 0, "alpha" },
	{ EM_IA_64, 0, "ia64" },
	{ EM_PARISC, 0, "parisc" },
	{ EM_68K, 0, "m68k" },
	{ EM_SH, 0, "sh" },
	{ EM_ARC_COMPACT, 0, "arc" },
	{ EM_XTENSA, 0, "xtensa" },
};

const char *machine_name(uint16_t machine, uint8_t elf_class, struct arena *a)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i].machine == machine &&
		    (!machines[i].elf_class || machines[i].elf_class == elf_class))
			return machines[i].name;
	}
	return machine ? arena_printf(a, "machine %u", machine) : "";
}
