#include <config.h>

#include "template.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum fact {
	FACT_INDEX,
	FACT_COUNT,
	FACT_BYTES,
	FACT_REASON,
	FACT_KEY,
	FACT_FIRED,
	FACT_FIRST,
	FACT_LAST,
	FACT_START,
	FACT_END,
	FACT_TIMING,
	FACT_PANE,
	FACT_TIMESTAMP,
	FACTS,
};

static const char *const fact_names[FACTS] = {
	"index", "count", "bytes", "reason", "key",  "fired",     "first",
	"last",  "start", "end",   "timing", "pane", "timestamp",
};

#define FACT_HINT                                                                          \
	"use {index} {count} {bytes} {reason} {key} {fired} {first} {last} {start} {end} " \
	"{timing} {pane} or {timestamp}"

/* Text, then a fact. */
struct piece {
	size_t end;     /* of its text, which begins where the piece before ends */
	enum fact fact; /* FACTS: none */
};

struct template
{
	char *text;
	struct piece *pieces;
	size_t count;
};

static int
push_piece(struct template *template, size_t end, enum fact fact)
{
	struct piece *pieces =
		realloc(template->pieces, (template->count + 1) * sizeof *pieces);

	if (!pieces)
		return -1;
	pieces[template->count++] = (struct piece){ end, fact };
	template->pieces = pieces;
	return 0;
}

static enum fact
find_fact(const char *name, size_t size)
{
	size_t fact = 0;

	while (fact < FACTS && (strlen(fact_names[fact]) != size ||
				memcmp(fact_names[fact], name, size) != 0))
		fact++;
	return (enum fact)fact;
}

/* The fact between the braces that open at text; *size is set to the length of both. */
static int
read_fact(const char *text, size_t *size, enum fact *fact, struct complaint *why)
{
	const char *end = strchr(text, '}');
	size_t name = end ? (size_t)(end - text) - 1 : 0;

	*fact = end ? find_fact(text + 1, name) : FACTS;
	*size = name + 2;
	if (end && *fact < FACTS)
		return 0;
	if (!end)
		return complain(why, "'{' without '}' (write '{{' for a brace)");
	return complain(why, "no such fact as '%.*s' (" FACT_HINT ")",
			(int)(name > 20 ? 20 : name), text + 1);
}

/* Reads text into template->text and its pieces. */
static int
read_template(struct template *template, const char *text, struct complaint *why)
{
	size_t size = 0;

	while (*text) {
		size_t skip = 2;
		enum fact fact;
		long unescaped;

		if (*text == '\\') {
			size_t whole =
				text[1] == 'x' ? strnlen(text, 4) : strnlen(text, 2);

			memcpy(template->text + size, text, whole);
			unescaped = units_unescape(template->text + size, whole, why);
			if (unescaped < 0)
				return -1;
			size += (size_t)unescaped;
			skip = whole;
		} else if ((*text == '{' || *text == '}') && text[1] == *text) {
			template->text[size++] = *text;
		} else if (*text == '{') {
			if (read_fact(text, &skip, &fact, why) < 0)
				return -1;
			if (push_piece(template, size, fact) < 0)
				return complain(why, "%s", strerror(errno));
		} else if (*text == '}') {
			return complain(why, "'}' without '{' (write '}}' for a brace)");
		} else {
			template->text[size++] = *text;
			skip = 1;
		}
		text += skip;
	}
	return push_piece(template, size, FACTS) < 0
		       ? complain(why, "%s", strerror(errno))
		       : 0;
}

struct template *
template_new(const char *text, struct complaint *why)
{
	struct template *template = calloc(1, sizeof *template);

	if (template)
		template->text = malloc(strlen(text) + 1);
	if (!template || !template->text)
		complain(why, "%s", strerror(errno));
	else if (read_template(template, text, why) == 0)
		return template;
	template_free(template);
	return NULL;
}

void
template_free(struct template *template)
{
	if (!template)
		return;
	free(template->text);
	free(template->pieces);
	free(template);
}

static struct slice
number(char text[UNITS_TEXT_MAX], uint64_t value)
{
	return (struct slice){ text, (size_t)snprintf(text, UNITS_TEXT_MAX, "%" PRIu64,
						      value) };
}

static struct slice
time_if(bool there, char text[UNITS_TEXT_MAX], nsec time, const struct batch *batch,
	const struct time_style *style)
{
	if (!there)
		return (struct slice){ text, 0 };
	if (style->wall)
		return (struct slice){
			text, units_print_wall(text, nsec_add(time, batch->offset))
		};
	return (struct slice){ text, units_print_time(text, time, style->format) };
}

/* What stands for the fact; nothing for one that the batch lacks. */
static struct slice
value_of(enum fact fact, const struct batch *batch, const struct time_style *style,
	 char text[UNITS_TEXT_MAX])
{
	bool has_records = batch->count > 0, has_window = batch->end != NSEC_MAX;

	switch (fact) {
	case FACT_INDEX:
		return number(text, batch->index);
	case FACT_COUNT:
		return number(text, batch->count);
	case FACT_BYTES:
		return number(text, batch->bytes);
	case FACT_REASON:
		return slice_of(reason_name(batch->reason));
	case FACT_KEY:
		return batch->key;
	case FACT_FIRED:
		return time_if(true, text, batch->fired, batch, style);
	case FACT_FIRST:
		return time_if(has_records, text, batch->first, batch, style);
	case FACT_LAST:
		return time_if(has_records, text, batch->last, batch, style);
	case FACT_START:
		return time_if(has_window, text, batch->start, batch, style);
	case FACT_END:
		return time_if(has_window, text, batch->end, batch, style);
	case FACT_TIMING:
		return slice_of(timing_name(batch->timing));
	case FACT_PANE:
		return number(text, batch->pane);
	case FACT_TIMESTAMP:
		return time_if(batch->has_timestamp, text, batch->timestamp, batch,
			       style);
	case FACTS:
		break;
	}
	return (struct slice){ text, 0 };
}

int
template_append(const struct template *template, const struct batch *batch,
		const struct time_style *style, struct buf *out)
{
	size_t start = 0;

	for (size_t i = 0; i < template->count; i++) {
		const struct piece *piece = &template->pieces[i];
		struct slice literal = { template->text + start, piece->end - start };
		char text[UNITS_TEXT_MAX];

		if (buf_append(out, literal) < 0 ||
		    buf_append(out, value_of(piece->fact, batch, style, text)) < 0)
			return -1;
		start = piece->end;
	}
	return 0;
}
