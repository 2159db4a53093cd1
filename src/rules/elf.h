/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's checks on an ELF file: in which order it makes them, and what it says, by version.
 */
#ifndef MODCHECK_RULES_ELF_H
#define MODCHECK_RULES_ELF_H

#include "rules/check.h"

/*
 * Set stage, order and message of *f, the finding of this fault of m; its order so far is which of
 * the faults it is. A check that the reader made
 * but the loader does not, or does without a word, is put behind those that it makes.
 */
void elf_place(const struct check *c, const struct module *m, const struct fault *fault,
	       struct finding *f);

#endif
