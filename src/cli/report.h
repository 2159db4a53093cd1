/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result, written in each of the formats that --format asked for, to where it asked for it.
 */
#ifndef MODCHECK_CLI_REPORT_H
#define MODCHECK_CLI_REPORT_H

#include <stdbool.h>

#include "model/result.h"

struct arena;
struct options;
struct output;
struct render_options;
struct sink;

/*
 * directory: of the modules, NULL if there is none. Returns false if a report could not be written;
 * it has then told so on stderr.
 */
bool report_write(const struct options *o, const struct result *r, const char *directory);

/* Writes `what` to `out`, in the format of `output`. */
typedef void report_writer(const struct output *output, struct sink *out, const void *what,
			   const struct render_options *layout, struct arena *scratch);

/* The same of something that is no result. */
bool report_write_as(const struct options *o, report_writer *write, const void *what,
		     const char *directory);

#endif
