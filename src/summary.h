/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last step before rendering: verdicts, counts, the exit status.
 */
#ifndef MODCHECK_SUMMARY_H
#define MODCHECK_SUMMARY_H

struct session;
struct session_options;

/* Fill in s->result from the other members. */
void summary_fill(struct session *s, const struct session_options *options);

#endif
