#include <config.h>

#include "timestamp.h"

int
timestamp_split(struct slice line, enum time_format format, struct timestamped *result)
{
	size_t size = 0;

	while (size < line.size && size < TIMESTAMP_MAX && line.data[size] != ' ' &&
	       line.data[size] != '\t')
		size++;
	if (units_parse_time(line.data, size, format, &result->time) < 0)
		return -1;
	result->has_record = size < line.size;
	result->record = slice_from(line, result->has_record ? size + 1 : size);
	return 0;
}
