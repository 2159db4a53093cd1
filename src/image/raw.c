/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that are a piece of memory, with a head in front that a boot loader understands. Both of
 * these (Documentation/arch/{arm64/booting,riscv/boot-image-header}.rst) begin with two
 * instructions and have, at 0x30 to 0x3f:
 *
 *   arm64  reserved 8 | "ARM\x64" 4 at 0x38 | ...; flags 8 at 0x18, bit 0: big-endian
 *   riscv  "RISCV\0\0\0" 8 | "RSC\x05" 4 at 0x38 | ...; the first is deprecated but always there
 */
#include "image/body.h"

#include <elf.h>
#include <string.h>

#define HEAD_BYTES 64

bool arm64_head(struct body *b, const unsigned char *bytes, size_t size)
{
	if (size < HEAD_BYTES || memcmp(bytes + 0x38, "ARM\x64", 4) != 0)
		return false;
	b->machine = EM_AARCH64;
	b->word = 8;
	b->is_big = bytes_get64(bytes + 0x18, false) & 1;
	return true;
}

bool riscv_head(struct body *b, const unsigned char *bytes, size_t size)
{
	if (size < HEAD_BYTES)
		return false;
	if (memcmp(bytes + 0x38, "RSC\x05", 4) != 0 && memcmp(bytes + 0x30, "RISCV", 5) != 0)
		return false;
	b->machine = EM_RISCV;
	b->word = 8; /* no distribution builds modules for riscv32 */
	b->is_big = false;
	return true;
}
