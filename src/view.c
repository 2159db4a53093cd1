/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Until 6.11 find_sec() looked for .modinfo among the loaded sections (SHF_ALLOC) only.
 *
 * From 7.2 on exports carry their licence in __kflagstab. A module of before has none: its
 * __ksymtab is refused, and its __ksymtab_gpl passed over ("ignoring obsolete section"), so
 * that nobody finds these exports (find_module_sections(), kernel/module/main.c).
 */
#include "view.h"

#include "base/arena.h"
#include "model/kernel.h"
#include "read/read.h"

static void hide_tags(struct module *m)
{
	if (!m->info.is_loaded && !m->is_object_24)
		m->info = (struct modinfo) { .name = NULL };
}

static void hide_old_tables(struct module *m, struct arena *a)
{
	struct export *seen = arena_array(a, m->n_exports, sizeof(*seen));
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_exports; i++) {
		if (m->exports[i].table == 0)
			seen[n++] = m->exports[i];
	}
	m->exports = seen;
	m->n_exports = n;
	if (n && !m->has_flag_table)
		module_add_fault(m, a, FAULT_ELF_7_2,
				 "its exports have no flags: no __kflagstab section");
}

void view_as_kernel(struct module *modules, uint32_t n_modules, uint32_t version, struct arena *a)
{
	for (uint32_t m = 0; version && m < n_modules; m++) {
		if (version < KERNEL_VERSION_CODE(6, 12, 0))
			hide_tags(&modules[m]);
		if (version >= KERNEL_VERSION_CODE(7, 2, 0))
			hide_old_tables(&modules[m], a);
	}
}
