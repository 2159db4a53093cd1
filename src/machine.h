/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of processor architectures.
 */
#ifndef MODCHECK_MACHINE_H
#define MODCHECK_MACHINE_H

#include <stdint.h>

struct arena;

/*
 * "x86_64" of EM_X86_64 and so on, as uname -m says it; "machine 123" (in the arena) of one
 * that is not known. elf_class tells apart what shares a code, 0 if it does not matter.
 */
const char *machine_name(uint16_t machine, uint8_t elf_class, struct arena *a);

#endif
