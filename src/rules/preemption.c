/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MC501, MC502, and MC902 where the sources differ in the model: the preemption model of the kernel
 * against those of its modules, and against its name. The loader knows nothing of models: it
 * refuses such a module for its version magic, CRCs or symbols, or not at all. So MC501 is an error
 * where it does, and a warning where the module gets in.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "preemption/preemption.h"
#include "rules/check.h"

static void check_module(struct check *c, uint32_t m)
{
	const struct preemption *p = c->preemption;

	/* a build against the kernel's headers is of the kernel's model */
	if (c->modules[m].is_rebuilt || !preemption_is_foreign(p, m))
		return;
	struct finding *f = check_add_as(c, RULE_PREEMPT_MODEL_MISMATCH, m,
					 c->is_refused[m] ? SEV_ERROR : SEV_WARNING);
	if (!f)
		return;
	f->expected = p->name;
	f->actual = preemption_name(p->models_of_module[m], c->arena);
}

/* "rt" or "rt17" between what is neither letter nor digit, "realtime", "preempt_rt". */
static bool is_called_rt(const char *release)
{
	for (const char *s = release; *s;) {
		size_t n = 0;
		while (isalnum((unsigned char)s[n]))
			n++;
		bool is_rt = n >= 2 && !strncmp(s, "rt", 2) && strspn(s + 2, "0123456789") == n - 2;
		if (is_rt || (n == 8 && !strncmp(s, "realtime", 8)))
			return true;
		s += n ? n : 1;
	}
	return false;
}

static void check_name(struct check *c)
{
	const struct preemption *p = c->preemption;

	if (!(p->excluded & MODEL_RT) || !is_called_rt(c->kernel->release))
		return;
	/* an RT tree held against another kernel: its modules tell that */
	for (uint32_t m = 0; m < c->n_modules; m++) {
		if (p->models_of_module[m] == MODEL_RT)
			return;
	}
	struct finding *f = check_add(c, RULE_RT_NAME_WITHOUT_RT, MODULE_NONE);
	if (!f)
		return;
	f->path = c->kernel->release;
	f->expected = "PREEMPT_RT";
	f->actual = p->name;
}

static void check_contradiction(struct check *c)
{
	const struct preemption *p = c->preemption;
	struct finding *f =
		p->contradiction ? check_add(c, RULE_EVIDENCE_DISAGREES, MODULE_NONE) : NULL;

	if (!f)
		return;
	f->path = "preemption";
	f->detail = p->contradiction;
}

void check_preemption(struct check *c)
{
	for (uint32_t m = 0; c->preemption->excluded && m < c->n_modules; m++)
		check_module(c, m);
	check_name(c);
	check_contradiction(c);
}
