/*
 * Bytes as a JSON string: it is one to another parser, which finds the same text in it, but for
 * what is not UTF-8; that is counted.
 */
#include "fuzz.h"

#include <inttypes.h>
#include <jansson.h>

#include "jsontext.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = fuzz_copy((struct slice){ (const char *)data, size });
	struct buf out = { 0 };
	uint64_t replaced = 0;
	json_t *value, *direct;

	MUST(jsontext_append(text, &out, &replaced) == 0, "no memory");
	value = json_loadb(out.data, out.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	MUST(value && json_is_string(value), "no string: %.*s", (int)out.size, out.data);
	for (size_t i = 0; i < out.size; i++)
		MUST((unsigned char)out.data[i] >= ' ', "%d", out.data[i]);
	direct = json_stringn(text.data, text.size);
	MUST((direct != NULL) == (replaced == 0), "%" PRIu64 " replaced", replaced);
	if (direct)
		MUST(json_equal(direct, value), "another text: %.*s", (int)out.size,
		     out.data);
	json_decref(direct);
	json_decref(value);
	buf_release(&out);
	free((void *)(uintptr_t)text.data);
	return 0;
}
