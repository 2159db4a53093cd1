/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands. Each returns the exit status of the program and prints its own errors.
 */
#ifndef MODCHECK_VERBS_H
#define MODCHECK_VERBS_H

#include <stdbool.h>

struct options;
struct session;

/* `modcheck [KVER [FILE...]]` */
int check_verb(struct options *o);

/* `modcheck rules` */
int rules_verb(void);

/* `modcheck explain RULE|SYMBOL [KVER]` */
int explain_verb(struct options *o);

/* `modcheck symvers [KVER]` */
int symvers_verb(struct options *o);

/* `modcheck parse [LOG]` */
int parse_verb(struct options *o);

/* `modcheck diff OLD NEW` */
int diff_verb(struct options *o);

/* `modcheck ready TARGET [FILE...]` */
int ready_verb(struct options *o);

/* Print "modcheck: TEXT" on stderr, TEXT being escaped; returns 2. */
int fail(const char *text);

/*
 * Run the stages for the kernel that the options name, or that the first FILE was built for, or
 * that runs. Prints what goes wrong and returns false. session_release() has to follow in either
 * case.
 */
bool run_session(struct session *s, struct options *o);

#endif
