/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about a kernel: its symbols, from all evidence merged, and its configuration.
 */
#ifndef MODCHECK_KERNEL_H
#define MODCHECK_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "model/btfbase.h"
#include "model/module.h"

enum source_kind {
	SOURCE_SYMVERS,    /* Module.symvers: exports, CRCs, licences, namespaces; of modules too */
	SOURCE_SYSTEM_MAP, /* defined symbols; exports of those with __ksymtab_ or __kstrtab_ */
	SOURCE_KSYMS,      /* a copy of a 2.4 /proc/ksyms: exports, with _R suffixes */
	SOURCE_KALLSYMS,   /* /proc/kallsyms: like a System.map */
	SOURCE_CONFIG,     /* the kernel's .config */
	SOURCE_IMAGE,      /* vmlinuz or vmlinux: exports, CRCs, licences, namespaces, vermagic */
	SOURCE_LOG,        /* what depmod or a kernel said: knows nothing but its complaints */
};

/* One file of evidence, named in the head of every report. */
struct source {
	enum source_kind kind;
	const char *path;    /* as shown: below basedir, or as the user wrote it */
	uint32_t exports;    /* exported symbols in it */
	uint32_t defined;    /* symbols in it that are defined and not exported */
	uint32_t crcs;       /* exports with a CRC */
	uint32_t licences;   /* exports that are GPL-only (or so) */
	uint32_t namespaces; /* exports in a namespace */
	bool knows_licences; /* its kind and contents tell GPL-only from plain */
	bool knows_namespaces;
	uint32_t contradictions; /* exports of the kernel that it has and an earlier source has
				    not, or the other way round: another build */
	bool is_named;           /* by the user, with -E, -F and so on */
	bool used;               /* false: found and set aside; note says why */
	const char *note;        /* NULL, or a phrase: "stub: one line, no exports" */
};

/* A symbol of the kernel, or one that a Module.symvers lists for a module. */
struct ksym {
	nameid name;
	nameid ns;        /* NAME_NONE: in no namespace, or not known */
	nameid provider;  /* NAME_NONE: vmlinux; else the module as symvers has it, "fs/fat/fat" */
	uint32_t crc;     /* valid if has_crc */
	uint32_t line;    /* in its source, from 1; 0 if it has none */
	uint8_t source;   /* index into kernel.sources */
	uint8_t licence;  /* enum licence */
	bool is_exported; /* else only defined */
	bool has_crc;
	char type; /* System.map's letter, 0 if the source has none */
};

/* Is a configuration option set? */
enum kconfig_value {
	KCONFIG_UNKNOWN, /* no configuration at hand */
	KCONFIG_NO,
	KCONFIG_MODULE,
	KCONFIG_YES,
};

struct kconfig {
	const char *text; /* the file's bytes, NUL-terminated; NULL: none at hand */
	size_t size;
};

#define KERNEL_MAX_SOURCES 32

struct kernel {
	const char *release;
	uint32_t version; /* 0x060100 for 6.1.0, 0 if the release does not begin with one */
	uint16_t machine; /* e_machine, from the image or the configuration; 0 if not known */
	struct source sources[KERNEL_MAX_SOURCES];
	uint32_t n_sources;
	struct ksym *syms; /* one a name and provider; sources are already merged */
	uint32_t n_syms;
	bool has_exports;  /* evidence of what the kernel exports: nothing else is exported */
	bool has_crcs;     /* CRCs other than 0 are known: CONFIG_MODVERSIONS=y */
	bool has_suffixes; /* 2.4: names carry _R<crc> */
	/* What only an image tells; NULL and 0 where none was read, or does not tell it. */
	const char *vermagic; /* "6.1.0 SMP mod_unload ", with the blank at its end, if any */
	const char *banner;   /* "Linux version 6.1.0 (...) #1 SMP PREEMPT_DYNAMIC ..." */
	uint64_t module_struct_size; /* sizeof(struct module), from BTF */
	struct btf_base types;       /* only if evidence_options asks for it */
	struct kconfig config;
};

#define KERNEL_VERSION_CODE(a, b, c) ((uint32_t)(a) << 16 | (uint32_t)(b) << 8 | (uint32_t)(c))

#endif
