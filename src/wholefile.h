/*
 * A file that appears whole or not at all: written under a temporary name beside it, then given
 * its own. A symbolic link at the place is not followed.
 */
#ifndef VOLLEY_WHOLEFILE_H
#define VOLLEY_WHOLEFILE_H

#include <stdbool.h>

#include "buf.h"

/* Sees whether a file can be written beside the path and, if so asked, may replace what is there;
 * leaves nothing. 0, or -1 with errno as wholefile_write(). */
int
wholefile_try(const char *path, bool replace);

/* 0, or -1 with errno: EEXIST when there is a file of that name, unless it is to be replaced;
 * EISDIR or ENOTSUP when there is something that no file may take the place of. Then nothing is
 * left behind. */
int
wholefile_write(const char *path, struct slice data, bool replace);

/* What is to be added to the error's text: "" or a hint in brackets. */
const char *
wholefile_hint(int error);

#endif
