/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module_frob_arch_sections() of each machine (arch/.../kernel/module*.c, 5.10 to 7.2), and
 * module_finalize() of arm64, which asks for the trampolines of ftrace when all else is done. A
 * machine of which an option decides asks for nothing where the configuration is not known.
 */
#include "rules/arch.h"

#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/evidence.h"
#include "rules/elf.h"

struct arch_row {
	uint16_t machine;
	uint16_t section; /* enum arch_section */
	const char *name;
	uint32_t always; /* needed from this version on, whatever the option; 0: never so */
	const char *option;
	const char *also; /* an option that has to be set in any case; NULL: none */
	const char *text; /* NULL: the kernel says nothing */
};

#define PLT "$m: module PLT section(s) missing"
#define NO_PLT_32 "Module doesn't contain .plt or .init.plt sections."
#define NO_IA64 "$m: sections missing"
#define FIRST KERNEL_VERSION_CODE(2, 6, 0)
#define ARM64_SINCE KERNEL_VERSION_CODE(6, 5, 0)
#define LOONGARCH_SINCE KERNEL_VERSION_CODE(5, 19, 0)
#define ARM64_PLTS "CONFIG_ARM64_MODULE_PLTS"
#define FTRACE "CONFIG_DYNAMIC_FTRACE"

static const struct arch_row rows[] = {
	{ EM_AARCH64, ARCH_PLT, ".plt", ARM64_SINCE, ARM64_PLTS, NULL, PLT },
	{ EM_AARCH64, ARCH_INIT_PLT, ".init.plt", ARM64_SINCE, ARM64_PLTS, NULL, PLT },
	{ EM_AARCH64, ARCH_FTRACE, ".text.ftrace_trampoline", ARM64_SINCE, ARM64_PLTS, FTRACE,
	  NULL },
	{ EM_AARCH64, ARCH_INIT_FTRACE, ".init.text.ftrace_trampoline",
	  KERNEL_VERSION_CODE(7, 0, 0), NULL, FTRACE, NULL },
	{ EM_ARM, ARCH_PLT, ".plt", 0, "CONFIG_ARM_MODULE_PLTS", NULL, PLT },
	{ EM_ARM, ARCH_INIT_PLT, ".init.plt", 0, "CONFIG_ARM_MODULE_PLTS", NULL, PLT },
	{ EM_PPC64, ARCH_STUBS, ".stubs", FIRST, NULL, NULL,
	  "module_64: $m: doesn't contain .stubs." },
	{ EM_PPC64, ARCH_MY_GOT, ".mygot", 0, "CONFIG_PPC_KERNEL_PCREL", NULL,
	  "module_64: $m: doesn't contain .mygot." },
	{ EM_PPC, ARCH_PLT, ".plt", FIRST, NULL, NULL, NO_PLT_32 },
	{ EM_PPC, ARCH_INIT_PLT, ".init.plt", FIRST, NULL, NULL, NO_PLT_32 },
	{ EM_RISCV, ARCH_PLT, ".plt", 0, "CONFIG_MODULE_SECTIONS", NULL, PLT },
	{ EM_RISCV, ARCH_GOT, ".got", 0, "CONFIG_MODULE_SECTIONS", NULL,
	  "$m: module GOT section(s) missing" },
	{ EM_RISCV, ARCH_GOT_PLT, ".got.plt", 0, "CONFIG_MODULE_SECTIONS", NULL,
	  "$m: module GOT.PLT section(s) missing" },
	{ EM_LOONGARCH, ARCH_PLT, ".plt", LOONGARCH_SINCE, NULL, NULL, PLT },
	{ EM_LOONGARCH, ARCH_PLT_IDX, ".plt.idx", LOONGARCH_SINCE, NULL, NULL,
	  "$m: module PLT.IDX section(s) missing" },
	{ EM_ALPHA, ARCH_GOT, ".got", FIRST, NULL, NULL, "module $m: no got section" },
	{ EM_IA_64, ARCH_CORE_PLT, ".core.plt", FIRST, NULL, NULL, NO_IA64 },
	{ EM_IA_64, ARCH_INIT_PLT, ".init.plt", FIRST, NULL, NULL, NO_IA64 },
	{ EM_IA_64, ARCH_GOT, ".got", FIRST, NULL, NULL, NO_IA64 },
	{ EM_IA_64, ARCH_OPD, ".opd", FIRST, NULL, NULL, NO_IA64 },
};

static const struct arch_row *find_row(uint16_t machine, const char *name)
{
	for (size_t i = 0; name && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].machine == machine && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* What is not known of the kernel is taken to be as today. */
static bool is_since(const struct check *c, uint32_t version)
{
	return !c->kernel->version || c->kernel->version >= version;
}

static enum kconfig_value option(const struct check *c, const char *name)
{
	return kconfig_get(&c->kernel->config, name);
}

static bool is_needed(const struct check *c, const struct arch_row *row)
{
	if (row->also && option(c, row->also) != KCONFIG_YES)
		return false;
	return (row->always && is_since(c, row->always)) ||
	       (row->option && option(c, row->option) == KCONFIG_YES);
}

/*
 * The second trampoline of arm64 came to stable kernels too, to each at a time of its own. The
 * kernel's own modules were linked by the script that it came with: if most of them have it, this
 * kernel looks for it.
 */
static bool has_init_trampolines(const struct check *c)
{
	uint32_t n = 0, n_with = 0;

	if (option(c, FTRACE) != KCONFIG_YES)
		return false;
	for (uint32_t i = 0; i < c->n_modules; i++) {
		const struct module *m = &c->modules[i];
		if (!m->is_installed || m->machine != EM_AARCH64)
			continue;
		n++;
		n_with += !(m->lacks & ARCH_INIT_FTRACE);
	}
	return n >= 8 && n_with > n / 2;
}

uint16_t arch_needed_sections(const struct check *c)
{
	uint16_t needed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].machine == c->machine && is_needed(c, &rows[i]))
			needed |= rows[i].section;
	if (c->machine == EM_AARCH64 && has_init_trampolines(c))
		needed |= ARCH_INIT_FTRACE;
	return needed;
}

#define FTRACE_SECTIONS (ARCH_FTRACE | ARCH_INIT_FTRACE)

/* A finding on the absence of some of these, which are asked for together. */
static void add_missing(struct check *c, uint32_t module, uint16_t missing)
{
	const struct module *m = &c->modules[module];
	bool is_ftrace = missing & FTRACE_SECTIONS;
	struct fault fault = { .check = is_ftrace ? ELF_FTRACE_SECTION : ELF_ARCH_SECTION };
	const char *names = "";

	/* the loader stops at the first */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].machine != m->machine || !(rows[i].section & missing))
			continue;
		names = arena_printf(c->arena, "%s%s%s", names, *names ? ", " : "", rows[i].name);
		if (!fault.name)
			fault.name = rows[i].name;
	}
	struct finding *f = check_add(c, RULE_MALFORMED_ELF, module);
	if (!f)
		return;
	f->detail = arena_printf(c->arena,
				 is_ftrace ? "without %s, where the loader puts the way to ftrace"
					   : "without %s, where the loader puts what long jumps "
					     "need on this processor",
				 names);
	elf_place(c, m, &fault, f);
}

bool arch_lacks_sections(const struct check *c, const struct module *m)
{
	return m->machine == c->machine && (m->lacks & c->needed_sections);
}

void check_arch_sections(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	uint16_t missing = m->lacks & c->needed_sections;

	if (m->machine != c->machine)
		return;
	if (missing & ~FTRACE_SECTIONS)
		add_missing(c, module, missing & (uint16_t)~FTRACE_SECTIONS);
	if (missing & FTRACE_SECTIONS)
		add_missing(c, module, missing & FTRACE_SECTIONS);
}

const char *arch_section_text(uint16_t machine, const char *name)
{
	const struct arch_row *row = find_row(machine, name);

	return row ? row->text : NULL;
}

/* find_module_sections() */
bool arch_minds_constructors(const struct check *c)
{
	return is_since(c, KERNEL_VERSION_CODE(3, 13, 0)) &&
	       option(c, "CONFIG_CONSTRUCTORS") == KCONFIG_YES;
}

/* btf_module_notify() (kernel/bpf/btf.c); until 5.18 there was no way to allow it. */
bool arch_minds_btf(const struct check *c)
{
	return is_since(c, KERNEL_VERSION_CODE(5, 11, 0)) &&
	       option(c, "CONFIG_DEBUG_INFO_BTF_MODULES") == KCONFIG_YES &&
	       option(c, "CONFIG_MODULE_ALLOW_BTF_MISMATCH") != KCONFIG_YES;
}

/* A little-endian kernel is always of ELFv2; of others the configuration tells. */
bool arch_takes_abi(const struct check *c, const struct module *m)
{
	if (m->machine != EM_PPC64 || c->machine != EM_PPC64 ||
	    !is_since(c, KERNEL_VERSION_CODE(6, 2, 0)))
		return true;
	enum kconfig_value v2 = option(c, "CONFIG_PPC64_ELF_ABI_V2");
	if (m->is_big_endian && v2 == KCONFIG_UNKNOWN)
		return true;
	if (!m->is_big_endian || v2 == KCONFIG_YES)
		return m->ppc64_abi == 2;
	return m->ppc64_abi < 2;
}
