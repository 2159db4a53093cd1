/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two kernels, as plain data: what diff_run() leaves for the renderers. All of
 * it lives in the arenas of struct diff (or of its two sides) until diff_release().
 *
 * "Build" is a module that NEW has of its own, under the name that OLD's has. A module of OLD
 * without one (from extra/ or updates/, or one that NEW dropped) would have to go on as it is.
 */
#ifndef MODCHECK_DIFF_H
#define MODCHECK_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "diff/config.h"
#include "diff/processor.h"
#include "diff/side.h"
#include "model/module.h"
#include "rules/policy_options.h"

struct arena;

/* How an export differs, as bits: several may be set. */
enum export_change {
	EXPORT_REMOVED = 1,
	EXPORT_ADDED = 2,
	EXPORT_CRC = 4,        /* another CRC */
	EXPORT_GPL = 8,        /* GPL-only now */
	EXPORT_FREED = 16,     /* GPL-only no more */
	EXPORT_NAMESPACE = 32, /* into, out of, or to another namespace */
	EXPORT_MOVED = 64,     /* another owner: built in or a module, or another module */
};

enum { N_EXPORT_CHANGES = 7 };

/* What one side says of an export. */
struct export_state {
	const char *owner; /* "vmlinux", or the module as modpost has it: "fs/fat/fat"; NULL: the
			      side has no such export */
	const char *ns;    /* "" if it is in none */
	uint32_t crc;      /* valid if has_crc */
	uint8_t licence;   /* enum licence */
	bool has_crc;
	bool knows_licence; /* else licence says nothing; the next so of ns */
	bool knows_ns;
};

/* A module of OLD that imports an export. */
struct export_use {
	uint32_t module; /* index into old.modules */
	uint32_t import; /* index into its imports */
};

struct export_diff {
	const char *symbol;
	unsigned int changes; /* enum export_change */
	struct export_state old, new;
	struct export_use *users; /* those that NEW has no build of first */
	uint32_t n_users;
	uint32_t n_unbuilt; /* of them, without a build in NEW */
};

/* A module of one side, and what the other has in its place. */
struct module_diff {
	const struct module *module;
	const struct module *twin; /* of this name on the other side, NULL if there is none */
	const char *subsystem;
	bool is_in_tree; /* built with its kernel, as far as its tag and its path say */
	bool has_build;  /* of OLD's: ... which was built for NEW; or so it is assumed */
	bool is_builtin; /* the other side has it built in */
};

/* A word of version magic that only one side has. */
struct vermagic_word {
	const char *word;
	bool is_new; /* NEW's; else OLD's */
};

struct diff_finding {
	uint16_t rule;
	uint8_t severity;
	const struct module_diff *module; /* of OLD; NULL if it is about none */
	const struct export_diff *export; /* NULL if it is about none */
	const char *expected, *actual;    /* NULL if none */
	const char *detail;               /* NULL, or a phrase: not yet escaped */
	uint32_t n;                       /* MC705: how many of its symbols have another CRC */
};

struct diff {
	struct arena *arena;
	struct names *names; /* of both sides; exports are numbered by it */
	struct side old, new;
	bool has_other_machine;      /* both are known and differ: nothing else is judged */
	struct export_diff *exports; /* those that differ, sorted by name */
	uint32_t n_exports;
	uint32_t n_changed[N_EXPORT_CHANGES]; /* exports by change, in the order of the bits */
	uint32_t n_used[N_EXPORT_CHANGES];    /* of them, those that modules of OLD use */
	struct module_diff *old_modules, *new_modules; /* [module of that side] */
	bool compares_modules;                         /* both sides are trees */
	uint32_t n_unreadable; /* modules of OLD, without a build in NEW, that show nothing */
	uint32_t n_unknown;    /* exports that an unreadable module of the other side may have */
	bool compares_crcs, compares_licences, compares_namespaces;
	struct vermagic_word *words;
	uint32_t n_words;
	bool knows_vermagic; /* of both sides */
	struct config_diff config;
	struct processor processor;
	struct diff_finding *findings; /* sorted by rule, then module and symbol */
	uint32_t n_findings;
	uint32_t n_errors, n_warnings, n_infos;
	int exit_code; /* 0 or 1 */
};

struct diff_options {
	const char *old,
		*new; /* KVER, ROOT:KVER, a directory lib/modules/KVER, or a symvers file */
	const struct session_options *session; /* -b, -m, -C, -j; -E: once for each side */
	const struct policy_options *policy;
	const char *cpuinfo; /* NULL: not asked for */
};

/*
 * Read both sides and compare them. Returns false and sets *err when a side cannot be read, or does
 * not tell what it exports. diff_release() has to follow in either case.
 */
bool diff_run(struct diff *d, const struct diff_options *options, struct err *err);
void diff_release(struct diff *d);

#endif
