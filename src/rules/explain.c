/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules/explain.h"

#include <stddef.h>

/* Messages are those of kernel/module/main.c and version.c of 6.1 unless they say otherwise. */
static const struct explanation explanations[N_RULES] = {
	[RULE_UNREADABLE_MODULE] = {
		"The file is named like a module and cannot be read as one: it is empty, text, cut "
		"short, compressed data that is damaged, larger than a module can be, not a regular "
		"file, or closed to the user who runs modcheck. The loader refuses it; what it "
		"exports is not known, so modules that depend on it are told with it (MC204).\n",
		"Invalid ELF header magic: != \\x7fELF",
		"Install the file again from its package, or build it again; remove what is no module.",
	},
	[RULE_WRONG_MACHINE] = {
		"The module was built for another processor architecture than the kernel, or than most "
		"modules of the tree where the kernel's is not known.\n",
		"Invalid architecture in ELF header: 183",
		"Install the modules of the kernel's own architecture.",
	},
	[RULE_MALFORMED_ELF] = {
		"An ELF header or section is not as the loader wants it: a section outside of the file, "
		"no section names, no .gnu.linkonce.this_module, more than one symbol table, a symbol "
		"in a section that is not there, a section that this processor needs and that is "
		"missing. In FILEs and with --thorough its BTF is looked at too, where the kernel refuses a "
		"module whose BTF is damaged or goes on from types of another build (without "
		"CONFIG_MODULE_ALLOW_BTF_MISMATCH). Kernels before 6.1 tell most of this in one message, later ones each in its "
		"own.\n",
		"Module has invalid ELF structures",
		"Build the module again; look at what the build did to it after linking (strip, objcopy, "
		"signing).",
	},
	[RULE_STRIPPED_SYMBOLS] = {
		"There is no symbol table, so the loader cannot link the module. Modules may be stripped of "
		"debugging information and of symbols that no relocation needs, not of all symbols.\n",
		"NAME: module has no symbols (stripped?)",
		"Strip modules with strip --strip-debug, as make INSTALL_MOD_STRIP=1 does.",
	},
	[RULE_WRITE_EXEC_SECTION] = {
		"A section is both writable and executable, which kernels with "
		"CONFIG_STRICT_MODULE_RWX do not take.\n",
		"NAME: section .text.foo (index 3) has invalid WRITE|EXEC flags",
		"Correct the flags of the section in the assembly source or the linker script.",
	},
	[RULE_BAD_RELOCATION] = {
		"The module has a COMMON symbol (a variable without initialiser that was compiled with "
		"-fcommon), a relocation that the loader does not know, one to a place that does not hold "
		"zeroes (x86-64), one of a value that cannot fit, a call without a nop behind it (ppc64), "
		"one of a live patch whose section or symbol is not named as such, or a static call by a "
		"trampoline that the kernel does not take. Relocations are only looked at in FILEs and with "
		"--thorough. Whether a distance is too long depends on where the module will lie, and whether "
		"a live patch finds the symbols that it names on what the kernel does not export: neither is "
		"judged.\n",
		"NAME: please compile with -fno-common",
		"Compile with the kernel's own flags, by its build system (make -C /lib/modules/KVER/build "
		"M=$PWD).",
	},
	[RULE_SIGNATURE_BROKEN] = {
		"The module carries a signature (\"~Module signature appended~\" at its end) that is "
		"damaged, or that was made of other contents: the file was altered after it was signed, most "
		"often stripped. The kernel looks at it before all else, and refuses the module whether or "
		"not signatures are enforced, mostly without a word in its log.\n"
		"Whether the contents are those that were signed is only looked at in FILEs and with "
		"--thorough, and takes the certificate of the key, from the kernel's image or its build "
		"directory (certs/signing_key.x509); where there is none, nothing is said of it.\n",
		"module: PKCS#7 signature info has unexpected non-zero params",
		"Sign it as the last step of all, after stripping, or install the file again.",
	},
	[RULE_SIGNATURE_MISSING] = {
		"The module carries no signature, and the kernel has CONFIG_MODULE_SIG. It loads and taints the "
		"kernel (E), unless CONFIG_MODULE_SIG_FORCE is set, module.sig_enforce is given, or the "
		"kernel is locked down (Secure Boot).\n",
		"NAME: module verification failed: signature and/or required key missing - tainting kernel",
		"Sign it with a key that the kernel knows, where that is asked for.",
	},
	[RULE_UNDEFINED_SYMBOL] = {
		"The module needs a symbol that neither the kernel nor an installed module exports, and "
		"that the evidence does not define at all. Either the code that has it was not built "
		"into this kernel, or its module is not installed, or the module was built for another "
		"kernel in which the symbol has this name.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Build modules and kernel from one source and one configuration; modcheck explain SYMBOL "
		"shows names that are close to it.",
	},
	[RULE_DEFINED_NOT_EXPORTED] = {
		"The kernel defines the symbol, and does not export it. The loader only looks into the "
		"export tables, so for the module it does not exist. This is the classic fault of a "
		"patch that makes modules call a function (preempt_schedule) and forgets its "
		"EXPORT_SYMBOL().\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Export the symbol where it is defined, and rebuild the kernel.",
	},
	[RULE_PROVIDER_NOT_INSTALLED] = {
		"Module.symvers lists the symbol for a module that the tree does not have: it is in a "
		"package that is not installed, or it was left out.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Install the package that holds the module (linux-modules-extra and the like).",
	},
	[RULE_PROVIDER_REFUSED] = {
		"A module would find its symbols in another one, but that is refused itself, so the symbols "
		"are not there when they are looked up. It counts under the cause that refuses the "
		"other module. Modules that are refused for a reason of their own are not told again.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Mend the cause that it is listed under.",
	},
	[RULE_WEAK_UNDEFINED] = {
		"A weak symbol that nobody provides. The loader lets it be 0, and the module is expected to "
		"test for that.\n",
		NULL,
		"Nothing, if the module means it so.",
	},
	[RULE_DEPENDENCY_CYCLE] = {
		"Modules need symbols of each other in a circle, so none of them can be loaded first. depmod "
		"refuses to write modules.dep for such a tree. Only the members of the circle are "
		"named here; modules that need them are told under the same cause.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Move what both need into a module of its own, or link them into one.",
	},
	[RULE_VERSION_SUFFIX_MISMATCH] = {
		"A module of a 2.4 kernel with modversions needs the symbol with one checksum in its name "
		"(preempt_schedule_R1b2c3d4e), and it is exported with another: the module was built "
		"from a kernel of another version, patch or configuration.\n",
		"insmod: unresolved symbol SYMBOL_R1b2c3d4e",
		"Rebuild kernel and modules together, after make dep.",
	},
	[RULE_CRC_MISMATCH] = {
		"The module was built against another version of the symbol: the types that it is made "
		"of differ, so the module would misunderstand the kernel's data.\n",
		"NAME: disagrees about version of symbol SYMBOL",
		"Build the module against the headers and the Module.symvers of this very build.",
	},
	[RULE_CRC_MISSING_IN_MODULE] = {
		"The exporter has a checksum for the symbol and the module's __versions has no entry for it: "
		"the kernel refuses that like a checksum that differs. A module without any __versions "
		"is forced in, with a taint, where CONFIG_MODULE_FORCE_LOAD is set.\n",
		"NAME: no symbol version for SYMBOL",
		"Build the module against this kernel's Module.symvers. If the export itself has the checksum "
		"0, it is an assembly symbol without a prototype in asm/asm-prototypes.h.",
	},
	[RULE_MODULE_LAYOUT_MISMATCH] = {
		"module_layout stands for the layout of the kernel's central structures. A module with "
		"another checksum for it was built for another kernel or configuration (SMP, preemption, "
		"debugging options); the loader looks at it before all other symbols. The differences "
		"that follow from it are told under the same cause.\n",
		"NAME: disagrees about version of symbol module_layout",
		"Install modules of this very build, or rebuild them against its headers.",
	},
	[RULE_VERMAGIC_MISMATCH] = {
		"The module says for which kernel it was built: release, SMP, preemption, module unloading, "
		"symbol versions, processor family. A word that differs is refused, and so is a space at "
		"the end that was lost. With symbol versions on both sides the release is not compared. "
		"Objects of 2.4 say only the release, and insmod -f passes over it.\n",
		"NAME: version magic '6.1.0 SMP preempt_rt mod_unload ' should be '6.1.0 SMP preempt "
		"mod_unload '",
		"Build the module against this kernel's headers.",
	},
	[RULE_VERMAGIC_MISSING] = {
		"There is no vermagic tag in .modinfo: the module did not go through modpost, or lost the "
		"section. Where CONFIG_MODULE_FORCE_LOAD is set it loads and taints the kernel (F); "
		"elsewhere it is refused without a word.\n",
		"NAME: bad vermagic: kernel tainted.",
		"Build the module by the kernel's build system.",
	},
	[RULE_STRUCT_MODULE_SIZE] = {
		"The module carries a struct module that is larger or smaller than this kernel's, so it was built "
		"for another configuration. Kernels from 6.12 on refuse it for that alone.\n",
		"NAME: .gnu.linkonce.this_module section size must match the kernel's built struct module "
		"size at run time",
		"Build the module against this kernel's headers.",
	},
	[RULE_GPL_ONLY_SYMBOL] = {
		"The symbol is exported by EXPORT_SYMBOL_GPL(), and the module's licence is not one that the "
		"kernel counts as GPL-compatible, so for this module the symbol does not exist. On "
		"preemptible kernels this meets modules that use rcu_read_lock(), which is free of "
		"symbols elsewhere.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Use what is exported to all, or license the module accordingly.",
	},
	[RULE_NAMESPACE_NOT_IMPORTED] = {
		"The symbol is in a namespace that the module does not import. With "
		"CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS the kernel only warns.\n",
		"NAME: module uses symbol (SYMBOL) from namespace NS, but does not import it.",
		"Add MODULE_IMPORT_NS() to the module's source (make nsdeps does it).",
	},
	[RULE_RESTRICTED_TO_MODULES] = {
		"The symbol is exported by EXPORT_SYMBOL_FOR_MODULES(), for modules whose names are listed "
		"with it, and this module is none of them. Kernels from 6.16 on enforce it.\n",
		"NAME: module uses symbol (SYMBOL) from namespace module:LIST, but does not import it.",
		"Do without the symbol: importing the namespace does not help.",
	},
	[RULE_PROPRIETARY_PROVIDER] = {
		"A module that uses symbols of a proprietary module inherits its taint (5.9 and later), and is from "
		"then on treated as proprietary: GPL-only symbols do not exist for it. In the other order, "
		"after a GPL-only symbol, the proprietary module's symbols do not. Either way it is "
		"refused.\n",
		"NAME: module using GPL-only symbols uses symbols SYMBOL from proprietary module PROVIDER.",
		"A module can use the one or the other.",
	},
	[RULE_LICENSE_TAINTS] = {
		"The module's licence is not one of those that the kernel counts as GPL-compatible (GPL, GPL "
		"v2, GPL and additional rights, Dual BSD/GPL, Dual MIT/GPL, Dual MPL/GPL). It loads, and "
		"the kernel is marked as tainted (P).\n",
		"NAME: module license 'LICENCE' taints kernel.",
		"Nothing, if that is accepted: --ignore MC405.",
	},
	[RULE_TAINTS] = {
		"The module loads, and the kernel notes that it did: out of tree (O), from the staging directory "
		"(C), a test module (N), a live patch (K).\n",
		"NAME: loading out-of-tree module taints kernel.",
		"Nothing; it is worth knowing when a bug is reported.",
	},
	[RULE_RETPOLINE_MISSING] = {
		"The kernel was compiled with retpolines against Spectre v2, and the module was not: the machine "
		"may be vulnerable while it is loaded. The kernel only warns.\n",
		"NAME: loading module not compiled with retpoline compiler.",
		"Build the module with a compiler and flags that this kernel's build uses.",
	},
	[RULE_LIVEPATCH_DISABLED] = {
		"The module says that it is a live patch, and the kernel was built without CONFIG_LIVEPATCH.\n",
		"NAME: module is marked as livepatch module, but livepatch support is disabled",
		"Load it on the kernel that it patches.",
	},
	[RULE_NEEDS_REBUILD] = {
		"Of `modcheck ready`: the kernel refuses the module as it is, for something that building it "
		"against this kernel's headers mends: version magic, symbol versions, the size of struct "
		"module, calls that the headers of this kernel make differently, such as rt_spin_lock() for "
		"_raw_spin_lock(). Nothing that is known speaks against the module once it is built.\n",
		NULL,
		"Build it against the kernel's headers: make -C /lib/modules/KVER/build M=$PWD, or dkms.",
	},
	[RULE_HIDDEN_PREEMPT_CALL] = {
		"Of `modcheck ready`: the module is not under a GPL-compatible licence, and the headers of this "
		"kernel turn code that was inline where the module was built into calls of a GPL-only symbol: "
		"rcu_read_lock() of CONFIG_PREEMPT_RCU, kmap_atomic() and local locks of PREEMPT_RT. Whether "
		"the module has such code cannot be seen in it, so this is a note and never an error.\n",
		NULL,
		"Search the module's source for what the note names, or build it: modpost tells.",
	},
	[RULE_DUPLICATE_EXPORT] = {
		"Two owners export one symbol: the kernel and a module, or two modules. The loader refuses "
		"the one that comes second; of two modules the one with the later path is named here.\n",
		"NAME: exports duplicate symbol SYMBOL (owned by OWNER)",
		"Remove one of the two modules, or build the kernel without its copy.",
	},
	[RULE_DUPLICATE_MODULE] = {
		"Two files have the same module name (- and _ are the same). modprobe only knows one of them, "
		"the one that depmod.d's search order puts first (updates/ before the rest, by default); "
		"the other is never loaded.\n",
		NULL,
		"Remove the copy that is not wanted, or choose with `override` in depmod.d.",
	},
	[RULE_BUILTIN_NAME_CLASH] = {
		"The kernel gives each module a directory /sys/module/NAME, and some built-ins have one too: "
		"those with parameters or a version, whether or not they could have been modules "
		"(modules.builtin.modinfo lists them). A module of such a name is refused. The name that "
		"counts is the one in the module, not that of its file.\n",
		"NAME: module is already loaded",
		"Give the module another name, or build the kernel without its own.",
	},
	[RULE_MODULES_DEP_STALE] = {
		"modules.dep.bin, or where there is none modules.dep, is not what depmod would make of the tree: "
		"a module needs another that its line does not list, an installed module has no line, or "
		"a file that is listed is not there. modprobe loads what the line of a module lists, and "
		"nothing else: it does not find the module, or the kernel refuses it for unknown symbols. "
		"A tree in which depmod has not been yet is not told of.\n",
		NULL,
		"Run depmod for this kernel (depmod -b DIR KVER); in a package, after installing.",
	},
	[RULE_MODULES_ORDER_MISSING_FILE] = {
		"modules.order has all modules that the kernel's build made, and one of them is not installed. "
		"Nothing needs the file itself, so it is lost without a further sign. Where a tenth or "
		"more of a long list is not there, the kernel is in several packages and this is an "
		"info.\n",
		NULL,
		"Install the kernel's packages again, or the one that holds the rest of its modules.",
	},
	[RULE_SOFTDEP_MISSING] = {
		"The module asks for another to be loaded before or after it (MODULE_SOFTDEP), and no module, "
		"built-in or alias has that name. modprobe passes over it and says nothing. Looked for "
		"only where there is a modules.alias.\n",
		NULL,
		"Nothing, if the module works without it; else install or build what it names.",
	},
	[RULE_FOREIGN_MODULE] = {
		"The module was built for another kernel release than most modules of the tree, by its version "
		"magic. With CONFIG_MODVERSIONS the kernel does not compare the release, so the module "
		"may load; mostly it was left over from another kernel, or not built again for this one. "
		"What the kernel refuses is told by the rule that it is refused for, and not here; nor are "
		"modules in weak-updates/, which are meant to be shared by kernels.\n",
		NULL,
		"Remove it if it was left over, or build it against this kernel's headers.",
	},
	[RULE_DANGLING_LINK] = {
		"A link in the module tree leads nowhere, or in a circle. depmod complains about it and goes on "
		"without what it should have led to.\n",
		NULL,
		"Remove it, or install what it points to.",
	},
	[RULE_BLACKLISTED] = {
		"A line `blacklist NAME` of modprobe.d (below -b, like all else): modprobe passes over the "
		"module's aliases, so that it is not loaded for a device that is found. By its name, or "
		"because another module needs it, it is loaded all the same; the kernel does not know of "
		"the list.\n",
		NULL,
		"Nothing, if it is meant so; else remove the line.",
	},
	[RULE_PREEMPT_MODEL_MISMATCH] = {
		"The module was built for another preemption model than this kernel has: its vermagic says so, or "
		"it needs symbols that only kernels of that model make modules need (rt_spin_lock: "
		"PREEMPT_RT; __SCT__preempt_schedule: PREEMPT_DYNAMIC). The kernel refuses it where "
		"version magic, CRCs or symbols differ, and this is an error then; where they do not, "
		"it loads (a warning) and may sleep or be preempted where this kernel does not expect "
		"it. RT and plain kernels of 6.12 have the same version magic; there the CRC of "
		"module_layout tells: what one module with it shows of PREEMPT_RT holds for all.\n",
		NULL,
		"Build it against this kernel's headers, or remove what is left of an earlier build.",
	},
	[RULE_RT_NAME_WITHOUT_RT] = {
		"The kernel's release has the word rt in it, and its exports, banner or configuration are those of "
		"a kernel without PREEMPT_RT. The RT patch only offers the option.\n",
		NULL,
		"Set CONFIG_PREEMPT_RT=y (it needs CONFIG_EXPERT=y) and build again, or name it otherwise.",
	},
	[RULE_EXPORT_REMOVED] = {
		"modcheck diff: a module of the old kernel uses an export that the new kernel lacks, and the new "
		"kernel has no build of the module that does without: it is from extra/ or updates/, or was "
		"dropped, or its new build still needs the export. Weak references do not count.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Build a version of the module that knows the new kernel; see what replaced the export.",
	},
	[RULE_EXPORT_NOW_GPL_ONLY] = {
		"modcheck diff: the new kernel exports a symbol with EXPORT_SYMBOL_GPL() that the old one exported "
		"for all, and a module whose licence is not GPL-compatible uses it. For such a module the symbol "
		"is not there any more.\n",
		"NAME: Unknown symbol SYMBOL (err -2)",
		"Ask the module's vendor for a version that does without the symbol.",
	},
	[RULE_EXPORT_IN_NAMESPACE] = {
		"modcheck diff: the new kernel exports a symbol in a namespace, and a module that uses it does not "
		"import that (MODULE_IMPORT_NS). A module that the new kernel has a build of is judged by that "
		"build. A warning only where the new kernel's configuration allows missing imports.\n",
		"NAME: module uses symbol (SYMBOL) from namespace NS, but does not import it.",
		"Add MODULE_IMPORT_NS() to the module's source and build it again.",
	},
	[RULE_EXPORT_REMOVED_REBUILT] = {
		"modcheck diff: the new kernel lacks an export that modules of the old kernel used. It has builds of "
		"its own of all of them, which do without, so nothing that is installed breaks; but modules from "
		"elsewhere that are not in the old tree may use the export too. Who only cares for what is installed "
		"ignores this rule (--ignore MC704).\n",
		NULL,
		"Nothing for the kernel's own modules; look whether modules that you build yourself use the export.",
	},
	[RULE_REBUILD_NEEDED] = {
		"modcheck diff: the new kernel has no build of this module, and would refuse the old one: symbols that "
		"it uses have other CRCs there, or its version magic has other words. All that it takes is to build "
		"it again, if its source fits the new kernel.\n",
		"NAME: disagrees about version of symbol SYMBOL",
		"Build the module for the new kernel (dkms autoinstall -k KVER, or make -C "
		"/lib/modules/KVER/build M=$PWD).",
	},
	[RULE_MODULE_REMOVED] = {
		"modcheck diff: a module of the old kernel is not among those of the new one, and is not built in "
		"there either. Hardware or file systems that need it do not work with the new kernel.\n",
		NULL,
		"See whether another module took its place, or a package holds it; else enable it in the new "
		"kernel's configuration.",
	},
	[RULE_OTHER_MACHINE] = {
		"modcheck diff: the two kernels are for different processor architectures (i386 and x86_64, say). No "
		"module of the old one can be loaded by the new one, so exports and modules are not judged.\n",
		"Invalid architecture in ELF header: 3",
		"Install modules of the new kernel's architecture.",
	},
	[RULE_PROCESSOR_LACKS_FEATURE] = {
		"modcheck diff --cpuinfo: the configuration of the new kernel makes it need something of an x86 "
		"processor that /proc/cpuinfo does not show: a flag such as pae or cmov, or a processor family. The "
		"kernel looks for it when it boots and stops there, or dies of an invalid instruction.\n",
		"This kernel requires the following features not present on the CPU:",
		"Choose a flavour for this processor (686 instead of 686-pae, say). Pentium M of families 6/9 and "
		"6/13 have PAE and do not show it: boot with forcepae.",
	},
	[RULE_EVIDENCE_DISAGREES] = {
		"Two sources say different things of the same exports: a System.map or a kernel image of another "
		"build lies beside this Module.symvers, or the other way round. The symvers is taken at "
		"its word; whether that is right only the one who built them knows. Or they differ in the "
		"preemption model: a configuration of another build lies beside this kernel.\n",
		NULL,
		"Give modcheck the evidence of one build, or remove what is left over from another.",
	},
	[RULE_EVIDENCE_MISSING] = {
		"Nothing tells what the kernel exports: there is no Module.symvers, the System.map is a stub (as "
		"in Debian's kernel packages) or lists no exports, or what there is belongs to another "
		"kernel. Without it neither good nor bad can be said of a module, so modcheck ends with "
		"status 2 instead of a list.\n",
		NULL,
		"Install the kernel's headers (they hold Module.symvers), or name a source with -E or -F.",
	},
	[RULE_LOAD_FAILED] = {
		"Of a log alone (modcheck parse): modprobe, insmod or the kernel says that the module could not "
		"be loaded, and the lines that would tell why are not in it. modprobe and insmod only get an "
		"errno to see; the reason is in the kernel's log.\n",
		NULL,
		"Give the kernel's messages to modcheck parse as well (dmesg, journalctl -k), or check the "
		"module itself: modcheck KVER FILE.",
	},
};

const struct explanation *rule_explanation(enum rule_id rule)
{
	return &explanations[rule];
}
