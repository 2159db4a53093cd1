/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places are a table. Compressed symvers files are those of Fedora and its relatives
 * (/lib/modules/K/symvers.xz, /boot/symvers-K.gz). A build directory comes last where a
 * distribution has a better place: what is in it may have been built again since.
 */
#include "kernel/discover.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "kernel/evidence.h"

#define MAX_LINKS 40 /* as the kernel */

enum place_base {
	BELOW_MODDIR,  /* suffix is a path below the module directory */
	BELOW_BASEDIR, /* prefix, release, suffix */
};

static const struct {
	enum source_kind kind;
	enum place_base base;
	const char *prefix, *suffix;
} places[] = {
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/build/Module.symvers" },
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/source/Module.symvers" },
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/symvers" },
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/symvers.gz" },
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/symvers.xz" },
	{ SOURCE_SYMVERS, BELOW_MODDIR, "", "/symvers.zst" },
	{ SOURCE_SYMVERS, BELOW_BASEDIR, "usr/src/linux-headers-", "/Module.symvers" },
	{ SOURCE_SYMVERS, BELOW_BASEDIR, "boot/symvers-", "" },
	{ SOURCE_SYMVERS, BELOW_BASEDIR, "boot/symvers-", ".gz" },
	{ SOURCE_SYMVERS, BELOW_BASEDIR, "boot/symvers-", ".xz" },
	{ SOURCE_SYMVERS, BELOW_BASEDIR, "boot/symvers-", ".zst" },
	{ SOURCE_IMAGE, BELOW_MODDIR, "", "/vmlinuz" },
	{ SOURCE_IMAGE, BELOW_MODDIR, "", "/vmlinux" },
	{ SOURCE_IMAGE, BELOW_BASEDIR, "boot/vmlinuz-", "" },
	{ SOURCE_IMAGE, BELOW_BASEDIR, "boot/vmlinux-", "" },
	{ SOURCE_SYSTEM_MAP, BELOW_MODDIR, "", "/System.map" },
	{ SOURCE_SYSTEM_MAP, BELOW_BASEDIR, "boot/System.map-", "" },
	{ SOURCE_SYSTEM_MAP, BELOW_MODDIR, "", "/build/System.map" },
	{ SOURCE_CONFIG, BELOW_MODDIR, "", "/config" },
	{ SOURCE_CONFIG, BELOW_BASEDIR, "boot/config-", "" },
	{ SOURCE_CONFIG, BELOW_MODDIR, "", "/build/.config" },
};

#define N_PLACES (sizeof(places) / sizeof(*places))

const char *discover_next(const struct evidence_options *options, enum source_kind kind,
			  unsigned int *i, struct arena *a)
{
	while (*i < N_PLACES) {
		unsigned int at = (*i)++;
		if (places[at].kind != kind)
			continue;
		if (places[at].base == BELOW_BASEDIR)
			return arena_printf(a, "%s%s%s", places[at].prefix, options->release,
					    places[at].suffix);
		if (options->moddir)
			return arena_printf(a, "%s%s", options->moddir, places[at].suffix);
	}
	return NULL;
}

/* A path on the way from the root directory to its end. */
struct walk {
	struct arena *arena;
	const char *done; /* without links, "" or "/a/b" */
	const char *rest; /* what is still to be looked at */
	unsigned int n_links;
};

/* done without its last component; the root is its own parent. */
static const char *parent(struct walk *w)
{
	const char *slash = strrchr(w->done, '/');

	return slash ? arena_strndup(w->arena, w->done, (size_t)(slash - w->done)) : "";
}

/* Take one component from rest. False if there are too many links. */
static bool step(struct walk *w, const char *basedir)
{
	char target[PATH_MAX];
	size_t n = strcspn(w->rest, "/");
	const char *name = arena_strndup(w->arena, w->rest, n);

	w->rest += n;
	if (!strcmp(name, ".."))
		w->done = parent(w);
	if (!strcmp(name, "..") || !strcmp(name, "."))
		return true;
	const char *next = arena_printf(w->arena, "%s/%s", w->done, name);
	const char *path = arena_printf(w->arena, "%s%s", basedir, next);
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	if (length < 0) {
		w->done = next; /* no link, or nothing at all: opening it will tell */
		return true;
	}
	target[length] = '\0';
	if (target[0] == '/')
		w->done = "";
	w->rest = arena_printf(w->arena, "%s%s", target, w->rest);
	return ++w->n_links <= MAX_LINKS;
}

const char *discover_resolve(const char *basedir, const char *path, struct arena *a)
{
	struct walk w = { .arena = a, .done = "", .rest = path };

	if (!basedir || !*basedir)
		return arena_printf(a, "/%s", path);
	for (;;) {
		w.rest += strspn(w.rest, "/");
		if (!*w.rest)
			return arena_printf(a, "%s%s", basedir, w.done);
		if (!step(&w, basedir))
			return NULL;
	}
}
