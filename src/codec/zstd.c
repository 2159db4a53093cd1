/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zstd (RFC 8878) through libzstd: frames one after the other, skippable frames among them.
 * A frame that tells the size of its content, as `zstd FILE` and the kernel's modules_install
 * write it, is decoded in one call into the buffer, which then serves as the window; one
 * that does not (from a pipe, as in a kernel image) goes through libzstd's own window. Anything
 * that is no frame is an error, as in zstd.
 */
#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/decoder.h"

#define ZSTD_RATIO 32768 /* a block of 128 KiB in 4 bytes */

#define WINDOW_LOG 27 /* 128 MiB, the most that zstd takes without being told to */

#define MAGIC_FRAME 0xfd2fb528u
#define MAGIC_SKIPPABLE 0x184d2a50u /* to ..5f */

static void zstd_release(void *state)
{
	ZSTD_freeDCtx(state);
}

static ZSTD_DCtx *ready_context(void **state)
{
	if (!*state)
		*state = ZSTD_createDCtx();
	if (!*state)
		mem_exhausted();
	ZSTD_DCtx_reset(*state, ZSTD_reset_session_and_parameters);
	ZSTD_DCtx_setParameter(*state, ZSTD_d_windowLogMax, WINDOW_LOG);
	return *state;
}

static enum codec_result result_of(size_t status, struct codec_task *t)
{
	switch (ZSTD_getErrorCode(status)) {
	case ZSTD_error_no_error:
		return CODEC_OK;
	case ZSTD_error_srcSize_wrong:
		return CODEC_TRUNCATED;
	case ZSTD_error_frameParameter_windowTooLarge:
	case ZSTD_error_memory_allocation:
		t->detail = "the compressed data needs a window larger than the limit";
		return CODEC_LIMIT;
	case ZSTD_error_dictionary_wrong:
		t->detail = "the compressed data needs a dictionary that is not in it";
		return CODEC_DAMAGED;
	default:
		return CODEC_DAMAGED;
	}
}

/* A frame of `size` bytes that holds no more than the `content` bytes that it says. */
static enum codec_result unpack_whole(ZSTD_DCtx *d, struct codec_buffer *b, struct codec_task *t,
				      const unsigned char *frame, size_t size)
{
	size_t n = ZSTD_decompressDCtx(d, b->bytes + b->size, b->capacity - b->size, frame, size);

	if (ZSTD_isError(n))
		return result_of(n, t);
	b->size += n;
	return CODEC_OK;
}

static enum codec_result unpack_stream(ZSTD_DCtx *d, struct codec_buffer *b, struct codec_task *t,
				       const unsigned char *frame, size_t size)
{
	ZSTD_inBuffer in = { .src = frame, .size = size };

	for (;;) {
		size_t room = codec_room(b, t);
		if (room == 0)
			return CODEC_LIMIT;
		ZSTD_outBuffer out = { .dst = b->bytes + b->size, .size = room };
		size_t left = ZSTD_decompressStream(d, &out, &in);
		b->size += out.pos;
		if (ZSTD_isError(left))
			return result_of(left, t);
		if (left == 0)
			return CODEC_OK;
		if (in.pos == in.size && out.pos < out.size)
			return CODEC_TRUNCATED;
	}
}

static enum codec_result unpack_frame(ZSTD_DCtx *d, struct codec_buffer *b, struct codec_task *t,
				      const unsigned char *frame, size_t size)
{
	unsigned long long content = ZSTD_getFrameContentSize(frame, size);
	bool has_size = content != ZSTD_CONTENTSIZE_UNKNOWN && content != ZSTD_CONTENTSIZE_ERROR;

	if (t->is_kernel) {
		codec_reserve(b, t, codec_kernel_expected(t), ZSTD_RATIO);
		return unpack_stream(d, b, t, frame, size);
	}

	if (has_size && content > t->limit - b->size)
		return CODEC_LIMIT;
	codec_reserve(b, t, has_size ? content : 0, ZSTD_RATIO);
	if (has_size && content <= b->capacity - b->size)
		return unpack_whole(d, b, t, frame, size);
	return unpack_stream(d, b, t, frame, size);
}

static enum codec_result unpack_frames(ZSTD_DCtx *d, struct codec_buffer *b, struct codec_task *t)
{
	for (size_t pos = 0, size; pos < t->size; pos += size) {
		const unsigned char *frame = t->bytes + pos;
		uint32_t magic = t->size - pos >= 4 ? bytes_get32(frame, false) : 0;
		if (t->is_kernel && pos > 0)
			return CODEC_OK;
		if (magic != MAGIC_FRAME && (magic & ~0xfu) != MAGIC_SKIPPABLE) {
			t->detail = "garbage follows the compressed data";
			return CODEC_DAMAGED;
		}
		size = ZSTD_findFrameCompressedSize(frame, t->size - pos);
		if (ZSTD_isError(size))
			return result_of(size, t);
		if (magic != MAGIC_FRAME)
			continue;
		enum codec_result result = unpack_frame(d, b, t, frame, size);
		if (result != CODEC_OK)
			return result;
	}
	return CODEC_OK;
}

static enum codec_result zstd_unpack(struct codec_buffer *b, void **state, struct codec_task *t)
{
	ZSTD_DCtx *d = ready_context(state);
	enum codec_result result = unpack_frames(d, b, t);

	if (ZSTD_sizeof_DCtx(d) > CODEC_KEEP_BYTES) {
		zstd_release(d);
		*state = NULL;
	}
	return result;
}

const struct codec codec_zstd = {
	.name = "zstd",
	.magic = { 0x28, 0xb5, 0x2f, 0xfd },
	.magic_size = 4,
	.is_of_modules = true,
	.unpack = zstd_unpack,
	.release = zstd_release,
};
