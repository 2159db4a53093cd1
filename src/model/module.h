/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module file as the reader leaves it: what it needs, what it offers, what it says of
 * itself, and what is wrong with the file. Plain data; everything it points to lives in the
 * arena of the thread that read it, until the session ends.
 */
#ifndef MODCHECK_MODULE_H
#define MODCHECK_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"

/*
 * What is wrong with a file. Each kind belongs to one rule (rules/file.c); `detail` of the
 * fault says what exactly and where.
 */
enum fault_kind {
	FAULT_UNREADABLE,          /* cannot be opened or read */
	FAULT_NOT_REGULAR,         /* a directory, FIFO, socket or device named like a module */
	FAULT_NOT_ELF,             /* empty, text, ... */
	FAULT_TRUNCATED,           /* ends before what its own headers promise */
	FAULT_COMPRESSION,         /* bad or unknown compressed data */
	FAULT_LIMIT,               /* over a limit of base/limits.h */
	FAULT_ELF,                 /* a check of the loader on the ELF headers and sections fails */
	FAULT_ELF_6_12,            /* the same, of a check that came with Linux 6.12 */
	FAULT_ELF_7_2,             /* ... with 7.2 */
	FAULT_WRONG_TYPE,          /* an ELF file, but no relocatable object */
	FAULT_STRIPPED,            /* no symbol table */
	FAULT_WRITE_EXEC,          /* a section both writable and executable */
	FAULT_EMPTY,               /* a file of no bytes */
	FAULT_UNNAMED,             /* an undefined symbol without a name */
	FAULT_COMMON_SYMBOL,       /* a COMMON symbol; detail is its name */
	FAULT_RELOCATION,          /* a relocation of a type that the loader does not know */
	FAULT_RELOCATION_TARGET,   /* a relocation to bytes that are not zero */
	FAULT_RELOCATION_OVERFLOW, /* ... of a value that never fits */
	FAULT_RELOCATION_CALL,     /* ppc64: ... of a call that is not followed by a nop */
	FAULT_STATIC_CALL,         /* the key of a static call is code of the module itself */
	FAULT_KLP_SECTION,         /* relocations of a live patch in a section of another name */
	FAULT_KLP_MARK,            /* ... to a symbol that is not marked as one of a live patch */
	FAULT_KLP_NAME,            /* ... to a symbol whose name is not that of one */
	FAULT_SYMBOL_INDEX,        /* a symbol in a section that there is not */
	FAULT_CONSTRUCTORS,        /* both .ctors and .init_array */
	FAULT_BTF,                 /* .BTF is damaged; only looked at thoroughly */
	FAULT_BTF_BASE,            /* the same of one with a .BTF.base, which came with 6.11 */
};

/*
 * Which check of the loader fails, where it tells so: rules/elf.c knows when it is made and what
 * the kernel says. Behind each: the numbers of the fault, and its name, where it has any.
 */
enum elf_check {
	ELF_NOT_CHECKED,
	ELF_LENGTH,       /* bytes of the file */
	ELF_MAGIC,        /* bytes of the file */
	ELF_TYPE,         /* e_type */
	ELF_MACHINE,      /* e_machine */
	ELF_ENTRY_SIZE,   /* e_shentsize */
	ELF_TABLE,        /* e_shoff, e_shnum: where the section table is */
	ELF_NAMES_INDEX,  /* e_shstrndx, e_shnum */
	ELF_NAMES_EXTENT, /* section, sh_type */
	ELF_NAMES_TYPE,   /* sh_type */
	ELF_NAMES_EMPTY,
	ELF_NAMES_END,
	ELF_SECTION_0,   /* sh_type */
	ELF_SYMTAB_LINK, /* sh_link, e_shnum */
	ELF_EXTENT,      /* section, sh_type */
	ELF_NAME,        /* section, sh_type */
	ELF_MODINFO_TWICE,
	ELF_MODULE_TWICE,
	ELF_MODULE_ABSENT,
	ELF_MODULE_NO_BYTES,
	ELF_MODULE_NOT_LOADED,
	ELF_SYMTAB_ABSENT,
	ELF_SYMTAB_TWICE,
	ELF_STRINGS_TYPE, /* sh_type */
	ELF_VERSIONS_HALF,
	ELF_VERSIONS_SHORT,
	ELF_STRINGS_EMPTY,
	ELF_STRINGS_BEGINNING,
	ELF_STRINGS_END,
	ELF_SYMBOL_NAME,
	ELF_WRITE_EXEC,   /* section; its name */
	ELF_SYMBOL_INDEX, /* st_shndx, e_shnum - 1; the symbol's name */
	ELF_ARCH,         /* e_machine */
	ELF_ARCH_SECTION, /* its name */
	ELF_FTRACE_SECTION,
	ELF_CONSTRUCTORS,
	ELF_BTF, /* errno */
	N_ELF_CHECKS
};

/* ppc64: on CONFIG_PPC_KERNEL_PCREL depends which relocations the loader knows. */
enum reloc_pcrel {
	PCREL_EITHER,
	PCREL_ONLY,  /* it is only known with it */
	PCREL_NEVER, /* ... without it */
};

struct fault {
	struct fault *next; /* in the order found */
	enum fault_kind kind;
	enum elf_check check;
	uint32_t order; /* FAULT_COMMON_SYMBOL, _SYMBOL_INDEX: how many imports stand before it */
	const char *detail; /* a phrase; bytes from the file in it are not yet escaped */
	const char *name;   /* not escaped either */
	uint32_t numbers[2];
	uint32_t type;  /* of the relocation */
	uint32_t since; /* KERNEL_VERSION_CODE of the first kernel that knows it, 0: none does */
	uint8_t pcrel;  /* enum reloc_pcrel */
};

/*
 * What is at the end of the file, before anything else of it is looked at. What a message says
 * beyond its first bytes, and whether it fits the file, is only known of modules that were read
 * thoroughly.
 */
enum signature_state {
	SIGNATURE_UNKNOWN,    /* the file could not be read or unpacked */
	SIGNATURE_NONE,       /* no "~Module signature appended~" */
	SIGNATURE_PRESENT,    /* nothing wrong with it so far */
	SIGNATURE_LENGTH,     /* longer than the file */
	SIGNATURE_OTHER_TYPE, /* not PKCS#7: the kernel takes the module for unsigned */
	SIGNATURE_PARAMETERS, /* fields that have to be 0 are not */
	SIGNATURE_MESSAGE,    /* the PKCS#7 message is damaged */
	SIGNATURE_ATTRIBUTES, /* it signs attributes, which the kernel does not take */
	SIGNATURE_OTHER_FILE, /* not of these contents: altered after it was signed */
};

/* What it takes to verify a signature by a key. */
struct signed_content {
	const unsigned char *message; /* PKCS#7 */
	uint32_t message_size;
	uint32_t digest_size;
	unsigned char digest[64]; /* of the contents, by the message's algorithm */
};

/* Symbol licences, in the order of the words in Module.symvers. */
enum licence {
	LICENCE_ANY,        /* EXPORT_SYMBOL */
	LICENCE_GPL,        /* EXPORT_SYMBOL_GPL */
	LICENCE_GPL_FUTURE, /* until 5.11; warns only */
	LICENCE_UNUSED,     /* until 5.11; warns only */
	LICENCE_UNUSED_GPL,
};

enum import_flags {
	IMPORT_WEAK = 1,         /* STB_WEAK */
	IMPORT_HAS_CRC = 2,      /* __versions has an entry for it */
	IMPORT_UNREFERENCED = 4, /* 2.4 only: no relocation uses it, so insmod does not care */
	IMPORT_STATIC_CALL = 16, /* the key of an entry of .static_call_sites; only known of modules
				    that were read thoroughly */
	IMPORT_EMITTED = 8,      /* not in the file: see struct module's is_rebuilt */
};

/* A symbol that the module needs: an undefined entry of .symtab. */
struct import {
	nameid name;
	uint32_t crc;  /* valid with IMPORT_HAS_CRC */
	uint8_t flags; /* enum import_flags */
};

/* A symbol that the module offers to others. */
struct export
{
	nameid name;
	nameid ns;       /* namespace, NAME_NONE if it is in none */
	uint32_t crc;    /* valid if has_crc */
	uint8_t licence; /* enum licence */
	uint8_t table;   /* 0: __ksymtab; others are named after a licence (until 7.1) */
	bool has_crc;
};

/*
 * The tags of .modinfo that decide something. NULL: there is no such tag; the first one
 * counts where there are several, as in the kernel.
 */
struct modinfo {
	const char *name;
	const char *vermagic;
	const char *license;
	const char *depends; /* comma separated, as modpost wrote it; the loader ignores it */
	const char *kernel_version; /* 2.4 */
	nameid *import_ns;          /* all of them */
	uint32_t n_import_ns;
	bool is_loaded; /* the section has SHF_ALLOC: only then kernels before 6.12 look at it */
	const char *softdep; /* values joined by newlines, NULL if none: "pre: a b\npost: c" */
	bool has_intree, has_staging, has_test, has_livepatch, has_retpoline;
	bool using_checksums; /* 2.4: built with modversions */
};

/* Sections that some machines need, though not in all configurations. */
enum arch_section {
	ARCH_PLT = 1,
	ARCH_INIT_PLT = 2,
	ARCH_STUBS = 4,
	ARCH_GOT = 8,
	ARCH_GOT_PLT = 16,
	ARCH_PLT_IDX = 32,
	ARCH_MY_GOT = 64,
	ARCH_CORE_PLT = 128,
	ARCH_OPD = 256,
	ARCH_FTRACE = 512,
	ARCH_INIT_FTRACE = 1024,
};

struct module {
	const char *path;   /* below the module directory, as "kernel/fs/fat/vfat.ko.xz"; of
			       a FILE of the command line as the user wrote it */
	const char *name;   /* file name without .ko and so on, '-' as '_': modprobe's name */
	uint64_t file_size; /* bytes on disk */
	bool is_installed;  /* part of the tree, not a FILE of the command line */
	bool is_target;     /* to be judged and reported; else it only provides */
	bool is_rebuilt; /* as it would come out of a build against the kernel's own headers, which
			    made its vermagic, versions and sections */

	uint16_t machine;  /* e_machine; 0 if the file could not be read so far */
	uint8_t elf_class; /* ELFCLASS32 or ELFCLASS64 */
	bool is_big_endian;
	bool is_readable;  /* symbols were read; if not, faults say why */
	bool is_object_24; /* 2.4 or older: no .gnu.linkonce.this_module, linked by insmod */
	uint16_t lacks;    /* enum arch_section: those of its machine that it has not */
	uint8_t ppc64_abi; /* its EF_PPC64_ABI: 2 is ELFv2; of ppc64 only */

	struct import *imports; /* in .symtab order */
	uint32_t n_imports;
	struct export *exports; /* in table order */
	uint32_t n_exports;

	bool has_flag_table;   /* a __kflagstab: made for 7.2 or later */
	bool has_versions;     /* there is a __versions (or the extended pair) to look into */
	bool has_static_calls; /* some import has IMPORT_STATIC_CALL */
	bool has_layout_crc;   /* ... with module_layout (or struct_module) in it */
	uint32_t layout_crc;
	nameid layout_symbol; /* "module_layout" or, before 2.6.28, "struct_module" */

	bool has_signature;           /* a "~Module signature appended~" trailer */
	uint8_t signature;            /* enum signature_state */
	const char *signature_detail; /* NULL, or a phrase: what exactly is wrong with it */
	const struct signed_content *signed_content; /* NULL unless read thoroughly */
	uint64_t this_module_size; /* of .gnu.linkonce.this_module, 0 if there is none */
	const char *struct_name;   /* the name in it: mod->name of the kernel; NULL if unknown */
	struct modinfo info;
	struct fault *faults;
};

#endif
