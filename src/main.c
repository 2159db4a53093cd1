/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cli/options.h"
#include "cli/verbs.h"

static int run(struct options *o)
{
	switch (o->verb) {
	case VERB_HELP:
		fputs(options_help, stdout);
		return 0;
	case VERB_VERSION:
		puts("modcheck " MODCHECK_VERSION);
		return 0;
	case VERB_RULES:
		return rules_verb();
	case VERB_EXPLAIN:
		return explain_verb(o);
	case VERB_SYMVERS:
		return symvers_verb(o);
	case VERB_PARSE:
		return parse_verb(o);
	case VERB_DIFF:
		return diff_verb(o);
	case VERB_READY:
		return ready_verb(o);
	case VERB_CHECK:
		return check_verb(o);
	}
	return 2;
}

int main(int argc, char **argv)
{
	struct options o;
	struct err err = { "" };
	int status;

	/* a closed pipe is an error of writing, told like a full disk, and no sudden death */
	signal(SIGPIPE, SIG_IGN);
	status = options_parse(&o, argc, argv, &err) ? run(&o) : fail(err.text);
	options_release(&o);
	if (fflush(stdout) != 0 && status != 2) {
		fprintf(stderr, "modcheck: cannot write to standard output: %s\n", strerror(errno));
		status = 2;
	}
	return status;
}
