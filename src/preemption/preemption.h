/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which preemption model a kernel runs and which one a module was built for, as far as the
 * evidence shows: sets of enum model_bit, since exports and vermagic often fit several.
 */
#ifndef MODCHECK_PREEMPTION_H
#define MODCHECK_PREEMPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "families.h"
#include "model/kernel.h"
#include "model/module.h"
#include "resolve.h"

struct arena;

struct preemption {
	uint8_t models;          /* of the kernel: enum model_bit, MODEL_ANY if nothing is known */
	uint8_t excluded;        /* models that it certainly is not */
	const char *name;        /* "PREEMPT_RT", "PREEMPT_NONE or PREEMPT_VOLUNTARY", "" */
	const char *at_boot;     /* PREEMPT_DYNAMIC: "voluntary" and so on, unless preempt= says
				    otherwise on the command line; NULL if not known */
	const char *evidence[8]; /* "config", "exports", and what contradicts them */
	uint32_t n_evidence, n_agreeing; /* the latter stand first */
	/* NULL, or what the sources say of it that cannot be of one build: "the config says
	 * PREEMPT, the exports are those of PREEMPT_RT" */
	const char *contradiction;
	uint8_t *models_of_name; /* by nameid (n_names): models whose modules need it; 0: any */
	uint32_t n_names;
	uint32_t layout_crc;       /* of the kernel's module_layout, 0 if not known */
	uint8_t *models_of_module; /* [module], of preemption_of_modules() */
};

/* Find the kernel's model; arrays live in the arena. */
void preemption_of_kernel(struct preemption *p, const struct kernel *kernel,
			  const struct resolution *r, const struct names *names, struct arena *a);

/* The models that a module fits: MODEL_ANY when it shows nothing or contradicts itself. */
uint8_t preemption_of_module(const struct preemption *p, const struct module *m);

/* The same of all, into p->models_of_module in the arena. */
void preemption_of_modules(struct preemption *p, const struct module *modules, uint32_t n_modules,
			   struct arena *a);

/* Was the module with this index certainly built for a model that is not the kernel's? */
bool preemption_is_foreign(const struct preemption *p, uint32_t module);

/* "PREEMPT_RT" of MODEL_RT and so on; sets are joined by " or ". In the arena, "" for MODEL_ANY. */
const char *preemption_name(uint8_t models, struct arena *a);

#endif
