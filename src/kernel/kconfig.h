/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel's .config. kconfig_get() is in evidence.h.
 */
#ifndef MODCHECK_KCONFIG_H
#define MODCHECK_KCONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kconfig;

/* Does the text look like one: does a line begin with CONFIG_X= or say that one is not set? */
bool kconfig_is(const char *bytes, size_t size);

/* The e_machine of the modules of a kernel that is configured so, 0 if it does not say. */
uint16_t kconfig_machine(const struct kconfig *config);

#endif
