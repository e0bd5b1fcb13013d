/*
 * Has memory that is far off brought near, without waiting for it. Any address will do.
 */
#ifndef VOLLEY_PREFETCH_H
#define VOLLEY_PREFETCH_H

static inline void
prefetch(const void *address)
{
#ifdef __GNUC__
	__builtin_prefetch(address);
#else
	(void)address;
#endif
}

#endif
