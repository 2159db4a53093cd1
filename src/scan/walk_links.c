/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links, in rounds: those met so far are sorted by path and followed one after the other, each
 * with all that lies behind it; the links met there make the next round. So the result does not
 * depend on the order in which readdir() tells names.
 *
 *   2.4: pcmcia/ds.o -> ../kernel/drivers/pcmcia/ds.o   known: only an alias
 *   weak-updates/x.ko -> /lib/modules/OTHER/extra/x.ko  a file of its own, by the link's path
 *   kernel/loop -> ..                                   PROBLEM_LINK_LOOP
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "scan/modname.h"
#include "scan/root.h"
#include "scan/scan.h"
#include "scan/walk.h"

/*
 * Would modules be missed if this link leads nowhere? If it is named like one, or like a
 * directory of them. At the top there are links to other things as well (vmlinuz, System.map,
 * config): there only the directories that tools put modules into count.
 */
static bool is_missed(const char *path)
{
	static const char *const usual[] = { "kernel", "updates", "extra", "weak-updates", "pcmcia",
					     "misc",   "dkms",    "net",   "drivers",      "fs" };
	const char *base = modname_base(path);

	if (modname_of(base, strlen(base)).kind != MODNAME_NONE)
		return true;
	if (base != path)
		return !strchr(base, '.');
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (strcmp(path, usual[i]) == 0)
			return true;
	return false;
}

static struct entry new_entry(struct walk *w, const struct walk_link *link, const char *real)
{
	return (struct entry) {
		.path = link->path,
		.name = scan_module_name(link->path, w->a),
		.open_path = real,
		.winner = ENTRY_NONE,
	};
}

static void add_fault(struct walk *w, const struct walk_link *link, enum fault_kind fault,
		      const char *detail)
{
	struct entry e = new_entry(w, link, link->real);

	if (!e.name)
		return;
	e.has_fault = true;
	e.fault = fault;
	e.detail = detail;
	walk_add_entry(w, &e);
}

/* The link cannot be followed. */
static void tell_broken(struct walk *w, const struct walk_link *link, int error)
{
	char to[PATH_MAX];
	ssize_t n = readlink(link->real, to, sizeof(to) - 1);
	const char *target = n < 0 ? "?" : arena_strndup(w->a, to, (size_t)n);

	if (!is_missed(link->path))
		return;
	if (error == ENOENT || error == ENOTDIR)
		walk_add_problem(w, PROBLEM_DANGLING_LINK, link->path,
				 arena_printf(w->a, "points to %s, which does not exist", target));
	else if (error == ELOOP)
		walk_add_problem(
			w, PROBLEM_LINK_LOOP, link->path,
			arena_printf(w->a, "points to %s, which leads back to it", target));
	else if (scan_module_name(link->path, w->a))
		add_fault(w, link, FAULT_UNREADABLE,
			  arena_printf(w->a, "points to %s: %s", target, strerror(error)));
	else
		walk_add_problem(w, PROBLEM_UNREADABLE_DIR, link->path,
				 arena_printf(w->a, "points to %s: %s", target, strerror(error)));
}

static void follow_to_file(struct walk *w, const struct walk_link *link, const struct target *t)
{
	struct entry e = new_entry(w, link, t->real);

	if (!e.name)
		return;
	walk_add_alias(w, link->path, t->real);
	if (walk_knows(w, t->real))
		return;
	e.size = t->size > 0 ? (uint64_t)t->size : 0;
	walk_add_entry(w, &e);
}

static void follow_to_dir(struct walk *w, const struct walk_link *link, const struct target *t)
{
	add_fault(w, link, FAULT_NOT_REGULAR, "a link to a directory, not a file");
	if (walk_is_around(t->real, link->real) || walk_is_around(t->real, w->top)) {
		walk_add_problem(w, PROBLEM_LINK_LOOP, link->path, "leads back to where it is");
		return;
	}
	walk_add_alias(w, link->path, t->real);
	if (!walk_knows(w, t->real))
		walk_drain(w, (struct walk_dir) {
				      .path = link->path, .real = t->real, .depth = link->depth });
}

static void follow(struct walk *w, const struct walk_link *link)
{
	struct target t;

	if (!root_resolve_real(w->root, link->real, w->a, &t))
		tell_broken(w, link, errno);
	else if (S_ISREG(t.mode))
		follow_to_file(w, link, &t);
	else if (S_ISDIR(t.mode))
		follow_to_dir(w, link, &t);
	else
		add_fault(w, link, FAULT_NOT_REGULAR, walk_irregular(t.mode));
}

static int compare(const void *a, const void *b)
{
	const struct walk_link *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void walk_links(struct walk *w)
{
	while (w->n_links > 0 && w->n_names <= LIMIT_TREE_FILES) {
		struct walk_link *round = w->links;
		size_t n = w->n_links;

		w->links = NULL;
		w->n_links = w->cap_links = 0;
		qsort(round, n, sizeof(*round), compare);
		for (size_t i = 0; i < n; i++)
			follow(w, &round[i]);
		free(round);
	}
}
