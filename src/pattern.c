#include <config.h>

#include "pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Where memory is watched, code that is made at run time would be in the way. */
#ifndef PATTERN_JIT
#define PATTERN_JIT 1
#endif

/* A match that takes more is given up: some tens of milliseconds at the most. But PCRE2 counts
 * anew at each place where a match may begin, and not each step. */
#define MATCH_LIMIT 1000000

/* With so many bytes that is not enough: the limit is as much lower as there are more places, and when
 * it is met, steps are counted, all of them. */
#define LONG_SUBJECT 512

/* With more than so many they are counted from the first: PCRE2 does not count what goes straight on
 * from a place, which is slow enough then. */
#define LONGER_SUBJECT 16384

/* A match may take so many, and so many more for each byte of its subject. */
#define LEAST_STEPS 10000000
#define STEPS_FOR_A_BYTE 20

/* What is left of the steps of a match. */
struct budget {
	uint64_t left;
	size_t place; /* where it has come to in its subject */
};

struct pattern {
	pcre2_code *code;
	pcre2_code *
		counted; /* with count_step() before each item; NULL: that is too large */
	pcre2_match_data *data;
	pcre2_match_context *context;
	struct budget budget;
	uint64_t given_up;
};

/* A step costs one, and one for each byte that it has gone on or back. */
static int
count_step(pcre2_callout_block *block, void *data)
{
	struct budget *budget = data;
	size_t to = block->current_position, from = budget->place;
	uint64_t cost = 1 + (to > from ? to - from : from - to);

	budget->place = to;
	if (cost > budget->left)
		return PCRE2_ERROR_MATCHLIMIT;
	budget->left -= cost;
	return 0;
}

/* NULL with what is wrong in the complaint. */
static pcre2_code *
compile_as(const char *text, size_t prefix, uint32_t options, struct complaint *why)
{
	char message[128];
	PCRE2_SIZE place;
	int error;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)text + prefix, PCRE2_ZERO_TERMINATED,
					 options, &error, &place, NULL);

	if (!code) {
		pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof message);
		complain(why, "%s at character %zu (use a Perl-compatible expression)",
			 message, prefix + place + 1);
	} else if (PATTERN_JIT) {
		/* Without it matching is slower, and the same. */
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	}
	return code;
}

static int
compile(struct pattern *pattern, const char *text, size_t prefix, struct complaint *why)
{
	uint32_t options = 0;

	pattern->code = compile_as(text, prefix, 0, why);
	if (!pattern->code)
		return -1;
	pcre2_pattern_info(pattern->code, PCRE2_INFO_ALLOPTIONS, &options);
	/* It may ask for characters, not bytes: then what is no UTF-8 is none. */
	options = options & PCRE2_UTF ? PCRE2_MATCH_INVALID_UTF : 0;
	if (options) {
		pcre2_code_free(pattern->code);
		pattern->code = compile_as(text, prefix, options, why);
	}
	pattern->counted = compile_as(text, prefix, options | PCRE2_AUTO_CALLOUT, why);
	if (!pattern->code)
		return -1;
	pattern->data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	if (!pattern->data || !pattern->context)
		return complain(why, "%s", strerror(ENOMEM));
	pcre2_set_callout(pattern->context, count_step, &pattern->budget);
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
	pcre2_code_free(pattern->counted);
	pcre2_code_free(pattern->code);
	free(pattern);
}

/* Returns what pcre2_match() does. */
static int
match_with(struct pattern *pattern, const pcre2_code *code, struct slice subject,
	   size_t limit)
{
	PCRE2_SPTR data = (PCRE2_SPTR)(subject.data ? subject.data : "");

	pcre2_set_match_limit(pattern->context, (uint32_t)limit);
	pattern->budget =
		(struct budget){ LEAST_STEPS + STEPS_FOR_A_BYTE * (uint64_t)subject.size,
				 0 };
	return pcre2_match(code, data, subject.size, 0, 0, pattern->data,
			   pattern->context);
}

/* In a long subject, where the places at which a match may begin count. */
static int
match_long(struct pattern *pattern, struct slice subject)
{
	int count = PCRE2_ERROR_MATCHLIMIT;

	if (!pattern->counted)
		return match_with(pattern, pattern->code, subject, MATCH_LIMIT);
	if (subject.size <= LONGER_SUBJECT)
		count = match_with(pattern, pattern->code, subject,
				   LEAST_STEPS / subject.size);
	if (count >= 0 || count == PCRE2_ERROR_NOMATCH)
		return count;
	return match_with(pattern, pattern->counted, subject, MATCH_LIMIT);
}

/* The number of groups that took part, the whole match included; 0 when there is no match. */
static size_t
match(struct pattern *pattern, struct slice subject)
{
	int count = subject.size < LONG_SUBJECT
			    ? match_with(pattern, pattern->code, subject, MATCH_LIMIT)
			    : match_long(pattern, subject);

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
