#include <config.h>

#include "timestamp.h"

int
timestamp_find(const struct timestamp_source *source, struct slice line,
	       struct timestamped *result)
{
	struct slice value;
	size_t size;

	if (source->key) {
		result->has_record = true;
		result->record = line;
		if (!field_find(source->key, line, &value))
			return -1;
		return timeform_parse(&source->form, value, &result->time);
	}
	if (timeform_read(&source->form, line, &size, &result->time) < 0)
		return -1;
	result->has_record = size < line.size;
	result->record = slice_from(line, result->has_record ? size + 1 : size);
	return 0;
}

int
timestamp_find_in_front(const struct timestamp_source *source, struct slice front,
			nsec *time)
{
	struct slice value;

	if (!field_borrows_record(source->key) ||
	    !field_find(source->key, front, &value) ||
	    value.data + value.size == front.data + front.size)
		return -1;
	return timeform_parse(&source->form, value, time);
}
