#include <config.h>

#include "timer.h"

#include <errno.h>
#include <stdlib.h>

#define CHILDREN 4

void
timerq_release(struct timerq *queue)
{
	free(queue->heap);
	*queue = (struct timerq){ 0 };
}

int
timerq_reserve(struct timerq *queue, size_t count)
{
	size_t capacity = queue->capacity ? queue->capacity : 16;
	struct timer **heap;

	if (count <= queue->capacity)
		return 0;
	if (count > SIZE_MAX / 2 / sizeof *heap) {
		errno = ENOMEM;
		return -1;
	}
	while (capacity < count)
		capacity *= 2;
	heap = realloc(queue->heap, capacity * sizeof *heap);
	if (!heap)
		return -1;
	queue->heap = heap;
	queue->capacity = capacity;
	return 0;
}

bool
timer_is_set(const struct timer *timer)
{
	return timer->previous != NULL;
}

static bool
before(const struct timer *a, const struct timer *b)
{
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void
put_at(struct timerq *queue, size_t position, struct timer *timer)
{
	queue->heap[position] = timer;
	timer->at.position = position;
}

static void
sift_up(struct timerq *queue, struct timer *timer)
{
	size_t position = timer->at.position;

	while (position > 0) {
		size_t parent = (position - 1) / CHILDREN;

		if (!before(timer, queue->heap[parent]))
			break;
		put_at(queue, position, queue->heap[parent]);
		position = parent;
	}
	put_at(queue, position, timer);
}

/* The position of the least child; the queue's size when there is none. */
static size_t
least_child(const struct timerq *queue, size_t position)
{
	size_t first = position * CHILDREN + 1, end = first + CHILDREN;
	size_t least = first;

	if (first >= queue->size)
		return queue->size;
	if (end > queue->size)
		end = queue->size;
	for (size_t child = first + 1; child < end; child++)
		if (before(queue->heap[child], queue->heap[least]))
			least = child;
	return least;
}

static void
sift_down(struct timerq *queue, struct timer *timer)
{
	size_t position = timer->at.position;

	for (;;) {
		size_t child = least_child(queue, position);

		if (child == queue->size || !before(queue->heap[child], timer))
			break;
		put_at(queue, position, queue->heap[child]);
		position = child;
	}
	put_at(queue, position, timer);
}

static bool
is_in_heap(const struct timerq *queue, const struct timer *timer)
{
	return timer->previous == &queue->mark;
}

/* The first of the row, and the last; NULL when it is empty. */
static struct timer *
first_of_row(const struct timerq *queue)
{
	/* NULL as long as there never was one. */
	return queue->row.at.next != &queue->row ? queue->row.at.next : NULL;
}

static struct timer *
last_of_row(const struct timerq *queue)
{
	return queue->row.previous != &queue->row ? queue->row.previous : NULL;
}

/* Puts the timer at the end of the row. */
static void
join_row(struct timerq *queue, struct timer *timer)
{
	struct timer *row = &queue->row;

	if (!row->previous)
		row->previous = row->at.next = row;
	timer->previous = row->previous;
	timer->at.next = row;
	row->previous->at.next = timer;
	row->previous = timer;
}

static void
leave_row(struct timer *timer)
{
	timer->previous->at.next = timer->at.next;
	timer->at.next->previous = timer->previous;
}

static void
join_heap(struct timerq *queue, struct timer *timer)
{
	timer->previous = &queue->mark;
	put_at(queue, queue->size++, timer);
	sift_up(queue, timer);
}

static void
leave_heap(struct timerq *queue, struct timer *timer)
{
	struct timer *last = queue->heap[--queue->size];

	if (last == timer)
		return;
	put_at(queue, timer->at.position, last);
	sift_up(queue, last);
	sift_down(queue, last);
}

void
timer_set_ordered(struct timerq *queue, struct timer *timer, nsec when, uint64_t order)
{
	const struct timer *last;

	if (!is_in_heap(queue, timer))
		timer_clear(queue, timer);
	timer->when = when;
	timer->output = when;
	timer->order = order;
	last = last_of_row(queue);
	if (is_in_heap(queue, timer)) {
		sift_up(queue, timer);
		sift_down(queue, timer);
	} else if (!last || !before(timer, last)) {
		join_row(queue, timer);
	} else {
		join_heap(queue, timer);
	}
}

void
timer_set(struct timerq *queue, struct timer *timer, nsec when)
{
	timer_set_ordered(queue, timer, when, ++queue->order);
}

void
timer_set_relative(struct timerq *queue, struct timer *timer, nsec now,
		   const struct delay *delay)
{
	timer_set(queue, timer, nsec_after(now, delay));
}

void
timer_set_output(struct timer *timer, nsec output)
{
	timer->output = output;
}

void
timer_clear(struct timerq *queue, struct timer *timer)
{
	if (is_in_heap(queue, timer))
		leave_heap(queue, timer);
	else if (timer_is_set(timer))
		leave_row(timer);
	timer->previous = NULL;
}

struct timer *
timerq_first(const struct timerq *queue)
{
	struct timer *least = queue->size > 0 ? queue->heap[0] : NULL;
	struct timer *first = first_of_row(queue);

	return first && (!least || before(first, least)) ? first : least;
}

nsec
timerq_next(const struct timerq *queue)
{
	const struct timer *first = timerq_first(queue);

	return first ? first->when : NSEC_MAX;
}

struct timer *
timerq_pop(struct timerq *queue, nsec now)
{
	struct timer *timer = timerq_first(queue);

	if (!timer || timer->when > now)
		return NULL;
	timer_clear(queue, timer);
	return timer;
}
