/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc/cpuinfo of an x86 machine says of its processor.
 */
#ifndef MODCHECK_DIFF_CPUINFO_H
#define MODCHECK_DIFF_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct cpuinfo {
	bool is_x86;        /* it has flags and a family; else nothing below is known */
	const char *vendor; /* "GenuineIntel"; "" if not said, as of the next two */
	const char *name;   /* "Intel(R) Pentium(R) M processor 1600MHz": not yet escaped */
	const char *flags;  /* of all processors: " fpu vme de ", a blank before and behind each */
	unsigned int family, model; /* of the first; 0 if not said */
	unsigned int n_processors;
};

/*
 * Take a text apart; strings are copied into the arena. Of several processors the flags count that
 * all of them have.
 */
void cpuinfo_read(struct cpuinfo *c, const char *bytes, size_t size, struct arena *a);

/* Has it the flag, as "pae"? */
bool cpuinfo_has(const struct cpuinfo *c, const char *flag);

#endif
