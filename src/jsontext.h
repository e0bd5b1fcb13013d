/*
 * Text as JSON: compact, UTF-8 as it is, short escapes.
 */
#ifndef VOLLEY_JSONTEXT_H
#define VOLLEY_JSONTEXT_H

#include <stdint.h>

#include "buf.h"

/* Appends the text as a JSON string. What is not UTF-8 becomes U+FFFD, and is counted. 0, or -1
 * with errno. */
int
jsontext_append(struct slice text, struct buf *out, uint64_t *replaced);

#endif
