/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel image: what a kernel says of itself. A format is one file in this folder and one row
 * of the table in kernelimage.c; this header is the only door.
 *
 *   file -> packed, if a boot loader unpacks it -> wrapper (bzImage, zboot, zImage, s390x)
 *        -> the kernel's own bytes: ELF, or raw memory -> export tables, strings, BTF
 */
#ifndef MODCHECK_KERNELIMAGE_H
#define MODCHECK_KERNELIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "codec/codec.h"
#include "model/btfbase.h"

/* An entry of an export table. Texts are not NUL-terminated and live as long as the image. */
struct kernel_image_export {
	const char *name, *ns;
	uint16_t name_length, ns_length; /* ns_length 0: in no namespace */
	uint32_t crc;
	uint8_t licence; /* enum licence */
};

/* X.509, DER. */
struct kernel_image_certificate {
	const unsigned char *bytes;
	size_t size;
};

struct kernel_image {
	const char *format;      /* "bzImage", "vmlinux", "Image", ... */
	const char *compression; /* of what is inside, NULL if there is none */
	uint16_t machine;        /* e_machine */
	bool is_big_endian;
	bool has_crcs;       /* exports have CRCs: CONFIG_MODVERSIONS=y */
	bool has_namespaces; /* exports have a field for one: 5.4 and later */
	struct kernel_image_export *exports;
	size_t n_exports;
	const char *banner; /* "Linux version 6.1.0 (...", NULL: none; not NUL-terminated */
	size_t banner_length;
	const char *vermagic; /* "6.1.0 SMP mod_unload ", NULL: none; not NUL-terminated */
	size_t vermagic_length;
	uint64_t module_struct_size; /* sizeof(struct module), 0: there is no BTF that tells */
	struct btf_base types;      /* strings NULL: likewise; they lie in the buffer or the file */
	uint64_t n_unpacked;        /* bytes of the kernel that had to be unpacked */
	struct codec_buffer buffer; /* what was unpacked */
	struct kernel_image_certificate *certificates; /* of kernel_image_read_certificates() */
	size_t n_certificates, cap_certificates;
};

/*
 * Fill in *im from a file's bytes, which must outlive it. Returns false with a phrase in *err that
 * goes behind the file's name if it is no kernel image, damaged, or of a shape that is not known;
 * a kernel that exports nothing (CONFIG_MODULES=n) is true with n_exports 0. In either case
 * kernel_image_release() has to follow.
 */
bool kernel_image_read(struct kernel_image *im, const unsigned char *bytes, size_t size,
		       struct err *err);

/*
 * Fill in nothing but the certificates, whose bytes live as long as the image and `bytes` do. All
 * of the kernel has to be unpacked for them, so this takes several times as long as the above. What
 * looks like a certificate may be none. False as above; kernel_image_release() has to follow.
 */
bool kernel_image_read_certificates(struct kernel_image *im, const unsigned char *bytes,
				    size_t size, struct err *err);

void kernel_image_release(struct kernel_image *im);

#endif
