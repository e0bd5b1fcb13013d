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
	return timer->place > 0;
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
	timer->place = position + 1;
}

static void
sift_up(struct timerq *queue, struct timer *timer)
{
	size_t position = timer->place - 1;

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
	size_t position = timer->place - 1;

	for (;;) {
		size_t child = least_child(queue, position);

		if (child == queue->size || !before(queue->heap[child], timer))
			break;
		put_at(queue, position, queue->heap[child]);
		position = child;
	}
	put_at(queue, position, timer);
}

void
timer_set_ordered(struct timerq *queue, struct timer *timer, nsec when, uint64_t order)
{
	timer->when = when;
	timer->output = when;
	timer->order = order;
	if (!timer_is_set(timer))
		put_at(queue, queue->size++, timer);
	sift_up(queue, timer);
	sift_down(queue, timer);
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
	struct timer *last;

	if (!timer_is_set(timer))
		return;
	last = queue->heap[--queue->size];
	if (last != timer) {
		put_at(queue, timer->place - 1, last);
		sift_up(queue, last);
		sift_down(queue, last);
	}
	timer->place = 0;
}

struct timer *
timerq_first(const struct timerq *queue)
{
	return queue->size > 0 ? queue->heap[0] : NULL;
}

nsec
timerq_next(const struct timerq *queue)
{
	return queue->size > 0 ? queue->heap[0]->when : NSEC_MAX;
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
