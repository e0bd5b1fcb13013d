#include <config.h>

#include "probe.h"

#include <stdlib.h>

void
probes_release(struct probes *probes)
{
	for (size_t i = 0; i < probes->count; i++) {
		pattern_free(probes->list[i].pattern);
		field_free(probes->list[i].field);
	}
	free(probes->list);
	*probes = (struct probes){ 0 };
}

int
probes_add(struct probes *probes, struct pattern *pattern, struct field *field,
	   size_t *index)
{
	struct probe *list = realloc(probes->list, (probes->count + 1) * sizeof *list);

	if (!list) {
		pattern_free(pattern);
		field_free(field);
		return -1;
	}
	*index = probes->count;
	list[probes->count++] = (struct probe){ pattern, field };
	probes->list = list;
	return 0;
}

void
probes_ask(const struct probes *probes, struct slice record, struct finding *findings)
{
	for (size_t i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->list[i];

		if (probe->pattern)
			findings[i].found = pattern_matches(probe->pattern, record);
		else
			findings[i].found =
				field_number(probe->field, record, &findings[i].number);
	}
}

uint64_t
probes_given_up(const struct probes *probes)
{
	uint64_t count = 0;

	for (size_t i = 0; i < probes->count; i++)
		count += probes->list[i].pattern
				 ? pattern_given_up(probes->list[i].pattern)
				 : field_given_up(probes->list[i].field);
	return count;
}
