/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the text report says otherwise of `modcheck ready`. All take a result that has a readiness;
 * texts live in the arena.
 */
#ifndef MODCHECK_RENDER_READY_H
#define MODCHECK_RENDER_READY_H

#include "model/result.h"
#include "render/page.h"

struct arena;

/* "READY", "REBUILD", "NOT READY", "UNKNOWN": the worst of its modules. */
const char *ready_word(const struct result *r);
enum page_style ready_style(const struct result *r);

/* "3 of 40 modules do not work even after a rebuild, 20 need a rebuild, 17 load as they are" */
const char *ready_sentence(const struct result *r, struct arena *a);

/* Whose modules these are, and which were not judged; "" if there is nothing to say. */
const char *ready_source(const struct result *r, struct arena *a);

#endif
