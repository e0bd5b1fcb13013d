#include <config.h>

#include "timer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define LINE_MAX_SIZE 1024
#define NAMES 8 /* timers A to H */

/* The file of vectors; the caller closes it. */
static FILE *
open_vectors(const char *name)
{
	const char *top = getenv("abs_top_srcdir");
	char path[LINE_MAX_SIZE];
	FILE *file;

	snprintf(path, sizeof path, "%s/tests/vectors/%s", top ? top : ".", name);
	file = fopen(path, "r");
	ck_assert_msg(file, "cannot open '%s'", path);
	return file;
}

/* Cuts the next line at its tabs. False at the end of the file. */
static bool
next_row(FILE *file, char line[LINE_MAX_SIZE], char **columns, size_t count)
{
	if (!fgets(line, LINE_MAX_SIZE, file))
		return false;
	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < count; i++) {
		columns[i] = line;
		line += strcspn(line, "\t");
		if (*line)
			*line++ = '\0';
	}
	return true;
}

START_TEST(relative_timer_delays_then_aligns)
{
	FILE *file = open_vectors("timer.tsv");
	char line[LINE_MAX_SIZE], *column[7];
	size_t rows = 0;

	ck_assert(next_row(file, line, column, LENGTH(column)));
	for (; next_row(file, line, column, LENGTH(column)); rows++) {
		struct timerq queue = { 0 };
		struct timer timer = { 0 };
		struct delay delay = { strtoll(column[3], NULL, 10),
				       strtoll(column[4], NULL, 10),
				       strtoll(column[5], NULL, 10) };

		ck_assert_int_eq(timerq_reserve(&queue, 1), 0);
		timer_set_relative(&queue, &timer, strtoll(column[2], NULL, 10), &delay);
		ck_assert_msg(timer_is_set(&timer), "%s", column[0]);
		ck_assert_msg(timer.when == strtoll(column[6], NULL, 10),
			      "%s: %" PRId64 ", not %s", column[0], timer.when,
			      column[6]);
		timerq_release(&queue);
	}
	fclose(file);
	ck_assert_uint_eq(rows, 26);
}
END_TEST

/* A queue that a row of timers.tsv is played on. */
struct stage {
	struct timerq queue;
	struct timer timers[NAMES];
	unsigned firings[NAMES];
	struct {
		const char *operation;
		size_t timer;
		unsigned firing;
	} hooks[NAMES];
	size_t hook_count;
	char fired[LINE_MAX_SIZE];
};

static void
note(struct stage *stage, const char *text)
{
	ck_assert_uint_lt(strlen(stage->fired) + strlen(text), sizeof stage->fired);
	strcat(stage->fired, text);
}

static void
play_operation(struct stage *stage, const char *operation);

static void
fire_timer(struct stage *stage, struct timer *timer, bool first)
{
	size_t index = (size_t)(timer - stage->timers);
	char text[64];

	snprintf(text, sizeof text, "%s%c@%" PRId64, first ? "" : " ", 'A' + (char)index,
		 timer->when);
	note(stage, text);
	stage->firings[index]++;
	for (size_t i = 0; i < stage->hook_count; i++)
		if (stage->hooks[i].timer == index &&
		    stage->hooks[i].firing == stage->firings[index])
			play_operation(stage, stage->hooks[i].operation);
}

static void
advance(struct stage *stage, nsec now)
{
	struct timer *timer;
	bool first = true;

	if (*stage->fired)
		note(stage, "; ");
	while ((timer = timerq_pop(&stage->queue, now))) {
		fire_timer(stage, timer, first);
		first = false;
	}
	if (first)
		note(stage, "-");
}

static void
play_operation(struct stage *stage, const char *operation)
{
	struct delay delay;
	nsec time;
	char name;

	if (sscanf(operation, "set(%c,%" SCNd64 ")", &name, &time) == 2)
		timer_set(&stage->queue, &stage->timers[name - 'A'], time);
	else if (sscanf(operation,
			"set_relative(%c,%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64
			")",
			&name, &time, &delay.offset, &delay.period, &delay.phase) == 5)
		timer_set_relative(&stage->queue, &stage->timers[name - 'A'], time,
				   &delay);
	else if (sscanf(operation, "clear(%c)", &name) == 1)
		timer_clear(&stage->queue, &stage->timers[name - 'A']);
	else if (sscanf(operation, "advance(%" SCNd64 ")", &time) == 1)
		advance(stage, time);
	else
		ck_abort_msg("no such operation as '%s'", operation);
}

/* Takes on(TIMER,N): and the operation behind it. */
static void
hook(struct stage *stage, const char *when, const char *operation)
{
	size_t count = stage->hook_count++;
	char name;

	ck_assert_uint_lt(count, NAMES);
	ck_assert_int_eq(sscanf(when, "on(%c,%u)", &name, &stage->hooks[count].firing),
			 2);
	stage->hooks[count].timer = (size_t)(name - 'A');
	stage->hooks[count].operation = operation;
}

START_TEST(queue_fires_in_order_of_time_then_of_setting)
{
	FILE *file = open_vectors("timers.tsv");
	char line[LINE_MAX_SIZE], *column[3];
	size_t rows = 0;

	ck_assert(next_row(file, line, column, LENGTH(column)));
	for (; next_row(file, line, column, LENGTH(column)); rows++) {
		struct stage stage = { .hook_count = 0 };
		char *word;

		ck_assert_int_eq(timerq_reserve(&stage.queue, NAMES), 0);
		for (word = strtok(column[1], " "); word; word = strtok(NULL, " "))
			if (strncmp(word, "on(", 3) == 0)
				hook(&stage, word, strtok(NULL, " "));
			else
				play_operation(&stage, word);
		ck_assert_msg(strcmp(stage.fired, column[2]) == 0, "%s: '%s', not '%s'",
			      column[0], stage.fired, column[2]);
		timerq_release(&stage.queue);
	}
	fclose(file);
	ck_assert_uint_eq(rows, 16);
}
END_TEST

START_TEST(timer_is_due_at_its_time_and_not_before)
{
	struct timerq queue = { 0 };
	struct timer timer = { 0 };

	ck_assert_int_eq(timerq_reserve(&queue, 1), 0);
	timer_set(&queue, &timer, 10);
	ck_assert_ptr_null(timerq_pop(&queue, 9));
	ck_assert_ptr_eq(timerq_pop(&queue, 10), &timer);
	ck_assert_ptr_null(timerq_pop(&queue, 10));
	timerq_release(&queue);
}
END_TEST

START_TEST(popped_timer_is_unset_and_keeps_its_time)
{
	struct timerq queue = { 0 };
	struct timer timer = { 0 };

	ck_assert_int_eq(timerq_reserve(&queue, 1), 0);
	timer_set(&queue, &timer, 10);
	ck_assert(timer_is_set(&timer));
	ck_assert_ptr_eq(timerq_pop(&queue, 12), &timer);
	ck_assert(!timer_is_set(&timer));
	ck_assert_int_eq(timer.when, 10);
	timer_clear(&queue, &timer);
	ck_assert_ptr_null(timerq_first(&queue));
	timerq_release(&queue);
}
END_TEST

START_TEST(next_is_never_when_nothing_is_set)
{
	struct timerq queue = { 0 };
	struct timer timer = { 0 };

	ck_assert_int_eq(timerq_next(&queue), NSEC_MAX);
	ck_assert_int_eq(timerq_reserve(&queue, 1), 0);
	timer_set(&queue, &timer, -3);
	ck_assert_int_eq(timerq_next(&queue), -3);
	timer_clear(&queue, &timer);
	ck_assert_int_eq(timerq_next(&queue), NSEC_MAX);
	timerq_release(&queue);
}
END_TEST

START_TEST(output_timestamp_is_the_time_until_it_is_set)
{
	struct timerq queue = { 0 };
	struct timer timer = { 0 };

	ck_assert_int_eq(timerq_reserve(&queue, 1), 0);
	timer_set(&queue, &timer, 10);
	ck_assert_int_eq(timer.output, 10);
	timer_set_output(&timer, 4);
	ck_assert_int_eq(timer.output, 4);
	ck_assert_int_eq(timerq_next(&queue), 10);
	timer_set(&queue, &timer, 12);
	ck_assert_int_eq(timer.output, 12);
	timer_set_relative(&queue, &timer, 5, &(struct delay){ 3, 0, 0 });
	ck_assert_int_eq(timer.output, 8);
	timerq_release(&queue);
}
END_TEST

START_TEST(place_among_equals_can_be_given)
{
	struct timerq queue = { 0 };
	struct timer a = { 0 }, b = { 0 }, c = { 0 };

	ck_assert_int_eq(timerq_reserve(&queue, 3), 0);
	timer_set_ordered(&queue, &a, 10, 7);
	timer_set_ordered(&queue, &b, 10, 5);
	timer_set_ordered(&queue, &c, 10, 6);
	ck_assert_ptr_eq(timerq_pop(&queue, 10), &b);
	ck_assert_ptr_eq(timerq_pop(&queue, 10), &c);
	ck_assert_ptr_eq(timerq_pop(&queue, 10), &a);
	timerq_release(&queue);
}
END_TEST

#define MODEL_TIMERS 60

/* What a queue of timers should be: a list that is searched. */
struct model {
	struct {
		bool set;
		nsec when;
		uint64_t order;
	} entry[MODEL_TIMERS];
	uint64_t order;
};

/* The index of the first; MODEL_TIMERS when none is set. */
static size_t
model_first(const struct model *model)
{
	size_t first = MODEL_TIMERS;

	for (size_t i = 0; i < MODEL_TIMERS; i++)
		if (model->entry[i].set &&
		    (first == MODEL_TIMERS ||
		     model->entry[i].when < model->entry[first].when ||
		     (model->entry[i].when == model->entry[first].when &&
		      model->entry[i].order < model->entry[first].order)))
			first = i;
	return first;
}

static void
set_both(struct timerq *queue, struct timer *timers, struct model *model, size_t index,
	 nsec when)
{
	timer_set(queue, &timers[index], when);
	model->entry[index].set = true;
	model->entry[index].when = when;
	model->entry[index].order = ++model->order;
}

static void
pop_both(struct timerq *queue, struct timer *timers, struct model *model, nsec now)
{
	size_t first = model_first(model);
	struct timer *timer = timerq_pop(queue, now);

	if (first == MODEL_TIMERS || model->entry[first].when > now) {
		ck_assert_ptr_null(timer);
		return;
	}
	ck_assert_ptr_eq(timer, &timers[first]);
	model->entry[first].set = false;
}

static void
compare_with_model(const struct timerq *queue, struct timer *timers,
		   const struct model *model)
{
	size_t first = model_first(model);
	bool any = first < MODEL_TIMERS;

	for (size_t i = 0; i < MODEL_TIMERS; i++)
		DEMAND(timer_is_set(&timers[i]) == model->entry[i].set, "timer %zu", i);
	DEMAND(timerq_first(queue) == (any ? &timers[first] : NULL), "timer %zu", first);
	DEMAND(timerq_next(queue) == (any ? model->entry[first].when : NSEC_MAX),
	       "timer %zu", first);
}

START_TEST(queue_is_as_a_sorted_list)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct dice dice = dice_of(seed);
		struct timerq queue = { 0 };
		struct timer timers[MODEL_TIMERS] = { 0 };
		struct model model = { .order = 0 };

		ck_assert_int_eq(timerq_reserve(&queue, MODEL_TIMERS), 0);
		for (size_t i = 0; i < 1500; i++) {
			size_t index = dice_below(&dice, MODEL_TIMERS);
			nsec time = dice_between(&dice, -20, 20);

			switch (dice_below(&dice, 6)) {
			case 0:
				timer_clear(&queue, &timers[index]);
				model.entry[index].set = false;
				break;
			case 1:
				pop_both(&queue, timers, &model, time);
				break;
			case 2: /* to the same time again */
				if (model.entry[index].set)
					time = model.entry[index].when;
				set_both(&queue, timers, &model, index, time);
				break;
			default:
				set_both(&queue, timers, &model, index, time);
				break;
			}
			compare_with_model(&queue, timers, &model);
		}
		timerq_release(&queue);
	}
}
END_TEST

START_TEST(room_grows_with_timers_set)
{
	enum { MANY = 1000 };
	static struct timer timers[MANY];
	struct timerq queue = { 0 };

	for (size_t i = 0; i < MANY; i++) {
		ck_assert_int_eq(timerq_reserve(&queue, i + 1), 0);
		timer_set(&queue, &timers[i], (nsec)(MANY - i));
	}
	for (size_t i = MANY; i-- > 0;)
		ck_assert_ptr_eq(timerq_pop(&queue, NSEC_MAX), &timers[i]);
	timerq_release(&queue);
	ck_assert_int_eq(timerq_reserve(&queue, SIZE_MAX), -1);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("timer", relative_timer_delays_then_aligns,
			queue_fires_in_order_of_time_then_of_setting,
			timer_is_due_at_its_time_and_not_before,
			popped_timer_is_unset_and_keeps_its_time,
			next_is_never_when_nothing_is_set,
			output_timestamp_is_the_time_until_it_is_set,
			place_among_equals_can_be_given, queue_is_as_a_sorted_list,
			room_grows_with_timers_set);
}
