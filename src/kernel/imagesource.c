/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only door to src/image. All that is kept of an image is copied: its unpacked bytes are many.
 */
#include "kernel/imagesource.h"

#include <string.h>

#include "base/arena.h"
#include "image/kernelimage.h"

static void add_export(struct listing *l, const struct kernel_image *im,
		       const struct kernel_image_export *e, struct names *names)
{
	struct ksym *sym = listing_add(l);

	if (!sym) {
		l->n_bad++;
		return;
	}
	sym->name = names_add(names, e->name, e->name_length);
	sym->ns = names_add(names, e->ns, e->ns_length);
	sym->crc = e->crc;
	sym->has_crc = im->has_crcs;
	sym->is_exported = true;
	sym->licence = e->licence;
	l->has_crcs |= e->crc != 0;
}

static void fill_kernel(struct kernel *k, const struct kernel_image *im, struct arena *a)
{
	k->machine = im->machine;
	k->module_struct_size = im->module_struct_size;
	if (im->vermagic)
		k->vermagic = arena_strndup(a, im->vermagic, im->vermagic_length);
	if (im->banner)
		k->banner = arena_strndup(a, im->banner, im->banner_length);
}

/* Strings that do not end with NUL are none. */
static void keep_types(struct kernel *k, const struct btf_base *types, struct arena *a)
{
	if (!types->strings || types->n_types == 0 || types->strings[types->strings_size - 1])
		return;
	char *copy = arena_bytes(a, types->strings_size);
	memcpy(copy, types->strings, types->strings_size);
	k->types = *types;
	k->types.strings = copy;
}

bool imagesource_read(struct listing *l, struct kernel *kernel, const char *bytes, size_t size,
		      bool wants_types, struct names *names, struct arena *a, struct err *err)
{
	struct kernel_image im;
	bool is_read = kernel_image_read(&im, (const unsigned char *)bytes, size, err);

	for (size_t i = 0; is_read && i < im.n_exports; i++)
		add_export(l, &im, &im.exports[i], names);
	if (is_read) {
		l->n_lines = (uint32_t)im.n_exports;
		l->knows_licences = true;
		l->knows_namespaces = im.has_namespaces;
		fill_kernel(kernel, &im, a);
		if (wants_types)
			keep_types(kernel, &im.types, a);
	}
	kernel_image_release(&im);
	return is_read;
}

const char *imagesource_doubt(const struct kernel *kernel, struct arena *a)
{
	const char *v = kernel->vermagic;
	size_t n = v ? strcspn(v, " ") : 0;

	if (!n || !kernel->release ||
	    (strlen(kernel->release) == n && memcmp(v, kernel->release, n) == 0))
		return NULL;
	return arena_printf(a, "of another release, %.*s", (int)n, v);
}
