/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's kernels before 6.1 hold the certificate of the distribution's signing service, later
 * ones that of a key made for this one build and thrown away; a kernel of one's own has it in the
 * build directory, too.
 */
#include "kernel/certificates.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "image/kernelimage.h"
#include "kernel/discover.h"
#include "kernel/evidence.h"

static struct certificate *add(struct certificate *list, const void *bytes, size_t size,
			       struct arena *a)
{
	struct certificate *c = arena_alloc(a, sizeof(*c));

	*c = (struct certificate) { list, arena_copy(a, bytes, size), size };
	return c;
}

const struct certificate *certificates_of_build(const struct evidence_options *options,
						struct arena *a)
{
	struct certificate *list = NULL;
	struct file file = { 0 };
	struct err ignored;

	if (!options->moddir)
		return NULL;
	const char *shown = arena_printf(a, "%s/build/certs/signing_key.x509", options->moddir);
	const char *path = discover_resolve(options->basedir, shown, a);
	if (path &&
	    file_read(&file, path, FILE_REGULAR_ONLY, LIMIT_CONFIG_BYTES, &ignored) == FILE_OK)
		list = add(NULL, file.bytes, file.size, a);
	file_release(&file);
	return list;
}

static struct certificate *read_image(const char *path, enum file_flags flags, struct arena *a)
{
	struct certificate *list = NULL;
	struct kernel_image im = { 0 };
	struct file file = { 0 };
	struct err ignored;

	if (file_read(&file, path, flags, LIMIT_IMAGE_BYTES, &ignored) == FILE_OK &&
	    kernel_image_read_certificates(&im, (const unsigned char *)file.bytes, file.size,
					   &ignored)) {
		for (size_t i = 0; i < im.n_certificates; i++)
			list = add(list, im.certificates[i].bytes, im.certificates[i].size, a);
	}
	kernel_image_release(&im);
	file_release(&file);
	return list;
}

const struct certificate *certificates_of_image(const struct evidence_options *options,
						struct arena *a)
{
	struct certificate *list = NULL;
	unsigned int i = 0;
	const char *shown;

	if (options->kernel_image)
		return read_image(options->kernel_image, FILE_REGULAR_ONLY, a);
	while (!list && (shown = discover_next(options, SOURCE_IMAGE, &i, a))) {
		const char *path = discover_resolve(options->basedir, shown, a);
		if (path)
			list = read_image(path, FILE_REGULAR_ONLY, a);
	}
	return list;
}
