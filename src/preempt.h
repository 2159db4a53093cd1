/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which preemption model a kernel runs and which one a module was built for, as far as the
 * evidence shows: sets of enum model_bit, since exports and vermagic often fit several.
 */
#ifndef MODCHECK_PREEMPT_H
#define MODCHECK_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "families.h"
#include "model/kernel.h"
#include "model/module.h"
#include "resolve.h"

struct arena;

struct preemption {
	uint8_t models;          /* of the kernel: enum model_bit, MODEL_ANY if nothing is known */
	const char *name;        /* "PREEMPT_RT", "PREEMPT_NONE or PREEMPT_VOLUNTARY", "" */
	const char *evidence[3]; /* "config", "exports", and what contradicts them */
	uint32_t n_evidence;
	uint8_t *models_of_name; /* by nameid (n_names): models whose modules need it; 0: any */
	uint32_t n_names;
};

/* Find the kernel's model; arrays live in the arena. */
void preemption_of_kernel(struct preemption *p, const struct kernel *kernel,
			  const struct resolution *r, const struct names *names, struct arena *a);

/* The models that a module fits: MODEL_ANY when it shows nothing, 0 when it contradicts itself. */
uint8_t preemption_of_module(const struct preemption *p, const struct module *m);

/*
 * How many of the targets were built for the kernel's model, for another, or cannot tell, as a
 * phrase in the arena; "" when the kernel's model is not known.
 */
const char *preemption_census(const struct preemption *p, const struct module *modules,
			      uint32_t n_modules, struct arena *a);

/* "PREEMPT_RT" of MODEL_RT and so on; sets are joined by " or ". In the arena, "" for MODEL_ANY. */
const char *preemption_name(uint8_t models, struct arena *a);

#endif
