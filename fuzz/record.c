/*
 * Records within quotas, and runs of such, against a scanner that goes byte by byte. The first
 * bytes are the quotas.
 */
#include "fuzz.h"

#include "record.h"

#define ROOM 64

static struct record_span
scan_naively(struct slice in, char delimiter, const struct record_limit *limit)
{
	struct record_span span = { 0, 0 };

	while (span.records < limit->records && span.bytes < limit->enough) {
		size_t end = span.bytes;

		while (end < in.size && in.data[end] != delimiter)
			end++;
		if (end == in.size || end + 1 > limit->most)
			break;
		span.bytes = end + 1;
		span.records++;
	}
	return span;
}

static size_t
split_naively(struct slice in, char delimiter, const struct record_limit *limit,
	      size_t sizes[ROOM], size_t room)
{
	size_t count = 0;

	while (count < room) {
		struct record_limit records = { limit->records, UINT64_MAX, UINT64_MAX };
		struct record_span span = scan_naively(in, delimiter, &records);

		if (span.records < limit->records || span.bytes >= limit->enough ||
		    span.bytes > limit->most)
			break;
		sizes[count++] = span.bytes;
		in = slice_from(in, span.bytes);
	}
	return count;
}

static uint64_t
limit_of(unsigned char byte)
{
	static const uint64_t large[] = { 255, 1000, UINT32_MAX, UINT64_MAX };

	return byte < 252 ? 1u + byte : large[byte - 252];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t sizes[ROOM], expected[ROOM], count, wanted, room;
	struct record_limit limit;
	struct record_span span, naive;
	struct slice in;
	char delimiter;

	if (size < 5)
		return 0;
	limit = (struct record_limit){ limit_of(data[0]), limit_of(data[1]),
				       limit_of(data[2]) };
	delimiter = (char)data[3];
	room = 1 + data[4] % ROOM;
	in = fuzz_copy((struct slice){ (const char *)data + 5, size - 5 });
	span = record_scan(in, delimiter, &limit);
	naive = scan_naively(in, delimiter, &limit);
	MUST(span.records == naive.records && span.bytes == naive.bytes,
	     "%zu bytes, not %zu", span.bytes, naive.bytes);
	count = record_split(in, delimiter, &limit, sizes, room);
	wanted = split_naively(in, delimiter, &limit, expected, room);
	/* It may leave some at the end. */
	MUST(count <= wanted, "%zu spans, not %zu", count, wanted);
	MUST(memcmp(sizes, expected, count * sizeof *sizes) == 0, "other sizes");
	for (wanted = 0; wanted < in.size && in.data[wanted] != delimiter; wanted++)
		continue;
	MUST(record_size(in, delimiter) == wanted, "%zu", wanted);
	free((void *)(uintptr_t)in.data);
	return 0;
}
