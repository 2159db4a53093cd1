/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/vermagic.h"

#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/evidence.h"

static bool is_set(const struct kernel *kernel, const char *option)
{
	return kconfig_get(&kernel->config, option) == KCONFIG_YES;
}

/*
 * Until 5.15 CONFIG_PREEMPT says it; then CONFIG_PREEMPT_BUILD, which PREEMPT_DYNAMIC and lazy
 * RT kernels set as well, comes before PREEMPT_RT; from 7.2 on PREEMPT_RT comes first.
 */
static const char *preempt_word(const struct kernel *kernel)
{
	bool is_rt = is_set(kernel, "CONFIG_PREEMPT_RT");
	bool is_build = kernel->version < KERNEL_VERSION_CODE(5, 16, 0)
				? is_set(kernel, "CONFIG_PREEMPT")
				: is_set(kernel, "CONFIG_PREEMPT_BUILD");

	if (is_rt && kernel->version >= KERNEL_VERSION_CODE(7, 2, 0))
		return "preempt_rt ";
	if (is_build)
		return "preempt ";
	return is_rt ? "preempt_rt " : "";
}

static const char *i386_word(const struct kernel *kernel)
{
	static const struct {
		const char *option, *word;
	} families[] = {
		{ "CONFIG_M486SX", "486SX " },
		{ "CONFIG_M486", "486 " },
		{ "CONFIG_M586", "586 " },
		{ "CONFIG_M586TSC", "586TSC " },
		{ "CONFIG_M586MMX", "586MMX " },
		{ "CONFIG_MCORE2", "CORE2 " },
		{ "CONFIG_MATOM", "ATOM " },
		{ "CONFIG_M686", "686 " },
		{ "CONFIG_MPENTIUMII", "PENTIUMII " },
		{ "CONFIG_MPENTIUMIII", "PENTIUMIII " },
		{ "CONFIG_MPENTIUMM", "PENTIUMM " },
		{ "CONFIG_MPENTIUM4", "PENTIUM4 " },
		{ "CONFIG_MK6", "K6 " },
		{ "CONFIG_MK7", "K7 " },
		{ "CONFIG_MK8", "K8 " },
		{ "CONFIG_MELAN", "ELAN " },
		{ "CONFIG_MCRUSOE", "CRUSOE " },
		{ "CONFIG_MEFFICEON", "EFFICEON " },
		{ "CONFIG_MWINCHIPC6", "WINCHIPC6 " },
		{ "CONFIG_MWINCHIP3D", "WINCHIP3D " },
		{ "CONFIG_MCYRIXIII", "CYRIXIII " },
		{ "CONFIG_MVIAC3_2", "VIAC3-2 " },
		{ "CONFIG_MVIAC7", "VIAC7 " },
		{ "CONFIG_MGEODEGX1", "GEODEGX1 " },
		{ "CONFIG_MGEODE_LX", "GEODE " },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (is_set(kernel, families[i].option))
			return families[i].word;
	}
	return NULL;
}

static const char *machine_word(const struct kernel *kernel)
{
	switch (kernel->machine) {
	case EM_X86_64:
	case EM_S390:
		return "";
	case EM_386:
		return i386_word(kernel);
	case EM_AARCH64:
		return "aarch64"; /* these two without a space */
	case EM_RISCV:
		return "riscv";
	default:
		return NULL;
	}
}

const char *vermagic_of_config(const struct kernel *kernel, struct arena *a)
{
	const char *machine = machine_word(kernel);

	if (!kernel->config.text || kernel->version < KERNEL_VERSION_CODE(2, 6, 30) || !machine ||
	    is_set(kernel, "CONFIG_RANDSTRUCT") || is_set(kernel, "CONFIG_GCC_PLUGIN_RANDSTRUCT"))
		return NULL;
	return arena_printf(a, "%s %s%s%s%s%s", kernel->release,
			    is_set(kernel, "CONFIG_SMP") ? "SMP " : "", preempt_word(kernel),
			    is_set(kernel, "CONFIG_MODULE_UNLOAD") ? "mod_unload " : "",
			    is_set(kernel, "CONFIG_MODVERSIONS") ? "modversions " : "", machine);
}

/* Is the word, length bytes long, among those of the text behind its first space? */
static bool has_word(const char *text, const char *word, size_t length)
{
	for (text = strchr(text, ' '); text; text = strchr(text, ' ')) {
		text += strspn(text, " ");
		if (strcspn(text, " ") == length && memcmp(text, word, length) == 0)
			return true;
	}
	return false;
}

static const char *words_only_in(const char *one, const char *other, struct arena *a)
{
	const char *text = "";

	for (one = strchr(one, ' '); one; one = strchr(one, ' ')) {
		one += strspn(one, " ");
		size_t length = strcspn(one, " ");
		if (length && !has_word(other, one, length))
			text = arena_printf(a, "%s%s%.*s", text, *text ? " " : "", (int)length,
					    one);
	}
	return text;
}

const char *vermagic_differences(const char *kernel, const char *module, struct arena *a)
{
	const char *more = words_only_in(module, kernel, a),
		   *less = words_only_in(kernel, module, a);

	if (*more && *less)
		return arena_printf(a, "built with %s, the kernel with %s", more, less);
	if (*more)
		return arena_printf(a, "built with %s, the kernel without", more);
	if (*less)
		return arena_printf(a, "built without %s, which the kernel has", less);
	return "";
}
