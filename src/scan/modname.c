/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * File names of modules. kmod knows .ko, .ko.gz, .ko.xz and .ko.zst (shared/util.c), modutils
 * 2.4 knew .o and .o.gz; what is inside is decided by its first bytes, never by the name.
 */
#include "scan/modname.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "scan/scan.h"

static const struct {
	const char *suffix;
	size_t length;
	struct modname means;
} extensions[] = {
	{ ".ko", 3, { MODNAME_KO, false } },    { ".ko.xz", 6, { MODNAME_KO, true } },
	{ ".ko.zst", 7, { MODNAME_KO, true } }, { ".ko.gz", 6, { MODNAME_KO, true } },
	{ ".o", 2, { MODNAME_O, false } },      { ".o.gz", 5, { MODNAME_O, true } },
	{ ".o.xz", 5, { MODNAME_O, true } },    { ".o.zst", 6, { MODNAME_O, true } },
};

struct modname modname_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		size_t n = extensions[i].length;

		/* ".ko" alone has no name in front and is no module, as in kmod. */
		if (length > n && memcmp(name + length - n, extensions[i].suffix, n) == 0)
			return extensions[i].means;
	}
	return (struct modname) { MODNAME_NONE, false };
}

const char *modname_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t modname_stem(const char *name)
{
	size_t n = strcspn(name, ".");

	/* kmod calls .foo.ko the module "": no name at all helps nobody. */
	return n ? n : 1 + strcspn(name + 1, ".");
}

const char *scan_module_name(const char *path, struct arena *a)
{
	const char *base = modname_base(path);
	char *name;

	if (modname_of(base, strlen(base)).kind == MODNAME_NONE)
		return NULL;
	name = arena_strndup(a, base, modname_stem(base));
	for (char *p = name; *p; p++)
		*p = text_module_char(*p);
	return name;
}

/*
 * Modules were .o files up to 2.5.47, and the name of the tree says so: 2.0 to 2.5. In any
 * newer tree a .o file is litter of a build which no tool would load. A tree whose name is no
 * version ("test", "my-2.4") is taken by what is in it: .o files count if they are all there is.
 */
bool modname_objects_count(const char *release, bool has_ko)
{
	unsigned int major, minor;

	if (!isdigit((unsigned char)release[0]) || sscanf(release, "%u.%u", &major, &minor) != 2)
		return !has_ko;
	return major == 2 && minor <= 5;
}
