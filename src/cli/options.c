/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long() for the options, and for the words: a KVER where a tree of that name exists or it
 * begins with a digit (and is no module file), then a verb, else a file.
 */
#include "cli/options.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/pool.h"
#include "base/text.h"
#include "near.h"
#include "rules/table.h"

enum long_option {
	OPT_KERNEL_CONFIG = 256,
	OPT_KERNEL_IMAGE,
	OPT_OVERLAY,
	OPT_ALLOW_INCOMPLETE,
	OPT_FAIL_ON,
	OPT_SELECT,
	OPT_IGNORE,
	OPT_FORMAT,
	OPT_COLOR,
	OPT_MAX_ITEMS,
	OPT_ALL,
	OPT_THOROUGH,
};

static const struct option long_options[] = {
	{ "basedir", required_argument, NULL, 'b' },
	{ "moduledir", required_argument, NULL, 'm' },
	{ "config", required_argument, NULL, 'C' },
	{ "filesyms", required_argument, NULL, 'F' },
	{ "symvers", required_argument, NULL, 'E' },
	{ "kernel-config", required_argument, NULL, OPT_KERNEL_CONFIG },
	{ "kernel-image", required_argument, NULL, OPT_KERNEL_IMAGE },
	{ "overlay", required_argument, NULL, OPT_OVERLAY },
	{ "allow-incomplete", no_argument, NULL, OPT_ALLOW_INCOMPLETE },
	{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
	{ "select", required_argument, NULL, OPT_SELECT },
	{ "ignore", required_argument, NULL, OPT_IGNORE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "color", required_argument, NULL, OPT_COLOR },
	{ "colour", required_argument, NULL, OPT_COLOR },
	{ "max-items", required_argument, NULL, OPT_MAX_ITEMS },
	{ "all", no_argument, NULL, OPT_ALL },
	{ "thorough", no_argument, NULL, OPT_THOROUGH },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "errsyms", no_argument, NULL, 'e' },
	{ "show", no_argument, NULL, 'n' },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Where options and what is wrong with them go. */
struct parse {
	struct options *o;
	struct err *err;
};

static bool parse_number(const char *text, const char *option, unsigned long most,
			 unsigned int *number, struct err *err)
{
	char *end;

	errno = 0;
	unsigned long n = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno || n == 0 || n > most)
		return err_set(err, "%s takes a number from 1 to %lu, not '%s'", option, most,
			       text);
	*number = (unsigned int)n;
	return true;
}

static bool parse_color(struct options *o, const char *word, struct err *err)
{
	static const char *const words[] = { "auto", "always", "never" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		o->color = (enum color_mode)i;
		return true;
	}
	return err_set(err, "--color takes auto, always or never, not '%s'", word);
}

static bool parse_format(struct options *o, const char *word, struct err *err)
{
	size_t length = strcspn(word, ":");
	const char *name = arena_strndup(o->arena, word, length);
	render_function *render = render_find(name);

	if (!render)
		return err_set(err, "there is no format '%s'; there are %s", name,
			       render_names(o->arena));
	if (word[length] && !word[length + 1])
		return err_set(err, "--format %s: there is no file name after the colon", word);
	bool is_stdout = !word[length] || !strcmp(word + length, ":-");
	for (unsigned int i = 0; is_stdout && i < o->n_outputs; i++) {
		if (!o->outputs[i].path || !strcmp(o->outputs[i].path, "-"))
			return err_set(err, "two reports on standard output; give one a file "
					    "(--format json:FILE)");
	}
	o->outputs[o->n_outputs++] = (struct output) {
		.render = render,
		.path = word[length] ? word + length + 1 : NULL,
	};
	return true;
}

static bool take_policy(struct parse *p, int option, const char *arg)
{
	struct policy_options *policy = &p->o->session.policy;

	switch (option) {
	case OPT_FAIL_ON:
		return policy_options_fail_on(policy, arg, p->err);
	case OPT_SELECT:
		return policy_options_select(policy, arg, p->err);
	default:
		return policy_options_ignore(policy, arg, p->err);
	}
}

static bool take_output(struct parse *p, int option, const char *arg)
{
	struct options *o = p->o;

	switch (option) {
	case OPT_FORMAT:
		return parse_format(o, arg, p->err);
	case OPT_COLOR:
		return parse_color(o, arg, p->err);
	case OPT_MAX_ITEMS:
		return parse_number(arg, "--max-items", 1000000, &o->max_items, p->err);
	case OPT_ALL:
		o->list_all = true;
		return true;
	case 'q':
		o->is_quiet = true;
		return true;
	default:
		o->is_verbose = true;
		return true;
	}
}

static bool check_path(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_set(err,
			       "%s is a directory; to check the tree in it: modcheck -b ROOT KVER",
			       path);
	return true;
}

static bool take_evidence(struct parse *p, int option, const char *arg)
{
	struct session_options *s = &p->o->session;

	switch (option) {
	case 'F':
		if (s->evidence.system_map)
			return err_set(p->err, "-F can be given once only");
		s->evidence.system_map = arg;
		return true;
	case 'E':
		s->evidence.symvers[s->evidence.n_symvers++] = arg;
		return true;
	case OPT_KERNEL_CONFIG:
		s->evidence.kernel_config = arg;
		return true;
	case OPT_KERNEL_IMAGE:
		s->evidence.kernel_image = arg;
		return true;
	case OPT_OVERLAY:
		s->overlays[s->n_overlays++] = arg;
		return check_path(arg, p->err);
	case 'C':
		s->scan.config_paths[s->scan.n_config_paths++] = arg;
		return true;
	default:
		s->allow_incomplete = true;
		return true;
	}
}

static bool take_option(struct parse *p, int option, const char *arg)
{
	struct options *o = p->o;

	switch (option) {
	case 'b':
		o->session.scan.basedir = arg;
		return true;
	case 'm':
		o->session.scan.moddir = arg;
		return true;
	case 'j':
		return parse_number(arg, "-j", LIMIT_THREADS, &o->session.n_threads, p->err);
	case 'F':
	case 'E':
	case 'C':
	case OPT_KERNEL_CONFIG:
	case OPT_KERNEL_IMAGE:
	case OPT_OVERLAY:
	case OPT_ALLOW_INCOMPLETE:
		return take_evidence(p, option, arg);
	case OPT_FAIL_ON:
	case OPT_SELECT:
	case OPT_IGNORE:
		return take_policy(p, option, arg);
	case OPT_FORMAT:
	case OPT_COLOR:
	case OPT_MAX_ITEMS:
	case OPT_ALL:
	case 'q':
	case 'v':
		return take_output(p, option, arg);
	case OPT_THOROUGH:
		o->session.is_thorough = true;
		return true;
	case 'h':
		o->verb = VERB_HELP;
		return true;
	case 'V':
		o->verb = VERB_VERSION;
		return true;
	default: /* -a -e -n */
		return true;
	}
}

static bool option_error(int option, char **argv, struct err *err)
{
	const char *word = argv[optind - 1];

	if (option == ':')
		return err_set(err, "option '%s' needs an argument", word);
	if (optopt && optopt < 256)
		return err_set(err, "there is no option '-%c'", optopt);
	return err_set(err, "there is no option '%s'", word);
}

static bool read_options(struct parse *p, int argc, char **argv)
{
	int option;

	optind = 0; /* start anew, should this be called twice */
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":b:m:C:F:E:j:qvaenhV", long_options, NULL)) !=
	       -1) {
		if (option == ':' || option == '?')
			return option_error(option, argv, p->err);
		if (!take_option(p, option, optarg))
			return false;
	}
	return true;
}

static bool is_module_file(const char *word, struct arena *a)
{
	struct stat st;

	return scan_module_name(word, a) && stat(word, &st) == 0;
}

static bool is_release(struct options *o, const char *word)
{
	struct scan_options scan = o->session.scan;

	if (isdigit((unsigned char)word[0]))
		return !is_module_file(word, o->arena);
	scan.release = word;
	return !strchr(word, '/') && scan_find_moddir(&scan, o->arena);
}

/* The same file, by whatever path, is taken once. */
static bool is_listed(const struct options *o, const char *word)
{
	struct stat st, other;

	for (unsigned int i = 0; stat(word, &st) == 0 && i < o->session.n_files; i++) {
		if (stat(o->session.files[i], &other) == 0 && other.st_dev == st.st_dev &&
		    other.st_ino == st.st_ino)
			return true;
	}
	return false;
}

/* The tree whose name is most like the word, "" if none is; in the arena. */
static const char *near_release(struct options *o, const char *word)
{
	const char *best = "", *basedir = o->session.scan.basedir;
	unsigned int least = NEAR_NONE;
	DIR *dir = opendir(arena_printf(o->arena, "%s/lib/modules", basedir ? basedir : ""));

	for (struct dirent *d; dir && (d = readdir(dir));) {
		unsigned int distance = near_distance(word, d->d_name);
		if (d->d_name[0] == '.' || distance >= least)
			continue;
		least = distance;
		best = arena_strdup(o->arena, d->d_name);
	}
	if (dir)
		closedir(dir);
	return best;
}

static bool no_such_word(struct options *o, const char *word, struct err *err)
{
	const char *near = near_release(o, word);
	static const char *const verbs[] = { "explain", "rules", "symvers" };

	for (size_t i = 0; !*near && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (near_distance(word, verbs[i]) < NEAR_NONE)
			near = verbs[i];
	}
	return err_set(err, "%s: no such kernel, command or file%s%s (modcheck --help)", word,
		       *near ? "; there is " : "", near);
}

static bool take_file(struct options *o, const char *word, struct err *err)
{
	struct stat st;

	if (lstat(word, &st) != 0 && errno == ENOENT)
		return no_such_word(o, word, err);
	if (stat(word, &st) == 0 && !check_path(word, err))
		return false;
	if (is_listed(o, word))
		return true;
	o->session.files[o->session.n_files++] = word;
	return true;
}

static bool take_explain(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_EXPLAIN;
	if (!words[0])
		return err_set(err, "explain needs the name of a rule or a symbol");
	o->subject = words[0];
	if (words[1] && words[2])
		return err_set(err, "explain takes one rule or symbol and at most one kernel");
	if (words[1])
		o->session.scan.release = words[1];
	return true;
}

static bool take_symvers(struct options *o, char **words, struct err *err)
{
	o->verb = VERB_SYMVERS;
	o->session.scan.release = words[0];
	return !words[0] || !words[1] || err_set(err, "symvers takes one kernel");
}

static bool take_words(struct options *o, char **words, struct err *err)
{
	if (words[0] && is_release(o, words[0])) {
		o->session.scan.release = words[0];
		words++;
	} else if (words[0] && !strcmp(words[0], "help")) {
		o->verb = VERB_HELP;
		return true;
	} else if (words[0] && !strcmp(words[0], "rules")) {
		o->verb = VERB_RULES;
		return !words[1] || err_set(err, "rules takes no argument");
	} else if (words[0] && !strcmp(words[0], "symvers")) {
		return take_symvers(o, words + 1, err);
	} else if (words[0] && !strcmp(words[0], "explain")) {
		return take_explain(o, words + 1, err);
	}
	for (; *words; words++) {
		if (!take_file(o, *words, err))
			return false;
	}
	return true;
}

static const char *running_release(struct arena *a)
{
	struct utsname u;

	return uname(&u) == 0 ? arena_strdup(a, u.release) : "";
}

static void set_defaults(struct options *o)
{
	if (o->session.n_threads == 0)
		o->session.n_threads = pool_processors();
	if (o->session.n_threads > LIMIT_THREADS)
		o->session.n_threads = LIMIT_THREADS;
	if (o->n_outputs == 0)
		o->outputs[o->n_outputs++] = (struct output) { .render = render_find("text") };
}

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct parse p = { .o = o, .err = err };
	size_t n = (size_t)argc + 1;

	*o = (struct options) { .arena = arena_new() };
	policy_options_init(&o->session.policy);
	o->outputs = arena_array(o->arena, n, sizeof(*o->outputs));
	o->session.files = arena_array(o->arena, n, sizeof(*o->session.files));
	o->session.evidence.symvers = arena_array(o->arena, n, sizeof(char *));
	o->session.overlays = arena_array(o->arena, n, sizeof(char *));
	o->session.scan.config_paths = arena_array(o->arena, n, sizeof(char *));
	o->running = running_release(o->arena);
	if (!read_options(&p, argc, argv))
		return false;
	if (o->verb == VERB_CHECK && !take_words(o, argv + optind, err))
		return false;
	set_defaults(o);
	return true;
}

void options_release(struct options *o)
{
	arena_free(o->arena);
}
