/*
 * A KEY: what is looked up in a record.
 *
 *     N              the Nth field, from 1; fields are split at blanks, or at a separator
 *     re:REGEX       what its first group matches, or the whole of it when it has none
 *     json:/POINTER  a value of a record that is JSON: a string's text, others as JSON
 */
#ifndef VOLLEY_FIELD_H
#define VOLLEY_FIELD_H

#include "buf.h"
#include "pattern.h"

struct field;

/* The separator is copied; of size 0 it means blanks. NULL with the reason in the complaint. */
struct field *
field_new(const char *key, struct slice separator, struct complaint *why);

void
field_free(struct field *field);

/* Looks the key up in a record without its delimiter. False when the record has none. The
 * result borrows from the record or from the field, until the next call. */
bool
field_find(struct field *field, struct slice record, struct slice *value);

/* Whether it looks at what the separator separates. */
bool
field_uses_separator(const struct field *field);

/* Which field it is, from 1; 0 when it is not one that is numbered. */
uint64_t
field_index(const struct field *field);

/* Whether what field_find() finds is a part of the record, and so lives as long. */
bool
field_borrows_record(const struct field *field);

/* As field_find(), as a number; false also when the value is none. */
bool
field_number(struct field *field, struct slice record, double *number);

/* How many look-ups were given up so far. */
uint64_t
field_given_up(const struct field *field);

#endif
