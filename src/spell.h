/*
 * A trigger in writing: as an expression in its full form, which expr_parse() takes back to an
 * equal tree, and in plain words.
 *
 * All append to a buf: 0, or -1 with errno.
 */
#ifndef VOLLEY_SPELL_H
#define VOLLEY_SPELL_H

#include "buf.h"
#include "trigger.h"
#include "units.h"

/* repeat(any(count(10), delay(1s))) */
int
spell_trigger(const struct trigger *trigger, struct buf *out);

/* A batch goes out each time that 10 records have come, or 1s has passed ... */
int
spell_meaning(const struct trigger *trigger, struct buf *out);

#endif
