/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree is gathered like that of any other run. A Module.symvers is read as evidence of a kernel
 * without a tree; the .config that lies beside it (in a build directory, or in the headers of a
 * distribution) belongs to it.
 */
#include "diff/side.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"
#include "kernel/vermagic.h"

/* Where a tree is. */
struct place {
	const char *basedir, *moddir, *release;
};

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Cut `suffix` and the slash before it off the end of path; NULL if it does not end so. */
static const char *without(const char *path, const char *suffix, struct arena *a)
{
	size_t n = strlen(path), m = strlen(suffix);

	while (m && suffix[m - 1] == '/')
		m--;
	if (n < m || memcmp(path + n - m, suffix, m) != 0)
		return NULL;
	if (n == m)
		return "."; /* relative: "lib/modules/6.1.0" */
	return path[n - m - 1] == '/' ? arena_strndup(a, path, n - m - 1) : NULL;
}

/* ".../lib/modules/6.1.0": what is before and behind lib/modules. */
static bool split_path(struct place *p, const char *path, const char *moddir, struct arena *a)
{
	const char *const usual[] = { moddir ? moddir : "usr/lib/modules", "lib/modules" };
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	path = arena_strndup(a, path, n);
	const char *slash = strrchr(path, '/');
	if (!slash || !slash[1])
		return false;
	p->release = slash + 1;
	const char *parent = arena_strndup(a, path, (size_t)(slash - path));
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		p->basedir = without(parent, usual[i] + strspn(usual[i], "/"), a);
		p->moddir = usual[i];
		if (p->basedir)
			return true;
	}
	if (is_directory(arena_printf(a, "%s/lib", path)) ||
	    is_directory(arena_printf(a, "%s/usr/lib", path)))
		return false; /* what holds lib/modules, not what is in it */
	p->basedir = parent;  /* a directory of trees elsewhere, without lib/modules above it */
	p->moddir = ".";
	return true;
}

/* ROOT:KVER, where there is such a tree. */
static bool split_colon(struct place *p, const char *word, const struct session_options *options,
			struct arena *a)
{
	const char *colon = strrchr(word, ':');

	if (!colon || colon == word || !colon[1])
		return false;
	struct scan_options scan = options->scan;
	scan.basedir = arena_strndup(a, word, (size_t)(colon - word));
	scan.release = colon + 1;
	if (!scan_find_moddir(&scan, a))
		return false;
	*p = (struct place) { scan.basedir, scan.moddir, scan.release };
	return true;
}

static bool find_place(struct place *p, const char *word, const struct session_options *options,
		       struct arena *a)
{
	struct scan_options scan = options->scan;

	*p = (struct place) { scan.basedir, scan.moddir, word };
	scan.release = word;
	if (!strchr(word, '/') && scan_find_moddir(&scan, a))
		return true;
	if (split_colon(p, word, options, a))
		return true;
	return is_directory(word) && split_path(p, word, scan.moddir, a);
}

static bool has_exports(const struct kernel *k)
{
	for (uint32_t i = 0; i < k->n_syms; i++) {
		if (k->syms[i].is_exported)
			return true;
	}
	return false;
}

/*
 * The version magic of most modules below kernel/, of all if `only_kernel` is false; NULL if there
 * are none. A vote that the majority wins.
 */
static const char *elect_vermagic(const struct session *t, bool only_kernel)
{
	const char *lead = NULL;
	uint32_t votes = 0;

	for (uint32_t i = 0; i < t->n_modules; i++) {
		const struct module *m = &t->modules[i];
		if (!m->info.vermagic || (only_kernel && !text_has_prefix(m->path, "kernel/")))
			continue;
		if (votes == 0)
			lead = m->info.vermagic;
		votes = strcmp(lead, m->info.vermagic) == 0 ? votes + 1 : votes - 1;
	}
	return lead;
}

/* The kernel's own, from its image or its configuration, goes before what its modules have. */
static void find_vermagic(struct side *s)
{
	struct session *t = &s->session;
	const char *elected = elect_vermagic(t, true);

	if (!elected)
		elected = elect_vermagic(t, false);
	s->vermagic = t->kernel.vermagic;
	if (!s->vermagic)
		s->vermagic = vermagic_of_config(&t->kernel, t->arena);
	if (!s->vermagic)
		s->vermagic = elected;
	s->built_release = elected ? arena_strndup(t->arena, elected, strcspn(elected, " ")) : "";
}

/* The machine of most modules, by the same vote, where neither image nor configuration tell it. */
static void ask_machine(struct side *s)
{
	uint32_t votes = 0;

	s->machine = s->session.kernel.machine;
	for (uint32_t i = 0; !s->session.kernel.machine && i < s->session.n_modules; i++) {
		const struct module *m = &s->session.modules[i];
		if (!m->machine)
			continue;
		if (votes == 0) {
			s->machine = m->machine;
			s->elf_class = m->elf_class;
		}
		votes = s->machine == m->machine ? votes + 1 : votes - 1;
	}
}

static bool finish(struct side *s, struct err *err)
{
	struct session *t = &s->session;

	if (!has_exports(&t->kernel) || (s->is_tree && !t->kernel.has_exports))
		return err_set(err, "%s: nothing tells what this kernel exports", s->label);
	resolve(&t->links, &t->kernel, t->modules, t->n_modules, false, t->names, t->arena);
	preemption_of_kernel(&t->preemption, &t->kernel, &t->links, t->names, t->arena);
	find_vermagic(s);
	ask_machine(s);
	return true;
}

static bool load_tree(struct side *s, const struct place *p, const char *symvers,
		      const struct session_options *options, struct err *err)
{
	struct session_options o = *options;

	o.scan.basedir = p->basedir;
	o.scan.moddir = p->moddir;
	o.scan.release = p->release;
	o.evidence.symvers = symvers ? &symvers : NULL;
	o.evidence.n_symvers = symvers != NULL;
	o.evidence.is_running = options->evidence.is_running && !p->basedir;
	s->is_tree = true;
	return session_gather(&s->session, &o, err) && finish(s, err);
}

/* "# Linux/x86 6.1.176 Kernel Configuration": the version, "" if the text does not say it. */
static const char *version_of_config(const struct kconfig *config, struct arena *a)
{
	static const char words[] = " Kernel Configuration";
	const char *tail =
		config->text ? memmem(config->text, config->size, words, strlen(words)) : NULL;
	const char *at = tail;

	while (at && at > config->text && at[-1] != ' ' && at[-1] != '\n')
		at--;
	return at ? arena_strndup(a, at, (size_t)(tail - at)) : "";
}

static const char *config_beside(const char *symvers, struct arena *a)
{
	const char *slash = strrchr(symvers, '/');
	struct stat st;
	const char *path =
		arena_printf(a, "%.*s.config", slash ? (int)(slash + 1 - symvers) : 0, symvers);

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? path : NULL;
}

static bool load_symvers(struct side *s, const char *path, struct err *err)
{
	struct session *t = &s->session;

	*t = (struct session) {
		.arena = arena_new(),
		.tree_arena = arena_new(),
		.names = names_new(),
		.no_names = names_new(),
	};
	index_init(&t->index);

	struct evidence_options o = {
		.basedir = "",
		.release = "",
		.symvers = &path,
		.n_symvers = 1,
		.kernel_config = config_beside(path, t->arena),
	};
	if (!evidence_load(&t->kernel, &o, t->names, t->arena, err))
		return false;
	t->kernel.release = version_of_config(&t->kernel.config, t->arena);
	t->kernel.version = kernel_version_of(t->kernel.release);
	return finish(s, err);
}

bool side_load(struct side *s, const char *word, const char *symvers,
	       const struct session_options *options, struct err *err)
{
	struct place p;
	struct stat st;
	struct arena *a = arena_new();
	bool is_loaded = false;

	*s = (struct side) { .label = word };
	if (find_place(&p, word, options, a)) {
		s->label = p.release;
		is_loaded = load_tree(s, &p, symvers, options, err);
		s->label = arena_strdup(s->session.arena, p.release);
	} else if (stat(word, &st) != 0) {
		err_set(err, "%s: no such kernel, and no Module.symvers: %s", word,
			strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		err_set(err, "%s is no module tree; of what lies below it: %s:KVER", word, word);
	} else {
		is_loaded = load_symvers(s, word, err);
	}
	arena_free(a);
	return is_loaded;
}

void side_release(struct side *s)
{
	if (s->session.arena)
		session_release(&s->session);
}
