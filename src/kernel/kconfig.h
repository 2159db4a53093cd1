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

/* The value of an option that is a decimal number, 0 if it is not set to one. */
unsigned long kconfig_number(const struct kconfig *config, const char *option);

/* A line "CONFIG_X=value"; both point into the text and are not NUL-terminated. */
struct kconfig_option {
	const char *name;
	size_t name_length;
	const char *value;
	size_t value_length;
};

/*
 * The next option that is set, from *at on (0 at first), which is moved behind it. False at the
 * end, and where there is no configuration.
 */
bool kconfig_next(const struct kconfig *config, size_t *at, struct kconfig_option *option);

#endif
