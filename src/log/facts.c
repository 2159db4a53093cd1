/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "rules/table.h"

static nameid text_id(struct facts *f, struct span s)
{
	return s.at ? names_add(f->log->texts, s.at, s.length) : NAME_NONE;
}

static nameid constant_id(struct facts *f, const char *text)
{
	return text ? names_add_string(f->log->texts, text) : NAME_NONE;
}

/* "module" is what stands where the loader does not know the name yet. */
static nameid module_id(struct facts *f, const struct pattern_match *m)
{
	struct span s = pattern_field(m, 'p').at ? pattern_field(m, 'p') : pattern_field(m, 'm');

	if (!s.at || s.at[0] == '(' || (s.length == 6 && !memcmp(s.at, "module", 6)))
		return NAME_NONE;
	return names_add(f->log->modules, s.at, s.length);
}

/* Facts are numbered by their bytes, less where and how often: the same one is found again. */
static void commit(struct facts *f, const struct log_fact *fact)
{
	const uint32_t key[] = { (uint32_t)fact->rule << 16 | (uint32_t)fact->severity << 8 |
					 fact->writer,
				 fact->is_result,
				 (uint32_t)fact->error,
				 fact->module,
				 fact->symbol,
				 fact->ns,
				 fact->provider,
				 fact->expected,
				 fact->actual,
				 fact->detail };
	struct log *log = f->log;
	nameid id = names_add(log->keys, (const char *)key, sizeof(key));

	if (id <= log->n_facts) {
		log->facts[id - 1].count++;
		return;
	}
	VEC_PUSH(log->facts, log->n_facts, log->cap_facts) = *fact;
	log->facts[log->n_facts - 1].count = 1;
}

static void commit_pending(struct facts *f)
{
	if (f->has_pending)
		commit(f, &f->pending);
	f->has_pending = false;
}

static void add(struct facts *f, const struct log_fact *fact)
{
	commit_pending(f);
	if (fact->module == NAME_NONE && fact->writer == WRITER_KERNEL) {
		f->pending = *fact;
		f->has_pending = true;
		return;
	}
	commit(f, fact);
}

static uint8_t severity_of(const struct row *row, uint16_t rule)
{
	return row->severity == SEV_OF_RULE ? (uint8_t)rule_table[rule].severity : row->severity;
}

static struct log_fact make(struct facts *f, const struct row *row, uint8_t writer,
			    const struct pattern_match *m, struct span text, uint32_t line)
{
	struct span symbol = pattern_field(m, 's'), ns = pattern_field(m, 'n');
	struct log_fact fact = {
		.rule = row->rule,
		.severity = severity_of(row, row->rule),
		.writer = writer,
		.error = row->error,
		.line = line,
		.module = module_id(f, m),
		.symbol =
			symbol.at ? names_add(f->log->names, symbol.at, symbol.length) : NAME_NONE,
		.ns = ns.at ? names_add(f->log->names, ns.at, ns.length) : NAME_NONE,
		.provider = text_id(f, pattern_field(m, 'o')),
		.expected = text_id(f, pattern_field(m, 'x')),
		.actual = text_id(f, pattern_field(m, 'a')),
		.detail = row->detail ? constant_id(f, row->detail)
				      : text_id(f, pattern_field(m, 'd')),
	};

	if (writer != WRITER_KERNEL)
		return fact;
	fact.message = text_id(f, text);
	if (!fact.error && fact.severity == SEV_ERROR)
		fact.error = rule_table[row->rule].error;
	return fact;
}

static bool is_layout(const struct log *log, nameid symbol)
{
	const char *name = names_text(log->names, symbol);

	return !strcmp(name, "module_layout") || !strcmp(name, "struct_module");
}

static void take_version(struct facts *f, struct log_fact *fact)
{
	if (is_layout(f->log, fact->symbol)) {
		fact->rule = RULE_MODULE_LAYOUT_MISMATCH;
		fact->error = fact->error ? ENOEXEC : 0;
	}
	add(f, fact);
}

static int number_of(struct span s)
{
	int n = 0;

	for (size_t i = 0; i < s.length && n < 100000; i++)
		n = n * 10 + (s.at[i] - '0');
	return n;
}

/* The errno says more than the words: -22 follows what the kernel has said before. */
static void take_symbol(struct facts *f, struct log_fact *fact, struct span number)
{
	int error = number.at ? number_of(number) : ENOENT;

	fact->is_result = true;
	if (error == EINVAL) {
		fact->rule = RULE_CRC_MISMATCH;
		fact->detail =
			constant_id(f, "err -22: it has another version, or is in a namespace "
				       "that the module does not import");
	} else if (error != ENOENT && error != 0) {
		fact->rule = RULE_LOAD_FAILED;
		fact->detail = fact->message;
	}
	fact->error = error ? error : ENOENT;
	add(f, fact);
}

/* What the errno of a failed load stands for where the kernel says nothing. */
static uint16_t rule_of_failure(int error)
{
	if (error == EKEYREJECTED || error == EBADMSG)
		return RULE_SIGNATURE_BROKEN;
	return error == ENOKEY ? RULE_SIGNATURE_MISSING : RULE_LOAD_FAILED;
}

/* A message without a module, and then a load that failed with its errno: it is of that module. */
static bool adopt(struct facts *f, const struct log_fact *failure)
{
	bool is_same = f->has_pending && f->pending.severity == SEV_ERROR &&
		       (!failure->error || f->pending.error == failure->error);

	if (!is_same || failure->module == NAME_NONE)
		return false;
	f->pending.module = failure->module;
	commit_pending(f);
	return true;
}

static bool take_failure(struct facts *f, struct log_fact *fact, struct span why)
{
	if (why.at && !fact->error) {
		fact->error = log_error_of(why.at, why.length);
		if (!fact->error)
			return false; /* of the device, or of what the module does */
	}
	if (adopt(f, fact))
		return true;
	fact->rule = rule_of_failure(fact->error);
	fact->severity = SEV_ERROR;
	fact->is_result = true;
	add(f, fact);
	return true;
}

/* "a -> b -> c -> a" */
static void take_cycle(struct facts *f, struct log_fact *fact, struct span cycle)
{
	const char *at = cycle.at, *end = cycle.at + cycle.length;
	size_t first = strcspn(at, " ");

	fact->provider = names_add(f->log->texts, at, first);
	while (at < end) {
		const char *arrow = memmem(at, (size_t)(end - at), " -> ", 4);
		size_t n = (size_t)((arrow ? arrow : end) - at);
		fact->module = names_add(f->log->modules, at, n);
		add(f, fact);
		at += n + (arrow ? 4 : 0);
	}
}

/* modutils without -e, or with a log that was cut: the module, and no symbol. */
static void end_header(struct facts *f)
{
	struct log_fact fact = {
		.rule = RULE_UNDEFINED_SYMBOL,
		.severity = SEV_ERROR,
		.writer = WRITER_MODUTILS,
		.line = f->header_line,
		.module = f->header,
	};

	if (f->header != NAME_NONE && !f->has_symbol)
		add(f, &fact);
	f->header = NAME_NONE;
}

/* "depmod: " and one word may be something else. */
static bool is_identifier(const char *s)
{
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$")] ==
	       '\0';
}

static bool take_listed(struct facts *f, struct log_fact *fact)
{
	if (f->header == NAME_NONE || !is_identifier(names_text(f->log->names, fact->symbol)))
		return false;
	fact->module = f->header;
	f->has_symbol = true;
	add(f, fact);
	return true;
}

static void take_header(struct facts *f, const struct log_fact *fact)
{
	end_header(f);
	f->header = fact->module;
	f->header_line = fact->line;
	f->has_symbol = false;
}

bool facts_take(struct facts *f, const struct row *row, uint8_t writer,
		const struct pattern_match *m, struct span text, uint32_t line)
{
	struct log_fact fact = make(f, row, writer, m, text, line);

	f->log->writers |= writer;
	switch ((enum row_kind)row->kind) {
	case ROW_FINDING:
		if (fact.rule == RULE_VERMAGIC_MISMATCH && writer == WRITER_KERNEL)
			f->log->vermagic = fact.expected;
		add(f, &fact);
		return true;
	case ROW_SYMBOL:
		take_symbol(f, &fact, pattern_field(m, 'e'));
		return true;
	case ROW_VERSION:
		take_version(f, &fact);
		return true;
	case ROW_CYCLE:
		take_cycle(f, &fact, pattern_field(m, 'd'));
		return true;
	case ROW_HEADER:
		take_header(f, &fact);
		return true;
	case ROW_LISTED:
		return take_listed(f, &fact);
	case ROW_FAILURE:
		return take_failure(f, &fact, pattern_field(m, 'd'));
	case ROW_ABSENT:
		fact.rule = RULE_LOAD_FAILED;
		fact.severity = SEV_ERROR;
		fact.detail = constant_id(f, "there is no module of this name");
		fact.is_result = true;
		add(f, &fact);
		return true;
	case ROW_BANNER:
		f->log->banner = fact.message;
		return true;
	case ROW_BLIND:
		f->log->blind = fact.detail;
		return true;
	case ROW_SEEN:
	case ROW_CALM:
		return true;
	case ROW_OTHER:
		return false;
	}
	return false;
}

/* A word may be two paths without a space between them. */
static bool take_word(struct facts *f, struct span word, bool is_trial)
{
	const char *end = word.at + word.length;

	for (const char *at = word.at; at < end;) {
		const char *next = memmem(at + 1, (size_t)(end - at - 1), "/lib/modules/", 13);
		struct span path = { at, (size_t)((next ? next : end) - at) };
		/* a tree below another directory has that in front */
		if (next && !span_is_module_file(path))
			path.length = (size_t)(end - at);
		if (path.at[0] != '/' || !span_is_module_file(path))
			return false;
		if (!is_trial)
			names_add(f->log->modules, path.at, path.length);
		at = path.at + path.length;
	}
	return true;
}

static bool take_words(struct facts *f, const char *text, bool is_trial)
{
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, " ");
		if (n && !take_word(f, (struct span) { at, n }, is_trial))
			return false;
		at += n + (at[n] == ' ');
	}
	return true;
}

bool facts_take_paths(struct facts *f, const char *text)
{
	if (text[0] != '/' || !take_words(f, text, true))
		return false;
	take_words(f, text, false);
	f->log->lists_modules = true;
	f->log->writers |= WRITER_MODUTILS;
	return true;
}

bool facts_take_dep(struct facts *f, const char *text, size_t length)
{
	size_t n = strcspn(text, " ");
	struct span path = { text, n - 1 };

	if (n < 2 || text[n - 1] != ':' || text[0] == '/' || !memchr(text, '/', n) ||
	    !span_is_module_file(path))
		return false;
	/* what follows are paths, too; a message has other words */
	if (n + 1 < length &&
	    !span_is_module_file((struct span) { text + n + 1, strcspn(text + n + 1, " ") }))
		return false;
	names_add(f->log->modules, path.at, path.length);
	f->log->lists_modules = true;
	f->log->writers |= WRITER_DEPMOD;
	return true;
}

void facts_end(struct facts *f)
{
	end_header(f);
	commit_pending(f);
}
