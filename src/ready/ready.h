/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two verdicts a module: as it is, and as it would be once it is built against the headers of the
 * session's kernel. The ordinary stages give both: what was gathered is judged, the modules that
 * do not load are changed as a build would change them (rebuild.h), and judged again.
 */
#ifndef MODCHECK_READY_H
#define MODCHECK_READY_H

#include <stdbool.h>

#include "base/err.h"
#include "session.h"

struct ready_options {
	const struct session_options *session; /* its `given` are the modules */
	const char *source;                    /* whose they are, NULL: nobody's in particular */
	bool is_running;                       /* ... those of the running kernel */
	struct scan_options peers; /* tree of the kernel that they were built for; release NULL:
				      what their vermagic says */
	uint32_t n_own_build;      /* not given, as the kernel has its own */
};

/*
 * Run all stages. s->result is that of the rebuilt modules, with s->result.readiness. Returns
 * false and sets *err as session_run() does. session_release() has to follow in either case.
 */
bool ready_run(struct session *s, const struct ready_options *options, struct err *err);

#endif
