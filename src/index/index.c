/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "index/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/conf.h"
#include "scan/root.h"

static const struct {
	const char *name;
	bool is_of_depmod; /* else of the kernel's build */
} files[N_INDEX_FILES] = {
	[INDEX_DEP_BIN] = { "modules.dep.bin", true },
	[INDEX_DEP] = { "modules.dep", true },
	[INDEX_ALIAS] = { "modules.alias", true },
	[INDEX_ORDER] = { "modules.order", false },
	[INDEX_BUILTIN] = { "modules.builtin", false },
	[INDEX_MODINFO] = { "modules.builtin.modinfo", false },
};

struct index_loader {
	struct index *x;
	struct root root;
	const char *moddir;
};

const char *index_file_name(enum index_file file)
{
	return files[file].name;
}

/* Read one file; false if it is not there, or cannot be read. */
static bool read_file(struct index_loader *l, enum index_file which, struct file *file)
{
	struct index *x = l->x;
	const char *path = arena_printf(x->arena, "%s/%s", l->moddir, files[which].name);
	struct target target;
	struct err err;

	if (!root_resolve(&l->root, path, x->arena, &target)) {
		if (errno != ENOENT)
			x->faults[which] = arena_strdup(x->arena, strerror(errno));
		return false;
	}
	x->has[which] = true;
	x->is_indexed |= files[which].is_of_depmod;
	if (file_read(file, target.real, FILE_REGULAR_ONLY, LIMIT_INDEX_BYTES, &err) == FILE_OK)
		return true;
	x->faults[which] = arena_strdup(x->arena, err.text);
	return false;
}

/* The text only counts where there is no index. */
static void load_dep(struct index_loader *l)
{
	struct index *x = l->x;
	struct file file;

	x->dep_file = INDEX_DEP_BIN;
	if (read_file(l, INDEX_DEP_BIN, &file)) {
		x->faults[INDEX_DEP_BIN] = index_read_dep_bin(x, file.bytes, file.size, l->moddir);
		file_release(&file);
	}
	if (x->has[INDEX_DEP_BIN] || x->faults[INDEX_DEP_BIN])
		return;
	x->dep_file = INDEX_DEP;
	if (!read_file(l, INDEX_DEP, &file))
		return;
	index_read_dep(x, file.bytes, file.size, l->moddir);
	file_release(&file);
}

static void load_lists(struct index_loader *l)
{
	struct index *x = l->x;
	struct file file;

	if (read_file(l, INDEX_ORDER, &file)) {
		index_read_order(x, file.bytes, file.size);
		file_release(&file);
	}
	if (read_file(l, INDEX_BUILTIN, &file)) {
		index_read_builtin(x, file.bytes, file.size);
		file_release(&file);
	}
	if (read_file(l, INDEX_MODINFO, &x->modinfo))
		index_read_modinfo(x, x->modinfo.bytes, x->modinfo.size);
	(void)read_file(l, INDEX_ALIAS, &x->alias);
}

static void load_blacklist(struct index_loader *l)
{
	struct index *x = l->x;
	struct conf_file *list;
	size_t n = conf_list(&list, &l->root, "modprobe.d", x->arena);

	for (size_t i = 0; i < n; i++) {
		struct file file;
		struct err ignored;
		if (file_read(&file, list[i].path, FILE_REGULAR_ONLY, LIMIT_CONFIG_BYTES,
			      &ignored) != FILE_OK)
			continue;
		index_read_modprobe(x, file.bytes, file.size, list[i].shown);
		file_release(&file);
	}
}

void index_init(struct index *x)
{
	*x = (struct index) { .arena = arena_new(), .names = names_new() };
}

void index_load(struct index *x, const char *basedir, const char *moddir)
{
	struct index_loader l = { .x = x, .moddir = moddir };

	if (!root_init(&l.root, basedir ? basedir : "", x->arena))
		return;
	load_dep(&l);
	load_lists(&l);
	load_blacklist(&l);
	root_release(&l.root);
}

void index_release(struct index *x)
{
	free(x->deps);
	free(x->dep_paths);
	free(x->order);
	free(x->builtins);
	free(x->owners);
	free(x->blacklist);
	file_release(&x->alias);
	file_release(&x->modinfo);
	names_free(x->names);
	arena_free(x->arena);
}
