/*
 * What the fuzz targets share: what must hold, and the input in parts.
 *
 * A target is a file NAME.c with LLVMFuzzerTestOneInput(); its seeds are in corpus/NAME. What
 * does not hold ends the process, as a crash does.
 */
#ifndef VOLLEY_FUZZ_H
#define VOLLEY_FUZZ_H

#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"

/* Standard error, which is closed for what is tested: it would be full of complaints. */
static FILE *fuzz_report;

#define MUST(condition, ...)                                                    \
	do {                                                                    \
		if (!(condition)) {                                             \
			fprintf(fuzz_report, "%s:%d: %s: ", __FILE__, __LINE__, \
				#condition);                                    \
			fprintf(fuzz_report, __VA_ARGS__);                      \
			fputc('\n', fuzz_report);                               \
			fflush(fuzz_report);                                    \
			abort();                                                \
		}                                                               \
	} while (0)

int
LLVMFuzzerInitialize(int *argc, char ***argv);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	fuzz_report = fdopen(dup(STDERR_FILENO), "w");
	return fuzz_report && setenv("TZ", "Europe/Berlin", 1) == 0 ? 0 : -1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The front of the rest up to this byte, which is passed over; all of it when there is none. */
static inline struct slice
fuzz_cut(struct slice *rest, char end)
{
	const char *found = rest->size > 0 ? memchr(rest->data, end, rest->size) : NULL;
	struct slice part = { rest->data,
			      found ? (size_t)(found - rest->data) : rest->size };

	*rest = slice_from(*rest, found ? part.size + 1 : part.size);
	return part;
}

/* A string of its own, which ends at the first NUL; to be freed. */
static inline char *
fuzz_string(struct slice slice)
{
	char *text = malloc(slice.size + 1);

	MUST(text, "no memory");
	if (slice.size > 0)
		memcpy(text, slice.data, slice.size);
	text[slice.size] = '\0';
	return text;
}

/* Bytes of their own, so that a step beyond them is noticed; to be freed. */
static inline struct slice
fuzz_copy(struct slice slice)
{
	char *data = malloc(slice.size + (slice.size == 0));

	MUST(data, "no memory");
	if (slice.size > 0)
		memcpy(data, slice.data, slice.size);
	return (struct slice){ data, slice.size };
}

static inline uint64_t
fuzz_random(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = *state;

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t
fuzz_hash(struct slice slice)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < slice.size; i++)
		hash = (hash ^ (unsigned char)slice.data[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
