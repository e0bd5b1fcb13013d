/*
 * What stands in a queue of bytes: batch behind batch, of how many bytes and records each. So it is
 * known of which records not all bytes have left, wherever the queue comes to an end.
 *
 * A ledger is zeroed at first. It never fails: without memory the batches that it cannot list are
 * taken for one.
 */
#ifndef VOLLEY_LEDGER_H
#define VOLLEY_LEDGER_H

#include <stddef.h>
#include <stdint.h>

struct ledger_entry {
	size_t bytes; /* that have not left */
	uint64_t records;
};

struct ledger {
	struct ledger_entry *entries; /* those in use stand from first to end */
	size_t first;
	size_t end;
	size_t room;
	struct ledger_entry rest; /* behind them, what is not listed */
	size_t bytes;             /* of all */
	uint64_t records;
};

void
ledger_release(struct ledger *ledger);

/* A batch is put behind the others. */
void
ledger_add(struct ledger *ledger, size_t bytes, uint64_t records);

/* As many batches as there are sizes, each of so many records, and with so many bytes more. */
void
ledger_add_many(struct ledger *ledger, const size_t *sizes, size_t count, size_t more,
		uint64_t records);

/* So many bytes have left from the front; there are as many. */
void
ledger_take(struct ledger *ledger, size_t bytes);

#endif
