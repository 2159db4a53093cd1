// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mkko: make a tree of modules, sound or damaged, from one text.
 *
 *   mkko -o DIR [RECIPE...]       (no RECIPE: standard input; several are one after another)
 *
 * A recipe is lines of words. "..." may hold blanks, and \n \t \" \\ \xHH; # begins a comment.
 * A line that begins one of these files starts a file of the tree, and the lines below it are
 * about that file. Paths are below DIR; the directories above a file are made.
 *
 *   module PATH          a module, see below
 *   text PATH [<<END]    the lines up to END; without <<END an empty file
 *   symvers PATH [no-modules] [no-crcs]      Module.symvers, with the modules of the recipe
 *   system-map PATH [2.4] [32]               a System.map
 *   ksyms PATH                               a copy of a 2.4 /proc/ksyms
 *       export NAME [gpl] [ns=NS] [crc=N] [module=PATH] [type=LETTER]
 *       define NAME [type=LETTER]            (not exported; system-map only)
 *   link PATH TARGET     a symbolic link
 *   fifo PATH
 *   dir PATH
 *   default LINE         every later module begins with LINE
 *
 * A module with nothing but `module kernel/fs/fat/fat.ko` is one that Linux 6.1 for x86_64
 * would load. Its lines:
 *
 *   machine NAME         i386 x86_64 arm arm64 ppc ppc64 ppc64le s390x riscv32 riscv64
 *                        loongarch64 mips mipsel mips64 mips64el sparc sparc64 alpha parisc m68k
 *                        sh ia64
 *   class 32|64          not that of the machine; likewise
 *   order little|big
 *   e-flags N
 *   object 2.4           an object for insmod: no this_module, no __versions
 *   import NAME [weak] [local] [unreferenced] [crc=N|none] [type=N]
 *   export NAME [gpl] [ns=NS] [crc=N|none]
 *   version NAME [crc=N] an entry of __versions that no symbol asks for
 *   tag KEY=VALUE        in .modinfo, instead of the one there; defaults: license=GPL,
 *                        depends (by the recipe's other modules), retpoline=Y (x86), intree=Y,
 *                        name, vermagic="6.1.0 SMP preempt mod_unload modversions "
 *   tag+ KEY=VALUE       one more of that key
 *   no-tag KEY
 *   struct-name NAME     the name in .gnu.linkonce.this_module
 *   struct-size N        its size; 0: there is none
 *   crcs yes|no          no: CONFIG_MODVERSIONS=n
 *   layout-crc N|none    of module_layout
 *   versions plain|ext|both|none             __versions, __version_ext_*, ...
 *   layout WORD...       of the export tables: prel32 | long; namespaces | no-namespaces;
 *                        flags (7.2); crc-u32 | crc-abs | crc-long | crc-rel; section-relocs;
 *                        unsorted
 *   section NAME [type=T] [flags=WAX] [align=N] [size=N] [data=BYTES]
 *   symbol NAME [bind=B] [type=T] [section=NAME|abs|common|undef] [shndx=N] [value=N] [size=N]
 *   reloc SECTION symbol=NAME [offset=N] [type=N] [addend=N] [klp=NAME]
 *                        klp: all of them are in a section of that name, for live patches
 *   no SECTION           leave it out
 *   duplicate SECTION    have it twice
 *
 * CRCs that a recipe does not give are the CRC-32 of the name, on both sides. These lines
 * change the bytes of any file, in their order, and stand behind all others:
 *
 *   set FIELD=N...       of the ELF header (e_shoff, EI_CLASS, ...)
 *   set section NAME FIELD=N...             or its number
 *   set symbol NAME FIELD=N...
 *   set reloc SECTION NUMBER FIELD=N...
 *   truncate OFFSET      (OFFSET: N, -N from the end, SECTION, SECTION+N)
 *   bytes OFFSET BYTES   (BYTES: hex:00ff, zero:N, or text)
 *   append BYTES
 *   flip OFFSET [BIT]
 *   sign [sig-len=N] [id-type=N] [algo=N]    a signature, of a key that nobody has
 *   compress gzip|xz|zstd|lzma
 *   chmod MODE
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mkko.h"

void die(const struct line *at, const char *format, ...)
{
	va_list args;

	if (at)
		fprintf(stderr, "mkko: %s:%u: ", at->file, at->number);
	else
		fprintf(stderr, "mkko: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static char *read_all(FILE *f)
{
	struct buf b = { 0 };
	char bytes[8192];
	size_t n;

	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(&b, bytes, n);
	if (ferror(f))
		die(NULL, "cannot read the recipe");
	buf_add(&b, "", 1);
	return (char *)b.data;
}

static void read_recipe(struct recipe *r, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;

	if (!f)
		die(NULL, "%s: %s", path, strerror(errno));
	recipe_parse(r, strcmp(path, "-") ? path : "<stdin>", read_all(f));
	if (f != stdin)
		fclose(f);
}

/* Make the directories above a path. */
static void make_parents(const struct line *l, char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			die(l, "%s: %s", path, strerror(errno));
		*p = '/';
	}
}

static void write_file(const struct line *l, const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "wb");

	if (!f)
		die(l, "%s: %s", path, strerror(errno));
	if (b->size && fwrite(b->data, 1, b->size, f) != b->size)
		die(l, "%s: cannot write", path);
	if (fclose(f))
		die(l, "%s: %s", path, strerror(errno));
}

/* Bytes of a text, of evidence or of a module, and then what the recipe does to them. */
static void make_bytes(const struct recipe *r, struct entry *e, const char *path)
{
	struct buf out = { 0 };
	size_t first = 0;

	if (e->module) {
		module_build(e->module, &out);
		first = e->module->n_spec_lines;
	} else if (evidence_is_known(e->head.words[0])) {
		evidence_write(r, e, &out);
		while (first < e->n_lines && !damage_is_known(e->lines[first].words[0]))
			first++;
	} else {
		out = e->head.text;
	}
	for (size_t i = first; i < e->n_lines; i++)
		damage_run(&e->lines[i], e->module ? &e->module->object : NULL, &out);
	write_file(&e->head, path, &out);
	for (size_t i = first; i < e->n_lines; i++)
		if (!strcmp(e->lines[i].words[0], "chmod") &&
		    chmod(path, (mode_t)line_number(&e->lines[i], e->lines[i].words[1])))
			die(&e->lines[i], "%s: %s", path, strerror(errno));
}

static void make_entry(const struct recipe *r, struct entry *e, const char *directory)
{
	const struct line *l = &e->head;
	const char *kind = l->words[0];
	struct buf b = { 0 };
	char *path;
	int bad = 0;

	buf_printf(&b, "%s/%s", directory, l->words[1]);
	path = copy_string((char *)b.data, b.size);
	make_parents(l, path);
	if (!strcmp(kind, "link"))
		bad = symlink(line_word(l, 2, "what it points to"), path);
	else if (!strcmp(kind, "fifo"))
		bad = mkfifo(path, 0666);
	else if (!strcmp(kind, "dir"))
		bad = mkdir(path, 0777) && errno != EEXIST;
	else
		make_bytes(r, e, path);
	if (bad)
		die(l, "%s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
	struct recipe r = { 0 };
	const char *directory = NULL;
	int option;

	while ((option = getopt(argc, argv, "o:")) == 'o')
		directory = optarg;
	if (option != -1 || !directory) {
		fprintf(stderr, "usage: mkko -o DIR [RECIPE...]\n");
		return 2;
	}
	if (optind == argc)
		read_recipe(&r, "-");
	for (int i = optind; i < argc; i++)
		read_recipe(&r, argv[i]);
	for (size_t i = 0; i < r.n_entries; i++)
		if (!strcmp(r.entries[i].head.words[0], "module"))
			r.entries[i].module = module_read(&r.entries[i]);
	for (size_t i = 0; i < r.n_entries; i++)
		if (r.entries[i].module)
			module_complete(r.entries[i].module, &r);
	for (size_t i = 0; i < r.n_entries; i++)
		make_entry(&r, &r.entries[i], directory);
	return 0;
}
