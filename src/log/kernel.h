/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a log tells of the kernel: its release, its version magic, its preemption model.
 */
#ifndef MODCHECK_LOG_KERNEL_H
#define MODCHECK_LOG_KERNEL_H

#include "session.h"

struct log;

/*
 * Fill in release, version, banner and vermagic of s->kernel. directories[directory]: where most
 * modules of the log are (0: nowhere). Returns whether the log names the release.
 */
bool log_kernel_fill(struct session *s, const struct log *log, const struct names *directories,
		     nameid directory);

/*
 * The preemption models that the modules that lack symbols likely were built for: two symbols that
 * such modules need were not found, so the kernel likely is of another model. 0 if nothing shows
 * that. Needs findings, imports of what is missing, and s->preemption.
 */
uint8_t log_kernel_likely_models(const struct session *s);

#endif
