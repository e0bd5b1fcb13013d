#include <config.h>

#include "jsontext.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes that stand for themselves in a string. */
static bool
is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Whether that is so of eight bytes. A plain one may be taken for one that is not, but only
 * beside one that is not. */
static bool
all_plain(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, odd;

	memcpy(&word, bytes, sizeof word);
	odd = word | (word - ones * ' ') | ((word ^ ones * '"') - ones) |
	      ((word ^ ones * '\\') - ones);
	return (odd & ones * 0x80) == 0;
}

static size_t
plain_size(struct slice text)
{
	size_t size = 0;

	while (text.size - size >= 8 && all_plain(text.data + size))
		size += 8;
	while (size < text.size && is_plain((unsigned char)text.data[size]))
		size++;
	return size;
}

/* How many bytes a sequence that begins with this byte has, and the range of its second byte;
 * 0 when none begins so. */
static size_t
sequence_size(unsigned char first, unsigned char *least, unsigned char *most)
{
	*least = 0x80;
	*most = 0xbf;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef) {
		*least = first == 0xe0 ? 0xa0 : 0x80; /* no overlong forms */
		*most = first == 0xed ? 0x9f : 0xbf;  /* no surrogates */
		return 3;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		*least = first == 0xf0 ? 0x90 : 0x80;
		*most = first == 0xf4 ? 0x8f : 0xbf; /* nothing beyond U+10FFFF */
		return 4;
	}
	return 0;
}

/* The bytes at the front that are one character, or that one U+FFFD stands for: the longest
 * beginning of a character, or one byte. */
static size_t
character_size(struct slice text, bool *good)
{
	unsigned char least, most;
	size_t wanted = sequence_size((unsigned char)text.data[0], &least, &most),
	       size = 1;

	for (; size < wanted && size < text.size; size++) {
		unsigned char byte = (unsigned char)text.data[size];

		if (byte < least || byte > most)
			break;
		least = 0x80;
		most = 0xbf;
	}
	*good = size == wanted;
	return size;
}

/* Appends an ASCII byte that does not stand for itself. */
static int
append_escape(unsigned char byte, struct buf *out)
{
	static const char bytes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = byte ? strchr(bytes, byte) : NULL;
	char escape[8] = { '\\', found ? letters[found - bytes] : 'u' };

	if (!found)
		snprintf(escape, sizeof escape, "\\u%04x", byte);
	return buf_append(out, slice_of(escape));
}

/* Appends a byte that is not plain, or the character that it begins; *size is what it took. */
static int
append_special(struct slice text, size_t *size, struct buf *out, uint64_t *replaced)
{
	bool good;

	*size = 1;
	if ((unsigned char)text.data[0] < 0x80)
		return append_escape((unsigned char)text.data[0], out);
	*size = character_size(text, &good);
	if (good)
		return buf_append(out, (struct slice){ text.data, *size });
	++*replaced;
	return buf_append(out, slice_of("\xef\xbf\xbd"));
}

int
jsontext_append(struct slice text, struct buf *out, uint64_t *replaced)
{
	/* Most text is plain: with room for all of it, little is left to be seen to. */
	if (buf_reserve(out, text.size + 2) < 0 || buf_append_byte(out, '"') < 0)
		return -1;
	while (text.size > 0) {
		size_t size = plain_size(text);

		if (buf_append(out, (struct slice){ text.data, size }) < 0)
			return -1;
		text = slice_from(text, size);
		if (text.size == 0)
			break;
		if (append_special(text, &size, out, replaced) < 0)
			return -1;
		text = slice_from(text, size);
	}
	return buf_append_byte(out, '"');
}
