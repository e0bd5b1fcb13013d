/*
 * Triggers in the shape of their text: REPEAT(ANY(COUNT(10), DELAY(5))).
 *
 * Durations are bare numbers of ns. What cannot be allocated ends as NULL.
 */
#ifndef VOLLEY_TREES_H
#define VOLLEY_TREES_H

#include "trigger.h"

#define TREE(name, ...)                                                      \
	trigger_combine(TRIGGER_##name, (struct trigger *[]){ __VA_ARGS__ }, \
			sizeof((struct trigger *[]){ __VA_ARGS__ }) /        \
				sizeof(struct trigger *))
#define LEAF(name, ...) trigger_leaf(&(struct leaf){ .kind = LEAF_##name, __VA_ARGS__ })

#define ANY(...) TREE(ANY, __VA_ARGS__)
#define ALL(...) TREE(ALL, __VA_ARGS__)
#define EACH(...) TREE(EACH, __VA_ARGS__)
#define REPEAT(a) TREE(REPEAT, a)
#define UNTIL(a, b) TREE(UNTIL, a, b)

#define COUNT(n) LEAF(COUNT, .least = (n))
#define BYTES(n) LEAF(BYTES, .least = (n))
#define DELAY(d) LEAF(DELAY, .delay = { (d), 0, 0 })
#define DELAY_ALIGNED(d, p, phase) LEAF(DELAY, .delay = { (d), (p), (phase) })
#define IDLE(d) LEAF(IDLE, .delay = { (d), 0, 0 })
#define IDLE_QUIET LEAF(IDLE, .on_quiet = true)
#define EVERY(p, phase) LEAF(EVERY, .delay = { 0, (p), (phase) })
#define AT_TIME(t) LEAF(AT, .at = (t))
#define AT_TIME_OF_DAY(t) LEAF(AT, .at = (t), .time_of_day = true)
#define MATCH(i) LEAF(MATCH, .probe = (i))
#define DELTA(i, x) LEAF(DELTA, .probe = (i), .distance = (x))
#define WATERMARK LEAF(WATERMARK, .least = 0)
#define NEVER LEAF(NEVER, .least = 0)

#endif
