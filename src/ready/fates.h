/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of a symbol that a module needs once the module is built against the headers of
 * another kernel: it stays, or the headers emit others in its place, or none. Known from the
 * table of emissions.h, narrowed by what the kernel exports and its own modules use, and from
 * modules that both kernels have (peers.h). All of it lives in the session's arena.
 */
#ifndef MODCHECK_FATES_H
#define MODCHECK_FATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"

struct module;
struct session;

enum fate_kind {
	FATE_STAYS,  /* nothing suggests otherwise */
	FATE_TABLE,  /* `to` in its place, by emissions.h or families.h */
	FATE_PEERS,  /* ... by modules that both kernels have */
	FATE_BESIDE, /* FATE_TABLE for modules that need one of `beside`, FATE_STAYS for others */
	FATE_GONE,   /* modules that both kernels have do without it; nothing shows how */
};

enum { FATE_MOST = 6 };

struct fate {
	uint8_t kind; /* enum fate_kind */
	uint8_t n_to, n_perhaps;
	bool is_found;             /* it was looked up */
	nameid to[FATE_MOST];      /* the symbol itself among them if it stays as well */
	nameid perhaps[FATE_MOST]; /* these, too, or not: it cannot be seen */
	const char *beside;        /* FATE_BESIDE */
};

struct fates {
	const struct session *s;
	uint32_t n_names;
	struct fate *of;      /* [n_names], filled as they are asked for */
	uint32_t *n_users;    /* [n_names]: of the kernel's own modules that need it */
	bool has_own_modules; /* enough of them that a symbol which none needs says something */
};

/*
 * s: judged once, so that its links tell who exports what. own: the kernel's own modules, and maybe
 * others, which are not is_installed.
 */
void fates_init(struct fates *f, const struct session *s, const struct module *own, uint32_t n_own);

/* Of a name; valid until the next call with another name is not promised to change it. */
struct fate *fates_of(struct fates *f, nameid name);

/*
 * Of a symbol that is not exported, and that no one knows more of: is there a name that the
 * kernel's own modules need, and that the headers likely wrap under the old one? Between two
 * versions only. Between 6.1 and 6.12, the pair that it was made by, 5,092 uses of lost symbols
 * have such a name, and in 95 of 100 the modules that lost the one did gain the other; whether by
 * the headers or by a change of their source, that does not tell.
 */
void fates_guess(struct fates *f, nameid name);

/* Is it exported, by the kernel or by a module? */
bool fates_is_exported(const struct fates *f, nameid name);

/* ... and to modules under a GPL-compatible licence only? */
bool fates_is_gpl_only(const struct fates *f, nameid name);

#endif
