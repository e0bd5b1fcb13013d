/*
 * Templates: text with the facts of a batch in braces, {count} for one; {{ and }} are braces,
 * and the escapes are those of units_unescape().
 */
#ifndef VOLLEY_TEMPLATE_H
#define VOLLEY_TEMPLATE_H

#include "batch.h"
#include "timeform.h"

struct template;

/* NULL with the reason in the complaint. */
struct template *
template_new(const char *text, struct complaint *why);

void
template_free(struct template *template);

/* Appends the template, filled in with the batch's facts. 0, or -1 with errno. */
int
template_append(const struct template *template, const struct batch *batch,
		const struct timeform *times, struct buf *out);

/* Whether its text can stand in a file's name: there is no NUL in it. */
bool
template_is_name(const struct template *template);

/* Whether the number of the batch is in it, so that no two batches have the same text. */
bool
template_has_index(const struct template *template);

/* Appends the template as a file's name: each fact stands for one part of one name. Bytes other
 * than letters, digits and - _ + : , = @ and, inside, the point, become %XX; nothing becomes %; of a long fact the
 * end is replaced by a number that is made of all of it. */
int
template_append_name(const struct template *template, const struct batch *batch,
		     const struct timeform *times, struct buf *out);

#endif
