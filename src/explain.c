#include <config.h>

#include "explain.h"

#include <stdlib.h>
#include <string.h>

static int
append_due(const struct trigger *leaf, nsec wall, struct buf *out)
{
	char time[UNITS_TEXT_MAX];

	units_print_wall(time, wall);
	if (buf_append(out, slice_of("  ")) < 0 || buf_append(out, slice_of(time)) < 0 ||
	    buf_append(out, slice_of("  ")) < 0 || spell_trigger(leaf, out) < 0)
		return -1;
	if (leaf->leaf.kind == LEAF_IDLE &&
	    buf_append(out, slice_of(", if no more records come")) < 0)
		return -1;
	return buf_append_byte(out, '\n');
}

/* The leaves with a timer that is set, which goes off, one after the other, as time goes by. */
static int
append_all_due(const struct trigger *trigger, union trigger_word *state,
	       const struct moment *now, struct buf *out)
{
	struct deadline deadline;

	while ((deadline = trigger_deadline(trigger, state, now)).set) {
		const struct trigger *leaf = trigger_next_leaf(trigger, state, now);

		if (append_due(leaf, nsec_add(deadline.when, now->offset), out) < 0)
			return -1;
		trigger_expire(trigger, state, now);
	}
	return 0;
}

/* The end of the window that a record of now is in, where windows end. */
static int
append_window_end(const struct window_config *config, nsec wall, struct buf *out)
{
	struct window window = window_first(config, wall);
	char time[UNITS_TEXT_MAX];

	if (config->kind == WINDOW_GLOBAL)
		return 0;
	units_print_wall(time, window.end);
	if (buf_append(out, slice_of("  ")) < 0 || buf_append(out, slice_of(time)) < 0 ||
	    buf_append(out, slice_of("  end of the window")) < 0)
		return -1;
	if (config->kind == WINDOW_SESSION &&
	    buf_append(out, slice_of(", if no more records come")) < 0)
		return -1;
	return buf_append(out, slice_of(", which emits what is left\n"));
}

static int
append_times(const struct trigger *trigger, union trigger_word *state,
	     const struct window_config *window, const struct moment *now,
	     struct buf *out)
{
	struct run run = { 1, 1, now->now, now->now, 0, NULL };
	nsec wall = nsec_add(now->now, now->offset);
	char time[UNITS_TEXT_MAX];

	trigger_init(trigger, state);
	trigger_advance(trigger, state, now, &run);
	units_print_wall(time, wall);
	if (!trigger_deadline(trigger, state, now).set && window->kind == WINDOW_GLOBAL)
		return buf_append(out,
				  slice_of("A batch that begins now sets no timer.\n"));
	if (buf_append(out, slice_of("The timers of a batch that begins at ")) < 0 ||
	    buf_append(out, slice_of(time)) < 0 || buf_append(out, slice_of(":\n")) < 0 ||
	    append_all_due(trigger, state, now, out) < 0)
		return -1;
	return append_window_end(window, wall, out);
}

/* What closes a batch before a record, whatever the trigger. */
static int
append_cuts(const struct cuts *cuts, struct buf *out)
{
	char size[UNITS_TEXT_MAX];

	units_print_size(size, cuts->max_bytes);
	if (cuts->max_bytes < UINT64_MAX &&
	    (buf_append(out,
			slice_of("It also goes out before a record that would make it "
				 "larger than ")) < 0 ||
	     buf_append(out, slice_of(size)) < 0 ||
	     buf_append(out, slice_of(strpbrk(size, "KMGT") ? ".\n" : " bytes.\n")) < 0))
		return -1;
	if (cuts->break_before &&
	    buf_append(out, slice_of("It also goes out before a record that "
				     "--break-before matches.\n")) < 0)
		return -1;
	if (cuts->break_on &&
	    buf_append(out, slice_of("It also goes out before a record whose key for "
				     "--break-on is another.\n")) < 0)
		return -1;
	return 0;
}

int
explain(const struct trigger *trigger, const struct cuts *cuts,
	const struct window_config *window, const struct moment *now, struct buf *out)
{
	union trigger_word *state = calloc(trigger->words + 1, sizeof *state);
	int result = -1;

	if (!state)
		return -1;
	if (spell_trigger(trigger, out) == 0 && buf_append_byte(out, '\n') == 0 &&
	    spell_meaning(trigger, out) == 0 && buf_append_byte(out, '\n') == 0 &&
	    append_cuts(cuts, out) == 0)
		result = append_times(trigger, state, window, now, out);
	free(state);
	return result;
}
