/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_validity_check() and setup_load_info() (kernel/module/main.c, 6.1) look at one section after
 * another, at all of each. elf_validity_cache_copy() (6.12) looks first at the extents of all, then
 * at all names, then for the sections that it needs; elf_validity_cache_strtab() (7.2) is behind
 * that. Kernels before 5.17 have the same few words for nearly everything on the header.
 *
 * place: the order of the checks, from PLACE_TABLES on after the size of struct module has been
 * looked at; 0: none that the loader makes. What $ stands for in the texts is told in message.h.
 */
#include "rules/elf.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "rules/arch.h"
#include "rules/message.h"

#define PLACE_TABLES 32
#define PLACE_LAST 63 /* of all in its stage */

struct telling {
	uint8_t place;
	const char *text; /* NULL: it says nothing */
};

struct elf_row {
	struct telling before, since; /* 6.12 */
	bool is_old;                  /* before 5.17 in these words, too */
};

#define BOTH(place, place_6_12, text)                                                              \
	{                                                                                          \
		{ place, text }, { place_6_12, text }, false                                       \
	}
#define OLD(place, place_6_12, text)                                                               \
	{                                                                                          \
		{ place, text }, { place_6_12, text }, true                                        \
	}
#define SINCE(place_6_12, text)                                                                    \
	{                                                                                          \
		{ 0, NULL }, { place_6_12, text }, true                                            \
	}

#define EXTENT "Invalid ELF section in module (section $1 type $2)"
#define ABSENT "$i: No module found in object"
#define ONE_MODULE "module $i: Exactly one .gnu.linkonce.this_module section must exist."
#define STRIPPED "$i: module has no symbols (stripped?)"

static const struct elf_row rows[N_ELF_CHECKS] = {
	[ELF_LENGTH] = BOTH(1, 1, "Invalid ELF header len $1"),
	[ELF_MAGIC] = BOTH(2, 2, "Invalid ELF header magic: != " ELFMAG),
	[ELF_TYPE] = BOTH(3, 3, "Invalid ELF header type: $1 != 1"),
	[ELF_MACHINE] = BOTH(4, 4, "Invalid architecture in ELF header: $1"),
	[ELF_ARCH] = BOTH(4, 4, "Invalid module architecture in ELF header: $1"),
	[ELF_ENTRY_SIZE] = BOTH(5, 5, "Invalid ELF section header size"),
	[ELF_TABLE] = BOTH(6, 6, "Invalid ELF section header overflow"),
	[ELF_NAMES_INDEX] =
		BOTH(7, 9, "Invalid ELF section name index: $1 || e_shstrndx ($1) >= e_shnum ($2)"),
	[ELF_NAMES_EXTENT] = { { 8, "Invalid ELF section hdr(type $2)" }, { 8, EXTENT }, false },
	[ELF_NAMES_TYPE] = SINCE(10, "Invalid ELF section name table type: $1"),
	[ELF_NAMES_EMPTY] = BOTH(9, 11, "empty section name table"),
	[ELF_NAMES_END] =
		BOTH(10, 12, "ELF Spec violation: section name table isn't null terminated"),
	[ELF_SECTION_0] = BOTH(
		11, 7, "ELF Spec violation: section 0 type($1)!=SH_NULL or non-zero len or addr"),
	[ELF_SYMTAB_LINK] = BOTH(
		12, 37, "Invalid ELF sh_link!=SHN_UNDEF($1) or (sh_link($1) >= hdr->e_shnum($2)"),
	[ELF_EXTENT] = OLD(12, 8, EXTENT),
	[ELF_NAME] = OLD(12, 13, "Invalid ELF section name in module (section $1 type $2)"),
	[ELF_MODINFO_TWICE] = SINCE(14, "Only one .modinfo section must exist."),
	[ELF_MODULE_TWICE] = SINCE(15, ONE_MODULE),
	[ELF_MODULE_ABSENT] = { { 34, ABSENT }, { 15, ONE_MODULE }, true },
	/* 6.1 goes on to read there what is not there */
	[ELF_MODULE_NO_BYTES] = { { 35, NULL },
				  { 16, "module $i: .gnu.linkonce.this_module section must have a "
					"size set" },
				  true },
	[ELF_MODULE_NOT_LOADED] = { { 34, ABSENT },
				    { 17, "module $i: .gnu.linkonce.this_module must occupy memory "
					  "during process execution" },
				    true },
	[ELF_SYMTAB_ABSENT] = OLD(33, 36, STRIPPED),
	[ELF_SYMTAB_TWICE] = SINCE(36, STRIPPED),
	[ELF_STRINGS_TYPE] = SINCE(38, "Invalid ELF symbol string table type: $1"),
	[ELF_VERSIONS_HALF] = SINCE(39, "extended version crc+name presence does not match"),
	[ELF_VERSIONS_SHORT] = SINCE(40, "more extended version crcs than names"),
	[ELF_STRINGS_EMPTY] = SINCE(41, "empty symbol string table"),
	[ELF_STRINGS_BEGINNING] = SINCE(42, "symbol string table missing leading NUL"),
	[ELF_STRINGS_END] = SINCE(43, "symbol string table isn't NUL terminated"),
	[ELF_SYMBOL_NAME] = SINCE(44, "symbol name out of bounds in string table"),
};

/* Not in this order: these come with the sections and symbols that they are about. */
static const char write_exec[] = "$m: section $s (index $1) has invalid WRITE|EXEC flags";
static const char symbol_index[] = "$m: Symbol $s has an invalid section index $1 (max $2)";

/* Nor do these: checks that the loader makes later. */
struct later_row {
	enum elf_check check;
	uint8_t stage;
	uint32_t order;   /* in its stage */
	int error;        /* 0: the fault tells it */
	const char *text; /* NULL: that of the machine, if it has one */
};

static const struct later_row later_rows[] = {
	{ ELF_ARCH_SECTION, STAGE_ARCH, 0, ENOEXEC, NULL },
	{ ELF_CONSTRUCTORS, STAGE_EXPORTS, 0, EINVAL, "$m: has both .ctors and .init_array." },
	{ ELF_FTRACE_SECTION, STAGE_RELOCATIONS, UINT32_MAX, ENOEXEC, NULL },
	{ ELF_BTF, STAGE_NOTIFIERS, UINT32_MAX, 0, "failed to validate module [$m] BTF: -$1" },
};

static uint32_t version_of(const struct check *c)
{
	return c->kernel->version ? c->kernel->version : UINT32_MAX;
}

/* In the words of this version; before 5.10 it had none, or others. */
static const char *text_of(const struct check *c, const struct elf_row *row,
			   const struct telling *telling)
{
	uint32_t version = version_of(c);

	if (version >= KERNEL_VERSION_CODE(5, 17, 0) || row->is_old)
		return telling->text;
	return version >= KERNEL_VERSION_CODE(5, 10, 0) ? "Module has invalid ELF structures"
							: NULL;
}

/* sizeof(Elf_Ehdr) of the kernel */
static uint32_t header_bytes(uint16_t machine)
{
	static const uint16_t small[] = { EM_386, EM_ARM, EM_PPC, EM_SPARC, EM_68K, EM_SH };

	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		if (small[i] == machine)
			return sizeof(Elf32_Ehdr);
	return sizeof(Elf64_Ehdr);
}

/* A text that is shorter than a header is told to be too short, not to be a text. */
static enum elf_check check_of(const struct check *c, const struct fault *fault)
{
	if (fault->check == ELF_MAGIC && fault->numbers[0] < header_bytes(c->machine))
		return ELF_LENGTH;
	return fault->check;
}

static bool is_about_section(enum elf_check check)
{
	return check == ELF_EXTENT || check == ELF_NAMES_EXTENT || check == ELF_NAME ||
	       check == ELF_WRITE_EXEC;
}

/* Place a finding of a later check; false: it is none. */
static bool place_later(const struct check *c, const struct module *m, const struct fault *fault,
			struct finding *f)
{
	for (size_t i = 0; i < sizeof(later_rows) / sizeof(later_rows[0]); i++) {
		const struct later_row *row = &later_rows[i];
		if (row->check != fault->check)
			continue;
		f->stage = row->stage;
		f->order = row->order;
		f->error = row->error ? row->error : (int)fault->numbers[0];
		f->message = message_expand(row->text ? row->text
						      : arch_section_text(c->machine, fault->name),
					    m, fault, c->arena);
		return true;
	}
	return false;
}

void elf_place(const struct check *c, const struct module *m, const struct fault *fault,
	       struct finding *f)
{
	enum elf_check check = check_of(c, fault);
	const struct elf_row *row = &rows[check];
	const struct telling *telling =
		version_of(c) < KERNEL_VERSION_CODE(6, 12, 0) ? &row->before : &row->since;
	uint32_t index = is_about_section(check) ? fault->numbers[0] : f->order;

	if (place_later(c, m, fault, f))
		return;
	if (check == ELF_WRITE_EXEC) {
		f->order = index;
		f->message = message_expand(write_exec, m, fault, c->arena);
		return;
	}
	if (check == ELF_SYMBOL_INDEX) {
		/* before 6.1 it reads what is not there */
		bool is_told = version_of(c) >= KERNEL_VERSION_CODE(6, 1, 0);
		f->stage = STAGE_SYMBOLS;
		f->order = fault->order;
		f->message = is_told ? message_expand(symbol_index, m, fault, c->arena) : NULL;
		return;
	}
	uint32_t place = telling->place ? telling->place : PLACE_LAST;
	f->stage = check == ELF_NOT_CHECKED || place < PLACE_TABLES ? STAGE_ELF : STAGE_TABLES;
	f->order = place << 24 | (index & 0xffff) << 8 | check;
	f->message = message_expand(text_of(c, row, telling), m, fault, c->arena);
}
