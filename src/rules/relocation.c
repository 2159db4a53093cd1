/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply_relocate() and apply_relocate_add() of each machine (arch/.../kernel/module*.c, 5.10 to
 * 7.2), and static_call_add_module() (kernel/static_call_inline.c); live patches: see read/klp.c.
 *
 * A static call whose key is not exported goes by its trampoline, __SCT__NAME: the kernel has a
 * table of those (EXPORT_STATIC_CALL_TRAMP). Where the key, __SCK__NAME, is exported as well, the
 * trampoline is not in it, nor are those of modules: a module that was built when the key was not
 * exported is refused.
 */
#include "rules/relocation.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/evidence.h"
#include "rules/message.h"

#define RISCV_SPLIT KERNEL_VERSION_CODE(6, 2, 0)

struct reloc_row {
	enum fault_kind kind;
	uint16_t machine;
	uint16_t first, last; /* types */
	uint32_t since;
	int error;
	const char *text; /* as message_expand() takes it; NULL: it says nothing */
};

#define ANY_MACHINE EM_NONE
#define ANY 0, UINT16_MAX, 0
#define DYNAMIC "$m: Dynamic linking not supported in kernel modules PC = ..."
#define THREAD "$m: Thread local storage not supported in kernel modules PC = ..."

/* The first that fits; what fits none is refused with ENOEXEC, in words that are not known. */
static const struct reloc_row rows[] = {
	{ FAULT_RELOCATION, EM_X86_64, ANY, ENOEXEC, "module: $m: Unknown rela relocation: $t" },
	{ FAULT_RELOCATION, EM_386, ANY, ENOEXEC, "module: $m: Unknown relocation: $t" },
	{ FAULT_RELOCATION, EM_ARM, ANY, ENOEXEC, "$m: unknown relocation: $t" },
	{ FAULT_RELOCATION, EM_AARCH64, ANY, ENOEXEC,
	  "module $m: unsupported RELA relocation: $t" },
	{ FAULT_RELOCATION, EM_PPC64, ANY, ENOEXEC, "module_64: $m: Unknown ADD relocation: $t" },
	{ FAULT_RELOCATION, EM_S390, 9, 12, 0, ENOEXEC, NULL },
	{ FAULT_RELOCATION, EM_S390, ANY, ENOEXEC, "module $m: unknown relocation: $t" },
	{ FAULT_RELOCATION, EM_ALPHA, ANY, ENOEXEC, "module $m: Unknown relocation: $t" },
	{ FAULT_RELOCATION, EM_RISCV, 3, 11, RISCV_SPLIT, EINVAL, DYNAMIC },
	{ FAULT_RELOCATION, EM_RISCV, 58, 58, RISCV_SPLIT, EINVAL, DYNAMIC },
	{ FAULT_RELOCATION, EM_RISCV, 21, 22, RISCV_SPLIT, EINVAL, THREAD },
	{ FAULT_RELOCATION, EM_RISCV, 29, 32, RISCV_SPLIT, EINVAL, THREAD },
	{ FAULT_RELOCATION, EM_RISCV, 43, 43, 0, EINVAL,
	  "$m: The unexpected relocation type 'R_RISCV_ALIGN' from PC = ..." },
	{ FAULT_RELOCATION, EM_RISCV, ANY, EINVAL, "$m: Unknown relocation type $t" },
	{ FAULT_RELOCATION_TARGET, EM_X86_64, 0, UINT16_MAX, KERNEL_VERSION_CODE(6, 12, 0), ENOEXEC,
	  "module: x86/modules: Invalid relocation target, existing value is nonzero for type $t, "
	  "loc ..., val ..." },
	{ FAULT_RELOCATION_TARGET, EM_X86_64, ANY, ENOEXEC,
	  "module: x86/modules: Skipping invalid relocation target, existing value is nonzero for "
	  "type $t, loc ..., val ..." },
	{ FAULT_RELOCATION_OVERFLOW, EM_X86_64, ANY, ENOEXEC,
	  "module: overflow in relocation type $t val ..." },
	{ FAULT_RELOCATION_OVERFLOW, EM_AARCH64, ANY, ENOEXEC,
	  "module $m: overflow in relocation type $t val ..." },
	{ FAULT_RELOCATION_OVERFLOW, EM_RISCV, ANY, EINVAL,
	  "$m: value ... out of range for 32-bit field" },
	{ FAULT_RELOCATION_OVERFLOW, EM_S390, ANY, ENOEXEC,
	  "module $m: relocation error for symbol ... (r_type $t, value ...)" },
	{ FAULT_RELOCATION_CALL, EM_PPC64, ANY, ENOEXEC,
	  "module_64: $m: Expected nop after call, got $x at ..." },
	{ FAULT_KLP_SECTION, ANY_MACHINE, ANY, EINVAL,
	  "livepatch: section $s has an incorrectly formatted name" },
	{ FAULT_KLP_MARK, ANY_MACHINE, ANY, EINVAL,
	  "livepatch: symbol $s is not marked as a livepatch symbol" },
	{ FAULT_KLP_NAME, ANY_MACHINE, ANY, EINVAL,
	  "livepatch: symbol $s has an incorrectly formatted name" },
};

#undef ANY

#define FIXUP "Failed to fixup __raw_static_call() usage at: ..."

bool relocation_is(const struct fault *fault)
{
	switch (fault->kind) {
	case FAULT_RELOCATION:
	case FAULT_RELOCATION_TARGET:
	case FAULT_RELOCATION_OVERFLOW:
	case FAULT_RELOCATION_CALL:
	case FAULT_STATIC_CALL:
	case FAULT_KLP_SECTION:
	case FAULT_KLP_MARK:
	case FAULT_KLP_NAME:
		return true;
	default:
		return false;
	}
}

/* What is not known of the kernel is taken to be as today. */
static uint32_t version_of(const struct check *c)
{
	return c->kernel->version ? c->kernel->version : UINT32_MAX;
}

static enum kconfig_value option(const struct check *c, const char *name)
{
	return kconfig_get(&c->kernel->config, name);
}

/* A kernel with CONFIG_HAVE_STATIC_CALL_INLINE: x86-64 always is. */
static bool minds_static_calls(const struct check *c)
{
	return c->machine == EM_X86_64 && version_of(c) >= KERNEL_VERSION_CODE(5, 10, 0) &&
	       option(c, "CONFIG_HAVE_STATIC_CALL_INLINE") != KCONFIG_NO;
}

static bool minds_type(const struct check *c, const struct fault *fault)
{
	enum kconfig_value pcrel = option(c, "CONFIG_PPC_KERNEL_PCREL");

	if (fault->pcrel == PCREL_NEVER)
		return pcrel == KCONFIG_YES;
	if (fault->pcrel == PCREL_ONLY && pcrel == KCONFIG_NO)
		return true;
	if (fault->since)
		return version_of(c) < fault->since;
	return fault->pcrel == PCREL_EITHER;
}

bool relocation_is_minded(const struct check *c, const struct fault *fault)
{
	switch (fault->kind) {
	case FAULT_RELOCATION:
		return minds_type(c, fault);
	case FAULT_RELOCATION_CALL:
		return option(c, "CONFIG_PPC_KERNEL_PCREL") != KCONFIG_YES &&
		       (!fault->since || version_of(c) < fault->since);
	case FAULT_STATIC_CALL:
		return minds_static_calls(c);
	case FAULT_KLP_SECTION:
	case FAULT_KLP_MARK:
	case FAULT_KLP_NAME:
		return c->livepatch != KCONFIG_NO &&
		       (!fault->since || version_of(c) < fault->since);
	default:
		return true;
	}
}

static const struct reloc_row *find_row(const struct check *c, const struct module *m,
					const struct fault *fault)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reloc_row *row = &rows[i];
		if (row->kind == fault->kind &&
		    (row->machine == m->machine || row->machine == ANY_MACHINE) &&
		    fault->type >= row->first && fault->type <= row->last &&
		    version_of(c) >= row->since)
			return row;
	}
	return NULL;
}

static void place_static_call(struct finding *f)
{
	f->stage = STAGE_NOTIFIERS;
	f->order = 0;
	f->error = EINVAL;
	f->message = FIXUP;
}

void relocation_place(const struct check *c, const struct module *m, const struct fault *fault,
		      struct finding *f)
{
	if (fault->kind == FAULT_STATIC_CALL) {
		place_static_call(f);
		return;
	}
	const struct reloc_row *row = find_row(c, m, fault);
	f->stage = STAGE_RELOCATIONS;
	if (!row)
		return;
	f->error = row->error;
	f->message = message_expand(row->text, m, fault, c->arena);
}

/* Why is the import no key of a static call? NULL: it may be one. */
static const char *reason_against(const struct check *c, const struct link *link, const char *name)
{
	if (strncmp(name, "__SCT__", 7) != 0)
		return NULL;
	if (link->state == LINK_MODULE)
		return "a trampoline of another module";
	const char *key = arena_printf(c->arena, "__SCK__%s", name + 7);
	if (link->state == LINK_KERNEL && kernel_exports(c->kernel, c->links, c->names, key))
		return "a trampoline, whose key this kernel exports as well";
	return NULL;
}

void check_static_calls(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	if (!m->has_static_calls || !minds_static_calls(c))
		return;
	for (uint32_t i = 0; i < m->n_imports; i++) {
		if (!(m->imports[i].flags & IMPORT_STATIC_CALL))
			continue;
		const char *name = names_text(c->names, m->imports[i].name);
		const char *why = reason_against(c, &c->links->links[module][i], name);
		struct finding *f =
			why ? check_add_on_import(c, RULE_BAD_RELOCATION, SEV_ERROR, module, i)
			    : NULL;
		if (!f)
			continue;
		place_static_call(f);
		f->detail = arena_printf(c->arena, "the key of a static call is %s: %s", name, why);
	}
}
