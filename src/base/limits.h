/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every limit that input is held to, in one place. A file that passes one gets a finding
 * (MC101), never an abort. The largest real values seen, over 15 Debian kernels: 66 MB for
 * an unpacked module, 43,000 symbol table entries that matter, 29,242 Module.symvers lines.
 */
#ifndef MODCHECK_LIMITS_H
#define MODCHECK_LIMITS_H

#include <stdint.h>

#define LIMIT_MODULE_BYTES ((uint64_t)512 << 20) /* of a module file, packed or unpacked */
#define GIANT_BYTES ((uint64_t)96 << 20) /* more than that is unpacked by one thread at a time */
#define LIMIT_TEXT_BYTES ((uint64_t)256 << 20) /* of a System.map, symvers, config, ... */
#define LIMIT_IMAGE_BYTES ((uint64_t)1 << 30)  /* of a kernel image, packed or unpacked */
#define LIMIT_INDEX_BYTES ((uint64_t)32 << 20) /* of a modules.dep, modules.alias, ... */
#define LIMIT_BUILTINS 65536u                  /* those with parameters or a version */
#define LIMIT_SYMBOLS ((uint64_t)4 << 20)      /* entries of one .symtab */
#define LIMIT_SIGNATURE_BYTES 65536u           /* of one PKCS#7 message; real: 681 */
#define LIMIT_NAME_BYTES 4096u                 /* of one symbol, tag or path component */
#define LIMIT_TREE_DEPTH 64u                   /* directories below the module directory */
#define LIMIT_TREE_FILES ((uint32_t)1 << 20)   /* entries of one module tree */
#define LIMIT_CONFIG_BYTES ((uint64_t)1 << 20) /* of one file of depmod.d */
#define LIMIT_CONFIG_RULES 1024u               /* words in them that say something; also files */
#define LIMIT_CONFIG_OPTIONS 262144u           /* of one .config that are compared; real: 10,500 */
#define LIMIT_FAULTS_PER_MODULE 32u            /* kept; one more line says how many were not */
#define LIMIT_THREADS 256u

#endif
