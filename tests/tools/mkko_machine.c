// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processors whose objects mkko can write. Relocation types are those of the psABIs, as
 * <elf.h> has them: a word, 32 bits, 32 bits relative to their place, a call.
 *
 * prel32: CONFIG_HAVE_ARCH_PREL32_RELOCATIONS (x86 and arm64 only, 4.19 to 7.2).
 * sections: those without which module_frob_arch_sections() refuses a module.
 */
#include <elf.h>
#include <string.h>

#include "mkko.h"

#define LE false
#define BE true

static const struct machine machines[] = {
	{ "i386", EM_386, 32, LE, false, true, true, 0, 1, 1, 2, 2, { NULL } },
	{ "x86_64", EM_X86_64, 64, LE, true, true, true, 0, 1, 10, 2, 4, { NULL } },
	{ "arm",
	  EM_ARM,
	  32,
	  LE,
	  false,
	  false,
	  false,
	  0x5000000,
	  2,
	  2,
	  3,
	  28,
	  { ".plt", ".init.plt" } },
	{ "arm64",
	  EM_AARCH64,
	  64,
	  LE,
	  true,
	  true,
	  false,
	  0,
	  257,
	  258,
	  261,
	  283,
	  { ".plt", ".init.plt", ".text.ftrace_trampoline", ".init.text.ftrace_trampoline" } },
	{ "ppc", EM_PPC, 32, BE, true, false, false, 0, 1, 1, 26, 10, { ".plt", ".init.plt" } },
	{ "ppc64", EM_PPC64, 64, BE, true, false, false, 1, 38, 1, 26, 10, { ".stubs" } },
	{ "ppc64le", EM_PPC64, 64, LE, true, false, false, 2, 38, 1, 26, 10, { ".stubs" } },
	{ "s390x", EM_S390, 64, BE, true, false, false, 0, 22, 4, 5, 20, { NULL } },
	{ "riscv64", EM_RISCV, 64, LE, true, false, false, 5, 2, 1, 57, 19, { NULL } },
	{ "riscv32", EM_RISCV, 32, LE, true, false, false, 1, 1, 1, 57, 19, { NULL } },
	{ "loongarch64",
	  258,
	  64,
	  LE,
	  true,
	  false,
	  false,
	  0x43,
	  2,
	  1,
	  99,
	  66,
	  { ".plt", ".plt.idx" } },
	{ "mips", EM_MIPS, 32, BE, false, false, false, 0x50001001, 2, 2, 248, 4, { NULL } },
	{ "mipsel", EM_MIPS, 32, LE, false, false, false, 0x50001001, 2, 2, 248, 4, { NULL } },
	{ "mips64", EM_MIPS, 64, BE, true, false, false, 0x80000001, 18, 2, 248, 4, { NULL } },
	{ "mips64el", EM_MIPS, 64, LE, true, false, false, 0x80000001, 18, 2, 248, 4, { NULL } },
	{ "sparc", EM_SPARC, 32, BE, true, false, false, 0, 3, 3, 6, 7, { NULL } },
	{ "sparc64", EM_SPARCV9, 64, BE, true, false, false, 0, 32, 3, 6, 7, { NULL } },
	{ "alpha", 0x9026, 64, LE, true, false, false, 0, 2, 1, 10, 4, { ".got" } },
	{ "parisc", EM_PARISC, 32, BE, true, false, false, 0x210, 1, 1, 9, 12, { NULL } },
	{ "m68k", EM_68K, 32, BE, true, false, false, 0, 1, 1, 4, 4, { NULL } },
	{ "sh", EM_SH, 32, LE, true, false, false, 9, 1, 1, 2, 2, { NULL } },
	{ "ia64",
	  EM_IA_64,
	  64,
	  LE,
	  true,
	  false,
	  false,
	  0x10,
	  0x27,
	  0x25,
	  0x4d,
	  0x49,
	  { ".core.plt", ".init.plt", ".got", ".opd" } },
};

const struct machine *machine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(machines[i].name, name))
			return &machines[i];
	return NULL;
}
