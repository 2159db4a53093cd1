/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The certificates that are compiled into a kernel (system_certificate_list, certs/
 * system_certificates.S): X.509 in DER, one behind the other, in the init data, at no place that
 * anything else tells. They are found by how version 3 certificates begin:
 *
 *   30 82 SIZE  30 82 SIZE  a0 03 02 01 02  02 ...
 *   Certificate tbs         version: 3      serialNumber
 */
#include <string.h>

#include "base/mem.h"
#include "image/body.h"
#include "image/kernelimage.h"

#define HEAD_BYTES 8 /* in front of the version */
#define MAX_CERTIFICATES 256

static bool is_head(const unsigned char *p, uint32_t outer, uint32_t inner)
{
	return p[0] == 0x30 && p[1] == 0x82 && p[4] == 0x30 && p[5] == 0x82 && inner < outer;
}

void certificates_find(struct kernel_image *im, const unsigned char *bytes, size_t size)
{
	static const unsigned char version[] = { 0xa0, 0x03, 0x02, 0x01, 0x02, 0x02 };
	const unsigned char *p = bytes, *end = bytes + size;

	while ((p = memmem(p, (size_t)(end - p), version, sizeof(version)))) {
		size_t at = (size_t)(p - bytes);
		p += sizeof(version);
		if (at < HEAD_BYTES || im->n_certificates == MAX_CERTIFICATES)
			continue;
		const unsigned char *start = bytes + at - HEAD_BYTES;
		uint32_t outer = bytes_get16(start + 2, true), inner = bytes_get16(start + 6, true);
		if (!is_head(start, outer, inner) || outer + 4 > (size_t)(end - start))
			continue;
		VEC_PUSH(im->certificates, im->n_certificates, im->cap_certificates) =
			(struct kernel_image_certificate) { start, outer + 4 };
	}
}
