#include <config.h>

#include "selector.h"

#include "pane.h"
#include "record.h"

bool
selector_find(struct field *field, struct slice record, struct slice *key)
{
	struct slice text = { record.data, record.size - 1 };
	bool missing = field && !field_find(field, text, key);

	if (missing || !field)
		*key = (struct slice){ "", 0 };
	return missing;
}

static void
bring_near(const struct keys *keys, const struct selected *selected, size_t count)
{
	const struct key *guesses[SELECTOR_MOST];
	const struct pane *panes[SELECTOR_MOST];

	for (size_t i = 0; i < count; i++) {
		guesses[i] = keys_guess(keys, selected[i].hash);
		prefetch(guesses[i]);
	}
	for (size_t i = 0; i < count; i++) {
		panes[i] = guesses[i] ? guesses[i]->panes : NULL;
		if (panes[i])
			pane_prefetch(panes[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (panes[i])
			store_prefetch(&panes[i]->records);
}

size_t
selector_look(struct field *field, const struct keys *keys, struct slice in,
	      char delimiter, struct selected *selected)
{
	size_t most = field_borrows_record(field) ? SELECTOR_MOST : 1, count = 0;

	while (count < most && in.size > 0) {
		size_t size = record_size(in, delimiter);
		struct selected *one = &selected[count];

		if (size == in.size)
			break;
		one->record = (struct slice){ in.data, size + 1 };
		one->missing = selector_find(field, one->record, &one->key);
		one->hash = keys_hash(keys, one->key);
		keys_prefetch(keys, one->hash);
		in = slice_from(in, size + 1);
		count++;
	}
	bring_near(keys, selected, count);
	return count;
}
