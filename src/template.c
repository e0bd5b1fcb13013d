#include <config.h>

#include "template.h"

#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
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

static int
append_number(uint64_t value, struct buf *out)
{
	char text[UNITS_TEXT_MAX];
	int size = snprintf(text, sizeof text, "%" PRIu64, value);

	return buf_append(out, (struct slice){ text, (size_t)size });
}

/* Nothing for a time that the batch lacks. */
static int
append_time(bool there, nsec time, const struct timeform *times, struct buf *out)
{
	return there ? timeform_print(times, time, out) : 0;
}

static int
append_fact(enum fact fact, const struct batch *batch, const struct timeform *times,
	    struct buf *out)
{
	bool has_records = batch->count > 0, has_window = batch->end != NSEC_MAX;

	switch (fact) {
	case FACT_INDEX:
		return append_number(batch->index, out);
	case FACT_COUNT:
		return append_number(batch->count, out);
	case FACT_BYTES:
		return append_number(batch->bytes, out);
	case FACT_REASON:
		return buf_append(out, slice_of(reason_name(batch->reason)));
	case FACT_KEY:
		return buf_append(out, batch->key);
	case FACT_FIRED:
		return append_time(true, batch->fired, times, out);
	case FACT_FIRST:
		return append_time(has_records, batch->first, times, out);
	case FACT_LAST:
		return append_time(has_records, batch->last, times, out);
	case FACT_START:
		return append_time(has_window, batch->start, times, out);
	case FACT_END:
		return append_time(has_window, batch->end, times, out);
	case FACT_TIMING:
		return buf_append(out, slice_of(timing_name(batch->timing)));
	case FACT_PANE:
		return append_number(batch->pane, out);
	case FACT_TIMESTAMP:
		return append_time(batch->has_timestamp, batch->timestamp, times, out);
	case FACTS:
		break;
	}
	return 0;
}

/* Appends one fact in some form. */
typedef int
append_form(enum fact fact, const struct batch *batch, const struct timeform *times,
	    struct buf *out);

static int
append_pieces(const struct template *template, append_form *append,
	      const struct batch *batch, const struct timeform *times, struct buf *out)
{
	size_t start = 0;

	for (size_t i = 0; i < template->count; i++) {
		const struct piece *piece = &template->pieces[i];
		struct slice literal = { template->text + start, piece->end - start };

		if (buf_append(out, literal) < 0 ||
		    append(piece->fact, batch, times, out) < 0)
			return -1;
		start = piece->end;
	}
	return 0;
}

int
template_append(const struct template *template, const struct batch *batch,
		const struct timeform *times, struct buf *out)
{
	return append_pieces(template, append_fact, batch, times, out);
}

/* So much of a fact, escaped, is a part of a file's name. */
#define NAME_PART_MAX 180

static bool
is_safe(char byte, bool first)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_+:,=@";

	return byte != '\0' && (strchr(safe, byte) || (byte == '.' && !first));
}

/* So many digits of the text's SHA-256, for which nobody knows two texts that have the same. */
#define DIGEST_MAX 32

static int
append_escaped(struct slice text, struct buf *out)
{
	size_t start = out->size;
	char escape[DIGEST_MAX + 32], digest[SHA256_DIGEST_STRING_LENGTH];

	/* Something stands for nothing: a name must not change its shape with a fact. */
	if (text.size == 0)
		return buf_append_byte(out, '%');

	for (size_t i = 0; i < text.size; i++) {
		int size = snprintf(escape, sizeof escape, "%%%02X",
				    (unsigned char)text.data[i]);

		if (is_safe(text.data[i], i == 0)) {
			escape[0] = text.data[i];
			size = 1;
		}
		if (out->size - start + (size_t)size > NAME_PART_MAX) {
			SHA256Data((const uint8_t *)text.data, text.size, digest);
			size = snprintf(escape, sizeof escape, "%%%.*s-%zx", DIGEST_MAX,
					digest, text.size);
			i = text.size;
		}
		if (buf_append(out, (struct slice){ escape, (size_t)size }) < 0)
			return -1;
	}
	return 0;
}

static int
append_fact_escaped(enum fact fact, const struct batch *batch,
		    const struct timeform *times, struct buf *out)
{
	struct buf text = { 0 };
	int result;

	if (fact == FACTS)
		return 0;
	result = append_fact(fact, batch, times, &text);

	if (result == 0)
		result = append_escaped(buf_slice(&text), out);
	buf_release(&text);
	return result;
}

bool
template_is_name(const struct template *template)
{
	size_t size = template->pieces[template->count - 1].end;

	return size == 0 || !memchr(template->text, '\0', size);
}

bool
template_has_index(const struct template *template)
{
	for (size_t i = 0; i < template->count; i++)
		if (template->pieces[i].fact == FACT_INDEX)
			return true;
	return false;
}

int
template_append_name(const struct template *template, const struct batch *batch,
		     const struct timeform *times, struct buf *out)
{
	return append_pieces(template, append_fact_escaped, batch, times, out);
}
