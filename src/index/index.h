/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies beside the modules in a module directory: the lists of the kernel's build
 * (modules.order, modules.builtin, modules.builtin.modinfo) and the indexes of depmod that modprobe
 * goes by (modules.dep.bin, modules.alias). Any of them may be absent.
 */
#ifndef MODCHECK_INDEX_H
#define MODCHECK_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/names.h"

struct arena;

/* A line of modules.dep: a module's file and those that have to be loaded before it. */
struct index_dep {
	nameid path;       /* as all paths here below the module directory, or absolute */
	uint32_t first, n; /* of dep_paths */
};

/* A built-in that has parameters or a version. */
struct index_owner {
	nameid name;
	const char *tag; /* which says so, as "parmtype=time:bool" */
};

/* A line `blacklist NAME` of modprobe.d. */
struct index_blacklisted {
	nameid name;
	const char *file; /* "/etc/modprobe.d/x.conf" */
};

enum index_file {
	INDEX_DEP_BIN,
	INDEX_DEP,
	INDEX_ALIAS,
	INDEX_ORDER,
	INDEX_BUILTIN,
	INDEX_MODINFO,
	N_INDEX_FILES,
};

struct index {
	struct arena *arena;
	struct names *names; /* paths and names alike */
	bool has[N_INDEX_FILES];
	const char *faults[N_INDEX_FILES]; /* why it could not be read, as a phrase; else NULL */
	bool is_indexed;                   /* depmod was here: one of its indexes is */
	enum index_file dep_file;          /* where deps are from, if it is there */
	struct index_dep *deps;
	size_t n_deps, cap_deps;
	nameid *dep_paths;
	size_t n_dep_paths, cap_dep_paths;
	nameid *order; /* files of modules.order, without compression suffix */
	size_t n_order, cap_order;
	nameid *builtins; /* module names: '_' for '-' */
	size_t n_builtins, cap_builtins;
	struct index_owner *owners; /* mostly one a name */
	size_t n_owners, cap_owners;
	struct index_blacklisted *blacklist;
	size_t n_blacklist, cap_blacklist;
	struct file alias, modinfo; /* as they are, for index_find_aliases() */
};

/* Empty. index_release() is due. */
void index_init(struct index *x);
void index_release(struct index *x);

/* Read what there is in basedir/moddir. Cannot fail: faults[] has what could not be read. */
void index_load(struct index *x, const char *basedir, const char *moddir);

/* The name of the file, as "modules.dep". */
const char *index_file_name(enum index_file file);

/*
 * The readers of the files, one each; lines that are none are skipped. moddir: what absolute paths
 * of modutils and older kmods begin with, behind the first '/'.
 */
void index_read_dep(struct index *x, const char *text, size_t size, const char *moddir);
const char *index_read_dep_bin(struct index *x, const char *bytes, size_t size, const char *moddir);
void index_read_order(struct index *x, const char *text, size_t size);
void index_read_builtin(struct index *x, const char *text, size_t size);
void index_read_modinfo(struct index *x, const char *bytes, size_t size);
void index_read_modprobe(struct index *x, const char *text, size_t size, const char *file);

/*
 * For each of n words (module names with '_' for '-'): is_found[i] is set if an alias of an
 * installed module (modules.alias) or of a built-in matches it. Others are left as they are, and
 * words that are found already are not looked for.
 */
void index_find_aliases(const struct index *x, const char *const *words, bool *is_found, size_t n);

#endif
