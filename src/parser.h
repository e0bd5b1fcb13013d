/*
 * The reader of an expression's text: words, values, brackets, and where an error is.
 *
 * After a failure the error has its complaint and its place, and nothing more is read.
 */
#ifndef VOLLEY_PARSER_H
#define VOLLEY_PARSER_H

#include "expr.h"

struct parser {
	const char *text;
	const char *at;
	const struct expr_context *context;
	struct expr_error *error;
	size_t depth;
	size_t nodes;
};

/* The error is at that place of the text. Returns NULL, for the caller to return. */
void *
parser_fail_at(struct parser *parser, const char *place);

/* Fills in what is wrong at the parser's place, and what would be right. Returns NULL. */
void *
parser_fail(struct parser *parser, const char *wrong, const char *right);

/* The complaint is filled in; it is about the value that stands at start. Returns NULL. */
void *
parser_fail_value(struct parser *parser, const char *start);

void
parser_skip_blanks(struct parser *parser);

/* Passes over the byte if it is next. */
bool
parser_accept(struct parser *parser, char byte);

/* As parser_accept(), but it fails if the byte is not there. */
bool
parser_expect(struct parser *parser, char byte, const char *example);

/* The size of the word at the parser's place. */
size_t
parser_word_size(const struct parser *parser);

/* Whether that word is next. */
bool
parser_is_next(struct parser *parser, const char *word);

/* A value: quoted, with a backslash before a quote or a backslash that is meant; or bare, up to
 * a bracket or comma. A string to be freed, or NULL with the error. */
char *
parser_read_value(struct parser *parser, const char *example);

/* Two lines that show the place of the error under the text, or under the part of it around
 * the place; bytes that do not print are shown as '?'. 0, or -1 with errno. */
int
parser_point_out(const char *text, const struct expr_error *error, struct buf *out);

#endif
