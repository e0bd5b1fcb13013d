/*
 * Regular expressions: PCRE2's, on bytes, compiled once. A match that would take too long is
 * given up and counts as none, so that no record can stop the stream.
 */
#ifndef VOLLEY_PATTERN_H
#define VOLLEY_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "diag.h"

struct pattern;

/* NULL with what is wrong, and where, in the complaint. */
struct pattern *
pattern_new(const char *text, struct complaint *why);

/* As pattern_new(), of what stands behind a prefix of so many bytes; where something is wrong is
 * counted in the whole text, as the user wrote it. */
struct pattern *
pattern_new_behind(const char *text, size_t prefix, struct complaint *why);

void
pattern_free(struct pattern *pattern);

bool
pattern_matches(struct pattern *pattern, struct slice subject);

/* What the first group matched, or the whole expression when it has none. False when it does
 * not match, or the group has no part in the match. The result borrows from the subject. */
bool
pattern_find(struct pattern *pattern, struct slice subject, struct slice *found);

/* How many matches were given up so far. */
uint64_t
pattern_given_up(const struct pattern *pattern);

#endif
