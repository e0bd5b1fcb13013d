#include <config.h>

#include "parser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *
parser_fail_at(struct parser *parser, const char *place)
{
	parser->error->place = (size_t)(place - parser->text);
	return NULL;
}

void *
parser_fail(struct parser *parser, const char *wrong, const char *right)
{
	complain(&parser->error->complaint, "%s (use %s)", wrong, right);
	return parser_fail_at(parser, parser->at);
}

void
parser_skip_blanks(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t\n");
}

bool
parser_accept(struct parser *parser, char byte)
{
	parser_skip_blanks(parser);
	if (*parser->at != byte)
		return false;
	parser->at++;
	return true;
}

bool
parser_expect(struct parser *parser, char byte, const char *example)
{
	char wrong[32];

	if (parser_accept(parser, byte))
		return true;
	snprintf(wrong, sizeof wrong, "expected '%c'", byte);
	parser_fail(parser, wrong, example);
	return false;
}

size_t
parser_word_size(const struct parser *parser)
{
	return strspn(parser->at, "abcdefghijklmnopqrstuvwxyz");
}

bool
parser_is_next(struct parser *parser, const char *word)
{
	parser_skip_blanks(parser);
	return parser_word_size(parser) == strlen(word) &&
	       strncmp(parser->at, word, strlen(word)) == 0;
}

char *
parser_read_value(struct parser *parser, const char *example)
{
	const char *start;
	char quote, *value, *to;

	parser_skip_blanks(parser);
	start = parser->at;
	quote = *start == '\'' || *start == '"' ? *start : '\0';
	value = to = malloc(strlen(start) + 1);
	if (!value) {
		parser_fail(parser, strerror(errno), example);
		return NULL;
	}
	if (!quote) {
		size_t size = strcspn(start, ",()'\"");

		parser->at += size;
		while (size > 0 && strchr(" \t\n", start[size - 1]))
			size--;
		memcpy(value, start, size);
		to += size;
	} else {
		for (parser->at++; *parser->at && *parser->at != quote;
		     *to++ = *parser->at++)
			if (*parser->at == '\\' && parser->at[1] &&
			    strchr("'\"\\", parser->at[1]))
				parser->at++;
	}
	*to = '\0';
	if (quote && *parser->at != quote) {
		parser_fail(parser, "the quote is not closed", example);
	} else if (!quote && to == value) {
		parser_fail(parser, "expected a value", example);
	} else {
		parser->at += quote != '\0';
		return value;
	}
	free(value);
	return NULL;
}

void *
parser_fail_value(struct parser *parser, const char *start)
{
	start += strspn(start, " \t\n");
	return parser_fail_at(parser, start);
}

/* So much of a text is shown around the place of an error. */
#define SHOWN 72

int
parser_point_out(const char *text, const struct expr_error *error, struct buf *out)
{
	size_t size = strlen(text), start = 0, place = error->place;

	if (place > SHOWN / 2 && size > SHOWN)
		start = place - SHOWN / 2;
	if (size - start > SHOWN)
		size = start + SHOWN;
	if (buf_append(out, slice_of("\n  ")) < 0)
		return -1;
	for (size_t i = start; i < size; i++)
		if (buf_append_byte(out,
				    text[i] >= ' ' && text[i] <= '~' ? text[i] : '?') < 0)
			return -1;
	if (buf_append(out, slice_of("\n  ")) < 0)
		return -1;
	for (size_t i = start; i < place; i++)
		if (buf_append_byte(out, ' ') < 0)
			return -1;
	return buf_append_byte(out, '^');
}
