/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log in the place of scan, evidence, read, resolve and check: its facts become modules and
 * findings, which are then grouped and summed up like those of a tree.
 *
 *   log -> facts -> modules, findings -> group -> summary -> result
 *
 * What a log cannot show stays open: a module that it does not complain of is neither good nor bad,
 * a symbol that depmod did not find may be defined and not exported, and the number of modules is
 * known only where depmod listed them.
 */
#ifndef MODCHECK_LOG_REPORT_H
#define MODCHECK_LOG_REPORT_H

#include "session.h"

struct log;

/* First of all: log_read() takes s->names. */
void log_report_init(struct session *s);

/*
 * Make a whole report of the log: s->result. `source` is its name, as shown. Of the options only
 * the policy and allow_incomplete count. Strings of the log are copied; s->tree.directory is where
 * its paths say that the modules are, NULL if nowhere. session_release() has to follow.
 */
void log_report_run(struct session *s, const struct log *log, const char *source,
		    const struct session_options *options);

#endif
