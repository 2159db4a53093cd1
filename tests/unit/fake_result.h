/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results made by hand, for the tests of the renderers: they need no kernel, no tree and no
 * other stage. Everything lives in the fake's arena.
 */
#ifndef MODCHECK_FAKE_RESULT_H
#define MODCHECK_FAKE_RESULT_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/sink.h"
#include "model/result.h"
#include "render/render.h"
#include "rules/table.h"
#include "subsystem.h"

#define FAKE_MAX_MODULES 20000
#define FAKE_MAX_FINDINGS 200000
#define FAKE_MAX_CAUSES 2000

struct fake {
	struct arena *arena;
	struct names *names;
	struct kernel *kernel;
	struct result r;
	struct module *modules;
	struct judged *judged;
};

static inline void fake_init(struct fake *f, const char *release)
{
	memset(f, 0, sizeof(*f));
	f->arena = arena_new();
	f->names = names_new();
	f->kernel = arena_alloc(f->arena, sizeof(*f->kernel));
	f->modules = arena_array(f->arena, FAKE_MAX_MODULES, sizeof(*f->modules));
	f->judged = arena_array(f->arena, FAKE_MAX_MODULES, sizeof(*f->judged));
	f->r.findings = arena_array(f->arena, FAKE_MAX_FINDINGS, sizeof(*f->r.findings));
	f->r.causes = arena_array(f->arena, FAKE_MAX_CAUSES, sizeof(*f->r.causes));
	f->r.names = f->names;
	f->r.kernel = f->kernel;
	f->r.release = release;
	f->r.machine = "";
	f->r.model = "";
	f->r.census = "";
	f->r.modules = f->modules;
	f->r.judged = f->judged;
}

static inline void fake_release(struct fake *f)
{
	names_free(f->names);
	arena_free(f->arena);
}

static inline struct source *fake_source(struct fake *f, enum source_kind kind, const char *path)
{
	struct source *s = &f->kernel->sources[f->kernel->n_sources++];

	*s = (struct source) { .kind = kind, .path = path, .used = true };
	return s;
}

/* Modules are to be added in the order of their paths. */
static inline uint32_t fake_module(struct fake *f, const char *path)
{
	struct module *m = &f->modules[f->r.n_modules];
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *short_name = arena_strdup(f->arena, name);

	short_name[strcspn(short_name, ".")] = '\0';
	m->path = path;
	m->name = short_name;
	m->is_installed = m->is_target = m->is_readable = true;
	f->judged[f->r.n_modules].subsystem = subsystem_of(path, f->arena);
	return f->r.n_modules++;
}

static inline struct cause *fake_cause(struct fake *f, enum rule_id rule, const char *symbol)
{
	struct cause *c = &f->r.causes[f->r.n_causes++];

	c->rule = rule;
	c->severity = rule_table[rule].severity;
	c->symbol = symbol ? names_add_string(f->names, symbol) : NAME_NONE;
	c->title = symbol;
	c->id = arena_printf(f->arena, "%s:%s", rule_table[rule].code, symbol ? symbol : "");
	c->modules = arena_array(f->arena, FAKE_MAX_MODULES, sizeof(*c->modules));
	c->findings = arena_array(f->arena, FAKE_MAX_MODULES, sizeof(*c->findings));
	return c;
}

/* A finding of this cause's rule and symbol. module: MODULE_NONE for the tree. */
static inline struct finding *fake_finding(struct fake *f, struct cause *c, uint32_t module)
{
	struct finding *g = &f->r.findings[f->r.n_findings];

	*g = (struct finding) { .rule = c->rule,
				.severity = c->severity,
				.is_terminal = c->severity == SEV_ERROR,
				.module = module,
				.symbol = c->symbol,
				.cause = (uint32_t)(c - f->r.causes) };
	c->findings[c->n_findings++] = f->r.n_findings++;
	if (module == MODULE_NONE)
		return g;
	struct judged *j = &f->judged[module];

	g->path = f->modules[module].path;
	c->modules[c->n_modules++] = module;
	c->n_direct++;
	j->n_errors += c->severity == SEV_ERROR;
	j->n_warnings += c->severity == SEV_WARNING;
	j->n_infos += c->severity == SEV_INFO;
	if (c->severity == SEV_ERROR) {
		j->verdict = VERDICT_REFUSED;
		j->error = rule_table[c->rule].error;
	}
	return g;
}

static inline const char **fake_list(struct fake *f, uint32_t *n, const char *one, const char *two)
{
	const char **list = arena_array(f->arena, 2, sizeof(*list));

	list[0] = one;
	list[1] = two;
	*n = two ? 2 : 1;
	return list;
}

static inline int fake_compare_subsystems(const void *a, const void *b)
{
	return strcmp(((const struct subsystem *)a)->name, ((const struct subsystem *)b)->name);
}

static inline void fake_count_subsystems(struct fake *f)
{
	struct subsystem *all = arena_array(f->arena, f->r.n_modules, sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->r.n_modules; i++) {
		bool is_refused = f->judged[i].verdict == VERDICT_REFUSED;

		all[i] = (struct subsystem) { f->judged[i].subsystem, 1, is_refused };
	}
	qsort(all, f->r.n_modules, sizeof(*all), fake_compare_subsystems);
	for (uint32_t i = 0; i < f->r.n_modules; i++) {
		if (n && strcmp(all[n - 1].name, all[i].name) == 0) {
			all[n - 1].total++;
			all[n - 1].refused += all[i].refused;
		} else {
			all[n++] = all[i];
		}
	}
	f->r.subsystems = all;
	f->r.n_subsystems = n;
}

/* Count what was added. */
static inline void fake_finish(struct fake *f)
{
	struct result *r = &f->r;

	r->n_targets = r->n_modules;
	for (uint32_t i = 0; i < r->n_modules; i++) {
		r->n_loads += f->judged[i].verdict == VERDICT_LOADS;
		r->n_refused += f->judged[i].verdict == VERDICT_REFUSED;
		r->n_unknown += f->judged[i].verdict == VERDICT_UNKNOWN;
	}
	for (uint32_t i = 0; i < r->n_findings; i++) {
		r->n_errors += r->findings[i].severity == SEV_ERROR;
		r->n_warnings += r->findings[i].severity == SEV_WARNING;
		r->n_infos += r->findings[i].severity == SEV_INFO;
	}
	fake_count_subsystems(f);
	r->outcome = r->n_errors ? OUTCOME_FINDINGS : OUTCOME_OK;
	r->exit_code = r->outcome == OUTCOME_FINDINGS;
}

/*
 * The modules of a 2.4.8-ac12 kernel with the preempt patch, as reported in August 2001: 83, of
 * which 56 ('!') lack preempt_schedule. Below kernel/ (or, with a '/', not), without ".o".
 */
static const char *const fake_modules_2001[] = {
	"!drivers/block/floppy",
	"!drivers/block/loop",
	"drivers/cdrom/cdrom",
	"!drivers/char/drm/tdfx",
	"drivers/char/joystick/analog",
	"drivers/char/joystick/emu10k1-gp",
	"drivers/char/joystick/gameport",
	"drivers/char/joystick/sidewinder",
	"!drivers/char/lp",
	"!drivers/char/ppdev",
	"!drivers/char/serial",
	"drivers/i2c/i2c-core",
	"drivers/i2c/i2c-dev",
	"!drivers/ide/ide-disk",
	"!drivers/ide/ide-mod",
	"!drivers/ide/ide-probe-mod",
	"!drivers/input/evdev",
	"!drivers/input/input",
	"!drivers/input/joydev",
	"!drivers/input/mousedev",
	"!drivers/net/3c509",
	"drivers/net/bsd_comp",
	"drivers/net/dummy",
	"!drivers/net/eepro100",
	"!drivers/net/ppp_async",
	"drivers/net/ppp_deflate",
	"!drivers/net/ppp_generic",
	"!drivers/net/pppoe",
	"!drivers/net/pppox",
	"drivers/net/slhc",
	"!drivers/parport/parport",
	"!drivers/parport/parport_pc",
	"!drivers/pnp/isa-pnp",
	"!drivers/scsi/sg",
	"drivers/scsi/sr_mod",
	"!drivers/scsi/st",
	"drivers/sound/ac97_codec",
	"!drivers/sound/emu10k1/emu10k1",
	"!drivers/sound/soundcore",
	"drivers/usb/dc2xx",
	"drivers/usb/hid",
	"!drivers/usb/scanner",
	"!drivers/usb/usb-ohci",
	"!drivers/usb/usbcore",
	"!fs/autofs/autofs",
	"!fs/autofs4/autofs4",
	"fs/binfmt_aout",
	"!fs/fat/fat",
	"!fs/isofs/isofs",
	"!fs/lockd/lockd",
	"!fs/minix/minix",
	"fs/msdos/msdos",
	"!fs/nfs/nfs",
	"!fs/nfsd/nfsd",
	"fs/nls/nls_cp437",
	"fs/nls/nls_cp850",
	"fs/nls/nls_iso8859-1",
	"fs/nls/nls_iso8859-15",
	"!fs/romfs/romfs",
	"!fs/smbfs/smbfs",
	"!fs/udf/udf",
	"!fs/vfat/vfat",
	"!net/ipv4/netfilter/ip_conntrack",
	"!net/ipv4/netfilter/ip_conntrack_ftp",
	"!net/ipv4/netfilter/ip_nat_ftp",
	"!net/ipv4/netfilter/ip_tables",
	"!net/ipv4/netfilter/ipchains",
	"!net/ipv4/netfilter/ipt_LOG",
	"!net/ipv4/netfilter/ipt_MASQUERADE",
	"net/ipv4/netfilter/ipt_REDIRECT",
	"!net/ipv4/netfilter/ipt_limit",
	"net/ipv4/netfilter/ipt_state",
	"net/ipv4/netfilter/ipt_tos",
	"net/ipv4/netfilter/iptable_filter",
	"!net/ipv4/netfilter/iptable_nat",
	"!net/ipv6/ipv6",
	"!net/ipv6/netfilter/ip6_tables",
	"!net/ipv6/netfilter/ip6t_limit",
	"net/ipv6/netfilter/ip6table_filter",
	"!net/khttpd/khttpd",
	"!net/packet/af_packet",
	"!net/sunrpc/sunrpc",
	"/misc/mssclampfw",
};

static inline void fake_2001(struct fake *f)
{
	size_t n = sizeof(fake_modules_2001) / sizeof(fake_modules_2001[0]);
	struct cause *c;

	fake_init(f, "2.4.8-ac12");
	f->r.tree_path = "lib/modules/2.4.8-ac12";
	f->r.machine = "i386";
	f->r.model = "PREEMPT";
	f->r.model_evidence = fake_list(f, &f->r.n_model_evidence, "config", NULL);
	f->r.census = "56 modules built for it, 27 cannot tell";
	fake_source(f, SOURCE_SYSTEM_MAP, "boot/System.map-2.4.8-ac12")->exports = 1500;
	fake_source(f, SOURCE_CONFIG, "boot/config-2.4.8-ac12");
	c = fake_cause(f, RULE_DEFINED_NOT_EXPORTED, "preempt_schedule");
	c->title = "preempt_schedule (preemption)";
	c->family = "preemption";
	c->evidence = fake_list(f, &c->n_evidence,
				"The kernel defines it (System.map line 1234: T preempt_schedule) "
				"but does not export it.",
				"CONFIG_PREEMPT=y makes modules call it when they drop a lock.");
	c->hint = "export preempt_schedule in the preempt patch, rebuild the kernel";
	for (size_t i = 0; i < n; i++) {
		const char *word = fake_modules_2001[i];
		bool is_bad = *word == '!';
		const char *dir = word[is_bad] == '/' ? "" : "kernel/";
		uint32_t m;

		word += is_bad;
		word += *word == '/';
		m = fake_module(f, arena_printf(f->arena, "%s%s.o", dir, word));
		if (is_bad)
			fake_finding(f, c, m);
	}
	fake_finish(f);
}

/* What the renderer of this name writes, to be freed by the caller. */
static inline char *fake_render(const struct fake *f, const char *format,
				const struct render_options *options)
{
	struct arena *scratch = arena_new();
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct sink sink;

	sink_init(&sink, file);
	render_find(format)(&sink, &f->r, options, scratch);
	sink_finish(&sink);
	fclose(file);
	arena_free(scratch);
	return text;
}

#endif
