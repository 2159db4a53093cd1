/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who provides what: each import of each module is joined to the kernel symbol or the module
 * that the loader would take it from. No judgement here; rules/ reads the links and judges.
 */
#ifndef MODCHECK_RESOLVE_H
#define MODCHECK_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "model/kernel.h"
#include "model/module.h"

struct arena;

enum link_state {
	LINK_KERNEL,     /* exported by the kernel: target is a ksym */
	LINK_MODULE,     /* exported by a module: target is a module, extra its export */
	LINK_EXEMPT,     /* nobody has to provide it */
	LINK_WEAK,       /* weak, and nobody provides it */
	LINK_UNREADABLE, /* nobody known, but `depends=` names a module that cannot be read: target
			  */
	LINK_NOT_EXPORTED,  /* the kernel defines it and does not export it: target is a ksym */
	LINK_NOT_INSTALLED, /* symvers says that a module has it, which is not here: target is a
			       ksym */
	LINK_LOST,          /* symvers says that an installed module has it, and it has not: ksym */
	LINK_SUFFIX_KERNEL, /* 2.4: exported with another _R<crc>: target is a ksym */
	LINK_SUFFIX_MODULE, /* ... by a module: target and extra as in LINK_MODULE */
	LINK_MISSING,       /* nowhere in the evidence */
	LINK_UNKNOWN,       /* not found, and the evidence is no list of exports */
};

struct link {
	uint32_t target;     /* see the state */
	uint32_t extra : 24; /* LINK_MODULE: index into the provider's exports */
	uint32_t state : 8;
};

/* One export of one module; the exporters of a name are a list in module order. */
struct provider {
	uint32_t module;
	uint32_t export;
	uint32_t next; /* index + 1 into providers, 0 at the end */
};

#define KSYM_NONE UINT32_MAX

struct resolution {
	struct link **links;    /* [module][import] */
	bool has_unknown;       /* some link is LINK_UNKNOWN */
	const char **absent_of; /* [module] a name in its `depends=` that is not here, where it
				   matters */
	uint32_t n_names;       /* size of the next two arrays, which nameids index */
	uint32_t *ksym_of;      /* the kernel's own symbol (not one of a module), or KSYM_NONE */
	uint32_t *provider_of;  /* index + 1 of the first provider, 0 if none */
	struct provider *providers;
	uint32_t n_providers;
};

/*
 * has_blind_spots: a part of the tree could not be seen, so that what is not found may be there.
 * Everything in *r lives in the arena. `names` may gain names without suffix (2.4).
 */
void resolve(struct resolution *r, const struct kernel *kernel, const struct module *modules,
	     uint32_t n_modules, bool has_blind_spots, struct names *names, struct arena *a);

/* The same on several threads, which pays from some thousand modules on. */
void resolve_on_threads(struct resolution *r, const struct kernel *kernel,
			const struct module *modules, uint32_t n_modules, bool has_blind_spots,
			struct names *names, struct arena *a, unsigned int n_threads);

/* Does the kernel itself export this name? */
bool kernel_exports(const struct kernel *kernel, const struct resolution *r,
		    const struct names *names, const char *name);

#endif
