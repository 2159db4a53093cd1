/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the loader says of single relocations beyond their type, as far as a file can tell.
 *
 * Values. Where a module will lie is not known, and with it nearly all values and distances. What
 * is known: an SHN_ABS symbol keeps its value; and on x86-64 all that a module brings along lies
 * in the last 2 GiB of the address space (MODULES_VADDR to MODULES_END), so that R_X86_64_32, which
 * has no sign, never can hold such an address: the module was not compiled with -mcmodel=kernel.
 * Sections of per-CPU variables are another matter. Distances are not judged.
 *
 * Calls of ppc64 (restore_r2(), arch/powerpc/kernel/module_64.c): what is called by R_PPC_REL24 and
 * is not in the module gets a stub that changes r2. The instruction behind the call has to be a
 * nop, which the loader exchanges for one that restores r2; since 6.3 it may be that one already.
 * Branches that do not return need none, nor do calls of ftrace.
 *
 * Static calls of x86-64 (kernel/static_call_inline.c): an entry of .static_call_sites is
 * { s32 site, s32 key }, each relative to itself. If the key is text, it has to be a trampoline of
 * the kernel's whose key is not exported.
 */
#include <elf.h>
#include <string.h>

#include "base/bytes.h"
#include "model/kernel.h"
#include "read/reader.h"

#define SHN_LIVEPATCH 0xff20

/* Which values a field takes. is_signed: from -2^(bits - 1); has_both: to 2^bits - 1 then. */
static const struct range_row {
	uint16_t machine, type;
	uint8_t bits;
	bool is_signed, has_both;
} ranges[] = {
	{ EM_X86_64, R_X86_64_32, 32, false, false },
	{ EM_X86_64, R_X86_64_32S, 32, true, false },
	{ EM_RISCV, R_RISCV_32, 32, false, false },
	{ EM_S390, R_390_8, 8, false, false },
	{ EM_S390, R_390_12, 12, false, false },
	{ EM_S390, R_390_16, 16, false, false },
	{ EM_S390, R_390_20, 20, true, false },
	{ EM_S390, R_390_32, 32, false, false },
	{ EM_AARCH64, R_AARCH64_ABS32, 32, true, true },
	{ EM_AARCH64, R_AARCH64_ABS16, 16, true, true },
};

static const struct range_row *find_range(const struct elffile *f, uint32_t type)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (ranges[i].machine == f->header.machine && ranges[i].type == type)
			return &ranges[i];
	return NULL;
}

static bool is_within(const struct range_row *row, uint64_t value)
{
	uint64_t end = (uint64_t)1 << row->bits, half = end / 2;

	if (!row->is_signed)
		return value < end;
	if (row->has_both)
		return value < end || value >= -half;
	return value < half || value >= -half;
}

static void tell_overflow(struct elffile *f, uint32_t section, size_t i, uint32_t type,
			  const char *why)
{
	struct fault *fault =
		file_fault(f, FAULT_RELOCATION_OVERFLOW,
			   "section %u %.200s, entry %zu: %s does not fit relocation type %u",
			   section, sections_name(f, section), i, why, type);

	if (fault)
		fault->type = type;
}

/* An address in the last 2 GiB, plus this: is it beyond 32 bits in any case? */
static bool stays_high(int64_t addend)
{
	const int64_t room = 0x1000000; /* from MODULES_END to the end */

	return addend < room && addend >= -(int64_t)0x80000000;
}

static bool is_in_module_memory(const struct elffile *f, const struct elf_symbol *s)
{
	if (s->shndx == SHN_UNDEF || s->shndx >= f->header.shnum ||
	    !(f->sections[s->shndx].flags & SHF_ALLOC))
		return false;
	return strcmp(sections_name(f, s->shndx), ".data..percpu") != 0;
}

static bool check_value(struct elffile *f, uint32_t section, size_t i, const struct elf_reloc *r,
			const struct elf_symbol *s)
{
	const struct range_row *row = find_range(f, r->type);

	if (!row)
		return true;
	if (s->shndx == SHN_ABS && !is_within(row, s->value + (uint64_t)r->addend)) {
		tell_overflow(f, section, i, r->type, "an absolute value");
		return false;
	}
	if (f->header.machine == EM_X86_64 && r->type == R_X86_64_32 && is_in_module_memory(f, s) &&
	    stays_high(r->addend)) {
		tell_overflow(f, section, i, r->type, "an address of the module");
		return false;
	}
	return true;
}

#define R_PPC_CALL 10 /* R_PPC_REL24 */
#define PPC_NOP 0x60000000u
#define PPC_LD_TOC_V2 0xe8410018u /* ld r2,24(r1) */
#define PPC_LD_TOC_V1 0xe8410028u /* ld r2,40(r1) */

static bool is_ftrace(const char *name)
{
	static const char *const names[] = { "_mcount", "ftrace_caller", "ftrace_regs_caller" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* b or bc, relative, and with LK: it comes back. */
static bool is_returning(uint32_t instruction)
{
	uint32_t opcode = instruction >> 26;

	return (opcode == 18 || opcode == 16) && (instruction & 3) == 1;
}

static bool check_call(struct elffile *f, uint32_t section, size_t i, const struct elf_reloc *r,
		       const struct elf_symbol *s)
{
	struct section *target = &f->sections[f->sections[section].info];
	const unsigned char *bytes = image_section(&f->reader->image, target);
	const char *name = file_symbol_name(f, s);

	if (s->shndx != SHN_UNDEF && s->shndx != SHN_LIVEPATCH)
		return true;
	if (!bytes || !bytes_has_range(target->size, r->offset, 8) || (name && is_ftrace(name)))
		return true;
	uint32_t behind = bytes_get32(bytes + r->offset + 4, f->header.is_big);
	if (!is_returning(bytes_get32(bytes + r->offset, f->header.is_big)) || behind == PPC_NOP)
		return true;
	struct fault *fault = file_fault(f, FAULT_RELOCATION_CALL,
					 "section %u %.200s, entry %zu: the call of %.200s at "
					 "%#llx of %.200s is followed by "
					 "%08x, not by a nop",
					 section, sections_name(f, section), i, name ? name : "?",
					 (unsigned long long)r->offset,
					 sections_name(f, f->sections[section].info), behind);
	bool restores = behind == (f->m->ppc64_abi == 2 ? PPC_LD_TOC_V2 : PPC_LD_TOC_V1);
	if (fault) {
		fault->type = r->type;
		fault->numbers[0] = behind;
		fault->since = restores ? KERNEL_VERSION_CODE(6, 3, 0) : 0;
	}
	return restores;
}

static void note_static_call(struct elffile *f, uint32_t section, size_t i,
			     const struct elf_reloc *r, const struct elf_symbol *s)
{
	const char *name = file_symbol_name(f, s);

	if (r->offset % 8 != 4)
		return;
	if (s->shndx == SHN_UNDEF) {
		struct import *import = name ? symbols_find_import(f, name) : NULL;
		if (import)
			import->flags |= IMPORT_STATIC_CALL;
		f->m->has_static_calls |= import != NULL;
	} else if (s->shndx < f->header.shnum && (f->sections[s->shndx].flags & SHF_ALLOC) &&
		   (f->sections[s->shndx].flags & SHF_EXECINSTR)) {
		file_fault(f, FAULT_STATIC_CALL,
			   "section %u %.200s, entry %zu: the key of a static call is in %.200s, "
			   "which is code",
			   section, sections_name(f, section), i, sections_name(f, s->shndx));
	}
}

static bool is_static_calls(const struct elffile *f, uint32_t section)
{
	return f->header.machine == EM_X86_64 &&
	       strcmp(sections_name(f, f->sections[section].info), ".static_call_sites") == 0;
}

bool relocvalue_check(struct elffile *f, uint32_t section, size_t i, const struct elf_reloc *r)
{
	if (r->symbol >= f->symbols.n)
		return true;
	struct elf_symbol s = elftable_symbol(&f->symbols, r->symbol);
	if (f->header.machine == EM_PPC64 && r->type == R_PPC_CALL)
		return check_call(f, section, i, r, &s);
	return check_value(f, section, i, r, &s);
}

void relocvalue_note_static_calls(struct elffile *f, uint32_t section, const struct elftable *t)
{
	if (!is_static_calls(f, section))
		return;
	for (size_t i = 0; i < t->n; i++) {
		struct elf_reloc r = elftable_reloc(t, i);
		if (r.symbol >= f->symbols.n)
			continue;
		struct elf_symbol s = elftable_symbol(&f->symbols, r.symbol);
		note_static_call(f, section, i, &r, &s);
	}
}
