/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel images. Without a seed that is one, chance finds no export table of a hundred entries;
 * so the input also is laid over a kernel made by hand, whose bytes it changes: pairs of offset
 * and value. The first byte tells which kernel.
 */
#include <stdlib.h>

#include "../unit/image_fixture.h"
#include "image/kernelimage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_image(const uint8_t *data, size_t size)
{
	struct kernel_image im;
	struct err err = { "" };
	size_t sum = 0;

	if (!kernel_image_read(&im, data, size, &err) && !err.text[0])
		abort();
	for (size_t i = 0; i < im.n_exports; i++) {
		for (size_t k = 0; k < im.exports[i].name_length; k++)
			sum += (unsigned char)im.exports[i].name[k];
		for (size_t k = 0; k < im.exports[i].ns_length; k++)
			sum += (unsigned char)im.exports[i].ns[k];
	}
	for (size_t i = 0; i < im.vermagic_length; i++)
		sum += (unsigned char)im.vermagic[i];
	if (sum == SIZE_MAX)
		abort();
	kernel_image_release(&im);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made m;

	try_image(data, size);
	if (size < 1)
		return 0;
	m = (struct made) { .is_prel = data[0] & 1,
			    .n_fields = data[0] & 2 ? 3 : 2,
			    .word = 8,
			    .crc_bytes = data[0] & 4 ? 4 : 0,
			    .has_flags = data[0] & 8,
			    .base = 0xffffffff80000000u };
	make_kernel(&m);
	memcpy(m.bytes + 0x38, data[0] & 1 ? "ARM\x64" : "RSC\x05", 4);
	for (size_t i = 1; i + 3 <= size; i += 3) {
		uint32_t at = (uint32_t)(data[i] << 8 | data[i + 1]);
		m.bytes[at % m.size] = data[i + 2];
	}
	try_image(m.bytes, m.size);
	return 0;
}
