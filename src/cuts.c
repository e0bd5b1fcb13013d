#include <config.h>

#include "cuts.h"

#include <string.h>

bool
cuts_inspect(const struct cuts *cuts)
{
	return cuts->break_before || cuts->break_on;
}

uint64_t
cuts_room(const struct cuts *cuts, const struct pane *pane)
{
	uint64_t bytes = pane_fresh_bytes(pane);

	/* One record alone may be larger than the limit. */
	return cuts->max_bytes > bytes ? cuts->max_bytes - bytes : 0;
}

/* Whether the key is another than that of the record before; it takes that one's place. A
 * record without the key has the empty one. */
static int
key_changes(const struct cuts *cuts, struct pane *pane, struct slice record,
	    bool *changes)
{
	struct slice key = { NULL, 0 };
	struct buf *last = &pane->parts->break_key;
	bool first = !pane->parts->has_break_key;

	field_find(cuts->break_on, record, &key);
	pane->parts->has_break_key = true;
	*changes =
		!first && (last->size != key.size ||
			   (key.size > 0 && memcmp(last->data, key.data, key.size) != 0));
	if (!first && !*changes)
		return 0;
	last->size = 0;
	return buf_append(last, key);
}

int
cuts_before(const struct cuts *cuts, struct pane *pane, struct slice record,
	    enum reason *reason)
{
	struct slice text = { record.data, record.size - 1 };
	bool another = false;

	if (cuts->break_on && key_changes(cuts, pane, text, &another) < 0)
		return -1;
	*reason = REASON_NONE;
	if (pane_fresh(pane) == 0)
		return 0;
	if (record.size > cuts_room(cuts, pane))
		*reason = REASON_LIMIT;
	else if (cuts->break_before && pattern_matches(cuts->break_before, text))
		*reason = REASON_BREAK;
	else if (another)
		*reason = REASON_BREAK;
	return 0;
}
