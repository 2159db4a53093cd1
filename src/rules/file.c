/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MC101 to MC106: what is wrong with a file. Faults of the reader become findings here, only here.
 */
#include <elf.h>
#include <errno.h>

#include "base/arena.h"
#include "machine.h"
#include "rules/arch.h"
#include "rules/check.h"
#include "rules/elf.h"
#include "rules/relocation.h"

static enum rule_id rule_of(enum fault_kind kind)
{
	switch (kind) {
	case FAULT_UNREADABLE:
	case FAULT_NOT_REGULAR:
	case FAULT_NOT_ELF:
	case FAULT_EMPTY:
	case FAULT_TRUNCATED:
	case FAULT_COMPRESSION:
	case FAULT_LIMIT:
		return RULE_UNREADABLE_MODULE;
	case FAULT_ELF:
	case FAULT_ELF_6_12:
	case FAULT_ELF_7_2:
	case FAULT_WRONG_TYPE:
	case FAULT_SYMBOL_INDEX:
	case FAULT_CONSTRUCTORS:
	case FAULT_BTF:
	case FAULT_BTF_BASE:
		return RULE_MALFORMED_ELF;
	case FAULT_STRIPPED:
		return RULE_STRIPPED_SYMBOLS;
	case FAULT_WRITE_EXEC:
		return RULE_WRITE_EXEC_SECTION;
	case FAULT_UNNAMED:
		return RULE_UNDEFINED_SYMBOL;
	case FAULT_COMMON_SYMBOL:
	case FAULT_RELOCATION:
	case FAULT_RELOCATION_TARGET:
	case FAULT_RELOCATION_OVERFLOW:
	case FAULT_RELOCATION_CALL:
	case FAULT_STATIC_CALL:
	case FAULT_KLP_SECTION:
	case FAULT_KLP_MARK:
	case FAULT_KLP_NAME:
		return RULE_BAD_RELOCATION;
	}
	return RULE_UNREADABLE_MODULE;
}

/* elf_check_arch() of i386 takes the old 80486 code too (arch/x86/include/asm/elf.h). */
static bool is_right_machine(uint16_t machine, uint16_t expected)
{
	return machine == expected || (expected == EM_386 && machine == 6);
}

/* What is not known of the kernel is taken to be as today. */
bool check_minds_fault(const struct check *c, const struct fault *fault)
{
	uint32_t version = c->kernel->version ? c->kernel->version : UINT32_MAX;

	switch (fault->kind) {
	case FAULT_ELF_6_12:
		return version >= KERNEL_VERSION_CODE(6, 12, 0);
	case FAULT_ELF_7_2:
		return version >= KERNEL_VERSION_CODE(7, 2, 0);
	case FAULT_WRITE_EXEC: /* module_enforce_rwx_sections() */
		return version >= KERNEL_VERSION_CODE(5, 8, 0) && c->strict_rwx != KCONFIG_NO;
	case FAULT_CONSTRUCTORS:
		return arch_minds_constructors(c);
	case FAULT_BTF:
		return arch_minds_btf(c);
	case FAULT_BTF_BASE:
		return version >= KERNEL_VERSION_CODE(6, 11, 0) && arch_minds_btf(c);
	default:
		return !relocation_is(fault) || relocation_is_minded(c, fault);
	}
}

/* That we cannot read a file, or will not because of its size, says nothing of the kernel. */
static bool is_our_own(enum fault_kind kind)
{
	return kind == FAULT_UNREADABLE || kind == FAULT_LIMIT;
}

/* Does this kernel, which knows one byte order, see the header's fields swapped? */
static bool sees_swapped(uint16_t machine, const struct module *m)
{
	static const uint16_t little[] = { EM_386, EM_X86_64, EM_AARCH64, EM_RISCV, EM_LOONGARCH };

	if (machine == EM_S390)
		return !m->is_big_endian;
	for (size_t i = 0; i < sizeof(little) / sizeof(little[0]); i++)
		if (little[i] == machine)
			return m->is_big_endian;
	return false;
}

static bool check_machine(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	struct fault fault = { .check = ELF_MACHINE, .numbers = { m->machine } };

	if (!m->machine || !c->machine || is_right_machine(m->machine, c->machine))
		return true;
	struct finding *f = check_add(c, RULE_WRONG_MACHINE, module);
	if (!f)
		return false;
	f->expected = machine_name(c->machine, 0, c->arena);
	f->actual = machine_name(m->machine, m->elf_class, c->arena);
	f->detail =
		arena_printf(c->arena, "built for %s, the kernel is %s", f->actual, f->expected);
	if (sees_swapped(c->machine, m)) {
		fault.check = ELF_TYPE;
		fault.numbers[0] = ET_REL << 8;
	}
	elf_place(c, m, &fault, f);
	return false;
}

/* module_elf_check_arch(), of ppc64 alone. */
static void check_abi(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	struct fault fault = { .check = ELF_ARCH, .numbers = { m->machine } };

	if (arch_takes_abi(c, m))
		return;
	struct finding *f = check_add(c, RULE_MALFORMED_ELF, module);
	if (!f)
		return;
	f->detail = arena_printf(c->arena, "ELF header: e_flags has ABI %u, the kernel's is %s",
				 m->ppc64_abi, m->ppc64_abi == 2 ? "ELFv1" : "ELFv2");
	elf_place(c, m, &fault, f);
}

bool check_file(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	uint32_t order = 1; /* 0: the signature, which the loader looks at before */

	for (const struct fault *fault = m->faults; fault; fault = fault->next) {
		bool was_refused = c->is_refused[module];
		struct finding *f = check_minds_fault(c, fault)
					    ? check_add(c, rule_of(fault->kind), module)
					    : NULL;
		if (!f)
			continue;
		f->detail = fault->detail;
		f->order = order++;
		if (is_our_own(fault->kind)) {
			c->is_refused[module] = was_refused;
			f->stage = 0;
			f->error = 0;
		}
		if (fault->kind == FAULT_EMPTY)
			f->error = EINVAL;
		/* a COMMON symbol does not end the resolution of symbols */
		if (fault->kind == FAULT_COMMON_SYMBOL)
			f->order = fault->order;
		if (fault->check || rule_of(fault->kind) == RULE_MALFORMED_ELF)
			elf_place(c, m, fault, f);
		if (relocation_is(fault))
			relocation_place(c, m, fault, f);
	}
	if (!check_machine(c, module))
		return false;
	check_abi(c, module);
	check_arch_sections(c, module);
	return true;
}
