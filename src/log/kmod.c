/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depmod of kmod (tools/depmod.c of kmod 30 and 34: "depmod: WARNING: ..." on stderr, what -v and
 * -n say on stdout), and of module-init-tools 3, which had the same words behind "WARNING: " alone.
 * What is in front of a word and a colon does not matter to a row.
 */
#include "log/row.h"
#include "rules/table.h"

static const struct row rows[] = {
	{ "WARNING: %p needs unknown symbol %s", ROW_FINDING, RULE_UNDEFINED_SYMBOL, SEV_OF_RULE, 0,
	  NULL },
	{ "WARNING: %p disagrees about version of symbol %s", ROW_VERSION, RULE_CRC_MISMATCH,
	  SEV_OF_RULE, 0, NULL },
	{ "%p needs \"%s\": %p", ROW_SEEN, 0, 0, 0, NULL },
	{ "ERROR: failed to load symbols from %p: %d", ROW_FINDING, RULE_UNREADABLE_MODULE,
	  SEV_OF_RULE, 0, NULL },
	{ "ERROR: unsupported file type %p: %*", ROW_FINDING, RULE_UNREADABLE_MODULE, SEV_OF_RULE,
	  0, "not a regular file" },
	{ "ERROR: fstatat(%*, %a): No such file or directory", ROW_FINDING, RULE_DANGLING_LINK,
	  SEV_OF_RULE, 0, NULL },
	{ "ERROR: Cycle detected: %d", ROW_CYCLE, RULE_DEPENDENCY_CYCLE, SEV_OF_RULE, 0, NULL },
	{ "ERROR: Found %e modules in dependency cycles!", ROW_CALM, 0, 0, 0, NULL },
	{ "WARNING: Module %p ignored, due to loop", ROW_FINDING, RULE_DEPENDENCY_CYCLE,
	  SEV_OF_RULE, 0, "depmod says that it is in a loop" },
	{ "WARNING: Loop detected: %*", ROW_CALM, 0, 0, 0, NULL },
	{ "WARNING: -e needs -E or -F", ROW_BLIND, 0, 0, 0,
	  "depmod -e was given neither -E nor -F, so it looked at no symbol" },
	{ "depmod: FATAL: %d", ROW_BLIND, 0, 0, 0, NULL },
};

const struct row_table kmod_rows = { rows, sizeof(rows) / sizeof(rows[0]), WRITER_DEPMOD };
