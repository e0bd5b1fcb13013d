/*
 * JSON as jansson reads it, and with numbers that jansson cannot hold.
 *
 * jansson makes a 64-bit integer or a double of each number, and refuses the text when that cannot
 * be. What is beyond, or has more digits, is loaded here as a string of the same characters.
 */
#ifndef VOLLEY_JSONLOAD_H
#define VOLLEY_JSONLOAD_H

#include <jansson.h>

#include "buf.h"

/* One value of any kind, with nothing but blanks around it. NULL with the error. */
json_t *
jsonload(struct slice text, json_error_t *error);

#endif
