/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "subsystem.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* Is the directory name, length bytes long, the file's name up to its first dot? */
static bool repeats(const char *dir, size_t length, const char *file)
{
	if (strcspn(file, ".") != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		char a = text_module_char(dir[i]), b = text_module_char(file[i]);
		if (a != b)
			return false;
	}
	return true;
}

const char *subsystem_of(const char *path, struct arena *a)
{
	static const char *const whole[] = { "extra", "updates", "misc" };

	if (text_has_prefix(path, "kernel/"))
		path += strlen("kernel/");
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		size_t n = strlen(whole[i]);
		if (strncmp(path, whole[i], n) == 0 && path[n] == '/')
			return whole[i];
	}
	const char *file = strrchr(path, '/');
	if (!file || file == path)
		return ".";
	size_t length = (size_t)(file - path), leaf = length;
	while (leaf > 0 && path[leaf - 1] != '/')
		leaf--;
	/* "drivers" says nothing: drivers/cdrom/cdrom.ko stays in drivers/cdrom */
	bool is_below_drivers = leaf == strlen("drivers/") && text_has_prefix(path, "drivers/");
	if (leaf > 1 && !is_below_drivers && repeats(path + leaf, length - leaf, file + 1))
		length = leaf - 1;
	return arena_strndup(a, path, length);
}
