/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asks the kernel to load a module and is told an errno: modprobe and insmod of kmod
 * (tools/modprobe.c, insmod.c), of module-init-tools ("FATAL: Error inserting"), of busybox
 * (modutils/), and systemd-modules-load (src/modules-load). They do not know why; where the
 * kernel's own lines are in the log, these say nothing more.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "log/row.h"
#include "rules/table.h"

static const struct row rows[] = {
	{ "modprobe: ERROR: could not insert '%m': %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "ERROR: could not insert '%m': %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "FATAL: Error inserting %m (%*): %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "WARNING: Error inserting %m (%*): %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "ERROR: could not insert module %p: %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "insmod: error inserting '%p': -1 %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "insmod: can't insert '%p': %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "modprobe: can't load module %m (%*): %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "Failed to insert module '%m': %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "Failed to insert '%m': %d", ROW_FAILURE, 0, 0, 0, NULL },
	{ "FATAL: Module %m not found in directory %*", ROW_ABSENT, 0, 0, 0, NULL },
	{ "FATAL: Module %m not found.", ROW_ABSENT, 0, 0, 0, NULL },
	{ "FATAL: Module %m not found", ROW_ABSENT, 0, 0, 0, NULL },
	{ "modprobe: module %m not found in modules.dep", ROW_ABSENT, 0, 0, 0, NULL },
	{ "modprobe: module '%m' not found", ROW_ABSENT, 0, 0, 0, NULL },
	{ "Failed to find module '%m'", ROW_ABSENT, 0, 0, 0, NULL },
};

const struct row_table tools_rows = { rows, sizeof(rows) / sizeof(rows[0]), WRITER_TOOLS };

/* strerror(), mod_strerror() of kmod's insmod, moderror() of busybox; without what is behind a
 * comma.
 */
static const struct {
	const char *text;
	int error;
} errors[] = {
	{ "Unknown symbol in module", ENOENT },
	{ "No such file or directory", ENOENT },
	{ "Invalid module format", ENOEXEC },
	{ "Exec format error", ENOEXEC },
	{ "Invalid argument", EINVAL },
	{ "Invalid parameters", EINVAL },
	{ "Module has wrong symbol version", EINVAL },
	{ "Bad message", EBADMSG },
	{ "Key was rejected by service", EKEYREJECTED },
	{ "Required key not available", ENOKEY },
	{ "Package not installed", ENOPKG },
	{ "Operation not permitted", EPERM },
	{ "Permission denied", EACCES },
};

int log_error_of(const char *text, size_t length)
{
	const char *comma = memchr(text, ',', length);

	if (comma)
		length = (size_t)(comma - text);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (strlen(errors[i].text) == length &&
		    strncasecmp(errors[i].text, text, length) == 0)
			return errors[i].error;
	}
	return 0;
}
