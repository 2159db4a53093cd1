/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error of the environment (an unreadable tree, no evidence, a bad option), on its way up
 * to main(), which prints it and exits with 2. Bad input in a module is no such error: it is
 * a fault of that module (model/module.h).
 */
#ifndef MODCHECK_ERR_H
#define MODCHECK_ERR_H

#include <stdbool.h>

struct err {
	char text[1024]; /* one sentence without the program's name and without newline */
};

/* Fill in the text (cut if too long); always returns false, so that `return err_set(...)` works. */
bool err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
