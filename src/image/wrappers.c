/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that unpack the kernel that they carry:
 *
 * bzImage (Documentation/arch/x86/boot.rst): "HdrS" at 0x202, version 2 at 0x206. The setup code
 *   takes 1 + (setup_sects at 0x1f1, 0 means 4) sectors of 512 bytes; behind it, at
 *   payload_offset (4 at 0x248), lie payload_length (4 at 0x24c) bytes. Both are there from
 *   version 2.08 on (2.6.26). Behind anything but gzip the unpacked size follows, as the last 4.
 *
 * EFI zboot (drivers/firmware/efi/libstub/zboot-header.S, 6.1): "MZ", "zimg" at 4, offset of the
 *   payload 4 at 8, its size 4 at 12, the name of its compression at 0x18.
 *
 * arm zImage (arch/arm/boot/compressed/head.S): magic 0x016f2818 at 0x24, start 4 at 0x28, end 4
 *   at 0x2c, and 0x04030201 at 0x30 in the kernel's byte order. Where the packed kernel begins is
 *   only known to its code.
 *
 * s390 (arch/s390/boot/head.S): "S390EP" at 0x10008. As with arm, only code knows where.
 */
#include "image/body.h"

#include <string.h>

#define SECTOR 512
#define ZIMAGE_MAGIC 0x016f2818u
#define ZIMAGE_ORDER 0x04030201u
#define S390_HEAD 0x10000u

bool bzimage_is(const unsigned char *bytes, size_t size)
{
	return size >= 0x250 && memcmp(bytes + 0x202, "HdrS", 4) == 0;
}

bool bzimage_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p)
{
	uint32_t sectors = bytes[0x1f1] ? bytes[0x1f1] : 4;
	uint64_t offset = (sectors + 1) * (uint64_t)SECTOR + bytes_get32(bytes + 0x248, false);
	uint32_t length = bytes_get32(bytes + 0x24c, false);

	if ((*i)++ > 0 || bytes_get16(bytes + 0x206, false) < 0x208)
		return false;
	if (length == 0 || !bytes_has_range(size, offset, length))
		return false;
	*p = (struct packed) { bytes + offset, length };
	return true;
}

bool zboot_is(const unsigned char *bytes, size_t size)
{
	return size >= 0x40 && memcmp(bytes, "MZ", 2) == 0 && memcmp(bytes + 4, "zimg", 4) == 0;
}

bool zboot_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p)
{
	uint32_t offset = bytes_get32(bytes + 8, false), length = bytes_get32(bytes + 12, false);

	if ((*i)++ > 0 || length == 0 || !bytes_has_range(size, offset, length))
		return false;
	*p = (struct packed) { bytes + offset, length };
	return true;
}

/* From the i-th place on, the next at which something packed seems to begin. */
static bool find_packed(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p)
{
	for (size_t at = *i; at + 16 < size && at < UINT32_MAX; at++) {
		if (!codec_kernel_name(bytes + at, size - at))
			continue;
		*p = (struct packed) { bytes + at, size - at };
		*i = (uint32_t)at + 1;
		return true;
	}
	return false;
}

bool zimage_is(const unsigned char *bytes, size_t size)
{
	return size >= 0x34 && (bytes_get32(bytes + 0x24, false) == ZIMAGE_MAGIC ||
				bytes_get32(bytes + 0x24, true) == ZIMAGE_MAGIC);
}

bool zimage_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p)
{
	return find_packed(bytes, size, i, p);
}

bool s390_is(const unsigned char *bytes, size_t size)
{
	return size >= S390_HEAD + 16 && memcmp(bytes + S390_HEAD + 8, "S390EP", 6) == 0;
}

bool s390_find(const unsigned char *bytes, size_t size, uint32_t *i, struct packed *p)
{
	if (*i < S390_HEAD)
		*i = S390_HEAD;
	return find_packed(bytes, size, i, p);
}
