/*
 * records KIND COUNT [N [FIRST]]: so many records of a kind, the same at each run, on standard
 * output.
 *
 *	plain	of N bytes each, with the newline
 *	keys	"KEY VALUE", at random among N keys from number FIRST on
 *	each	the same, but the keys come one after another, so that each comes COUNT / N times
 *	clock	"TIME KEY VALUE", the keys one after another, the time 1 ms more at each record
 *	spread	"TIME KEY VALUE", of one key, at random among N seconds
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

/* xorshift64 */
static uint64_t
next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void
print_plain(size_t size)
{
	uint64_t random = next_random();

	for (size_t i = 0; i + 1 < size; i++) {
		if (i % 8 == 7)
			random = next_random();
		putchar_unlocked("abcdefghijklmnop"[random >> i % 8 * 8 & 15]);
	}
	putchar_unlocked('\n');
}

/* Faster than printf, which would take longer than what is measured. */
static void
print_number(uint64_t number, int width)
{
	char digits[20];

	for (int i = width; i-- > 0; number /= 10)
		digits[i] = (char)('0' + number % 10);
	fwrite_unlocked(digits, 1, (size_t)width, stdout);
}

static void
print_keyed(uint64_t key)
{
	putchar_unlocked('k');
	print_number(key, 8);
	fwrite_unlocked(" value-01\n", 1, 10, stdout);
}

static void
print_timed(uint64_t ms, uint64_t key)
{
	print_number(ms, 13);
	putchar_unlocked(' ');
	print_keyed(key);
}

int
main(int argc, char **argv)
{
	const uint64_t start = 1700000000000u;
	uint64_t count, n, first;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "usage: records KIND COUNT [N [FIRST]]\n");
		return 2;
	}
	count = strtoull(argv[2], NULL, 10);
	n = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	for (uint64_t i = 0; i < count; i++) {
		if (strcmp(argv[1], "plain") == 0)
			print_plain(n);
		else if (strcmp(argv[1], "keys") == 0)
			print_keyed(first + next_random() % n);
		else if (strcmp(argv[1], "each") == 0)
			print_keyed(first + i % n);
		else if (strcmp(argv[1], "clock") == 0)
			print_timed(start + i, first + i % n);
		else if (strcmp(argv[1], "spread") == 0)
			print_timed(start + next_random() % n * 1000, first);
	}
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
