/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols that come and go with the kernel's configuration: what a missing one says of the
 * kernel and of the module that needs it. "Likely" is the word for all of it.
 */
#ifndef MODCHECK_FAMILIES_H
#define MODCHECK_FAMILIES_H

#include <stddef.h>
#include <stdint.h>

/* Preemption models, as bits: a module or an export may fit several. */
enum model_bit {
	MODEL_NONE = 1,
	MODEL_VOLUNTARY = 2,
	MODEL_FULL = 4,    /* CONFIG_PREEMPT, static */
	MODEL_DYNAMIC = 8, /* CONFIG_PREEMPT_DYNAMIC */
	MODEL_RT = 16,
	MODEL_LAZY = 32, /* CONFIG_PREEMPT_LAZY of 6.13 and later, static */
	MODEL_ANY = 63,
};

struct family {
	const char *symbols; /* names and patterns of text_glob(), separated by spaces */
	const char *name;    /* "preemption" */
	const char *config;  /* what makes modules need it: "CONFIG_PREEMPT_RT" */
	uint8_t models;      /* models whose modules refer to it; 0: says nothing of preemption */
	const char *why;     /* completes "CONFIG_X ...": "makes modules call it when ..." */
};

/* The family of this symbol (without 2.4 suffix), NULL if it has none. */
const struct family *family_of(const char *symbol, size_t length);

/* The rows, for those that look at all of them. */
const struct family *family_rows(size_t *n);

/*
 * Walk the `symbols` of a row: copy the next one into word, return where to go on, NULL at the end.
 */
const char *family_next_symbol(const char *list, char *word, size_t room);

/*
 * A symbol that was renamed: the other name, older or newer, NULL if it is not known to have
 * one. *since is the first kernel with the newer name, "5.15".
 */
const char *family_renamed(const char *symbol, size_t length, const char **since);

#endif
