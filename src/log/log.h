/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a log says of modules: the output of depmod, modprobe and insmod (modutils, module-init-
 * tools, kmod, busybox) and the messages of the kernel's module loader, in whatever order and
 * however a mail program mangled them.
 *
 *   pattern.c   a message against a line
 *   lines.c     bytes to lines
 *   modutils.c  kmod.c  tools.c  loader.c   the messages, a row each
 *   log.c       which message a line is; wrapped lines joined
 *   facts.c     what the message says
 *
 * A fact is only what its line says. The same fact told twice (several boots, several tries) is
 * kept once.
 */
#ifndef MODCHECK_LOG_H
#define MODCHECK_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

/* Who wrote lines of it; bits. */
enum log_writer {
	WRITER_MODUTILS = 1, /* depmod and insmod of 2.4 and before */
	WRITER_DEPMOD = 2,   /* of module-init-tools and kmod */
	WRITER_TOOLS = 4,    /* modprobe, insmod, systemd-modules-load */
	WRITER_KERNEL = 8,
};

struct log_fact {
	uint16_t rule;     /* enum rule_id */
	uint8_t severity;  /* enum severity */
	uint8_t writer;    /* enum log_writer */
	bool is_result;    /* it tells what came out, and another line may tell why */
	int error;         /* errno that the line tells or stands for, 0 if it tells none */
	uint32_t line;     /* where it is first said */
	uint32_t count;    /* how often */
	nameid module;     /* of log.modules, NAME_NONE: it does not say of which */
	nameid symbol, ns; /* of log.names */
	nameid provider, expected, actual, detail, message; /* of log.texts */
};

#define LOG_EXAMPLES 10

struct log {
	struct names *names; /* symbols and namespaces; the caller's */
	struct names *texts; /* all else */
	struct names *keys;  /* facts, as bytes, to know those that were told before */
	struct log_fact *facts;
	size_t n_facts, cap_facts;
	struct names *modules; /* all that the log names: paths and names, as they are there */
	uint32_t n_lines;
	uint32_t n_known;      /* lines that a message or a kernel's time stamp was found in */
	uint32_t n_unknown;    /* that look like a complaint and are none of ours */
	uint32_t n_cut;        /* of which only the beginning was looked at */
	struct names *unknown; /* the first of those, up to LOG_EXAMPLES different ones */
	uint32_t n_examples;
	uint8_t writers;    /* enum log_writer */
	bool lists_modules; /* depmod listed all modules that it looked at (-v, -n) */
	nameid blind;       /* of texts: why depmod says that it looked at no symbol */
	nameid banner;      /* of texts: of the last "Linux version ..."; NAME_NONE if none */
	nameid vermagic;    /* of texts: the kernel's own, of the last such message */
};

/* Read it all. Nothing in it makes this fail. log_release() has to follow. */
void log_read(struct log *log, const char *bytes, size_t size, struct names *names);
void log_release(struct log *log);

#endif
