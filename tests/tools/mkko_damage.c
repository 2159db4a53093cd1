// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines that change the bytes of a file, run in the order of the recipe: damage, a
 * signature trailer, compression.
 */
#include <elf.h>
#include <string.h>

#include "mkko.h"

/* A field of a header: where it is in 32-bit and in 64-bit objects. */
struct field {
	const char *name;
	unsigned char at32, width32, at64, width64;
};

static const struct field header_fields[] = {
	{ "EI_CLASS", 4, 1, 4, 1 },    { "EI_DATA", 5, 1, 5, 1 },
	{ "EI_VERSION", 6, 1, 6, 1 },  { "e_type", 16, 2, 16, 2 },
	{ "e_machine", 18, 2, 18, 2 }, { "e_version", 20, 4, 20, 4 },
	{ "e_entry", 24, 4, 24, 8 },   { "e_phoff", 28, 4, 32, 8 },
	{ "e_shoff", 32, 4, 40, 8 },   { "e_flags", 36, 4, 48, 4 },
	{ "e_ehsize", 40, 2, 52, 2 },  { "e_phentsize", 42, 2, 54, 2 },
	{ "e_phnum", 44, 2, 56, 2 },   { "e_shentsize", 46, 2, 58, 2 },
	{ "e_shnum", 48, 2, 60, 2 },   { "e_shstrndx", 50, 2, 62, 2 },
};
static const struct field section_fields[] = {
	{ "sh_name", 0, 4, 0, 4 },        { "sh_type", 4, 4, 4, 4 },
	{ "sh_flags", 8, 4, 8, 8 },       { "sh_addr", 12, 4, 16, 8 },
	{ "sh_offset", 16, 4, 24, 8 },    { "sh_size", 20, 4, 32, 8 },
	{ "sh_link", 24, 4, 40, 4 },      { "sh_info", 28, 4, 44, 4 },
	{ "sh_addralign", 32, 4, 48, 8 }, { "sh_entsize", 36, 4, 56, 8 },
};
static const struct field symbol_fields[] = {
	{ "st_name", 0, 4, 0, 4 },  { "st_value", 4, 4, 8, 8 },  { "st_size", 8, 4, 16, 8 },
	{ "st_info", 12, 1, 4, 1 }, { "st_other", 13, 1, 5, 1 }, { "st_shndx", 14, 2, 6, 2 },
};
static const struct field reloc_fields[] = {
	{ "r_offset", 0, 4, 0, 8 },
	{ "r_type", 4, 1, 8, 4 }, /* of a little-endian object */
	{ "r_sym", 5, 3, 12, 4 },
	{ "r_addend", 8, 4, 16, 8 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct section *find_section(const struct line *l, const struct object *o,
					  const char *name)
{
	int i = o ? object_find_section(o, name) : -1;

	if (i < 0)
		die(l, "no section %s", name);
	return &o->sections[i];
}

/* N, -N from the end, .section, .section+N */
static size_t read_offset(const struct line *l, const struct object *o, const struct buf *image,
			  const char *word)
{
	const char *plus = strchr(word, '+');
	int64_t n;

	if (word[0] == '-' || (word[0] >= '0' && word[0] <= '9')) {
		n = line_number(l, word);
		n += word[0] == '-' ? (int64_t)image->size : 0;
	} else {
		char *name = copy_string(word, plus ? (size_t)(plus - word) : strlen(word));

		n = (int64_t)find_section(l, o, name)->offset;
		n += plus ? line_number(l, plus + 1) : 0;
	}
	if (n < 0)
		die(l, "%s is before the start of the file", word);
	return (size_t)n;
}

static void set_field(const struct line *l, const struct object *o, struct buf *image, size_t base,
		      const struct field *fields, size_t n_fields, size_t first_word)
{
	line_word(l, first_word, "FIELD=VALUE");
	for (size_t w = first_word; w < l->n_words; w++) {
		const char *equals = strchr(l->words[w], '=');
		size_t length = equals ? (size_t)(equals - l->words[w]) : 0, i = 0;
		unsigned int width;
		size_t at;

		while (i < n_fields && !(strlen(fields[i].name) == length &&
					 !strncmp(fields[i].name, l->words[w], length)))
			i++;
		if (!equals || i == n_fields)
			die(l, "no such field: %s", l->words[w]);
		at = base + (o->bits == 64 ? fields[i].at64 : fields[i].at32);
		width = o->bits == 64 ? fields[i].width64 : fields[i].width32;
		if (at + width > image->size)
			die(l, "%s is not in the file any more", l->words[w]);
		put_word(image->data + at, (uint64_t)line_number(l, equals + 1), width, o->big);
	}
}

static void set_symbol(const struct line *l, const struct object *o, struct buf *image)
{
	int i = object_find_symbol(o, line_word(l, 2, "a symbol"));
	size_t base = find_section(l, o, ".symtab")->offset;

	if (i < 0)
		die(l, "no symbol %s", l->words[2]);
	base += o->symbols[i].index * (o->bits == 64 ? 24 : 16);
	set_field(l, o, image, base, symbol_fields, COUNT(symbol_fields), 3);
}

static void set_reloc(const struct line *l, const struct object *o, struct buf *image)
{
	const struct section *s = find_section(l, o, line_word(l, 2, "a section"));
	size_t i = (size_t)line_number(l, line_word(l, 3, "the number of a relocation"));

	if (i >= s->n_relocs || o->big)
		die(l, "no such relocation, or of a big-endian object");
	set_field(l, o, image, s->reloc_offset + i * object_word(o) * (o->machine->rela ? 3 : 2),
		  reloc_fields, COUNT(reloc_fields), 4);
}

/* Where the header of a section is: by name, or by number, which finds 0 and relocations too. */
static size_t section_header(const struct line *l, const struct object *o, const struct buf *image)
{
	const char *name = line_word(l, 2, "a section");
	unsigned int word = object_word(o);

	if (name[0] < '0' || name[0] > '9')
		return find_section(l, o, name)->header;
	return get_word(image->data + 24 + 2 * word, word, o->big) +
	       (size_t)line_number(l, name) * (o->bits == 64 ? 64 : 40);
}

/* set FIELD=N; set section NAME FIELD=N; set symbol NAME FIELD=N; set reloc SECTION I FIELD=N */
static void do_set(const struct line *l, const struct object *o, struct buf *image)
{
	const char *what = line_word(l, 1, "a field");

	if (!o)
		die(l, "only a module has fields");
	if (!strcmp(what, "section"))
		set_field(l, o, image, section_header(l, o, image), section_fields,
			  COUNT(section_fields), 3);
	else if (!strcmp(what, "symbol"))
		set_symbol(l, o, image);
	else if (!strcmp(what, "reloc"))
		set_reloc(l, o, image);
	else
		set_field(l, o, image, 0, header_fields, COUNT(header_fields), 1);
}

static void do_truncate(const struct line *l, const struct object *o, struct buf *image)
{
	size_t size = read_offset(l, o, image, line_word(l, 1, "a size"));

	if (size > (size_t)1 << 30)
		die(l, "at most 1 GiB");
	if (size > image->size)
		buf_fill(image, 0, size - image->size);
	image->size = size;
}

static void do_bytes(const struct line *l, const struct object *o, struct buf *image)
{
	size_t at = read_offset(l, o, image, line_word(l, 1, "an offset"));
	struct buf bytes = { 0 };

	line_bytes(l, line_word(l, 2, "bytes"), &bytes);
	if (at > image->size || bytes.size > image->size - at)
		die(l, "the file ends before that");
	memcpy(image->data + at, bytes.data, bytes.size);
}

static void do_append(const struct line *l, const struct object *o, struct buf *image)
{
	(void)o;
	line_bytes(l, line_word(l, 1, "bytes"), image);
}

static void do_flip(const struct line *l, const struct object *o, struct buf *image)
{
	size_t at = read_offset(l, o, image, line_word(l, 1, "an offset"));
	int64_t bit = l->n_words > 2 ? line_number(l, l->words[2]) : 0;

	if (at >= image->size || bit < 0 || bit > 7)
		die(l, "no such bit in the file");
	image->data[at] ^= (unsigned char)(1 << bit);
}

/*
 * A PKCS#7 message as scripts/sign-file makes it, in DER, up to the signature of 256 bytes:
 *
 *   ContentInfo { signedData, SignedData { 1, { sha256 }, { data }, {
 *     SignerInfo { 1, { "CN=mkko", 1 }, sha256, rsaEncryption, OCTET STRING } } } }
 */
static const unsigned char message[] = {
	0x30, 0x82, 0x01, 0x73, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02,
	0xa0, 0x82, 0x01, 0x64, 0x30, 0x82, 0x01, 0x60, 0x02, 0x01, 0x01, 0x31, 0x0d, 0x30, 0x0b,
	0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x30, 0x0b, 0x06, 0x09,
	0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01, 0x31, 0x82, 0x01, 0x3d, 0x30, 0x82,
	0x01, 0x39, 0x02, 0x01, 0x01, 0x30, 0x14, 0x30, 0x0f, 0x31, 0x0d, 0x30, 0x0b, 0x06, 0x03,
	0x55, 0x04, 0x03, 0x0c, 0x04, 0x6d, 0x6b, 0x6b, 0x6f, 0x02, 0x01, 0x01, 0x30, 0x0b, 0x06,
	0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x30, 0x0d, 0x06, 0x09, 0x2a,
	0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00, 0x04, 0x82, 0x01, 0x00,
};

/*
 * What scripts/sign-file appends: the PKCS#7 message (of a key that nobody has), 12 bytes {algo,
 * hash, id_type, signer_len, key_id_len, pad[3], be32 sig_len}, 28 bytes of magic.
 */
static void do_sign(const struct line *l, const struct object *o, struct buf *image)
{
	const char *length = line_option(l, "sig-len"), *id_type = line_option(l, "id-type");
	const char *algo = line_option(l, "algo");
	unsigned char tail[8] = { 0, 0, 2 };

	(void)o;
	if (algo)
		tail[0] = (unsigned char)line_number(l, algo);
	if (id_type)
		tail[2] = (unsigned char)line_number(l, id_type);
	buf_add(image, message, sizeof(message));
	buf_fill(image, 0x5a, 256);
	buf_add(image, tail, sizeof(tail));
	buf_add_word(image, length ? (uint64_t)line_number(l, length) : sizeof(message) + 256, 4,
		     true);
	buf_add(image, "~Module signature appended~\n", 28);
}

static void do_compress(const struct line *l, const struct object *o, struct buf *image)
{
	(void)o;
	compress_bytes(l, image);
}

/* The mode is set when the file is on disk. */
static void do_chmod(const struct line *l, const struct object *o, struct buf *image)
{
	(void)o;
	(void)image;
	line_number(l, line_word(l, 1, "a mode"));
}

static const struct {
	const char *word;
	void (*run)(const struct line *l, const struct object *o, struct buf *image);
} words[] = { { "set", do_set },           { "truncate", do_truncate }, { "bytes", do_bytes },
	      { "append", do_append },     { "flip", do_flip },         { "sign", do_sign },
	      { "compress", do_compress }, { "chmod", do_chmod } };

bool damage_is_known(const char *word)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (!strcmp(words[i].word, word))
			return true;
	return false;
}

void damage_run(const struct line *l, const struct object *o, struct buf *image)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (!strcmp(words[i].word, l->words[0])) {
			words[i].run(l, o, image);
			return;
		}
	die(l, "%s changes no bytes, and stands behind a line that does", l->words[0]);
}
