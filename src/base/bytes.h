/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers out of untrusted bytes, in either byte order, and range checks that cannot overflow.
 */
#ifndef MODCHECK_BYTES_H
#define MODCHECK_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* Are the bytes [offset, offset + size) inside of a file of `total` bytes? */
static inline bool bytes_has_range(uint64_t total, uint64_t offset, uint64_t size)
{
	return offset <= total && size <= total - offset;
}

static inline uint16_t bytes_get16(const unsigned char *p, bool big)
{
	return big ? (uint16_t)(p[0] << 8 | p[1]) : (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t bytes_get32(const unsigned char *p, bool big)
{
	uint32_t a = bytes_get16(p, big), b = bytes_get16(p + 2, big);

	return big ? a << 16 | b : b << 16 | a;
}

static inline uint64_t bytes_get64(const unsigned char *p, bool big)
{
	uint64_t a = bytes_get32(p, big), b = bytes_get32(p + 4, big);

	return big ? a << 32 | b : b << 32 | a;
}

#endif
