#include <config.h>

#include "pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* A match that takes more is given up: some tens of milliseconds at the most. */
#define MATCH_LIMIT 1000000

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	uint64_t given_up;
};

static int
compile(struct pattern *pattern, const char *text, size_t prefix, struct complaint *why)
{
	char message[128];
	PCRE2_SIZE place;
	int error;

	pattern->code = pcre2_compile((PCRE2_SPTR)text + prefix, PCRE2_ZERO_TERMINATED, 0,
				      &error, &place, NULL);
	if (!pattern->code) {
		pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof message);
		return complain(why,
				"%s at character %zu (use a Perl-compatible expression)",
				message, prefix + place + 1);
	}
	/* Without it matching is slower, and the same. */
	pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
	pattern->data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	if (!pattern->data || !pattern->context)
		return complain(why, "%s", strerror(ENOMEM));
	pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
	return 0;
}

struct pattern *
pattern_new_behind(const char *text, size_t prefix, struct complaint *why)
{
	struct pattern *pattern = calloc(1, sizeof *pattern);

	if (!pattern)
		complain(why, "%s", strerror(errno));
	else if (compile(pattern, text, prefix, why) == 0)
		return pattern;
	pattern_free(pattern);
	return NULL;
}

struct pattern *
pattern_new(const char *text, struct complaint *why)
{
	return pattern_new_behind(text, 0, why);
}

void
pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->context);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	free(pattern);
}

/* The number of groups that took part, the whole match included; 0 when there is no match. */
static size_t
match(struct pattern *pattern, struct slice subject)
{
	PCRE2_SPTR data = (PCRE2_SPTR)(subject.data ? subject.data : "");
	int count = pcre2_match(pattern->code, data, subject.size, 0, 0, pattern->data,
				pattern->context);

	if (count < 0 && count != PCRE2_ERROR_NOMATCH)
		pattern->given_up++;
	return count > 0 ? (size_t)count : 0;
}

bool
pattern_matches(struct pattern *pattern, struct slice subject)
{
	return match(pattern, subject) > 0;
}

bool
pattern_find(struct pattern *pattern, struct slice subject, struct slice *found)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->data);
	size_t count = match(pattern, subject);
	size_t group = pcre2_get_ovector_count(pattern->data) > 1;

	if (count <= group || ends[2 * group] == PCRE2_UNSET ||
	    ends[2 * group + 1] < ends[2 * group])
		return false;
	*found = (struct slice){ subject.data + ends[2 * group],
				 ends[2 * group + 1] - ends[2 * group] };
	return true;
}

uint64_t
pattern_given_up(const struct pattern *pattern)
{
	return pattern->given_up;
}
