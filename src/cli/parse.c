/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modcheck parse [LOG]: the report of a log.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include "codec/codec.h"
#include "log/log.h"
#include "log/report.h"

static const char understood[] =
	"modcheck parse understands what depmod, modprobe and insmod say, and the kernel's module "
	"loader (dmesg, journalctl -k)";

/* A log that was rotated away is packed. Returns false, having told why, if it cannot be unpacked.
 */
static bool unpack(struct codec_buffer *unpacked, const struct file *file, const char *name)
{
	const unsigned char *bytes = (const unsigned char *)file->bytes;
	const char *detail;
	struct err err;

	if (codec_unpack(unpacked, bytes, file->size, LIMIT_TEXT_BYTES, &detail) == CODEC_OK)
		return true;
	err_set(&err, "%s: %s: %s", name, codec_name(bytes, file->size), detail);
	fail(err.text);
	return false;
}

/* Nothing is known of it: say what would be. */
static int refuse(const struct log *log, const char *name)
{
	struct err err;

	if (log->n_unknown)
		err_set(&err,
			"%s: nothing in it is understood, but lines like this one look like a "
			"complaint: \"%.200s\"; %s",
			name, names_text(log->unknown, 1), understood);
	else
		err_set(&err, "%s: %s; %s", name,
			log->n_lines ? "nothing in it is of these programs"
				     : "there is nothing in it (depmod is silent where it finds "
				       "nothing; with -v it lists modules)",
			understood);
	return fail(err.text);
}

static int report(struct options *o, const char *bytes, size_t size, const char *name)
{
	struct session s;
	struct log log;
	int status;

	log_report_init(&s);
	log_read(&log, bytes, size, s.names);
	if (log.n_known == 0) {
		status = refuse(&log, name);
	} else {
		log_report_run(&s, &log, name, &o->session);
		status = s.result.exit_code;
		if (!report_write(o, &s.result, s.tree.directory))
			status = 2;
	}
	session_release(&s);
	log_release(&log);
	return status;
}

int parse_verb(struct options *o)
{
	bool is_stdin = !o->subject || !strcmp(o->subject, "-");
	const char *name = is_stdin ? "standard input" : o->subject;
	struct codec_buffer unpacked;
	struct file file;
	struct err why, err;
	int status = 2;

	if (is_stdin && isatty(STDIN_FILENO) && !o->is_quiet)
		fputs("modcheck: reading a log from standard input\n", stderr);
	if (file_read(&file, is_stdin ? "/dev/stdin" : o->subject, FILE_STREAMS, LIMIT_TEXT_BYTES,
		      &why) != FILE_OK) {
		err_set(&err, "%s: %s", name, why.text);
		return fail(err.text);
	}
	codec_buffer_init(&unpacked);
	if (!codec_name((const unsigned char *)file.bytes, file.size))
		status = report(o, file.bytes, file.size, name);
	else if (unpack(&unpacked, &file, name))
		status = report(o, (const char *)unpacked.bytes, unpacked.size, name);
	codec_buffer_release(&unpacked);
	file_release(&file);
	return status;
}
