/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's module loader: kernel/module.c of 2.6 to 5.18, kernel/module/{main,version,signing,
 * strict_rwx,livepatch}.c since, module*.c of each arch/. "module: " that pr_fmt() puts in front
 * does not matter to a row; where the name of the module should stand it is no name (log.c).
 *
 * Some messages are of more than one fault: a section outside of the file is a truncated file
 * (MC101) as well as a damaged header (MC103). A log does not tell which, and MC103 is it here.
 */
#include <errno.h>

#include "log/row.h"
#include "rules/table.h"

/* The rule's own severity and errno. */
#define FINDING(rule, pattern)                                                                     \
	{                                                                                          \
		pattern, ROW_FINDING, RULE_##rule, SEV_OF_RULE, 0, NULL                            \
	}
#define ELF(pattern) FINDING(MALFORMED_ELF, pattern)
#define RELOCATION(pattern) FINDING(BAD_RELOCATION, pattern)
#define TAINT(pattern, detail)                                                                     \
	{                                                                                          \
		pattern, ROW_FINDING, RULE_TAINTS, SEV_OF_RULE, 0, detail                          \
	}

static const struct row rows[] = {
	/* symbols */
	{ "%m: Unknown symbol (err -%e)", ROW_SYMBOL, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0, NULL },
	{ "%m: Unknown symbol %s (err -%e)", ROW_SYMBOL, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0,
	  NULL },
	{ "%m: Unknown symbol %s (err %e)", ROW_SYMBOL, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0,
	  NULL },
	{ "%m: Unknown symbol %s", ROW_SYMBOL, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0, NULL },
	{ "%m: disagrees about version of symbol %s", ROW_VERSION, RULE_CRC_MISMATCH, SEV_OF_RULE,
	  0, NULL },
	{ "%m: no symbol version for %s", ROW_VERSION, RULE_CRC_MISSING_IN_MODULE, SEV_OF_RULE, 0,
	  NULL },
	{ "%m: no version for \"%s\" found: kernel tainted.", ROW_FINDING,
	  RULE_CRC_MISSING_IN_MODULE, SEV_WARNING, 0, NULL },
	FINDING(PROPRIETARY_PROVIDER, "%m: module using GPL-only symbols uses symbols from "
				      "proprietary module %o."),
	FINDING(PROPRIETARY_PROVIDER, "%m: module using GPL-only symbols uses symbols %s from "
				      "proprietary module %o."),
	FINDING(NAMESPACE_NOT_IMPORTED, "%m: module uses symbol (%s) from namespace %n, but does "
					"not import it."),
	{ "%m: module tries to import module namespace: %n", ROW_FINDING,
	  RULE_RESTRICTED_TO_MODULES, SEV_OF_RULE, EPERM, NULL },
	FINDING(DUPLICATE_EXPORT, "%m: exports duplicate symbol %s (owned by %o)"),
	{ "%m: gave up waiting for init of module %d.", ROW_CALM, 0, 0, 0, NULL },

	/* versions */
	FINDING(VERMAGIC_MISMATCH, "%m: version magic '%a' should be '%x'"),
	{ "%m: bad vermagic: kernel tainted.", ROW_FINDING, RULE_VERMAGIC_MISSING, SEV_WARNING, 0,
	  "it was loaded and taints the kernel (F)" },
	{ "%m: no version magic, tainting kernel.", ROW_FINDING, RULE_VERMAGIC_MISSING, SEV_WARNING,
	  0, "it was loaded and taints the kernel (F)" },
	{ "%m: no versions for exported symbols: kernel tainted.", ROW_FINDING,
	  RULE_CRC_MISSING_IN_MODULE, SEV_WARNING, 0, "its exports have no versions" },
	{ "%m: no versions for exported symbols, tainting kernel.", ROW_FINDING,
	  RULE_CRC_MISSING_IN_MODULE, SEV_WARNING, 0, "its exports have no versions" },
	{ "%m: %s: kernel tainted.", ROW_FINDING, RULE_CRC_MISSING_IN_MODULE, SEV_WARNING, 0,
	  NULL },
	FINDING(STRUCT_MODULE_SIZE, "module %m: .gnu.linkonce.this_module section size must match "
				    "the kernel's built struct module size at run time"),

	/* licences and taints */
	FINDING(LICENSE_TAINTS, "%m: module license '%a' taints kernel."),
	FINDING(LICENSE_TAINTS, "%m: module license taints kernel."),
	{ "%m: module uses symbols from proprietary module %a, inheriting taint.", ROW_FINDING,
	  RULE_LICENSE_TAINTS, SEV_OF_RULE, 0, "it uses symbols of a proprietary module" },
	{ "%m: module uses symbols %s from proprietary module %a, inheriting taint.", ROW_FINDING,
	  RULE_LICENSE_TAINTS, SEV_OF_RULE, 0, "it uses symbols of a proprietary module" },
	TAINT("%m: loading out-of-tree module taints kernel.", "out of tree (O)"),
	TAINT("%m: module is from the staging directory, the quality is unknown, you have been "
	      "warned.",
	      "staging (C)"),
	TAINT("%m: loading test module taints kernel.", "test module (N)"),
	TAINT("%m: tainting kernel with TAINT_LIVEPATCH", "live patch (K)"),
	FINDING(RETPOLINE_MISSING, "%m: loading module not compiled with retpoline compiler."),
	FINDING(LIVEPATCH_DISABLED, "%m: module is marked as livepatch module, but livepatch "
				    "support is disabled"),

	/* signatures */
	{ "%m: module verification failed: signature and/or %*", ROW_FINDING,
	  RULE_SIGNATURE_MISSING, SEV_OF_RULE, 0,
	  "no signature, or none whose key the kernel has: it was loaded and taints the kernel "
	  "(E)" },
	{ "%m: not signed with expected PKCS#7 message", ROW_FINDING, RULE_SIGNATURE_MISSING,
	  SEV_OF_RULE, 0, "a signature of another kind" },
	{ "Request for unknown module key '%*' err -%e", ROW_FINDING, RULE_SIGNATURE_MISSING,
	  SEV_OF_RULE, 0, "signed with a key that the kernel does not have" },
	{ "Loading of %a is rejected", ROW_FINDING, RULE_SIGNATURE_MISSING, SEV_ERROR, EKEYREJECTED,
	  "the kernel enforces signatures" },
	{ "Lockdown: %*: unsigned module loading is restricted; see man kernel_lockdown.7",
	  ROW_FINDING, RULE_SIGNATURE_MISSING, SEV_ERROR, EPERM, "the kernel is locked down" },
	FINDING(SIGNATURE_BROKEN, "%m: PKCS#7 signature info has unexpected non-zero params"),

	/* files */
	FINDING(UNREADABLE_MODULE, "Invalid ELF header len %*"),
	FINDING(UNREADABLE_MODULE, "Invalid ELF header magic: != %*"),
	FINDING(UNREADABLE_MODULE, "Module len %* truncated"),
	FINDING(WRONG_MACHINE, "Invalid architecture in ELF header: %*"),
	FINDING(STRIPPED_SYMBOLS, "%m: module has no symbols (stripped?)"),
	FINDING(WRITE_EXEC_SECTION, "%m: section %d (index %e) has invalid WRITE|EXEC flags"),
	FINDING(BUILTIN_NAME_CLASH, "%m: module is already loaded"),
	ELF("Module has invalid ELF structures"),
	ELF("Invalid ELF header type: %*"),
	ELF("Invalid module architecture in ELF header: %*"),
	ELF("Invalid ELF section header size"),
	ELF("Invalid ELF section header overflow"),
	ELF("Invalid ELF section name index: %*"),
	ELF("Invalid ELF section hdr(type %*"),
	ELF("Invalid ELF section name table type: %*"),
	ELF("empty section name table"),
	ELF("ELF Spec violation: %*"),
	ELF("Invalid ELF sh_link!=SHN_UNDEF(%*"),
	ELF("Invalid ELF section in module (section %*"),
	ELF("Invalid ELF section name in module (section %*"),
	ELF("Only one .modinfo section must exist."),
	ELF("module %m: Exactly one .gnu.linkonce.this_module section must exist."),
	ELF("module %m: .gnu.linkonce.this_module section must have a size set"),
	ELF("module %m: .gnu.linkonce.this_module must occupy memory during process execution"),
	ELF("%m: No module found in object"),
	ELF("Invalid ELF symbol string table type: %*"),
	ELF("extended version crc+name presence does not match"),
	ELF("more extended version crcs than names"),
	ELF("empty symbol string table"),
	ELF("symbol string table missing leading NUL"),
	ELF("symbol string table isn't NUL terminated"),
	ELF("symbol name out of bounds in string table"),
	ELF("%m: Symbol %s has an invalid section index %*"),
	ELF("%m: has both .ctors and .init_array."),
	ELF("failed to validate module [%m] BTF: -%e"),
	ELF("%m: module PLT section(s) missing"),
	ELF("%m: module PLT.IDX section(s) missing"),
	ELF("%m: module GOT section(s) missing"),
	ELF("%m: module GOT.PLT section(s) missing"),
	ELF("%m: doesn't contain .stubs."),
	ELF("Module doesn't contain .plt or .init.plt sections."),
	ELF("%m: no flags for exported symbols"),
	{ "%m: ignoring obsolete section %*", ROW_OTHER, 0, 0, 0, NULL },

	/* relocations */
	RELOCATION("%m: please compile with -fno-common"),
	RELOCATION("%m: Unknown rela relocation: %*"),
	RELOCATION("%m: Unknown relocation: %*"),
	RELOCATION("%m: unknown relocation: %*"),
	RELOCATION("%m: Unknown ADD relocation: %*"),
	RELOCATION("%m: Unknown relocation type %*"),
	RELOCATION("module %m: unsupported RELA relocation: %*"),
	RELOCATION("module %m: overflow in relocation type %*"),
	RELOCATION("x86/modules: Skipping invalid relocation target, %*"),
	RELOCATION("x86/modules: Invalid relocation target, %*"),

	{ "Module %m is blacklisted", ROW_FAILURE, 0, 0, EPERM,
	  "module_blacklist= of the kernel's command line names it" },
	{ "Linux version %x (%*", ROW_BANNER, 0, 0, 0, NULL },
};

const struct row_table loader_rows = { rows, sizeof(rows) / sizeof(rows[0]), WRITER_KERNEL };
