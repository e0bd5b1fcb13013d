/*
 * A template, a key, and the facts of a batch as they come. As a name of a file each fact is part
 * of one name: without the slashes of the template there are none.
 */
#include "fuzz.h"

#include "template.h"

static void
fill_in(struct batch *batch, struct slice rest)
{
	uint64_t words[8] = { 0 };

	memcpy(words, rest.data ? rest.data : "",
	       rest.size < sizeof words ? rest.size : sizeof words);
	*batch = (struct batch){
		.index = words[0],
		.count = words[1],
		.bytes = words[2],
		.reason = (enum reason)(words[3] % REASONS),
		.has_key = true,
		.fired = (nsec)words[4],
		.first = (nsec)words[5],
		.last = (nsec)words[6],
		.start = (nsec)words[5],
		.end = words[3] & 256 ? NSEC_MAX : (nsec)words[7],
		.timing = (enum timing)(words[3] >> 16 & 1),
		.timestamp = (nsec)words[7],
		.has_timestamp = words[3] >> 17 & 1,
	};
}

static void
check_name(const char *text, struct slice name)
{
	if (!strstr(text, "\\0") && !strstr(text, "\\x00"))
		MUST(!memchr(name.data ? name.data : "", '\0', name.size),
		     "a NUL in a name");
	/* A fact at the front is the front of a name: not hidden, and not another directory. */
	if (text[0] == '{' && text[1] != '{')
		MUST(name.size > 0 && name.data[0] != '.' && name.data[0] != '/',
		     "'%s' gives '%.*s'", text, (int)name.size,
		     name.data ? name.data : "");
	if (!strchr(text, '/') && !strstr(text, "\\x2f") && !strstr(text, "\\x2F"))
		MUST(!memchr(name.data ? name.data : "", '/', name.size),
		     "a directory: %.*s", (int)name.size, name.data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "ms", "s", "ns", "rfc3339", "%Y/%m %d" };
	struct slice rest = { (const char *)data, size };
	char *text = fuzz_string(fuzz_cut(&rest, '\n'));
	struct slice key = fuzz_copy(fuzz_cut(&rest, '\n'));
	struct buf out = { 0 }, name = { 0 };
	struct complaint why;
	struct template *template = template_new(text, &why);
	struct timeform times;
	struct batch batch;

	MUST(timeform_choose(&times, forms[size % 5], &why) == 0, "%s", why.text);
	fill_in(&batch, rest);
	batch.key = key;
	if (template) {
		template_append(template, &batch, &times, &out);
		if (template_append_name(template, &batch, &times, &name) == 0)
			check_name(text, buf_slice(&name));
	}
	template_free(template);
	buf_release(&out);
	buf_release(&name);
	free((void *)(uintptr_t)key.data);
	free(text);
	return 0;
}
