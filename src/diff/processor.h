/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a processor have what a kernel needs? x86 only.
 */
#ifndef MODCHECK_DIFF_PROCESSOR_H
#define MODCHECK_DIFF_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diff/cpuinfo.h"
#include "model/kernel.h"

enum processor_state {
	PROCESSOR_NOT_ASKED,
	PROCESSOR_FITS,
	PROCESSOR_LACKS,
	PROCESSOR_UNKNOWN, /* reason says why it cannot be told */
};

/* Something that the kernel needs. */
struct processor_need {
	const char *flag; /* as in /proc/cpuinfo: "pae"; "family" if it is the processor's family */
	const char *why;  /* "CONFIG_X86_PAE=y" */
	const char *hint; /* NULL, or what may help: a boot parameter */
	const char *least, *has; /* of "family": what is needed and what there is; else NULL */
	bool is_lacking;
};

#define PROCESSOR_MAX_NEEDS 24

struct processor {
	enum processor_state state;
	struct cpuinfo info;
	const char *source;                               /* the file */
	const char *reason;                               /* NULL, or a phrase */
	struct processor_need needs[PROCESSOR_MAX_NEEDS]; /* those that are checked */
	uint32_t n_needs, n_lacking;
};

/*
 * Judge the processor that p->info tells of for this kernel; machine is the kernel's e_machine, 0
 * if it is not known. Strings are constants or live in the arena.
 */
void processor_judge(struct processor *p, const struct kernel *kernel, uint16_t machine,
		     struct arena *a);

#endif
