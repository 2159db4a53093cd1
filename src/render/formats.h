/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats, for the table in render.c and for nobody else: callers use render_find(). Each
 * writes the whole report to `out`, whose first error is kept there; what it needs meanwhile
 * lives in `scratch`.
 */
#ifndef MODCHECK_FORMATS_H
#define MODCHECK_FORMATS_H

#include "render/render.h"

/* For a reader: verdict, then causes with their modules by subsystem. */
render_function render_text;

/* One line a finding, as compilers write them. */
render_function render_short;

/* Schema 1: see json.c. */
render_function render_json;

/* What kmod's depmod -e would print, word for word. */
render_function render_depmod;

#endif
