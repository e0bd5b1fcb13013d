#include <config.h>

#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define DAY (86400 * NSEC_PER_S)

struct model_node *
node_new(const struct trigger *trigger)
{
	struct model_node *node = calloc(1, sizeof *node);

	DEMAND(node != NULL, "no memory");
	node->trigger = trigger;
	node->child = calloc(trigger->children + 1, sizeof(struct model_node *));
	DEMAND(node->child != NULL, "no memory");
	for (size_t i = 0; i < trigger->children; i++)
		node->child[i] = node_new(trigger->child[i]);
	return node;
}

void
node_free(struct model_node *node)
{
	for (size_t i = 0; i < node->trigger->children; i++)
		node_free(node->child[i]);
	free(node->child);
	free(node);
}

/* Whether the child sees records and timers. */
static bool
is_current(const struct model_node *node, size_t child)
{
	return node->trigger->kind != TRIGGER_EACH || child == node->current;
}

void
node_reset(struct model_node *node)
{
	node->sum = 0;
	node->current = 0;
	node->ready = node->set = node->spent = false;
	if (node->has_last) {
		node->base = node->last;
		node->has_base = true;
	}
	for (size_t i = 0; i < node->trigger->children; i++)
		node_reset(node->child[i]);
}

static bool
leaf_is_ready(const struct model_node *node, const struct model *model,
	      const struct model_scope *scope)
{
	switch (node->trigger->leaf.kind) {
	case LEAF_COUNT:
	case LEAF_BYTES:
		return node->sum >= node->trigger->leaf.least;
	case LEAF_DELAY:
	case LEAF_IDLE:
	case LEAF_EVERY:
	case LEAF_AT:
	case LEAF_MATCH:
	case LEAF_DELTA:
		return node->ready;
	case LEAF_WATERMARK:
		if (scope->window.end == NSEC_MAX)
			return model->at_end;
		return model->clock + model->offset >= scope->window.end;
	case LEAF_NEVER:
		return false;
	}
	return false;
}

bool
node_ready(const struct model_node *node, const struct model *model,
	   const struct model_scope *scope)
{
	size_t ready = 0, children = node->trigger->children;

	for (size_t i = 0; i < children; i++)
		ready += is_current(node, i) && node_ready(node->child[i], model, scope);
	switch (node->trigger->kind) {
	case TRIGGER_LEAF:
		return leaf_is_ready(node, model, scope);
	case TRIGGER_ALL:
		return ready == children;
	case TRIGGER_ANY:
	case TRIGGER_EACH:
	case TRIGGER_REPEAT:
	case TRIGGER_UNTIL:
		return ready > 0;
	}
	return false;
}

enum reason
node_reason(const struct model_node *node, const struct model *model,
	    const struct model_scope *scope)
{
	static const enum reason reasons[] = {
		[LEAF_COUNT] = REASON_COUNT,   [LEAF_BYTES] = REASON_BYTES,
		[LEAF_DELAY] = REASON_TIMEOUT, [LEAF_IDLE] = REASON_IDLE,
		[LEAF_EVERY] = REASON_EVERY,   [LEAF_AT] = REASON_AT,
		[LEAF_MATCH] = REASON_MATCH,   [LEAF_DELTA] = REASON_DELTA,
		[LEAF_NEVER] = REASON_NONE,    [LEAF_WATERMARK] = REASON_WINDOW,
	};

	if (node->trigger->kind == TRIGGER_LEAF)
		return reasons[node->trigger->leaf.kind];
	if (node->trigger->kind == TRIGGER_UNTIL &&
	    node_ready(node->child[1], model, scope))
		return node_reason(node->child[1], model, scope);
	for (size_t i = 0; i < node->trigger->children; i++)
		if (is_current(node, i) && node_ready(node->child[i], model, scope))
			return node_reason(node->child[i], model, scope);
	return REASON_NONE;
}

static bool
fire_until(struct model_node *node, const struct model *model,
	   const struct model_scope *scope)
{
	bool finished;

	if (node_ready(node->child[1], model, scope)) {
		finished = node_fire(node->child[1], model, scope);
		node_reset(node->child[0]);
		return finished;
	}
	return node_fire(node->child[0], model, scope);
}

bool
node_fire(struct model_node *node, const struct model *model,
	  const struct model_scope *scope)
{
	bool finished = true;

	switch (node->trigger->kind) {
	case TRIGGER_LEAF:
		break;
	case TRIGGER_ANY:
	case TRIGGER_ALL:
		for (size_t i = 0; i < node->trigger->children; i++)
			if (node_ready(node->child[i], model, scope))
				node_fire(node->child[i], model, scope);
		break;
	case TRIGGER_EACH:
		if (node_fire(node->child[node->current], model, scope))
			node->current++;
		finished = node->current == node->trigger->children;
		break;
	case TRIGGER_REPEAT:
		if (node_fire(node->child[0], model, scope))
			node_reset(node->child[0]);
		finished = false;
		break;
	case TRIGGER_UNTIL:
		finished = fire_until(node, model, scope);
		break;
	}
	if (finished)
		node_reset(node);
	return finished;
}

/* The least time >= from that is a boundary. */
static nsec
boundary(nsec from, nsec period, nsec phase)
{
	while ((from - phase) % period != 0)
		from++;
	return from;
}

static nsec
next_time_of_day(nsec wall, nsec time_of_day)
{
	nsec day = wall / DAY * DAY - DAY;

	while (day + time_of_day <= wall)
		day += DAY;
	return day + time_of_day;
}

/* Sets the timer as the record asks. */
static void
set_timer(struct model_node *node, struct model *model, nsec base)
{
	const struct leaf *leaf = &node->trigger->leaf;
	nsec wall = base + model->offset, when = base + leaf->delay.offset;

	switch (leaf->kind) {
	case LEAF_EVERY:
		when = boundary(wall + 1, leaf->delay.period, leaf->delay.phase) -
		       model->offset;
		break;
	case LEAF_AT:
		when = (leaf->time_of_day ? next_time_of_day(wall, leaf->at) : leaf->at) -
		       model->offset;
		break;
	default:
		if (leaf->delay.period > 0)
			when = boundary(wall + leaf->delay.offset, leaf->delay.period,
					leaf->delay.phase) -
			       model->offset;
		break;
	}
	node->set = !(leaf->kind == LEAF_AT && when < base);
	node->spent = !node->set;
	node->when = when;
	node->order = model->order++;
}

static void
admit_number(struct model_node *node, const struct model_record *record)
{
	double number;

	if (sscanf(record->text, "%*s %lf", &number) != 1)
		return;
	node->last = number;
	node->has_last = true;
	if (!node->has_base)
		node->base = number;
	else if (fabs(number - node->base) > node->trigger->leaf.distance)
		node->ready = true;
	node->has_base = true;
}

static void
admit_to_leaf(struct model_node *node, struct model *model,
	      const struct model_record *record)
{
	switch (node->trigger->leaf.kind) {
	case LEAF_COUNT:
		node->sum++;
		break;
	case LEAF_BYTES:
		node->sum += strlen(record->text);
		break;
	case LEAF_DELAY:
	case LEAF_EVERY:
	case LEAF_AT:
		node_notice(node, model);
		if (!node->set && !node->ready && !node->spent)
			set_timer(node, model, record->time);
		break;
	case LEAF_IDLE:
		set_timer(node, model, record->time);
		break;
	case LEAF_MATCH:
		node->ready = node->ready || strchr(record->text, 'x');
		break;
	case LEAF_DELTA:
		admit_number(node, record);
		break;
	case LEAF_WATERMARK:
	case LEAF_NEVER:
		break;
	}
}

void
node_admit(struct model_node *node, struct model *model,
	   const struct model_record *record)
{
	if (node->trigger->kind == TRIGGER_LEAF)
		admit_to_leaf(node, model, record);
	for (size_t i = 0; i < node->trigger->children; i++)
		if (is_current(node, i))
			node_admit(node->child[i], model, record);
}

void
node_notice(struct model_node *node, const struct model *model)
{
	if (node->trigger->kind == TRIGGER_LEAF &&
	    node->trigger->leaf.kind != LEAF_IDLE && node->set &&
	    model->clock >= node->when)
		node_goes_off(node);
	for (size_t i = 0; i < node->trigger->children; i++)
		if (is_current(node, i))
			node_notice(node->child[i], model);
}

struct model_node *
node_first_timer(struct model_node *node)
{
	struct model_node *first =
		node->set && !node->trigger->leaf.on_quiet ? node : NULL;

	for (size_t i = 0; i < node->trigger->children; i++) {
		struct model_node *timer =
			is_current(node, i) ? node_first_timer(node->child[i]) : NULL;

		if (timer &&
		    (!first || timer->when < first->when ||
		     (timer->when == first->when && timer->order < first->order)))
			first = timer;
	}
	return first;
}

void
node_goes_off(struct model_node *node)
{
	node->set = false;
	node->ready = true;
}

bool
node_quiet(struct model_node *node, bool change)
{
	bool waits = node->set && node->trigger->leaf.on_quiet;

	if (waits && change)
		node_goes_off(node);
	for (size_t i = 0; i < node->trigger->children; i++)
		if (is_current(node, i) && node_quiet(node->child[i], change))
			waits = true;
	return waits;
}

bool
node_is_initial(const struct model_node *node)
{
	if (node->sum > 0 || node->current > 0 || node->ready || node->set ||
	    node->spent || node->has_base)
		return false;
	for (size_t i = 0; i < node->trigger->children; i++)
		if (!node_is_initial(node->child[i]))
			return false;
	return true;
}

void
node_merge(struct model_node *node, const struct model_node *other)
{
	bool idle = node->trigger->leaf.kind == LEAF_IDLE;

	node->sum += other->sum;
	if (other->set &&
	    (!node->set || (idle ? other->when > node->when : other->when < node->when)))
		node->when = other->when;
	node->set = node->set || other->set;
	node->ready = node->ready || other->ready;
	/* What counts from the first record is ready but once. */
	if (!idle && node->ready)
		node->set = false;
	for (size_t i = 0; i < node->trigger->children; i++)
		node_merge(node->child[i], other->child[i]);
}

void
node_renew(struct model_node *node, struct model *model)
{
	if (node->set)
		node->order = model->order++;
	for (size_t i = 0; i < node->trigger->children; i++)
		node_renew(node->child[i], model);
}
