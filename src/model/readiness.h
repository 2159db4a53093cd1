/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of modules that are judged for another kernel than their own: what the loader says of them as
 * they are, and what is left to say once they are built against that kernel's headers. Lives in
 * the session's arena.
 */
#ifndef MODCHECK_READINESS_H
#define MODCHECK_READINESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"

enum ready {
	READY_AS_IS,   /* it loads */
	READY_REBUILD, /* it loads once it is built anew */
	READY_NOT,     /* something stays that a build does not mend */
	READY_UNKNOWN, /* the evidence does not tell */
	N_READY
};

/* A symbol that the headers may make the module need, though nothing in it shows that. */
struct hidden_call {
	nameid symbol;
	const char *why; /* completes "it may need this symbol ...": a phrase */
};

/* One module, by its index in result.modules. */
struct module_readiness {
	uint8_t ready;              /* enum ready; of targets, once all is judged */
	uint8_t as_is;              /* enum verdict */
	int error;                  /* errno of the loader as it is, 0 unless refused */
	const char *message;        /* NULL, or what the kernel says then */
	const char *reason;         /* NULL, or the rule that refuses it as it is: "MC303 ..." */
	const char *vermagic;       /* NULL, or its own */
	struct hidden_call *hidden; /* told of as MC504 */
	uint32_t n_hidden;
};

struct readiness {
	struct module_readiness *of; /* [n_modules] */
	uint32_t count[N_READY];     /* targets */
	uint32_t n_own_build;        /* modules that the kernel has its own build of: not judged */
	const char *source;          /* NULL, or whose modules these are: "6.1.0-50-amd64" */
	bool is_running;             /* ... which is the running kernel */
	bool is_other_version;       /* than the kernel they were built for, or not known */
	const bool *is_gone;         /* [n_names]: modules that both kernels have do without it */
	uint32_t n_names;
	const char **changes; /* sentences: what a build changes */
	uint32_t n_changes;
};

#endif
