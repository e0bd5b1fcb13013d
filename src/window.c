#include <config.h>

#include "window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

static const struct form {
	const char *name;
	enum window_kind kind;
	size_t least; /* values */
	size_t most;
} forms[] = {
	{ "global", WINDOW_GLOBAL, 0, 0 },
	{ "tumbling", WINDOW_TUMBLING, 1, 2 },
	{ "sliding", WINDOW_SLIDING, 2, 3 },
	{ "session", WINDOW_SESSION, 1, 1 },
};

/* So many windows at once are a mistake: each of them holds the record. */
#define MOST_WINDOWS 10000

#define FORMS (sizeof forms / sizeof *forms)
#define VALUES_MAX 3
#define HINT "use global, tumbling(1m), sliding(10m,1m) or session(30s)"

/* Durations up to the closing bracket, with commas between; the text is cut up. Returns how
 * many, or -1. */
static int
read_values(char *text, nsec values[VALUES_MAX], struct complaint *why)
{
	int count = 0;
	char *end = strchr(text, ')');

	if (!end || end[1 + strspn(end + 1, " ")] != '\0')
		return complain(why, "expected one ')', at the end (" HINT ")");
	*end = '\0';
	for (char *value = text; value && count < VALUES_MAX; count++) {
		char *comma = strchr(value, ',');
		size_t size;

		if (comma)
			*comma = '\0';
		value += strspn(value, " ");
		for (size = strlen(value); size > 0 && value[size - 1] == ' '; size--)
			value[size - 1] = '\0';
		if (size == 0)
			return complain(why, "a value is missing (" HINT ")");
		if (units_parse_duration(value, &values[count], why) < 0)
			return -1;
		value = comma ? comma + 1 : NULL;
		if (comma && count == VALUES_MAX - 1)
			return complain(why, "too many values (" HINT ")");
	}
	return count;
}

static int
fill_config(const struct form *form, size_t count, const nsec values[VALUES_MAX],
	    struct window_config *config, struct complaint *why)
{
	bool sliding = form->kind == WINDOW_SLIDING;

	if (count < form->least || count > form->most)
		return complain(why, "%s values for %s (" HINT ")",
				count < form->least ? "not enough" : "too many",
				form->name);
	*config = (struct window_config){ .kind = form->kind };
	if (form->kind == WINDOW_GLOBAL)
		return 0;
	config->size = values[0];
	config->slide = sliding ? values[1] : values[0];
	config->phase =
		count == form->most && form->most > form->least ? values[count - 1] : 0;
	if (config->size == 0 || config->slide == 0)
		return complain(why, "a window of 0 (" HINT ")");
	if (config->slide > config->size)
		return complain(why, "a slide that is longer than the window (" HINT ")");
	if (config->size / config->slide > MOST_WINDOWS)
		return complain(why,
				"each record would be in %" PRId64
				" windows (the most is %d)",
				config->size / config->slide, MOST_WINDOWS);
	return 0;
}

int
window_parse(const char *text, struct window_config *config, struct complaint *why)
{
	size_t size = strcspn(text, "("), index = 0;
	nsec values[VALUES_MAX] = { 0 };
	char *copy;
	int count = 0;

	while (index < FORMS && (strlen(forms[index].name) != size ||
				 strncmp(forms[index].name, text, size) != 0))
		index++;
	if (index == FORMS)
		return complain(why, "unknown window (" HINT ")");
	if (text[size] == '(') {
		copy = strdup(text + size + 1);
		if (!copy)
			return complain(why, "%s", strerror(errno));
		count = read_values(copy, values, why);
		free(copy);
	}
	return count < 0 ? -1
			 : fill_config(&forms[index], (size_t)count, values, config, why);
}

struct window
window_first(const struct window_config *config, nsec time)
{
	nsec start;

	switch (config->kind) {
	case WINDOW_GLOBAL:
		break;
	case WINDOW_SESSION:
		return (struct window){ time, nsec_add(time, config->size) };
	case WINDOW_TUMBLING:
	case WINDOW_SLIDING:
		/* The least start above time - size. */
		start = nsec_align(nsec_add(nsec_sub(time, config->size), 1),
				   config->slide, config->phase);
		return (struct window){ start, nsec_add(start, config->size) };
	}
	return WINDOW_OF_ALL_TIME;
}

bool
window_next(const struct window_config *config, nsec time, struct window *window)
{
	if (config->kind != WINDOW_SLIDING ||
	    window->start > nsec_sub(time, config->slide))
		return false;
	window->start += config->slide;
	window->end = nsec_add(window->start, config->size);
	return true;
}

bool
window_overlap(const struct window *a, const struct window *b)
{
	return a->start < b->end && b->start < a->end;
}

struct window
window_union(const struct window *a, const struct window *b)
{
	return (struct window){
		a->start < b->start ? a->start : b->start,
		a->end > b->end ? a->end : b->end,
	};
}
