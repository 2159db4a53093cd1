/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel configuration, without a NUL behind it: no reader may need one.
 */
#include <stdint.h>
#include <stdlib.h>

#include "kernel/evidence.h"
#include "kernel/kconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kconfig config = { .text = (const char *)data, .size = size };
	enum kconfig_value value = kconfig_get(&config, "CONFIG_SMP");

	if (!data) /* no configuration at hand */
		return 0;
	if (value == KCONFIG_UNKNOWN)
		abort();
	if (value != KCONFIG_NO && !kconfig_is(config.text, size))
		abort();
	(void)kconfig_machine(&config);
	struct kconfig_option option;
	size_t at = 0;
	while (kconfig_next(&config, &at, &option)) {
		const char *end = option.value + option.value_length;
		if (option.name_length <= 7 || end > config.text + size || at > size + 1)
			abort();
	}
	(void)kconfig_number(&config, "CONFIG_NR_CPUS");
	return 0;
}
