#include <config.h>

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}
#define ROOMY (&(struct arg_room){ 1000, 1000 })
/* What an argument of so many bytes takes up. */
#define COST(size) ((size) + ARG_COST)

static struct job *
new_job(void)
{
	struct batch batch = { .index = 3,
			       .count = 2,
			       .bytes = 9,
			       .reason = REASON_IDLE,
			       .key = TEXT("k"),
			       .first = 5,
			       .last = 6 };
	struct job *job = job_new(&batch, &(struct timeform){ .unit = TIME_NS });

	ck_assert_ptr_nonnull(job);
	return job;
}

START_TEST(job_has_the_facts_of_its_batch)
{
	struct job *job = new_job();

	ck_assert_uint_eq(job->index, 3);
	ck_assert_uint_eq(job->count, 2);
	ck_assert_uint_eq(job->bytes, 9);
	ck_assert_str_eq(job->reason, "idle");
	ck_assert_str_eq(job->key.data, "k");
	ck_assert_str_eq(job->first.data, "5");
	ck_assert_str_eq(job->last.data, "6");
	ck_assert_uint_eq(job->data.size, 0);
	ck_assert_int_eq(job->output, -1);
	job_free(job);
	job_free(NULL);
}
END_TEST

START_TEST(empty_batch_has_no_times)
{
	struct batch batch = { .reason = REASON_TIMEOUT };
	struct job *job = job_new(&batch, &(struct timeform){ .unit = TIME_NS });

	ck_assert_str_eq(job->first.data, "");
	ck_assert_str_eq(job->last.data, "");
	ck_assert_str_eq(job->key.data, "");
	job_free(job);
}
END_TEST

/* Arguments, with a bar behind each. */
static void
check_args(struct job *job, const char *wanted)
{
	ck_assert_uint_eq(job->data.size, strlen(wanted));
	for (size_t i = 0; i < job->data.size; i++)
		ck_assert_int_eq(job->data.data[i] ? job->data.data[i] : '|', wanted[i]);
}

START_TEST(records_become_arguments)
{
	struct job *job = new_job();
	struct slice records = TEXT("a\nb c\n\nd\n");

	ck_assert_int_eq(job_add_args(job, &records, '\n', ROOMY), 0);
	ck_assert_uint_eq(records.size, 0);
	ck_assert_uint_eq(job->count, 4);
	ck_assert_uint_eq(job->bytes, 9);
	ck_assert_uint_eq(job->data.size, 9);
	ck_assert_mem_eq(job->data.data, "a\0b c\0\0d\0", 9);
	check_args(job, "a|b c||d|");
	job_free(job);
}
END_TEST

START_TEST(no_records_are_no_arguments)
{
	struct job *job = new_job();
	struct slice records = { NULL, 0 };

	ck_assert_int_eq(job_add_args(job, &records, '\n', ROOMY), 0);
	ck_assert_uint_eq(job->count, 0);
	check_args(job, "");
	job_free(job);
}
END_TEST

START_TEST(arguments_go_as_far_as_there_is_room)
{
	struct job *job = new_job();
	struct slice records = TEXT("aaa\nbbb\nccc\n");
	struct arg_room room = { 2 * COST(3), 100 };

	ck_assert_int_eq(job_add_args(job, &records, '\n', &room), 0);
	ck_assert_uint_eq(job->count, 2);
	ck_assert_uint_eq(job->bytes, 8);
	ck_assert_uint_eq(records.size, 4);
	check_args(job, "aaa|bbb|");
	job_free(job);

	job = new_job();
	ck_assert_int_eq(job_add_args(job, &records, '\n', &room), 0);
	ck_assert_uint_eq(job->count, 1);
	check_args(job, "ccc|");
	job_free(job);

	/* One byte less is one argument less. */
	job = new_job();
	records = (struct slice)TEXT("aaa\nbbb\nccc\n");
	room.all--;
	ck_assert_int_eq(job_add_args(job, &records, '\n', &room), 0);
	ck_assert_uint_eq(job->count, 1);
	job_free(job);
}
END_TEST

START_TEST(argument_that_is_too_long_stays)
{
	struct job *job = new_job();
	struct slice records = TEXT("aaaa\nb\n");

	errno = 0;
	ck_assert_int_eq(job_add_args(job, &records, '\n', &(struct arg_room){ 100, 4 }),
			 0);
	ck_assert_int_eq(errno, E2BIG);
	ck_assert_uint_eq(job->count, 0);
	ck_assert_uint_eq(records.size, 7);
	errno = 0;
	ck_assert_int_eq(
		job_add_args(job, &records, '\n', &(struct arg_room){ COST(4) - 1, 100 }),
		0);
	ck_assert_int_eq(errno, E2BIG);
	ck_assert_uint_eq(job->count, 0);
	ck_assert_int_eq(
		job_add_args(job, &records, '\n', &(struct arg_room){ COST(4), 5 }), 0);
	ck_assert_uint_eq(job->count, 1);
	job_free(job);

	/* Those before it go. */
	job = new_job();
	records = (struct slice)TEXT("a\nbbbb\n");
	ck_assert_int_eq(job_add_args(job, &records, '\n', &(struct arg_room){ 100, 4 }),
			 0);
	ck_assert_uint_eq(job->count, 1);
	ck_assert_uint_eq(records.size, 5);
	job_free(job);
}
END_TEST

START_TEST(longest_argument_is_as_long_as_both_limits_let_it)
{
	ck_assert_uint_eq(arg_room_longest(&(struct arg_room){ 100, 5 }), 4);
	ck_assert_uint_eq(arg_room_longest(&(struct arg_room){ COST(4), 100 }), 4);
	ck_assert_uint_eq(arg_room_longest(&(struct arg_room){ COST(4), 5 }), 4);
	ck_assert_uint_eq(arg_room_longest(&(struct arg_room){ 3, 5 }), 0);
}
END_TEST

START_TEST(argument_cannot_hold_a_nul)
{
	struct job *job = new_job();
	struct slice records = TEXT("a\nb\0c\nd\n");

	ck_assert_int_eq(job_add_args(job, &records, '\n', ROOMY), 0);
	ck_assert_uint_eq(job->count, 1);
	job_free(job);
	job = new_job();
	errno = 0;
	ck_assert_int_eq(job_add_args(job, &records, '\n', ROOMY), 0);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_eq(job->count, 0);
	ck_assert_uint_eq(records.size, 6);
	job_free(job);
	/* But a NUL may stand between them. */
	job = new_job();
	records = (struct slice)TEXT("a\0b\n\0");
	ck_assert_int_eq(job_add_args(job, &records, '\0', ROOMY), 0);
	ck_assert_uint_eq(job->count, 2);
	check_args(job, "a|b\n|");
	job_free(job);
}
END_TEST

START_TEST(each_run_reads_from_the_beginning)
{
	struct job *job = new_job();
	char text[8];

	ck_assert_int_eq(buf_append(&job->data, slice_of("hello")), 0);
	for (size_t times = 0; times < 2; times++) {
		int fd = job_open_data(job);

		ck_assert_int_ge(fd, 0);
		ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
		ck_assert_int_eq(read(fd, text, sizeof text), 5);
		ck_assert_mem_eq(text, "hello", 5);
		ck_assert_int_eq(write(fd, "x", 1), -1);
		close(fd);
	}
	job_free(job);
}
END_TEST

START_TEST(lists_keep_the_order)
{
	struct job *a = new_job(), *b = new_job(), *c = new_job();
	struct joblist list;

	joblist_init(&list);
	ck_assert_ptr_null(list.first);
	joblist_append(&list, a);
	joblist_append(&list, b);
	joblist_append(&list, c);
	ck_assert_uint_eq(list.count, 3);
	joblist_remove(&list, b);
	ck_assert_ptr_eq(list.first, a);
	ck_assert_ptr_eq(a->next, c);
	joblist_remove(&list, c);
	joblist_append(&list, b);
	ck_assert_ptr_eq(a->next, b);
	joblist_remove(&list, a);
	ck_assert_ptr_eq(list.first, b);
	joblist_remove(&list, b);
	ck_assert_ptr_null(list.first);
	ck_assert_uint_eq(list.count, 0);
	joblist_append(&list, a);
	ck_assert_ptr_eq(list.first, a);
	ck_assert_ptr_null(a->next);
	job_free(a);
	job_free(b);
	job_free(c);
}
END_TEST

static void
check_description(const struct outcome *outcome, uint64_t attempts, const char *wanted)
{
	struct job *job = new_job();
	char text[256];

	job->program = "prog";
	job->limit = 90 * NSEC_PER_S;
	job->attempts = attempts;
	job->outcome = *outcome;
	job_describe(job, text, sizeof text);
	ck_assert_msg(strstr(text, wanted) == text, "'%s', not '%s'", text, wanted);
	job_free(job);
}

START_TEST(outcome_is_told_in_words)
{
	check_description(&(struct outcome){ .ran = true }, 0, "not run");
	check_description(&(struct outcome){ .error = ENOENT }, 1,
			  "cannot run 'prog': not found in PATH");
	check_description(&(struct outcome){ .error = EACCES }, 1,
			  "cannot run 'prog': Permission denied");
	check_description(&(struct outcome){ .ran = true, .timed_out = true }, 1,
			  "took longer than 1m30s (see --exec-timeout)");
	check_description(&(struct outcome){ .ran = true, .status = 9 }, 1,
			  "killed by signal 9 (");
	check_description(&(struct outcome){ .ran = true, .status = 3 << 8 }, 2,
			  "exit status 3");
}
END_TEST

int
main(void)
{
	return UNIT_RUN("job", job_has_the_facts_of_its_batch, empty_batch_has_no_times,
			records_become_arguments, no_records_are_no_arguments,
			arguments_go_as_far_as_there_is_room,
			argument_that_is_too_long_stays,
			longest_argument_is_as_long_as_both_limits_let_it,
			argument_cannot_hold_a_nul, each_run_reads_from_the_beginning,
			lists_keep_the_order, outcome_is_told_in_words);
}
