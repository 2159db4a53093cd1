/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scripts/kconfig/confdata.c writes:
 *
 *   CONFIG_PREEMPT=y
 *   CONFIG_VFAT_FS=m
 *   CONFIG_HZ=250
 *   # CONFIG_PREEMPT_RT is not set
 *
 * The last form says no more than silence does, so that "CONFIG_X=" at the start of a line is all
 * that has to be found. There are 300 KB of text and some dozens of questions: memmem(), which
 * skips a needle's length at a time, answers one in less time than an index takes to build.
 */
#include "kernel/kconfig.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "kernel/evidence.h"
#include "model/kernel.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* The first option that is set decides: a 64-bit option goes before the one for both sizes. */
static const struct {
	const char *option;
	uint16_t machine;
} machines[] = {
	{ "CONFIG_X86_64", EM_X86_64 },
	{ "CONFIG_X86_32", EM_386 },
	{ "CONFIG_X86", EM_386 }, /* before 2.6.24 */
	{ "CONFIG_ARM64", EM_AARCH64 },
	{ "CONFIG_ARM", EM_ARM },
	{ "CONFIG_RISCV", EM_RISCV },
	{ "CONFIG_S390", EM_S390 },
	{ "CONFIG_PPC64", EM_PPC64 },
	{ "CONFIG_PPC32", EM_PPC },
	{ "CONFIG_PPC", EM_PPC },
	{ "CONFIG_MIPS", EM_MIPS },
	{ "CONFIG_LOONGARCH", EM_LOONGARCH },
	{ "CONFIG_SPARC64", EM_SPARCV9 },
	{ "CONFIG_SPARC32", EM_SPARC },
	{ "CONFIG_PARISC", EM_PARISC },
	{ "CONFIG_IA64", EM_IA_64 },
	{ "CONFIG_M68K", EM_68K },
	{ "CONFIG_SUPERH", EM_SH },
	{ "CONFIG_ALPHA", EM_ALPHA },
	{ "CONFIG_XTENSA", EM_XTENSA },
};

#define OPTION_MAX 128

/* The text behind "option=" at the start of a line, NULL if no line sets it. */
static const char *find_value(const struct kconfig *config, const char *option)
{
	char needle[OPTION_MAX + 2];
	int n = snprintf(needle, sizeof(needle), "%s=", option);
	const char *at = config->text, *end = at + config->size;

	if (n < 0 || (size_t)n >= sizeof(needle))
		return NULL;
	while ((at = memmem(at, (size_t)(end - at), needle, (size_t)n))) {
		if (at == config->text || at[-1] == '\n')
			return at + n;
		at += n;
	}
	return NULL;
}

enum kconfig_value kconfig_get(const struct kconfig *config, const char *option)
{
	if (!config->text)
		return KCONFIG_UNKNOWN;
	const char *value = find_value(config, option);
	if (!value)
		return KCONFIG_NO;
	size_t rest = (size_t)(config->text + config->size - value);
	bool is_letter = rest == 1 || (rest > 1 && (value[1] == '\n' || value[1] == '\r'));
	if (is_letter && value[0] == 'm')
		return KCONFIG_MODULE;
	return is_letter && value[0] == 'n' ? KCONFIG_NO : KCONFIG_YES;
}

unsigned long kconfig_number(const struct kconfig *config, const char *option)
{
	const char *value = config->text ? find_value(config, option) : NULL;
	const char *end = value ? config->text + config->size : NULL;
	unsigned long n = 0;

	for (; value < end && *value >= '0' && *value <= '9'; value++) {
		if (n > 1000000000)
			return 0;
		n = n * 10 + (unsigned long)(*value - '0');
	}
	return n;
}

bool kconfig_is(const char *bytes, size_t size)
{
	const char *at = bytes, *end = bytes + size;

	while ((at = memmem(at, (size_t)(end - at), "CONFIG_", 7))) {
		const char *line = at;
		if (line - bytes >= 2 && line[-1] == ' ' && line[-2] == '#')
			line -= 2;
		if (line == bytes || line[-1] == '\n')
			return true;
		at += 7;
	}
	return false;
}

uint16_t kconfig_machine(const struct kconfig *config)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		if (kconfig_get(config, machines[i].option) == KCONFIG_YES)
			return machines[i].machine;
	}
	return 0;
}

static size_t line_length(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));

	return (size_t)((newline ? newline : end) - line);
}

bool kconfig_next(const struct kconfig *config, size_t *at, struct kconfig_option *option)
{
	const char *end = config->text ? config->text + config->size : NULL;

	while (end && *at < config->size) {
		const char *line = config->text + *at;
		size_t length = line_length(line, end);
		*at += length + 1;
		if (length && line[length - 1] == '\r')
			length--;
		const char *equals = memchr(line, '=', length);
		if (!equals || equals - line <= 7 || memcmp(line, "CONFIG_", 7) != 0)
			continue;
		size_t name_length = (size_t)(equals - line);
		*option = (struct kconfig_option) { line, name_length, equals + 1,
						    length - name_length - 1 };
		return true;
	}
	return false;
}
