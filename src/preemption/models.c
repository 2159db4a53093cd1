/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preemption/models.h"

#include <string.h>

#include "families.h"
#include "kernel/evidence.h"

/* Which models kernels of this version can have: VOLUNTARY came with 2.6.13, RT as a patch to
 * 2.6.11, DYNAMIC with 5.12, LAZY with 6.13 (and with RT patches to 6.12). */
static uint8_t models_of_version(uint32_t version)
{
	static const struct {
		uint32_t before;
		uint8_t models;
	} rows[] = {
		{ 1, MODEL_ANY }, /* not known */
		{ KERNEL_VERSION_CODE(2, 6, 11), MODEL_NONE | MODEL_FULL },
		{ KERNEL_VERSION_CODE(2, 6, 13), MODEL_NONE | MODEL_FULL | MODEL_RT },
		{ KERNEL_VERSION_CODE(5, 12, 0), MODEL_ANY & ~(MODEL_DYNAMIC | MODEL_LAZY) },
		{ KERNEL_VERSION_CODE(6, 12, 0), MODEL_ANY & ~MODEL_LAZY },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (version < rows[i].before)
			return rows[i].models;
	}
	return MODEL_ANY;
}

/* The set without what that version cannot be; MODEL_ANY, which says nothing, stays. */
uint8_t models_narrow(uint8_t models, uint32_t version)
{
	uint8_t possible = models & models_of_version(version);

	return models == MODEL_ANY || !possible ? models : possible;
}

/* The first option that is set decides; 2.4 with the preempt patch knows CONFIG_PREEMPT only. RT
 * patches have a CONFIG_PREEMPT_LAZY of their own beside CONFIG_PREEMPT_RT or CONFIG_PREEMPT. */
uint8_t models_by_config(const struct kernel *kernel)
{
	static const struct {
		const char *option;
		uint8_t models;
	} options[] = {
		{ "CONFIG_PREEMPT_RT", MODEL_RT },
		{ "CONFIG_PREEMPT_RT_FULL", MODEL_RT },
		{ "CONFIG_PREEMPT_DYNAMIC", MODEL_DYNAMIC },
		{ "CONFIG_PREEMPT", MODEL_FULL },
		{ "CONFIG_PREEMPT_LAZY", MODEL_LAZY },
		{ "CONFIG_PREEMPT_BUILD", MODEL_FULL },
		{ "CONFIG_PREEMPTION", MODEL_FULL },
		{ "CONFIG_PREEMPT_VOLUNTARY", MODEL_VOLUNTARY },
		{ "CONFIG_PREEMPT_VOLUNTARY_BUILD", MODEL_VOLUNTARY },
		{ "CONFIG_PREEMPT_NONE", MODEL_NONE },
		{ "CONFIG_PREEMPT_NONE_BUILD", MODEL_NONE },
	};

	if (!kernel->config.text)
		return MODEL_ANY;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (kconfig_get(&kernel->config, options[i].option) == KCONFIG_YES)
			return options[i].models;
	}
	/* since 2.6 there is always a line on it; before, only with the patch */
	return strstr(kernel->config.text, "CONFIG_PREEMPT") ||
			       (kernel->version && kernel->version < KERNEL_VERSION_CODE(2, 6, 0))
		       ? MODEL_NONE
		       : MODEL_ANY;
}

/*
 * The last words of the banner are UTS_VERSION, "#1 SMP PREEMPT_RT Debian 6.1.0-1 (date)"
 * (scripts/mkcompile_h until 5.18, init/Makefile since): PREEMPT of all that preempt, and
 * since 5.16 PREEMPT_DYNAMIC of its own; PREEMPT_RT since 5.3, "PREEMPT RT" of the patches before.
 */
uint8_t models_by_banner(const char *banner)
{
	static const struct {
		const char *word;
		uint8_t models;
	} words[] = {
		{ " PREEMPT_RT", MODEL_RT },
		{ " PREEMPT RT", MODEL_RT },
		{ " PREEMPT_{RT", MODEL_RT },
		{ " PREEMPT_DYNAMIC", MODEL_DYNAMIC },
		{ " PREEMPT_LAZY", MODEL_LAZY },
		{ " PREEMPT", MODEL_FULL | MODEL_DYNAMIC | MODEL_LAZY },
	};
	const char *version = banner ? strstr(banner, ") #") : NULL;

	if (!version)
		return MODEL_ANY;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(version, words[i].word))
			return words[i].models;
	}
	return MODEL_NONE | MODEL_VOLUNTARY;
}

/*
 * include/linux/vermagic.h: "preempt" is said of CONFIG_PREEMPT until 5.15 and of
 * CONFIG_PREEMPT_BUILD, which PREEMPT_DYNAMIC and some RT kernels set, from 5.16 on; "preempt_rt"
 * since 5.4, and from 7.2 on it is asked first.
 */
uint8_t models_by_vermagic(const char *vermagic)
{
	uint32_t version = kernel_version_of(vermagic);
	const char *words = strchr(vermagic, ' ');
	uint8_t preemptible = MODEL_FULL | MODEL_DYNAMIC;

	if (!version || !words)
		return MODEL_ANY;
	if (strstr(words, " preempt_rt "))
		return MODEL_RT;
	if (!strstr(words, " preempt ")) /* RT kernels from 5.4 on always say a word */
		return version >= KERNEL_VERSION_CODE(5, 4, 0)
			       ? MODEL_NONE | MODEL_VOLUNTARY
			       : MODEL_NONE | MODEL_VOLUNTARY | MODEL_RT;
	if (version < KERNEL_VERSION_CODE(5, 4, 0))
		return MODEL_FULL | MODEL_RT;
	if (version < KERNEL_VERSION_CODE(6, 12, 0))
		return preemptible;
	return version < KERNEL_VERSION_CODE(7, 2, 0) ? preemptible | MODEL_LAZY | MODEL_RT
						      : preemptible | MODEL_LAZY;
}
