/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .modinfo: strings "tag=value", each ended by one or more NULs (get_next_modinfo(),
 * kernel/module/main.c, 6.1). Only the first of a tag counts, but for import_ns. Kernels up to
 * 6.1 look only at a section with SHF_ALLOC; 6.12 and later take any.
 *
 * .gnu.linkonce.this_module: the struct module itself. Since 2.6.0 it begins with a state, a list
 * head and then the name: at 24 with 8-byte pointers, at 12 with 4-byte ones.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "read/reader.h"

enum tag_kind { TAG_STRING, TAG_SHARED, TAG_FLAG, TAG_CHECKSUMS, TAG_JOINED };

struct tag {
	const char *name;
	uint8_t length;
	uint8_t kind; /* TAG_SHARED: many modules have the same value */
	uint16_t field;
};

#define ROW(tag, kind, field)                                                                      \
	{                                                                                          \
		tag, sizeof(tag) - 1, kind, offsetof(struct modinfo, field)                        \
	}

static const struct tag tags[] = {
	ROW("name", TAG_STRING, name),
	ROW("vermagic", TAG_SHARED, vermagic),
	ROW("license", TAG_SHARED, license),
	ROW("depends", TAG_STRING, depends),
	ROW("kernel_version", TAG_SHARED, kernel_version),
	ROW("intree", TAG_FLAG, has_intree),
	ROW("staging", TAG_FLAG, has_staging),
	ROW("test", TAG_FLAG, has_test),
	ROW("livepatch", TAG_FLAG, has_livepatch),
	ROW("retpoline", TAG_FLAG, has_retpoline),
	ROW("softdep", TAG_JOINED, softdep),
	ROW("using_checksums", TAG_CHECKSUMS, using_checksums),
};

#define IMPORT_NS "import_ns"
#define MAX_IMPORT_NS 4096u /* more is no real module: the most seen is 11 */
#define MAX_VALUE_BYTES 65536u
#define MAX_JOINED_BYTES 1024u /* further ones are left out: the most seen is 210 */

struct namespaces {
	nameid *ids;
	size_t n, cap;
};

/* A copy that lives on: the module's own name, which `name=` mostly is, is there already. */
static const char *keep(struct elffile *f, uint8_t kind, const char *value, size_t length)
{
	struct reader *r = f->reader;

	if (f->m->name && strcmp(f->m->name, value) == 0)
		return f->m->name;
	if (length > MAX_VALUE_BYTES)
		length = MAX_VALUE_BYTES;
	if (kind == TAG_SHARED && length <= LIMIT_NAME_BYTES)
		return names_text(r->names, names_add(r->names, value, length));
	return arena_strndup(r->arena, value, length);
}

/* Values of a tag that may be there several times, a line each. */
static void join(struct elffile *f, const char **text, const char *value, size_t length)
{
	if (length + (*text ? strlen(*text) : 0) > MAX_JOINED_BYTES)
		return;
	*text = *text ? arena_printf(f->reader->arena, "%s\n%s", *text, value)
		      : arena_strndup(f->reader->arena, value, length);
}

static void set_tag(struct elffile *f, const struct tag *t, const char *value, size_t length)
{
	char *field = (char *)&f->m->info + t->field;

	if (t->kind == TAG_FLAG) {
		*(bool *)(void *)field = true;
		return;
	}
	if (t->kind == TAG_CHECKSUMS) {
		*(bool *)(void *)field = strcmp(value, "1") == 0;
		return;
	}
	const char **text = (const char **)(void *)field;
	if (t->kind == TAG_JOINED)
		join(f, text, value, length);
	else if (!*text)
		*text = keep(f, t->kind, value, length);
}

static void add_namespace(struct elffile *f, struct namespaces *ns, const char *value,
			  size_t length)
{
	nameid id;

	if (ns->n == MAX_IMPORT_NS) {
		file_fault(f, FAULT_LIMIT, ".modinfo has more than %u import_ns", MAX_IMPORT_NS);
		ns->n++;
	}
	if (ns->n > MAX_IMPORT_NS || !file_add_name(f, value, length, &id) || id == NAME_NONE)
		return;
	VEC_PUSH(ns->ids, ns->n, ns->cap) = id;
}

/* One NUL-terminated string. */
static void read_string(struct elffile *f, struct namespaces *ns, const char *s, size_t length)
{
	const char *equals = memchr(s, '=', length);

	if (!equals)
		return;
	size_t tag_length = (size_t)(equals - s), value_length = length - tag_length - 1;
	if (tag_length == sizeof(IMPORT_NS) - 1 && memcmp(s, IMPORT_NS, tag_length) == 0) {
		add_namespace(f, ns, equals + 1, value_length);
		return;
	}
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		if (tags[i].length != tag_length || memcmp(tags[i].name, s, tag_length) != 0)
			continue;
		set_tag(f, &tags[i], equals + 1, value_length);
		return;
	}
}

/*
 * The loader only looks whether a string begins inside of the section, and at the first not even
 * that: it takes the string to its NUL, wherever in the file that is.
 */
static void read_unterminated(struct elffile *f, struct namespaces *ns, uint64_t offset)
{
	struct image *img = &f->reader->image;
	unsigned char *copy = mem_zalloc(MAX_VALUE_BYTES + 1), buffer;
	size_t n = 0;

	for (; n < MAX_VALUE_BYTES; n++) {
		const unsigned char *byte = image_bytes(img, offset + n, &buffer, 1);
		if (!byte || *byte == '\0') /* behind the file's end are zeros */
			break;
		copy[n] = *byte;
	}
	if (n == MAX_VALUE_BYTES)
		file_fault(f, FAULT_LIMIT, "the last string of .modinfo has no end");
	else
		read_string(f, ns, (const char *)copy, n);
	free(copy);
}

void modinfo_read(struct elffile *f)
{
	struct namespaces ns = { 0 };
	uint64_t size;
	const char *s = (const char *)sections_part(f, PART_MODINFO, &size);

	const struct section *section = &f->sections[f->parts[PART_MODINFO]];

	f->m->info.is_loaded = section->flags & SHF_ALLOC;
	if (f->parts[PART_MODINFO] && section->size == 0 && section->type != SHT_NOBITS)
		read_unterminated(f, &ns, section->offset);
	while (size > 0) {
		const char *end = memchr(s, '\0', (size_t)size);
		if (!end) {
			read_unterminated(f, &ns, section->offset + section->size - size);
			break;
		}
		if (end > s)
			read_string(f, &ns, s, (size_t)(end - s));
		size -= (uint64_t)(end - s) + 1;
		s = end + 1;
	}
	if (ns.n > MAX_IMPORT_NS)
		ns.n = MAX_IMPORT_NS;
	if (ns.n > 0) {
		f->m->info.import_ns = arena_array(f->reader->arena, ns.n, sizeof(*ns.ids));
		memcpy(f->m->info.import_ns, ns.ids, ns.n * sizeof(*ns.ids));
	}
	f->m->info.n_import_ns = (uint32_t)ns.n;
	free(ns.ids);
}

void this_module_read(struct elffile *f)
{
	uint64_t size;
	const unsigned char *bytes = sections_part(f, PART_THIS_MODULE, &size);
	size_t at = f->header.is_64 ? 24 : 12, room = 64 - (f->header.is_64 ? 8 : 4);
	uint32_t index = f->parts[PART_THIS_MODULE];

	if (index == 0) {
		if (!f->m->is_object_24 && f->reader->image.names != NOT_LOADED)
			check_fault(f, FAULT_ELF, ELF_MODULE_ABSENT, 0, 0,
				    "no module: there is no section .gnu.linkonce.this_module");
		return;
	}
	const struct section *s = &f->sections[index];
	f->m->this_module_size = s->size;
	if (s->type == SHT_NOBITS)
		check_fault(f, FAULT_ELF, ELF_MODULE_NO_BYTES, 0, 0,
			    "section %u .gnu.linkonce.this_module has no bytes (NOBITS)", index);
	if (!(s->flags & SHF_ALLOC))
		check_fault(
			f, FAULT_ELF, ELF_MODULE_NOT_LOADED, 0, 0,
			"section %u .gnu.linkonce.this_module occupies no memory (no SHF_ALLOC)",
			index);
	if (!bytes || size < at + room)
		return;
	const char *name = (const char *)bytes + at;
	size_t length = strnlen(name, room);
	if (length == room || length == 0)
		return;
	f->m->struct_name = keep(f, TAG_STRING, name, length);
}
