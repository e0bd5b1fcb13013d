/*
 * Trigger expressions: what is read is spelled in a way that is read as the same again, and has
 * a meaning in words. The first byte chooses the domain and the form of times.
 */
#include "fuzz.h"

#include "expr.h"
#include "parser.h"
#include "spell.h"

static struct trigger *
parse(const char *text, const struct timeform *times, bool event, struct probes *probes)
{
	struct expr_context context = { times, event, { ",", 1 }, probes };
	struct expr_error error;
	struct trigger *trigger = expr_parse(text, &context, &error);
	struct buf lines = { 0 };

	if (trigger)
		return trigger;
	MUST(error.place <= strlen(text), "%zu", error.place);
	MUST(memchr(error.complaint.text, '\0', sizeof error.complaint.text), "no end");
	MUST(parser_point_out(text, &error, &lines) == 0, "no memory");
	buf_release(&lines);
	return NULL;
}

static char *
spell(const struct trigger *trigger)
{
	struct buf text = { 0 };

	MUST(spell_trigger(trigger, &text) == 0, "no memory");
	MUST(buf_append_byte(&text, '\0') == 0, "no memory");
	return text.data;
}

static void
check(const struct trigger *trigger, const struct timeform *times, bool event)
{
	struct probes probes = { 0 };
	struct buf meaning = { 0 };
	char *once = spell(trigger), *twice;
	struct trigger *again = parse(once, times, event, &probes);

	MUST(again, "'%s' is not read back", once);
	twice = spell(again);
	MUST(strcmp(once, twice) == 0, "'%s' and '%s'", once, twice);
	MUST(trigger->words == again->words, "%zu", trigger->words);
	MUST(spell_meaning(trigger, &meaning) == 0, "no memory");
	free(once);
	free(twice);
	buf_release(&meaning);
	trigger_free(again);
	probes_release(&probes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "ms", "s", "ns", "rfc3339" };
	struct timeform times;
	struct complaint why;
	struct probes probes = { 0 };
	struct trigger *trigger;
	char *text;

	if (size == 0)
		return 0;
	MUST(timeform_choose(&times, forms[data[0] >> 1 & 3], &why) == 0, "%s", why.text);
	text = fuzz_string((struct slice){ (const char *)data + 1, size - 1 });
	trigger = parse(text, &times, data[0] & 1, &probes);
	if (trigger)
		check(trigger, &times, data[0] & 1);
	trigger_free(trigger);
	probes_release(&probes);
	free(text);
	return 0;
}
