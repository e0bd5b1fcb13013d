/*
 * The tree of a trigger: leaves and combinators, as in Beam. Immutable, and shared by all panes.
 */
#ifndef VOLLEY_TREE_H
#define VOLLEY_TREE_H

#include "leaf.h"

enum trigger_kind {
	TRIGGER_LEAF,
	TRIGGER_ANY,    /* any child is ready; finishes when it fires */
	TRIGGER_ALL,    /* every child is ready; finishes when it fires */
	TRIGGER_EACH,   /* one child after the other; finishes with the last */
	TRIGGER_REPEAT, /* its child, again and again; never finishes */
	TRIGGER_UNTIL,  /* the first child until the second, which goes first, fires */
};

/* Parts of watermark(early=A, late=B), the short form of a tree of the kinds above. */
enum { TRIGGER_EARLY = 1, TRIGGER_LATE = 2 };

struct trigger {
	enum trigger_kind kind;
	int phases;       /* it is written as watermark() with these parts; else 0 */
	struct leaf leaf; /* of TRIGGER_LEAF */
	size_t words;     /* of a state, those of the children included */
	size_t children;  /* 0 for a leaf */
	struct trigger *child[]; /* owned */
};

/* Takes over leaf->text. NULL with errno ENOMEM, and the text is freed. */
struct trigger *
trigger_leaf(const struct leaf *leaf);

/* Takes over the children, of which any may be NULL: one that could not be made. NULL with
 * errno ENOMEM, and the children are freed. */
struct trigger *
trigger_combine(enum trigger_kind kind, struct trigger *const *children, size_t count);

void
trigger_free(struct trigger *trigger);

/* The words of a state that are a combinator's own, before those of its children: each() keeps
 * the index of its current child there. */
size_t
trigger_own_words(enum trigger_kind kind);

/* Whether any of its times is one of the calendar, which a step of the wall clock moves. */
bool
trigger_follows_calendar(const struct trigger *trigger);

/* Whether any leaf can ever wait for the input to have nothing more to offer. */
bool
trigger_has_quiet(const struct trigger *trigger);

/* The first part of it that sessions, which merge, cannot have; NULL when there is none. They can
 * have watermark, count, delay and idle under repeat, any and all. */
const struct trigger *
trigger_find_unmergeable(const struct trigger *trigger);

#endif
