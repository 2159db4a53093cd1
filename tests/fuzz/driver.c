/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A main() for fuzzers where libFuzzer is not at hand: runs each file named on the command line
 * once, to look at what a fuzzer found with another compiler, a debugger or valgrind.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, n = 0;

	if (!file) {
		perror(path);
		return 1;
	}
	do {
		uint8_t *more = realloc(data, size + 65536);
		if (!more)
			break;
		data = more;
		n = fread(data + size, 1, 65536, file);
		size += n;
	} while (n > 0);
	fclose(file);
	/* A block of exactly this size, so that a sanitizer sees reads past its end. */
	uint8_t *exact = data ? realloc(data, size ? size : 1) : NULL;
	if (exact)
		LLVMFuzzerTestOneInput(exact, size);
	free(exact ? exact : data);
	return exact ? 0 : 1;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= run_file(argv[i]);
	return failed;
}
