/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codecs. One buffer for all runs, as a reader thread has it, so that what a broken file
 * leaves in a decoder meets the next one. The limit is small: bombs are cheap to find.
 */
#include <stdint.h>
#include <stdlib.h>

#include "codec/codec.h"

#define LIMIT ((uint64_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct codec_buffer buffer;
	const char *detail = NULL;
	enum codec_result result = codec_unpack(&buffer, data, size, LIMIT, &detail);
	bool is_named = codec_name(data, size) != NULL;

	if (buffer.size > LIMIT || (result == CODEC_UNKNOWN) == is_named)
		abort();
	if (result != CODEC_OK && (!detail || buffer.size != 0))
		abort();
	return 0;
}
