/*
 * Windows as text, then times: the windows of a time hold it, in the order of their starts, and
 * there are as many as there should be.
 */
#include "fuzz.h"

#include <inttypes.h>

#include "window.h"

static void
check_time(const struct window_config *config, nsec time)
{
	struct window window = window_first(config, time), next;
	nsec count = 1, bound;

	if (config->kind == WINDOW_GLOBAL) {
		MUST(window.end == NSEC_MAX, "%" PRId64, window.end);
		return;
	}
	/* Beyond that times saturate. */
	bound = NSEC_MAX / 4;
	if (time > bound || time < -bound || config->size > bound)
		return;
	MUST(window.start <= time && time < window.end,
	     "%" PRId64 " in [%" PRId64 ", %" PRId64, time, window.start, window.end);
	MUST(window.end - window.start == config->size, "%" PRId64, window.start);
	if (config->kind == WINDOW_SESSION)
		return;
	for (next = window; count < 1000 && window_next(config, time, &next); count++) {
		MUST(next.start == window.start + config->slide, "%" PRId64, next.start);
		MUST(next.start <= time && time < next.end, "%" PRId64, next.start);
		MUST(window_overlap(&window, &next) == (config->slide < config->size),
		     "overlap");
		window = next;
	}
	MUST(count == 1000 || count == config->size / config->slide ||
		     count == config->size / config->slide + 1,
	     "%" PRId64 " windows", count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice rest = { (const char *)data, size };
	char *text = fuzz_string(fuzz_cut(&rest, '\n'));
	struct window_config config;
	struct complaint why;
	nsec time;

	if (window_parse(text, &config, &why) == 0)
		for (; rest.size >= sizeof time; rest = slice_from(rest, sizeof time)) {
			memcpy(&time, rest.data, sizeof time);
			check_time(&config, time);
		}
	free(text);
	return 0;
}
