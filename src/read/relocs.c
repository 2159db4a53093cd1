/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The relocations that the loader would apply (apply_relocations(), kernel/module/main.c): those of
 * sections with SHF_ALLOC, in the order of the sections, and those of live patches among them. It
 * ends at the first whose type it does not know. On x86-64 it also ends at one whose place does not
 * hold zeroes (__write_relocate_add(), arch/x86/kernel/module.c, 4.15 to 7.2).
 *
 * The relocations are most of a module's bytes, so this is for thorough reading.
 */
#include <elf.h>
#include <string.h>

#include "model/kernel.h"
#include "read/reader.h"

#ifndef SHF_RELA_LIVEPATCH
#define SHF_RELA_LIVEPATCH 0x00100000
#endif

/* Machines whose types are known; all others are not judged. */
static const struct machine_relocs {
	uint16_t machine;
	bool is_rela; /* the only kind of section that it takes */
} machines[] = {
	{ EM_386, false },  { EM_X86_64, true }, { EM_ARM, false }, { EM_AARCH64, true },
	{ EM_PPC64, true }, { EM_RISCV, true },  { EM_S390, true }, { EM_ALPHA, true },
};

/* ARM: what 6.1 knows and 5.10 does not. PowerPC, RISC-V: what 6.12 knows and 6.1 does not. */
#define AFTER_5_10 KERNEL_VERSION_CODE(5, 11, 0)
#define AFTER_6_1 KERNEL_VERSION_CODE(6, 2, 0)

/* apply_relocate_add() and apply_relocate() of each architecture, 5.10, 6.1, 6.12 and 7.2. */
static const struct known_types {
	uint16_t machine, first, last;
	uint32_t since; /* 0: in all of them */
	uint8_t pcrel;  /* enum reloc_pcrel */
} known[] = {
	{ EM_386, 1, 2, 0, 0 }, /* no 0: NONE is an unknown type there */
	{ EM_386, 4, 4, 0, 0 },

	{ EM_X86_64, 0, 2, 0, 0 },
	{ EM_X86_64, 4, 4, 0, 0 },
	{ EM_X86_64, 10, 11, 0, 0 },
	{ EM_X86_64, 24, 24, 0, 0 },

	{ EM_ARM, 0, 2, 0, 0 },
	{ EM_ARM, 3, 3, AFTER_5_10, 0 },
	{ EM_ARM, 10, 10, 0, 0 },
	{ EM_ARM, 28, 30, 0, 0 },
	{ EM_ARM, 38, 38, 0, 0 },
	{ EM_ARM, 40, 40, 0, 0 },
	{ EM_ARM, 42, 44, 0, 0 },
	{ EM_ARM, 45, 46, AFTER_5_10, 0 },
	{ EM_ARM, 47, 48, 0, 0 },
	{ EM_ARM, 49, 50, AFTER_5_10, 0 },
	{ EM_ARM, 57, 57, AFTER_5_10, 0 },
	{ EM_ARM, 59, 59, AFTER_5_10, 0 },
	{ EM_ARM, 63, 63, AFTER_5_10, 0 },

	{ EM_AARCH64, 0, 0, 0, 0 },
	{ EM_AARCH64, 256, 280, 0, 0 },
	{ EM_AARCH64, 282, 293, 0, 0 },
	{ EM_AARCH64, 299, 299, 0, 0 },

	{ EM_PPC64, 0, 1, 0, 0 },
	{ EM_PPC64, 10, 10, 0, 0 },
	{ EM_PPC64, 26, 26, 0, 0 },
	{ EM_PPC64, 38, 38, 0, 0 },
	{ EM_PPC64, 44, 44, 0, 0 },
	{ EM_PPC64, 47, 51, 0, PCREL_NEVER },
	{ EM_PPC64, 63, 64, 0, PCREL_NEVER },
	{ EM_PPC64, 109, 109, 0, PCREL_NEVER },
	{ EM_PPC64, 116, 116, AFTER_6_1, PCREL_ONLY },
	{ EM_PPC64, 118, 118, 0, 0 },
	{ EM_PPC64, 132, 133, AFTER_6_1, PCREL_ONLY },
	{ EM_PPC64, 249, 252, 0, 0 },

	{ EM_RISCV, 0, 2, 0, 0 },
	{ EM_RISCV, 16, 20, 0, 0 },
	{ EM_RISCV, 23, 28, 0, 0 },
	{ EM_RISCV, 33, 34, AFTER_6_1, 0 },
	{ EM_RISCV, 35, 36, 0, 0 },
	{ EM_RISCV, 37, 38, AFTER_6_1, 0 },
	{ EM_RISCV, 39, 40, 0, 0 },
	{ EM_RISCV, 44, 46, 0, 0 },
	{ EM_RISCV, 51, 51, 0, 0 },
	{ EM_RISCV, 52, 57, AFTER_6_1, 0 },
	{ EM_RISCV, 59, 61, AFTER_6_1, 0 },

	{ EM_S390, 0, 8, 0, 0 },
	{ EM_S390, 13, 36, 0, 0 },
	{ EM_S390, 57, 59, 0, 0 },

	{ EM_ALPHA, 0, 8, 0, 0 },
	{ EM_ALPHA, 10, 11, 0, 0 },
	{ EM_ALPHA, 17, 19, 0, 0 },
	{ EM_ALPHA, 28, 28, 0, 0 },
};

#define N_KNOWN (sizeof(known) / sizeof(known[0]))
#define NOT_KNOWN UINT32_MAX

/* `since` of the types of one machine; types beyond are not known to any. */
#define N_TYPES 320

struct judge {
	struct elffile *f;
	uint32_t since[N_TYPES];
	uint8_t pcrel[N_TYPES];
	bool is_rela;
	uint32_t told;      /* highest `since` of which a fault was told already */
	uint8_t told_pcrel; /* likewise of these, as bits */
	uint64_t room; /* bytes of relocations that there can still be: sections do not overlap */
};

static bool judge_init(struct judge *j, struct elffile *f)
{
	const struct machine_relocs *m = NULL;

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == f->header.machine)
			m = &machines[i];
	if (!m)
		return false;
	*j = (struct judge) { .f = f, .is_rela = m->is_rela };
	j->room = f->reader->image.elf_size;
	for (size_t i = 0; i < N_TYPES; i++)
		j->since[i] = NOT_KNOWN;
	for (size_t i = 0; i < N_KNOWN; i++) {
		for (uint32_t t = known[i].first;
		     known[i].machine == m->machine && t <= known[i].last; t++) {
			j->since[t] = known[i].since;
			j->pcrel[t] = known[i].pcrel;
		}
	}
	return true;
}

/*
 * One fault for each version that would be needed, and each choice of the configuration: the first
 * is where a kernel before it, or with the other, stops.
 */
static void tell_type(struct judge *j, uint32_t section, size_t i, uint32_t type, uint32_t since,
		      uint8_t pcrel)
{
	struct elffile *f = j->f;
	struct fault *fault = file_fault(
		f, FAULT_RELOCATION,
		"section %u %.200s, entry %zu: relocation type %u is not known to the loader",
		section, sections_name(f, section), i, type);

	if (since > j->told)
		j->told = since;
	j->told_pcrel |= (uint8_t)(1u << pcrel);
	if (!fault)
		return;
	fault->type = type;
	fault->since = since == NOT_KNOWN ? 0 : since;
	fault->pcrel = pcrel;
}

/* Bytes that a relocation of x86-64 is written to. */
static unsigned int target_bytes(uint32_t type)
{
	if (type == R_X86_64_NONE)
		return 0;
	return type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
}

static bool is_zero(const unsigned char *p, unsigned int n)
{
	static const unsigned char zero[8];

	return memcmp(p, zero, n) == 0;
}

/* Returns false where the loader would end. target: NULL if its bytes do not matter. */
static bool judge_entry(struct judge *j, uint32_t section, size_t i, const struct elf_reloc *r,
			const struct section *target, const unsigned char *bytes)
{
	uint32_t since = r->type < N_TYPES ? j->since[r->type] : NOT_KNOWN;
	uint8_t pcrel = r->type < N_TYPES ? j->pcrel[r->type] : PCREL_EITHER;

	if (since > j->told || (pcrel && !(j->told_pcrel & 1u << pcrel)))
		tell_type(j, section, i, r->type, since, pcrel);
	if (since == NOT_KNOWN)
		return false;
	if (!relocvalue_check(j->f, section, i, r))
		return false;
	unsigned int n = bytes ? target_bytes(r->type) : 0;
	if (n == 0 || r->offset > target->size || n > target->size - r->offset ||
	    is_zero(bytes + r->offset, n))
		return true;
	struct fault *fault = file_fault(
		j->f, FAULT_RELOCATION_TARGET,
		"section %u %.200s, entry %zu: its place, offset %#llx of section %u %.200s, does "
		"not hold zeroes",
		section, sections_name(j->f, section), i, (unsigned long long)r->offset,
		j->f->sections[section].info, sections_name(j->f, j->f->sections[section].info));
	if (fault)
		fault->type = r->type;
	return false;
}

/* Is it one that the loader applies? */
static bool is_applied(const struct judge *j, const struct section *s)
{
	const struct elffile *f = j->f;

	if ((s->type != SHT_REL && s->type != SHT_RELA) || s->is_bad || s->at == NOT_LOADED)
		return false;
	return s->info < f->header.shnum && (f->sections[s->info].flags & SHF_ALLOC);
}

static bool judge_section(struct judge *j, uint32_t index)
{
	struct elffile *f = j->f;
	const struct section *s = &f->sections[index];
	struct section *target = &f->sections[s->info];
	const unsigned char *bytes = NULL;
	struct elftable t;

	bool is_klp = s->flags & SHF_RELA_LIVEPATCH;
	if (!is_klp && (s->type == SHT_RELA) != j->is_rela) {
		file_fault(f, FAULT_RELOCATION, "section %u %.200s: this machine takes no %s",
			   index, sections_name(f, index), j->is_rela ? "SHT_REL" : "SHT_RELA");
		return false;
	}
	if (s->size > j->room || !file_relocs(f, index, &t))
		return true;
	j->room -= s->size;
	if (is_klp) {
		enum klp_relocs klp = klp_check(f, index, &t);
		if (klp != KLP_NOW)
			return klp == KLP_LATER;
	}
	relocvalue_note_static_calls(f, index, &t);
	if (f->header.machine == EM_X86_64)
		bytes = image_section(&f->reader->image, target);
	for (size_t i = 0; i < t.n; i++) {
		struct elf_reloc r = elftable_reloc(&t, i);
		if (!judge_entry(j, index, i, &r, target, bytes))
			return false;
	}
	return true;
}

void relocs_read(struct elffile *f)
{
	struct judge j;

	if (f->m->is_object_24 || !judge_init(&j, f))
		return;
	for (uint32_t i = 1; i < f->header.shnum; i++)
		if (is_applied(&j, &f->sections[i]) && !judge_section(&j, i))
			return;
}
