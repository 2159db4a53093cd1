/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result, written in each of the formats that --format asked for, to where it asked for it.
 */
#ifndef MODCHECK_CLI_REPORT_H
#define MODCHECK_CLI_REPORT_H

#include <stdbool.h>

#include "model/result.h"

struct options;

/*
 * directory: of the modules, NULL if there is none. Returns false if a report could not be written;
 * it has then told so on stderr.
 */
bool report_write(const struct options *o, const struct result *r, const char *directory);

#endif
