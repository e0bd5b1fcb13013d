/*
 * Key selection: which key each record has, for some records at once.
 *
 * With many keys the work is to wait for memory. So records are looked at together, and what is
 * far off is asked for in time: the table of keys, then the keys, their panes, and where those
 * have their last records. All of that is no more than a guess: what was brought near is not for
 * that reason right, nor still there when it is used.
 */
#ifndef VOLLEY_SELECTOR_H
#define VOLLEY_SELECTOR_H

#include "field.h"
#include "keys.h"

/* Records at once. Processors cannot wait for the memory of many more. */
#define SELECTOR_MOST 12

struct selected {
	struct slice record; /* delimiter included */
	struct slice key;    /* borrowed from the record, or from the field */
	uint32_t hash;
	bool missing; /* the record has no key: it is the empty one */
};

/* Finds the key of a record, delimiter included; the empty one when it has none, or the field is
 * NULL. Returns whether it is missing. The key is valid as that of field_find(). */
bool
selector_find(struct field *field, struct slice record, struct slice *key);

/* The whole records at the front of in, SELECTOR_MOST at the most; fewer where a key does not
 * outlive the next look for one. Returns how many. */
size_t
selector_look(struct field *field, const struct keys *keys, struct slice in,
	      char delimiter, struct selected *selected);

#endif
