/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `symvers`: the exports of the kernel, from whatever evidence there is, and of the installed
 * modules, from their files, in the form of Module.symvers (scripts/mod/modpost.c,
 * write_dump(), 5.6 and later): CRC, symbol, owner, kind and namespace, separated by tabs.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "kernel/evidence.h"

/* A name with a blank or a control character in it would be read as something else: left out. */
static bool is_plain(const char *name)
{
	for (; *name; name++) {
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return false;
	}
	return true;
}

static void print_row(uint32_t crc, const char *symbol, const char *owner, size_t owner_length,
		      const char *licence, const char *ns)
{
	if (!is_plain(symbol) || !is_plain(owner) || !is_plain(ns))
		return;
	printf("0x%08x\t%s\t%.*s\t%s\t%s\n", crc, symbol, (int)owner_length, owner, licence, ns);
}

static bool print_kernel(const struct session *s)
{
	bool has_some = false;

	for (uint32_t i = 0; i < s->kernel.n_syms; i++) {
		const struct ksym *k = &s->kernel.syms[i];
		if (!k->is_exported || k->provider)
			continue;
		has_some = true;
		print_row(k->has_crc ? k->crc : 0, names_text(s->names, k->name), "vmlinux",
			  strlen("vmlinux"), licence_word((enum licence)k->licence),
			  names_text(s->names, k->ns));
	}
	return has_some;
}

/* "kernel/fs/fat/vfat.ko.xz" is "fs/fat/vfat" to modpost. */
static size_t owner_of(const char **path)
{
	if (text_has_prefix(*path, "kernel/"))
		*path += strlen("kernel/");
	const char *file = strrchr(*path, '/');
	file = file ? file + 1 : *path;
	return (size_t)(file - *path) + strcspn(file, ".");
}

static void print_module(const struct session *s, const struct module *m)
{
	const char *owner = m->path;
	size_t length = owner_of(&owner);

	for (uint32_t i = 0; i < m->n_exports; i++) {
		const struct export *e = &m->exports[i];
		print_row(e->has_crc ? e->crc : 0, names_text(s->names, e->name), owner, length,
			  licence_word((enum licence)e->licence), names_text(s->names, e->ns));
	}
}

int symvers_verb(struct options *o)
{
	struct session s;
	int status = 2;

	if (run_session(&s, o)) {
		status = print_kernel(&s) ? 0 : fail("nothing tells what this kernel exports");
		for (uint32_t m = 0; status == 0 && m < s.n_modules; m++)
			print_module(&s, &s.modules[m]);
	}
	session_release(&s);
	return status;
}
