/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long() for the options; words.c takes what is left.
 */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/words.h"
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
	OPT_CPUINFO,
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
	{ "cpuinfo", optional_argument, NULL, OPT_CPUINFO },
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
		.format = name,
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
		return words_check_file(arg, p->err);
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
	case OPT_CPUINFO:
		o->cpuinfo = arg ? arg : "/proc/cpuinfo";
		return true;
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

/* For commands that read no tree. The last one counts: they are refused whichever it is. */
static void note_tree_option(struct options *o, int option)
{
	static const char letters[] = "bmCFE";

	if (option < 256 && !strchr(letters, option))
		return;
	if (option >= OPT_FAIL_ON && option != OPT_THOROUGH)
		return;
	for (const struct option *l = long_options; l->name; l++) {
		if (l->val == option)
			o->tree_option = arena_printf(o->arena, "--%s", l->name);
	}
	if (option < 256)
		o->tree_option = arena_printf(o->arena, "-%c", option);
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
		if (option != OPT_ALLOW_INCOMPLETE)
			note_tree_option(p->o, option);
		if (!take_option(p, option, optarg))
			return false;
	}
	return true;
}

static const char *running_release(struct arena *a)
{
	struct utsname u;

	return uname(&u) == 0 ? arena_strdup(a, u.release) : "";
}

/* explain, rules and symvers write one kind of text. */
static bool check_formats(const struct options *o, struct err *err)
{
	const char *verb = o->verb == VERB_EXPLAIN   ? "explain"
			   : o->verb == VERB_RULES   ? "rules"
			   : o->verb == VERB_SYMVERS ? "symvers"
						     : NULL;

	if (!verb || o->n_outputs == 0)
		return true;
	return err_set(err, "--format %s is not for modcheck %s, which writes text of its own",
		       o->outputs[0].format, verb);
}

static void set_defaults(struct options *o)
{
	if (o->session.n_threads == 0)
		o->session.n_threads = pool_processors();
	if (o->session.n_threads > LIMIT_THREADS)
		o->session.n_threads = LIMIT_THREADS;
	if (o->n_outputs == 0)
		o->outputs[o->n_outputs++] =
			(struct output) { .format = "text", .render = render_find("text") };
}

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	struct parse p = { .o = o, .err = err };
	size_t n = (size_t)argc + 1;

	*o = (struct options) { .arena = arena_new() };
	policy_options_init(&o->session.policy);
	o->outputs = arena_array(o->arena, n, sizeof(*o->outputs));
	o->sources = arena_array(o->arena, n, sizeof(*o->sources));
	o->session.files = arena_array(o->arena, n, sizeof(*o->session.files));
	o->session.evidence.symvers = arena_array(o->arena, n, sizeof(char *));
	o->session.overlays = arena_array(o->arena, n, sizeof(char *));
	o->session.scan.config_paths = arena_array(o->arena, n, sizeof(char *));
	o->running = running_release(o->arena);
	if (!read_options(&p, argc, argv))
		return false;
	if (o->verb == VERB_CHECK && !words_take(o, argv + optind, err))
		return false;
	if (o->cpuinfo && o->verb != VERB_DIFF)
		return err_set(err, "--cpuinfo is for modcheck diff");
	if (!check_formats(o, err))
		return false;
	set_defaults(o);
	return true;
}

void options_release(struct options *o)
{
	arena_free(o->arena);
}
