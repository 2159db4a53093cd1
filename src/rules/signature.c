/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC107 and MC108: module_sig_check() in kernel/module/signing.c (6.1), the first thing that the
 * loader does. A signature that is there and wrong ends it; one that is not there, or of a kind
 * that the kernel does not know, only taints, unless signatures are enforced.
 */
#include <errno.h>

#include "base/arena.h"
#include "rules/check.h"

/* What the kernel makes of each kind of damage; error 0: nothing. */
static const struct outcome {
	int error;
	const char *message; /* NULL: it says nothing */
} outcomes[] = {
	[SIGNATURE_UNKNOWN] = { 0, NULL },
	[SIGNATURE_NONE] = { 0, NULL },
	[SIGNATURE_PRESENT] = { 0, NULL },
	[SIGNATURE_OTHER_TYPE] = { 0, NULL },
	[SIGNATURE_LENGTH] = { EBADMSG, NULL },
	[SIGNATURE_PARAMETERS] = { EBADMSG, "module: PKCS#7 signature info has unexpected non-zero "
					    "params" },
	[SIGNATURE_MESSAGE] = { EBADMSG, NULL },
	[SIGNATURE_ATTRIBUTES] = { EKEYREJECTED, NULL },
	[SIGNATURE_OTHER_FILE] = { EKEYREJECTED, NULL },
};

static void check_broken(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];
	const struct outcome *o = &outcomes[m->signature];
	struct finding *f = o->error ? check_add(c, RULE_SIGNATURE_BROKEN, module) : NULL;

	if (!f)
		return;
	f->error = o->error;
	f->message = o->message;
	f->detail = m->signature_detail;
}

static void check_missing(struct check *c, uint32_t module)
{
	bool is_enforced = c->signature_force == KCONFIG_YES;
	bool is_other = c->modules[module].signature == SIGNATURE_OTHER_TYPE;

	if (!is_enforced && !c->modules[module].is_readable)
		return;
	struct finding *f =
		check_add_as(c, RULE_SIGNATURE_MISSING, module, is_enforced ? SEV_ERROR : SEV_INFO);
	if (!f)
		return;
	f->message = is_other ? "module: not signed with expected PKCS#7 message"
			      : "Loading of unsigned module is rejected";
	f->detail = is_enforced
			    ? "CONFIG_MODULE_SIG_FORCE=y: the kernel takes signed modules only"
			    : "it loads and taints the kernel (E), unless the kernel is told to "
			      "enforce signatures or is locked down";
}

void check_signature(struct check *c, uint32_t module)
{
	const struct module *m = &c->modules[module];

	/* where the configuration is not known, a signature says that somebody wants it checked */
	if (c->signatures == KCONFIG_NO || m->is_object_24)
		return;
	check_broken(c, module);
	if (c->signatures != KCONFIG_YES)
		return;
	if (m->signature == SIGNATURE_NONE || m->signature == SIGNATURE_OTHER_TYPE)
		check_missing(c, module);
}
