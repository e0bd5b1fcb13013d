#include <config.h>

#include "ledger.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 64

void
ledger_release(struct ledger *ledger)
{
	free(ledger->entries);
	*ledger = (struct ledger){ 0 };
}

/* Makes room for so many behind the last entry. False when there is none. */
static bool
make_room(struct ledger *ledger, size_t count)
{
	size_t used = ledger->end - ledger->first, room = ledger->room;
	struct ledger_entry *entries = ledger->entries;

	/* Behind what is not listed there can be no list. */
	if (ledger->rest.bytes > 0)
		return false;
	/* What has left in front makes room. */
	if (ledger->first > 0) {
		memmove(entries, entries + ledger->first, used * sizeof *entries);
		ledger->first = 0;
		ledger->end = used;
	}
	if (room - used >= count && room - used >= room / 2)
		return true;
	room = 2 * (room > count ? room : count) + LEAST_ROOM;
	entries = realloc(entries, room * sizeof *entries);
	if (!entries)
		return false;
	ledger->entries = entries;
	ledger->room = room;
	return true;
}

void
ledger_add_many(struct ledger *ledger, const size_t *sizes, size_t count, size_t more,
		uint64_t records)
{
	struct ledger_entry *to;
	size_t bytes = 0;
	bool listed = (ledger->rest.bytes == 0 && ledger->room - ledger->end >= count) ||
		      make_room(ledger, count);

	to = listed ? ledger->entries + ledger->end : NULL;
	for (size_t i = 0; i < count; i++) {
		bytes += sizes[i] + more;
		if (listed)
			to[i] = (struct ledger_entry){ sizes[i] + more, records };
	}
	if (listed) {
		ledger->end += count;
	} else {
		ledger->rest.bytes += bytes;
		ledger->rest.records += count * records;
	}
	ledger->bytes += bytes;
	ledger->records += count * records;
}

void
ledger_add(struct ledger *ledger, size_t bytes, uint64_t records)
{
	ledger_add_many(ledger, &bytes, 1, 0, records);
}

void
ledger_take(struct ledger *ledger, size_t bytes)
{
	ledger->bytes -= bytes;
	if (ledger->bytes == 0) {
		ledger->first = ledger->end = 0;
		ledger->rest = (struct ledger_entry){ 0, 0 };
		ledger->records = 0;
		return;
	}
	for (; ledger->first < ledger->end; ledger->first++) {
		struct ledger_entry *entry = &ledger->entries[ledger->first];

		if (entry->bytes > bytes) {
			entry->bytes -= bytes;
			return;
		}
		bytes -= entry->bytes;
		ledger->records -= entry->records;
	}
	ledger->rest.bytes -= bytes;
}
