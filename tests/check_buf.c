#include <config.h>

#include "buf.h"

#include <errno.h>
#include <string.h>

#include "unit.h"

static void
check_bytes(const struct buf *buf, const char *bytes)
{
	ck_assert_uint_eq(buf->size, strlen(bytes));
	ck_assert_mem_eq(buf->data, bytes, buf->size);
}

START_TEST(slice_is_the_bytes_of_a_string)
{
	struct slice slice = slice_of("hello");

	ck_assert_uint_eq(slice.size, 5);
	ck_assert_uint_eq(slice_of("").size, 0);
	slice = slice_from(slice, 2);
	ck_assert_uint_eq(slice.size, 3);
	ck_assert_mem_eq(slice.data, "llo", 3);
	ck_assert_uint_eq(slice_from(slice, 3).size, 0);
}
END_TEST

START_TEST(zeroed_buf_is_empty)
{
	struct buf buf = { 0 };

	ck_assert_uint_eq(buf_slice(&buf).size, 0);
	buf_consume(&buf, 0);
	buf_clear(&buf, 0);
	buf_release(&buf);
}
END_TEST

START_TEST(appended_bytes_stand_behind_the_others)
{
	struct buf buf = { 0 };

	ck_assert_int_eq(buf_append(&buf, slice_of("ab")), 0);
	ck_assert_int_eq(buf_append(&buf, slice_of("")), 0);
	ck_assert_int_eq(buf_append_byte(&buf, 'c'), 0);
	ck_assert_int_eq(buf_append(&buf, slice_of("def")), 0);
	check_bytes(&buf, "abcdef");
	ck_assert_ptr_eq(buf_slice(&buf).data, buf.data);
	ck_assert_uint_eq(buf_slice(&buf).size, 6);
	buf_release(&buf);
}
END_TEST

START_TEST(buf_grows_and_keeps_its_bytes)
{
	struct buf buf = { 0 };

	for (size_t i = 0; i < 5000; i++)
		ck_assert_int_eq(buf_append_byte(&buf, (char)('a' + i % 26)), 0);
	ck_assert_uint_eq(buf.size, 5000);
	ck_assert_uint_ge(buf.capacity, buf.size);
	for (size_t i = 0; i < 5000; i++)
		ck_assert_int_eq(buf.data[i], (char)('a' + i % 26));
	buf_release(&buf);
}
END_TEST

START_TEST(reserved_room_is_there)
{
	struct buf buf = { 0 };
	const char *data;

	ck_assert_int_eq(buf_append(&buf, slice_of("ab")), 0);
	ck_assert_int_eq(buf_reserve(&buf, 1000), 0);
	ck_assert_uint_ge(buf.capacity, 1002);
	data = buf.data;
	for (size_t i = 0; i < 1000; i++)
		ck_assert_int_eq(buf_append_byte(&buf, 'x'), 0);
	ck_assert_ptr_eq(buf.data, data);
	buf_release(&buf);
}
END_TEST

START_TEST(room_for_exactly_what_is_there_does_not_grow)
{
	struct buf buf = { 0 };
	size_t capacity;

	ck_assert_int_eq(buf_reserve(&buf, 1), 0);
	capacity = buf.capacity;
	ck_assert_int_eq(buf_reserve(&buf, capacity), 0);
	ck_assert_uint_eq(buf.capacity, capacity);
	ck_assert_int_eq(buf_reserve(&buf, capacity + 1), 0);
	ck_assert_uint_gt(buf.capacity, capacity);
	buf_release(&buf);
}
END_TEST

START_TEST(too_much_is_an_error_that_changes_nothing)
{
	struct buf buf = { 0 };

	ck_assert_int_eq(buf_append(&buf, slice_of("ab")), 0);
	errno = 0;
	ck_assert_int_eq(buf_reserve(&buf, SIZE_MAX - 1), -1);
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_int_eq(buf_reserve(&buf, SIZE_MAX / 2), -1);
	check_bytes(&buf, "ab");
	buf_release(&buf);
}
END_TEST

START_TEST(consumed_bytes_go_from_the_front)
{
	struct buf buf = { 0 };

	ck_assert_int_eq(buf_append(&buf, slice_of("abcdef")), 0);
	buf_consume(&buf, 0);
	check_bytes(&buf, "abcdef");
	buf_consume(&buf, 2);
	check_bytes(&buf, "cdef");
	buf_consume(&buf, 4);
	ck_assert_uint_eq(buf.size, 0);
	buf_release(&buf);
}
END_TEST

START_TEST(cleared_buf_keeps_memory_up_to_a_bound)
{
	struct buf buf = { 0 };

	ck_assert_int_eq(buf_reserve(&buf, 1000), 0);
	ck_assert_int_eq(buf_append(&buf, slice_of("ab")), 0);
	buf_clear(&buf, buf.capacity);
	ck_assert_uint_eq(buf.size, 0);
	ck_assert_uint_ge(buf.capacity, 1000);
	buf_clear(&buf, buf.capacity - 1);
	ck_assert_uint_eq(buf.capacity, 0);
	ck_assert_ptr_null(buf.data);
}
END_TEST

START_TEST(released_buf_is_usable_again)
{
	struct buf buf = { 0 };

	ck_assert_int_eq(buf_append(&buf, slice_of("ab")), 0);
	buf_release(&buf);
	ck_assert_uint_eq(buf.size, 0);
	ck_assert_int_eq(buf_append(&buf, slice_of("c")), 0);
	check_bytes(&buf, "c");
	buf_release(&buf);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"buf", slice_is_the_bytes_of_a_string, zeroed_buf_is_empty,
		appended_bytes_stand_behind_the_others, buf_grows_and_keeps_its_bytes,
		reserved_room_is_there, room_for_exactly_what_is_there_does_not_grow,
		too_much_is_an_error_that_changes_nothing,
		consumed_bytes_go_from_the_front, cleared_buf_keeps_memory_up_to_a_bound,
		released_buf_is_usable_again);
}
