/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf_check_all_metas() and btf_check_type_tags() (kernel/bpf/btf.c, 6.1 and 6.12).
 *
 *   u32 name_off; u32 info: vlen 16 bits, unused 8, kind 5, unused 2, kind_flag 1; u32 size or type
 *
 * and then, by kind: INT u32; ARRAY u32 type, index_type, nelems; STRUCT and UNION vlen times { u32
 * name_off, type, offset }; ENUM { u32 name_off, value }; ENUM64 with 8 bytes of value; FUNC_PROTO
 * { u32 name_off, type }; VAR u32 linkage; DATASEC { u32 type, offset, size }; DECL_TAG s32.
 *
 * Type numbers and offsets of names go on from those of the base. That a number of the base means
 * what the module thinks is not looked at, nor is it by the kernel. kind_flag of tags is taken by
 * some versions: it is let pass.
 */
#include "read/btftypes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define TYPE_BYTES 12
#define INFO_MASK 0x9f00ffffu
#define MAX_TYPE 0xfffffu
#define MAX_NAME_OFFSET 0xffffffu
#define MAX_NAME_BYTES 512 /* KSYM_NAME_LEN */
#define CHAIN_LIMIT 32
#define KERNEL_ENOTSUPP 524

enum kind {
	KIND_UNKNOWN,
	KIND_INT,
	KIND_PTR,
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_UNION,
	KIND_ENUM,
	KIND_FWD,
	KIND_TYPEDEF,
	KIND_VOLATILE,
	KIND_CONST,
	KIND_RESTRICT,
	KIND_FUNC,
	KIND_FUNC_PROTO,
	KIND_VAR,
	KIND_DATASEC,
	KIND_FLOAT,
	KIND_DECL_TAG,
	KIND_TYPE_TAG,
	KIND_ENUM64,
	N_KINDS
};

/* A type, taken apart. */
struct type {
	const struct btf_types *all;
	uint32_t name, n, size; /* size: or type */
	enum kind kind;
	bool has_flag;
	const unsigned char *more;
};

enum name_rule { NAME_ANY, NAME_NONE_AT_ALL, NAME_OR_NONE, NAME_NEEDED, NAME_SECTION, NAME_TEXT };

struct kind_rule {
	uint8_t fixed, per_member; /* bytes behind the 12 */
	uint8_t name;              /* enum name_rule */
	uint8_t max_n;             /* 255: what fits */
	bool takes_flag;
	bool is_reference; /* `size` is a type */
	const char *(*check)(const struct type *t, uint32_t *error);
};

static uint32_t word(const struct type *t, uint32_t i)
{
	return bytes_get32(t->more + (size_t)i * 4, t->all->is_big);
}

/* The name at that offset; NULL if there is none, "" for no name. *is_known: else nothing is said.
 */
static const char *name_at(const struct btf_types *t, uint32_t offset, bool *is_known)
{
	*is_known = true;
	if (offset > MAX_NAME_OFFSET)
		return NULL;
	if (offset == 0)
		return "";
	if (!t->base.strings) {
		*is_known = false;
		return "";
	}
	if (offset < t->base.strings_size)
		return t->base.strings + offset;
	offset -= t->base.strings_size;
	return offset < t->strings_size ? t->strings + offset : NULL;
}

static bool is_identifier(const char *name)
{
	size_t n = 0;

	for (; n < MAX_NAME_BYTES && name[n]; n++) {
		bool is_ok = n ? isalnum((unsigned char)name[n]) : isalpha((unsigned char)name[n]);
		if (!is_ok && name[n] != '_' && name[n] != '.')
			return false;
	}
	return n > 0 && n < MAX_NAME_BYTES;
}

static bool is_section_name(const char *name)
{
	size_t n = 0;

	for (; n < MAX_NAME_BYTES && name[n]; n++)
		if (!isprint((unsigned char)name[n]))
			return false;
	return n > 0 && n < MAX_NAME_BYTES;
}

static const char *check_name(const struct btf_types *t, uint32_t offset, enum name_rule rule)
{
	static const char bad[] = "a name is none";
	bool is_known;
	const char *name = name_at(t, offset, &is_known);

	if (!name)
		return "the offset of a name is beyond the strings";
	if (rule == NAME_ANY || (rule == NAME_OR_NONE && offset == 0))
		return NULL;
	if (rule == NAME_NONE_AT_ALL)
		return offset ? "a type of a kind without names has one" : NULL;
	if (offset == 0)
		return "a type of a kind with names has none";
	if (!is_known)
		return NULL;
	if (rule == NAME_TEXT)
		return *name ? NULL : bad;
	if (rule == NAME_SECTION)
		return is_section_name(name) ? NULL : bad;
	return is_identifier(name) ? NULL : bad;
}

/* A type that is not void, and a number that there can be. */
static bool is_type(uint32_t id)
{
	return id != 0 && id <= MAX_TYPE;
}

static const char *check_int(const struct type *t, uint32_t *error)
{
	uint32_t data = word(t, 0), bits = (data & 0xff) + (data >> 16 & 0xff);
	uint32_t encoding = data >> 24 & 0xf;

	if (data & 0xf0000000u || bits > 128 || (bits + 7) / 8 > t->size)
		return "an integer has more bits than its size";
	if (encoding & (encoding - 1) || encoding > 4) {
		*error = KERNEL_ENOTSUPP;
		return "an integer of an unknown encoding";
	}
	return NULL;
}

static const char *check_array(const struct type *t, uint32_t *error)
{
	(void)error;
	if (t->size || !is_type(word(t, 0)) || !is_type(word(t, 1)))
		return "an array has no type, no index type, or a size of its own";
	return NULL;
}

static const char *check_members(const struct type *t, uint32_t *error)
{
	uint32_t last = 0;

	(void)error;
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t offset = word(t, 3 * i + 2);
		const char *wrong = check_name(t->all, word(t, 3 * i), NAME_OR_NONE);
		if (wrong)
			return wrong;
		if (t->has_flag)
			offset &= 0xffffff;
		if (!is_type(word(t, 3 * i + 1)))
			return "a member has no type";
		if (offset < last || (t->kind == KIND_UNION && offset) ||
		    ((uint64_t)offset + 7) / 8 > t->size)
			return "a member is not where it should be";
		last = offset;
	}
	return NULL;
}

static const char *check_enum(const struct type *t, uint32_t *error)
{
	uint32_t words = t->kind == KIND_ENUM ? 2 : 3;

	(void)error;
	if (t->size > 8 || t->size == 0 || t->size & (t->size - 1))
		return "an enumeration has an odd size";
	for (uint32_t i = 0; i < t->n; i++) {
		const char *wrong = check_name(t->all, word(t, words * i), NAME_NEEDED);
		if (wrong)
			return wrong;
	}
	return NULL;
}

static const char *check_forward(const struct type *t, uint32_t *error)
{
	(void)error;
	return t->size ? "a declaration has a type" : NULL;
}

static const char *check_variable(const struct type *t, uint32_t *error)
{
	(void)error;
	if (!t->size || word(t, 0) > 1)
		return "a variable has no type, or an unknown linkage";
	return NULL;
}

static const char *check_datasec(const struct type *t, uint32_t *error)
{
	uint64_t end = 0;

	(void)error;
	if (!t->size)
		return "a section has no size";
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t offset = word(t, 3 * i + 1), size = word(t, 3 * i + 2);
		if (!is_type(word(t, 3 * i)) || offset < end || size == 0)
			return "a variable is not where it should be";
		end = (uint64_t)offset + size;
		if (end > t->size)
			return "a variable is beyond its section";
	}
	return NULL;
}

static const char *check_float(const struct type *t, uint32_t *error)
{
	(void)error;
	if (t->size != 2 && t->size != 4 && t->size != 8 && t->size != 12 && t->size != 16)
		return "a floating point type has an odd size";
	return NULL;
}

static const char *check_tag(const struct type *t, uint32_t *error)
{
	(void)error;
	return (int32_t)word(t, 0) < -1 ? "a tag is of no component" : NULL;
}

#define ALL 255

static const struct kind_rule kinds[N_KINDS] = {
	[KIND_INT] = { 4, 0, NAME_ANY, 0, false, false, check_int },
	[KIND_PTR] = { 0, 0, NAME_NONE_AT_ALL, 0, false, true, NULL },
	[KIND_ARRAY] = { 12, 0, NAME_NONE_AT_ALL, 0, false, false, check_array },
	[KIND_STRUCT] = { 0, 12, NAME_OR_NONE, ALL, true, false, check_members },
	[KIND_UNION] = { 0, 12, NAME_OR_NONE, ALL, true, false, check_members },
	[KIND_ENUM] = { 0, 8, NAME_OR_NONE, ALL, true, false, check_enum },
	[KIND_FWD] = { 0, 0, NAME_NEEDED, 0, true, false, check_forward },
	[KIND_TYPEDEF] = { 0, 0, NAME_NEEDED, 0, false, true, NULL },
	[KIND_VOLATILE] = { 0, 0, NAME_NONE_AT_ALL, 0, false, true, NULL },
	[KIND_CONST] = { 0, 0, NAME_NONE_AT_ALL, 0, false, true, NULL },
	[KIND_RESTRICT] = { 0, 0, NAME_NONE_AT_ALL, 0, false, true, NULL },
	[KIND_FUNC] = { 0, 0, NAME_NEEDED, 1, false, false, NULL },
	[KIND_FUNC_PROTO] = { 0, 8, NAME_NONE_AT_ALL, ALL, false, false, NULL },
	[KIND_VAR] = { 4, 0, NAME_NEEDED, 0, false, true, check_variable },
	[KIND_DATASEC] = { 0, 12, NAME_SECTION, ALL, false, false, check_datasec },
	[KIND_FLOAT] = { 0, 0, NAME_ANY, 0, false, false, check_float },
	[KIND_DECL_TAG] = { 4, 0, NAME_TEXT, 0, true, false, check_tag },
	[KIND_TYPE_TAG] = { 0, 0, NAME_TEXT, 0, true, true, NULL },
	[KIND_ENUM64] = { 0, 12, NAME_OR_NONE, ALL, true, false, check_enum },
};

/* The kernel refuses all other kinds in a .BTF.base when it looks for its own types of those names.
 */
static bool is_distillable(const struct type *t)
{
	switch (t->kind) {
	case KIND_INT:
	case KIND_FLOAT:
	case KIND_ENUM:
	case KIND_STRUCT:
	case KIND_UNION:
	case KIND_FWD:
		return t->name != 0;
	default:
		return false;
	}
}

/* Take the type at this offset apart; its length, 0 if it is wrong. */
static uint64_t take(struct type *t, const struct btf_types *all, uint32_t at, const char **wrong)
{
	const unsigned char *p = all->bytes + at;

	*wrong = "the types end within one";
	if (all->size - at < TYPE_BYTES)
		return 0;
	uint32_t info = bytes_get32(p + 4, all->is_big), kind = info >> 24 & 0x1f;
	*t = (struct type) { .all = all,
			     .name = bytes_get32(p, all->is_big),
			     .n = info & 0xffff,
			     .size = bytes_get32(p + 8, all->is_big),
			     .kind = (enum kind)kind,
			     .has_flag = info >> 31,
			     .more = p + TYPE_BYTES };
	if (info & ~INFO_MASK || kind >= N_KINDS || kind == KIND_UNKNOWN) {
		*wrong = "a type of an unknown kind";
		return 0;
	}
	uint64_t length = TYPE_BYTES + kinds[kind].fixed + (uint64_t)t->n * kinds[kind].per_member;
	if (length > all->size - at)
		return 0;
	*wrong = NULL;
	return length;
}

static const char *check_type(const struct type *t, uint32_t *error)
{
	const struct kind_rule *rule = &kinds[t->kind];
	const char *wrong = check_name(t->all, t->name, (enum name_rule)rule->name);

	if (wrong)
		return wrong;
	if (rule->max_n != ALL && t->n > rule->max_n)
		return "a type of a kind without members has some";
	if (t->has_flag && !rule->takes_flag)
		return "a type of a kind without kind_flag has it set";
	if (rule->is_reference && t->size > MAX_TYPE)
		return "the number of a type is too high";
	wrong = rule->check ? rule->check(t, error) : NULL;
	if (!wrong && t->all->is_distilled && !is_distillable(t))
		return "a type of a kind that it may not have, or without a name";
	return wrong;
}

/* What a type hides behind, if it is a modifier; else NOT_ONE. */
#define NOT_ONE UINT32_MAX

static bool is_modifier(enum kind kind)
{
	return kind == KIND_TYPEDEF || kind == KIND_VOLATILE || kind == KIND_CONST ||
	       kind == KIND_RESTRICT || kind == KIND_TYPE_TAG;
}

/* Follow the modifiers from type `id` on to one that is known to be good. */
static const char *check_chain(const struct btf_types *t, const uint32_t *behind, uint32_t id,
			       uint32_t *error)
{
	const uint32_t first = t->base.n_types, good = id - 1;

	for (unsigned int n = 0; id > good; n++) {
		if (behind[id - first] == NOT_ONE)
			return NULL;
		if (n == CHAIN_LIMIT) {
			*error = ELOOP;
			return "types refer to each other in a circle";
		}
		id = behind[id - first];
		if (id >= first && id - first >= t->n_types)
			return "a type refers to one that there is not";
	}
	return NULL;
}

static const char *check_chains(const struct btf_types *t, const uint32_t *behind, uint32_t *error)
{
	const char *wrong = NULL;

	for (uint32_t i = 0; t->base.strings && i < t->n_types && !wrong; i++)
		wrong = check_chain(t, behind, t->base.n_types + i, error);
	return wrong;
}

const char *btftypes_refusal(struct btf_types *t, uint32_t *error)
{
	uint32_t *behind = mem_zalloc((t->size / TYPE_BYTES + 1) * sizeof(*behind));
	const char *wrong = NULL;
	uint64_t length;

	t->n_types = 0;
	for (uint32_t at = 0; at < t->size && !wrong; at += (uint32_t)length) {
		struct type type;
		length = take(&type, t, at, &wrong);
		if (!wrong)
			wrong = check_type(&type, error);
		if (!wrong)
			behind[t->n_types++] = is_modifier(type.kind) ? type.size : NOT_ONE;
	}
	if (!wrong)
		wrong = check_chains(t, behind, error);
	free(behind);
	return wrong;
}
