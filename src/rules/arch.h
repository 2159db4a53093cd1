/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of the loader that not every kernel makes: its machine and its configuration decide.
 */
#ifndef MODCHECK_RULES_ARCH_H
#define MODCHECK_RULES_ARCH_H

#include "rules/check.h"

/* Which sections (enum arch_section) does this kernel want all modules to have? */
uint16_t arch_needed_sections(const struct check *c);

/* Does a module lack any of them? */
bool arch_lacks_sections(const struct check *c, const struct module *m);

/* A finding on a module that lacks any of them. */
void check_arch_sections(struct check *c, uint32_t module);

/* What it says then, to be expanded as the texts of elf.c are; NULL if it does not need it. */
const char *arch_section_text(uint16_t machine, const char *name);

/* Does it refuse a module with both .ctors and .init_array? */
bool arch_minds_constructors(const struct check *c);

/* Does it refuse a module with a damaged .BTF? */
bool arch_minds_btf(const struct check *c);

/* Does it take the ABI that e_flags of m names? True of all but ppc64. */
bool arch_takes_abi(const struct check *c, const struct module *m);

#endif
