/*
 * A KEY and the records that it is looked up in: lines of the key, the separator, the records.
 * What is found is part of the record, or of the field; a number is finite.
 */
#include "fuzz.h"

#include <math.h>

#include "field.h"

static void
look_up(struct field *field, const char *key, struct slice record)
{
	struct slice value;
	double number;

	if (field_number(field, record, &number))
		MUST(isfinite(number), "%f", number);
	if (!field_find(field, record, &value))
		return;
	if (strncmp(key, "json:", 5) != 0)
		MUST(value.size <= record.size && value.data >= record.data &&
			     value.data + value.size <= record.data + record.size,
		     "outside of the record");
	/* All of it is there. */
	fuzz_hash(value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice rest = { (const char *)data, size };
	char *key = fuzz_string(fuzz_cut(&rest, '\n'));
	struct slice separator = fuzz_cut(&rest, '\n');
	struct complaint why;
	struct field *field = field_new(key, separator, &why);

	while (field && rest.size > 0) {
		struct slice record = fuzz_copy(fuzz_cut(&rest, '\n'));

		look_up(field, key, record);
		free((void *)(uintptr_t)record.data);
	}
	field_free(field);
	free(key);
	return 0;
}
