/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The check stage: links and modules in, findings out. Each file of this folder holds the rules
 * of one subject; check.c calls them in turn. A finding of severity error means that the
 * loader refuses the module.
 */
#ifndef MODCHECK_CHECK_H
#define MODCHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/finding.h"
#include "model/kernel.h"
#include "model/module.h"
#include "model/readiness.h"
#include "model/tree.h"
#include "resolve.h"
#include "rules/policy_options.h"
#include "rules/table.h"

struct arena;
struct index;
struct preemption;

struct check {
	/* input */
	const struct kernel *kernel;
	const struct module *modules;
	uint32_t n_modules;
	const struct tree *tree;   /* NULL if only files are judged */
	const struct index *index; /* never NULL, but it may be empty */
	const struct resolution *links;
	const struct preemption *preemption;
	const struct names *names;
	const struct policy_options *policy;
	const struct readiness *readiness; /* NULL: modules are judged as they are */
	struct arena *arena;
	/* of the configuration, asked once */
	enum kconfig_value strict_rwx, modversions, force_load, allow_missing_namespaces;
	enum kconfig_value livepatch, retpoline, signatures, signature_force;
	const char *vermagic;     /* of the kernel, NULL if not known */
	uint16_t needed_sections; /* enum arch_section: of its machine */
	uint64_t struct_size;     /* of its struct module, 0 if not known */
	/* output */
	bool is_compatible;       /* licence of the module at hand */
	uint16_t machine;         /* e_machine that the modules are held to, 0 if unknown */
	struct finding *findings; /* malloc'ed vector */
	size_t n_findings, cap_findings;
	bool *inherits;   /* [n_modules]: is proprietary, by itself or by whom it uses; all false
			     where none of those that are so by themselves exports anything */
	bool *is_refused; /* [n_modules], in the arena */
	bool *has_weak;   /* [n_modules]: another module exports what it needs weakly */
};

/*
 * Run all rules. Fills in the output members; findings are sorted by module, in the order in which
 * the loader meets them, and those where the loader stops are marked. The caller frees c->findings.
 */
void check_run(struct check *c);

/*
 * The end of it, for findings that were made elsewhere (of a log) with check_add(): what the policy
 * leaves of them, sorted and marked. c->is_refused has to be there before.
 */
void check_finish(struct check *c);

/*
 * For the rule files: a new finding on a module (MODULE_NONE: on the tree) with the rule's
 * severity, zeroed but for that. Returns NULL if the rule is ignored.
 */
struct finding *check_add(struct check *c, enum rule_id rule, uint32_t module);

/* The same with another severity. */
struct finding *check_add_as(struct check *c, enum rule_id rule, uint32_t module,
			     enum severity severity);

/* The subjects; each in a file of this folder, which says what the loader does. */
bool check_file(struct check *c, uint32_t module); /* false: of another machine */
void check_layout(struct check *c, uint32_t module);
void check_licence(struct check *c, uint32_t module);
void check_vermagic(struct check *c, uint32_t module);
void check_struct_size(struct check *c, uint32_t module);
void check_taints(struct check *c, uint32_t module);
void check_signature(struct check *c, uint32_t module);
void check_exports(struct check *c, uint32_t module);
void check_tree(struct check *c);
void check_index(struct check *c);
void check_softdeps(struct check *c);
void check_blacklist(struct check *c);
void check_dep(struct check *c);
void check_foreign(struct check *c); /* needs to know who is refused for its own sake */
void check_inheritance(struct check *c);
void check_cycles(struct check *c);
void check_providers(struct check *c);  /* needs to know who is refused */
void check_preemption(struct check *c); /* last: by then everybody who is refused is known */
void check_rebuilds(struct check *c);   /* at the end; nothing where c->readiness is NULL */

/* The same of one import: is it there, of which version, and may it be used? */
void check_symbol(struct check *c, uint32_t module, uint32_t import);
void check_version(struct check *c, uint32_t module, uint32_t import);
void check_use(struct check *c, uint32_t module, uint32_t import);

/*
 * The export that an import is linked to, of the kernel or of a module: *e has its licence,
 * namespace and CRC. False if it is linked to nothing.
 */
bool check_linked_export(const struct check *c, const struct link *link, struct export *e);

/* Is it one that modules under other licences do not see? */
bool licence_is_gpl_only(enum licence licence);

/* A finding on an import that is linked to an export, with symbol, ksym and provider filled in. */
struct finding *check_add_on_import(struct check *c, enum rule_id rule, enum severity severity,
				    uint32_t module, uint32_t import);

/* Is the fault one that this kernel minds? */
bool check_minds_fault(const struct check *c, const struct fault *fault);

/* Does this kernel compare symbol versions? What is not known of it is taken to be so. */
bool check_has_modversions(const struct check *c);

/* Taints of the kernel, by their bits (include/linux/panic.h), that loading the module sets for its
 * tags. */
enum taint_bit {
	TAINT_BIT_P = 1 << 0,
	TAINT_BIT_F = 1 << 1,
	TAINT_BIT_C = 1 << 10,
	TAINT_BIT_O = 1 << 12,
	TAINT_BIT_E = 1 << 13,
	TAINT_BIT_K = 1 << 15,
	TAINT_BIT_N = 1 << 18,
};
uint32_t check_taints_of(const struct check *c, const struct module *m);

/* Its name once it is loaded: the one in its struct module, else that of the file. */
const char *module_loaded_name(const struct module *m);

/* Is it GPL-compatible to the kernel, by its licence and its name? */
bool module_is_compatible(const struct module *m);

/*
 * May it use exports in this namespace ("" is none) on a kernel of this version, for what it
 * imports or is called? names: the table of the module's session; ns may be from another one.
 */
bool module_may_use_namespace(const struct module *m, const struct names *names, const char *ns,
			      uint32_t version);

#endif
