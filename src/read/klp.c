/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections of relocations that a live patch brings for what is not exported: marked with
 * SHF_RELA_LIVEPATCH, named ".klp.rela.OBJECT.SECTION". Those of the object vmlinux are applied
 * when the module is loaded, after each symbol in them, ".klp.sym.OBJECT.NAME,POSITION", was looked
 * up among all symbols of the kernel (klp_apply_section_relocs() and klp_resolve_symbols(),
 * kernel/livepatch/core.c, 5.10 to 7.2). Those of other objects wait for these. Whether the kernel
 * has the symbol is not judged: few trees have a list of those that are not exported.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "model/kernel.h"
#include "read/reader.h"

#define SHN_LIVEPATCH 0xff20
#define OBJECT_BYTES 55     /* MODULE_NAME_LEN of 64 bits, less the NUL */
#define NAME_BYTES_5_10 127 /* KSYM_NAME_LEN, less the NUL */
#define NAME_BYTES 511      /* ... since 6.1 */

/* Behind the prefix: an object's name, which ends at the first dot. NULL if there is none. */
static const char *object_of(const char *text, const char *prefix, size_t *length)
{
	size_t n = strlen(prefix);

	if (strncmp(text, prefix, n) != 0)
		return NULL;
	*length = strcspn(text + n, ".");
	return *length ? text + n : NULL;
}

static bool is_vmlinux(const char *object, size_t length)
{
	return length == strlen("vmlinux") && memcmp(object, "vmlinux", length) == 0;
}

/* Bytes of NAME in ".klp.sym.OBJECT.NAME,POSITION"; 0 if it is none. */
static size_t name_bytes(const char *text)
{
	size_t length;
	const char *object = object_of(text, ".klp.sym.", &length);

	if (!object || length > OBJECT_BYTES || object[length] != '.')
		return 0;
	const char *name = object + length + 1, *end = name + strcspn(name, ",");
	bool has_position = *end == ',' && isdigit((unsigned char)end[1 + strspn(end + 1, " ")]);
	return has_position ? (size_t)(end - name) : 0;
}

static struct fault *tell(struct elffile *f, enum fault_kind kind, uint32_t section, size_t i,
			  const char *symbol, const char *what)
{
	struct fault *fault = file_fault(f, kind, "section %u %.200s, entry %zu: '%.200s' %s",
					 section, sections_name(f, section), i, symbol, what);

	if (fault)
		fault->name = arena_strdup(f->reader->arena, symbol);
	return fault;
}

/* Returns false where the kernel ends, of any version. */
static bool check_symbol(struct elffile *f, uint32_t section, size_t i, const struct elf_symbol *s)
{
	const char *text = file_symbol_name(f, s);

	if (!text)
		text = "";
	if (s->shndx != SHN_LIVEPATCH) {
		tell(f, FAULT_KLP_MARK, section, i, text,
		     "is not marked as a symbol of a live patch");
		return false;
	}
	size_t n = name_bytes(text);
	if (n == 0 || n > NAME_BYTES) {
		tell(f, FAULT_KLP_NAME, section, i, text,
		     n ? "is too long" : "is no .klp.sym.OBJECT.NAME,POSITION");
		return false;
	}
	if (n > NAME_BYTES_5_10) {
		struct fault *fault = tell(f, FAULT_KLP_NAME, section, i, text, "is too long");
		if (fault)
			fault->since = KERNEL_VERSION_CODE(6, 1, 0);
	}
	return true;
}

enum klp_relocs klp_check(struct elffile *f, uint32_t section, const struct elftable *t)
{
	const char *name = sections_name(f, section);
	size_t length;
	const char *object = object_of(name, ".klp.rela.", &length);

	if (!object) {
		struct fault *fault =
			file_fault(f, FAULT_KLP_SECTION,
				   "section %u %.200s is marked for live patches and is no "
				   ".klp.rela.OBJECT.SECTION",
				   section, name);
		if (fault)
			fault->name = arena_strdup(f->reader->arena, name);
		return KLP_REFUSED;
	}
	if (!is_vmlinux(object, length))
		return KLP_LATER;
	for (size_t i = 0; i < t->n; i++) {
		struct elf_reloc r = elftable_reloc(t, i);
		if (r.symbol >= f->symbols.n)
			return KLP_REFUSED;
		struct elf_symbol s = elftable_symbol(&f->symbols, r.symbol);
		if (!check_symbol(f, section, i, &s))
			return KLP_REFUSED;
	}
	return KLP_NOW;
}
