#include <config.h>

#include "store.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "prefetch.h"

/* Blocks of 32 to 1024 bytes. */
#define LEAST_SHIFT 5
#define MOST_SHIFT 10

/* The chunks of a store are a ring: the last one leads to the first. */
struct chunk {
	/* The chunk after it; in the lowest bits, how many times its size was doubled from the
	 * least. */
	uintptr_t link;
	char bytes[];
};

#define SHIFT_BITS ((uintptr_t)7)

static size_t
block_of(const struct chunk *chunk)
{
	return (size_t)1 << ((chunk->link & SHIFT_BITS) + LEAST_SHIFT);
}

static size_t
room_of(const struct chunk *chunk)
{
	return block_of(chunk) - sizeof *chunk;
}

static struct chunk *
after(const struct chunk *chunk)
{
	return (struct chunk *)(chunk->link & ~SHIFT_BITS);
}

static void
set_link(struct chunk *chunk, const struct chunk *next, uintptr_t shift)
{
	chunk->link = (uintptr_t)next | shift;
}

static bool
is_chunked(const struct store *store)
{
	return store->buf.capacity > 0 && store->buf.capacity <= STORE_SMALL;
}

static struct chunk *
last_chunk(const struct store *store)
{
	return (struct chunk *)(void *)store->buf.data;
}

/* The size of the next chunk, for so many bytes more, as a shift beyond the least: larger than
 * all before it together. Beyond the most there is none. */
static unsigned
next_shift(const struct store *store, size_t size)
{
	size_t capacity = store->buf.capacity;
	size_t more = size - (capacity - store->buf.size);
	size_t wanted =
		capacity > 0 ? capacity + capacity / 16 + sizeof(struct chunk) : 0;
	unsigned shift = 0;

	if (wanted < more + sizeof(struct chunk) - 1)
		wanted = more + sizeof(struct chunk) - 1;
	while (shift + LEAST_SHIFT <= MOST_SHIFT &&
	       (size_t)1 << (shift + LEAST_SHIFT) <= wanted)
		shift++;
	return shift;
}

/* Copies what is in chunks to one place. */
static void
gather(const struct store *store, char *to)
{
	const struct chunk *last = last_chunk(store), *chunk = after(last);
	size_t rest = store->buf.size;

	for (; chunk != last; chunk = after(chunk)) {
		memcpy(to, chunk->bytes, room_of(chunk));
		to += room_of(chunk);
		rest -= room_of(chunk);
	}
	memcpy(to, last->bytes, rest);
}

static void
give_chunks(const struct store *store, struct store_pool *pool)
{
	struct chunk *last = last_chunk(store), *chunk = after(last), *next;

	for (; chunk != last; chunk = next) {
		next = after(chunk);
		arena_give(&pool->arena, chunk, block_of(chunk));
	}
	arena_give(&pool->arena, last, block_of(last));
}

/* From chunks, or nothing, to one piece with room for size more bytes. */
static int
join(struct store *store, struct store_pool *pool, size_t size)
{
	struct buf joined = { 0 };

	if (buf_reserve(&joined,
			store->buf.size + (size > STORE_SMALL ? size : STORE_SMALL + 1)) <
	    0)
		return -1;
	if (is_chunked(store)) {
		gather(store, joined.data);
		joined.size = store->buf.size;
		give_chunks(store, pool);
	}
	store->buf = joined;
	return 0;
}

int
store_reserve(struct store *store, struct store_pool *pool, size_t size)
{
	unsigned shift;

	if (size <= store->buf.capacity - store->buf.size)
		return 0;
	if (store->buf.capacity > STORE_SMALL)
		return buf_reserve(&store->buf, size);
	shift = pool ? next_shift(store, size) : MOST_SHIFT;
	if (shift + LEAST_SHIFT > MOST_SHIFT)
		return join(store, pool, size);
	return arena_reserve(&pool->arena, (size_t)1 << (shift + LEAST_SHIFT));
}

/* Puts a chunk behind the last, which there is room for. */
static struct chunk *
add_chunk(struct store *store, struct store_pool *pool, size_t size)
{
	unsigned shift = next_shift(store, size);
	struct chunk *chunk =
		arena_take(&pool->arena, (size_t)1 << (shift + LEAST_SHIFT));
	struct chunk *last = is_chunked(store) ? last_chunk(store) : NULL;

	set_link(chunk, last ? after(last) : chunk, shift);
	if (last)
		set_link(last, chunk, last->link & SHIFT_BITS);
	store->buf.data = (char *)chunk;
	store->buf.capacity += room_of(chunk);
	return chunk;
}

void
store_append(struct store *store, struct store_pool *pool, struct slice slice)
{
	size_t room = store->buf.capacity - store->buf.size;
	struct chunk *last;

	if (slice.size == 0)
		return;
	if (store->buf.capacity > STORE_SMALL) {
		buf_append(&store->buf, slice);
		return;
	}
	if (slice.size > room) {
		if (room > 0) {
			last = last_chunk(store);
			memcpy(last->bytes + room_of(last) - room, slice.data, room);
		}
		last = add_chunk(store, pool, slice.size);
		store->buf.size += room;
		slice = slice_from(slice, room);
		room = room_of(last);
	} else {
		last = last_chunk(store);
	}
	memcpy(last->bytes + room_of(last) - room, slice.data, slice.size);
	store->buf.size += slice.size;
}

struct slice
store_slice(const struct store *store, struct store_pool *pool)
{
	const struct chunk *last;

	if (!is_chunked(store))
		return buf_slice(&store->buf);
	last = last_chunk(store);
	if (after(last) == last)
		return (struct slice){ last->bytes, store->buf.size };
	gather(store, pool->scratch);
	return (struct slice){ pool->scratch, store->buf.size };
}

/* Fills the chunks anew, and gives those back that stay empty; at least one byte. */
static void
fill_chunks(struct store *store, struct store_pool *pool, struct slice slice)
{
	struct chunk *end = last_chunk(store), *first = after(end), *chunk = first;
	size_t capacity = room_of(chunk);
	struct store rest = *store;

	while (slice.size > room_of(chunk)) {
		memmove(chunk->bytes, slice.data, room_of(chunk));
		slice = slice_from(slice, room_of(chunk));
		chunk = after(chunk);
		capacity += room_of(chunk);
	}
	memmove(chunk->bytes, slice.data, slice.size);
	if (chunk != end) {
		/* The chunks behind this one become a ring of their own. */
		set_link(end, after(chunk), end->link & SHIFT_BITS);
		give_chunks(&rest, pool);
		set_link(chunk, first, chunk->link & SHIFT_BITS);
	}
	store->buf.data = (char *)chunk;
	store->buf.capacity = capacity;
}

void
store_replace(struct store *store, struct store_pool *pool, struct slice slice)
{
	if (slice.size == 0) {
		store_clear(store, pool, store->buf.capacity);
		return;
	}
	if (is_chunked(store))
		fill_chunks(store, pool, slice);
	else
		memmove(store->buf.data, slice.data, slice.size);
	store->buf.size = slice.size;
}

struct buf *
store_buf(struct store *store)
{
	return is_chunked(store) ? NULL : &store->buf;
}

void
store_clear(struct store *store, struct store_pool *pool, size_t keep)
{
	if (!is_chunked(store)) {
		buf_clear(&store->buf, keep);
		return;
	}
	give_chunks(store, pool);
	store->buf = (struct buf){ 0 };
}

void
store_prefetch(const struct store *store)
{
	const struct chunk *last;

	if (!store->buf.data || !is_chunked(store))
		return;
	last = last_chunk(store);
	prefetch(last);
}
