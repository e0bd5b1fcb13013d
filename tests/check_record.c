#include <config.h>

#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

/* What record_scan() should find, one record after the other. */
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
		span.records++;
		span.bytes = end + 1;
	}
	return span;
}

static void
compare(struct slice in, const struct record_limit *limit, const char *what)
{
	struct record_span expected = scan_naively(in, '\n', limit);
	struct record_span span = record_scan(in, '\n', limit);

	DEMAND(span.records == expected.records && span.bytes == expected.bytes,
	       "%s: %" PRIu64 " records in %zu bytes, not %" PRIu64 " in %zu"
	       " (of %zu; at most %" PRIu64 ", enough %" PRIu64 ", most %" PRIu64 ")",
	       what, span.records, span.bytes, expected.records, expected.bytes, in.size,
	       limit->records, limit->enough, limit->most);
}

/* None, or one that matters for so many. */
static uint64_t
roll_limit(struct dice *dice, size_t size)
{
	return dice_hits(dice, 3) ? UINT64_MAX : 1 + dice_below(dice, size + 3);
}

/* In memory of its own, so that a checker sees what is read beyond it. */
static char *
roll_data(struct dice *dice, size_t size)
{
	uint64_t sparse = 1 + dice_below(dice, dice_hits(dice, 4) ? 200 : 12);
	char *data = malloc(size > 0 ? size : 1);

	ck_assert_ptr_nonnull(data);
	for (size_t i = 0; i < size; i++)
		data[i] = dice_hits(dice, sparse) ? '\n' : (char)dice_below(dice, 256);
	return data;
}

START_TEST(scan_finds_what_one_record_after_the_other_gives)
{
	for (uint64_t seed = 0; seed < 4000; seed++) {
		struct dice dice = dice_of(seed);
		size_t size = dice_below(&dice, 400);
		char *data = roll_data(&dice, size);
		char what[32];

		snprintf(what, sizeof what, "seed %" PRIu64, seed);
		for (size_t i = 0; i < 10; i++) {
			struct record_limit limit = { roll_limit(&dice, 30),
						      roll_limit(&dice, size),
						      roll_limit(&dice, size) };

			compare((struct slice){ data, size }, &limit, what);
		}
		free(data);
	}
}
END_TEST

/* One delimiter, or two, at every place in and around a block, in inputs of all such sizes. */
START_TEST(scan_is_right_at_the_edges_of_blocks)
{
	static const uint64_t limits[] = { 1, 2, 63, 64, 65, 127, 128, 129, UINT64_MAX };

	for (size_t size = 1; size < 200; size += size % 64 == 2 ? 60 : 1) {
		char *data = malloc(size);

		ck_assert_ptr_nonnull(data);
		for (size_t at = 0; at < size; at++) {
			memset(data, 'x', size);
			data[at] = '\n';
			data[(at * 7 + 3) % size] = '\n';
			for (size_t i = 0; i < LENGTH(limits) * LENGTH(limits); i++) {
				uint64_t one = limits[i / LENGTH(limits)];
				uint64_t other = limits[i % LENGTH(limits)];

				compare((struct slice){ data, size },
					&(struct record_limit){ 1 + i % 3, one, other },
					"edge");
				compare((struct slice){ data, size },
					&(struct record_limit){ one, other, UINT64_MAX },
					"edge");
			}
		}
		free(data);
	}
}
END_TEST

START_TEST(scan_counts_blocks_full_of_delimiters)
{
	char data[300];

	memset(data, '\n', sizeof data);
	for (size_t size = 1; size <= sizeof data; size++)
		for (uint64_t records = 1; records <= sizeof data; records += 13)
			compare((struct slice){ data, size },
				&(struct record_limit){ records, UINT64_MAX, UINT64_MAX },
				"full");
}
END_TEST

START_TEST(scan_stops_at_each_limit)
{
	static const struct {
		struct record_limit limit;
		struct record_span span;
	} rows[] = {
		{ { UINT64_MAX, UINT64_MAX, UINT64_MAX }, { 3, 9 } },
		{ { 2, UINT64_MAX, UINT64_MAX }, { 2, 5 } },
		{ { UINT64_MAX, 1, UINT64_MAX }, { 1, 2 } },
		{ { UINT64_MAX, 2, UINT64_MAX }, { 1, 2 } },
		{ { UINT64_MAX, 3, UINT64_MAX }, { 2, 5 } },
		{ { UINT64_MAX, 5, UINT64_MAX }, { 2, 5 } },
		{ { UINT64_MAX, 6, UINT64_MAX }, { 3, 9 } },
		{ { UINT64_MAX, UINT64_MAX, 1 }, { 0, 0 } },
		{ { UINT64_MAX, UINT64_MAX, 2 }, { 1, 2 } },
		{ { UINT64_MAX, UINT64_MAX, 8 }, { 2, 5 } },
		{ { UINT64_MAX, UINT64_MAX, 9 }, { 3, 9 } },
		{ { UINT64_MAX, UINT64_MAX, 0 }, { 0, 0 } },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct record_span span =
			record_scan(slice_of("a\nbb\nccc\nd"), '\n', &rows[i].limit);

		ck_assert_msg(span.records == rows[i].span.records &&
				      span.bytes == rows[i].span.bytes,
			      "row %zu: %" PRIu64 " in %zu", i, span.records, span.bytes);
	}
}
END_TEST

START_TEST(any_byte_delimits)
{
	static const char delimiters[] = { '\0', ';', '\xff', '\n' };

	for (size_t i = 0; i < LENGTH(delimiters); i++) {
		char data[] = { 'a', delimiters[i], 'b', delimiters[i], 'c' };
		struct slice in = { data, sizeof data };
		struct record_span span = record_scan(
			in, delimiters[i],
			&(struct record_limit){ UINT64_MAX, UINT64_MAX, UINT64_MAX });

		ck_assert_uint_eq(span.records, 2);
		ck_assert_uint_eq(span.bytes, 4);
		ck_assert_uint_eq(record_size(in, delimiters[i]), 1);
	}
}
END_TEST

START_TEST(nothing_holds_no_records)
{
	struct record_limit limit = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
	struct record_span span = record_scan((struct slice){ "", 0 }, '\n', &limit);

	ck_assert_uint_eq(span.records, 0);
	ck_assert_uint_eq(span.bytes, 0);
	ck_assert_uint_eq(record_size((struct slice){ NULL, 0 }, '\n'), 0);
}
END_TEST

START_TEST(size_of_a_record_leaves_the_delimiter_out)
{
	ck_assert_uint_eq(record_size(slice_of("abc\nd\n"), '\n'), 3);
	ck_assert_uint_eq(record_size(slice_of("\nd\n"), '\n'), 0);
	ck_assert_uint_eq(record_size(slice_of("abc"), '\n'), 3);
}
END_TEST

/* What record_split() should find, span after span; it may leave some at the end. */
static size_t
split_naively(struct slice in, const struct record_limit *limit, size_t *sizes,
	      size_t room)
{
	struct record_limit whole = { limit->records, UINT64_MAX, UINT64_MAX };
	size_t count = 0;

	while (count < room) {
		struct record_span span = scan_naively(in, '\n', &whole);

		if (span.records < limit->records || span.bytes >= limit->enough ||
		    span.bytes > limit->most)
			break;
		sizes[count++] = span.bytes;
		in = slice_from(in, span.bytes);
	}
	return count;
}

START_TEST(split_gives_spans_of_just_so_many_records)
{
	struct dice dice = dice_of(17);

	for (size_t i = 0; i < 5000; i++) {
		size_t size = dice_below(&dice, 400), sizes[8], wanted[8], count;
		size_t room = 1 + dice_below(&dice, LENGTH(sizes));
		char *data = roll_data(&dice, size);
		struct record_limit limit = { 1 + dice_below(&dice, 5),
					      roll_limit(&dice, 40),
					      roll_limit(&dice, 40) };
		struct slice in = { data, size };

		count = record_split(in, '\n', &limit, sizes, room);
		DEMAND(count <= split_naively(in, &limit, wanted, room), "case %zu: %zu",
		       i, count);
		for (size_t j = 0; j < count; j++)
			DEMAND(sizes[j] == wanted[j], "case %zu: %zu, not %zu", i,
			       sizes[j], wanted[j]);
		free(data);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("record", scan_finds_what_one_record_after_the_other_gives,
			scan_is_right_at_the_edges_of_blocks,
			scan_counts_blocks_full_of_delimiters, scan_stops_at_each_limit,
			any_byte_delimits, nothing_holds_no_records,
			size_of_a_record_leaves_the_delimiter_out,
			split_gives_spans_of_just_so_many_records);
}
