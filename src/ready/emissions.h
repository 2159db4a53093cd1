/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the headers of a kernel make of one piece of source: spin_lock() is a call of
 * _raw_spin_lock in a module of one kernel and of rt_spin_lock in a module of another. A row a
 * construct, static tables; the table says what likely happens, not what must.
 */
#ifndef MODCHECK_EMISSIONS_H
#define MODCHECK_EMISSIONS_H

#include <stddef.h>
#include <stdint.h>

struct emission {
	const char
		*symbols;   /* words, patterns with * among them: what a module was found to need */
	uint8_t models;     /* enum model_bit: of the kernel that it is built for anew */
	const char *beside; /* NULL, or words: it has to need one of these, too */
	/*
	 * Words: what it needs then. "a|b|c" is the first of them that the kernel exports; "=" the
	 * symbol itself; "-" nothing, as the headers do it inline. "?a": perhaps a as well.
	 */
	const char *becomes;
};

const struct emission *emission_rows(size_t *n);

/*
 * Functions of which the headers have an inline stub where the option is not set: who calls them
 * does without the symbol then.
 */
struct stub {
	const char *option;  /* "CONFIG_OF" */
	const char *symbols; /* as in struct emission */
};

const struct stub *stub_rows(size_t *n);

#endif
