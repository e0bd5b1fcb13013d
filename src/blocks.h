/*
 * Bytes looked at in blocks, for the delimiters among them: the same functions for each set of
 * instructions that they are written for. What is in BLOCKS_SETS exists here; whether the
 * processor has it is known when the program runs, from blocks_have_avx2().
 *
 *     block_mask_SET     a block as a word: a bit is set where a delimiter stands, the lowest
 *                        for the first byte
 *     stride_count_SET   how many delimiters a stride holds: cheaper than its words
 *     bits_count_SET     how many bits of a word are set
 */
#ifndef VOLLEY_BLOCKS_H
#define VOLLEY_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes. A counter of one byte for each place in a block does not overflow within a stride. */
#define BLOCK ((size_t)64)
#define STRIDE ((size_t)1024)

/* What stands before a function of the set. */
#define BLOCKS_FOR_portable
#define BLOCKS_FOR_sse2

static inline uint64_t
block_mask_portable(const char *block, char delimiter)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < BLOCK; i++)
		mask |= (uint64_t)(block[i] == delimiter) << i;
	return mask;
}

static inline unsigned
stride_count_portable(const char *stride, char delimiter)
{
	unsigned count = 0;

	/* Compilers vectorise the inner loop if its counter has one byte. */
	for (size_t start = 0; start < STRIDE; start += BLOCK) {
		unsigned char part = 0;

		for (size_t i = 0; i < BLOCK; i++)
			part = (unsigned char)(part + (stride[start + i] == delimiter));
		count += part;
	}
	return count;
}

static inline unsigned
bits_count_portable(uint64_t word)
{
	const uint64_t pairs = UINT64_C(0x5555555555555555),
		       fours = UINT64_C(0x3333333333333333),
		       bytes = UINT64_C(0x0f0f0f0f0f0f0f0f),
		       ones = UINT64_C(0x0101010101010101);

	word -= word >> 1 & pairs;
	word = (word & fours) + (word >> 2 & fours);
	word = (word + (word >> 4)) & bytes;
	return (unsigned)(word * ones >> 56);
}

#if defined __SSE2__ && defined __GNUC__
#define BLOCKS_SSE2 1
#include <emmintrin.h>

static inline __m128i
equal_sse2(const char *bytes, __m128i delimiter)
{
	return _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes),
			      delimiter);
}

static inline uint64_t
block_mask_sse2(const char *block, char delimiter)
{
	__m128i wanted = _mm_set1_epi8(delimiter);
	uint64_t mask = 0;

	for (size_t i = 0; i < BLOCK; i += 16)
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(
				equal_sse2(block + i, wanted))
			<< i;
	return mask;
}

static inline unsigned
stride_count_sse2(const char *stride, char delimiter)
{
	__m128i wanted = _mm_set1_epi8(delimiter), zero = _mm_setzero_si128();
	__m128i a = zero, b = zero, c = zero, d = zero, sums;

	/* Equal is -1. */
	for (size_t i = 0; i < STRIDE; i += BLOCK) {
		a = _mm_sub_epi8(a, equal_sse2(stride + i, wanted));
		b = _mm_sub_epi8(b, equal_sse2(stride + i + 16, wanted));
		c = _mm_sub_epi8(c, equal_sse2(stride + i + 32, wanted));
		d = _mm_sub_epi8(d, equal_sse2(stride + i + 48, wanted));
	}
	sums = _mm_add_epi64(_mm_add_epi64(_mm_sad_epu8(a, zero), _mm_sad_epu8(b, zero)),
			     _mm_add_epi64(_mm_sad_epu8(c, zero), _mm_sad_epu8(d, zero)));
	sums = _mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums));
	return (unsigned)_mm_cvtsi128_si32(sums);
}

static inline unsigned
bits_count_sse2(uint64_t word)
{
	return bits_count_portable(word);
}
#endif

#if defined __x86_64__ && defined __GNUC__
#define BLOCKS_AVX2 1
#include <immintrin.h>

#define BLOCKS_FOR_avx2 __attribute__((target("avx2,popcnt,bmi")))

BLOCKS_FOR_avx2 static inline __m256i
equal_avx2(const char *bytes, __m256i delimiter)
{
	return _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)bytes),
				 delimiter);
}

BLOCKS_FOR_avx2 static inline uint64_t
block_mask_avx2(const char *block, char delimiter)
{
	__m256i wanted = _mm256_set1_epi8(delimiter);
	uint32_t low = (uint32_t)_mm256_movemask_epi8(equal_avx2(block, wanted));
	uint32_t high = (uint32_t)_mm256_movemask_epi8(equal_avx2(block + 32, wanted));

	return (uint64_t)high << 32 | low;
}

BLOCKS_FOR_avx2 static inline unsigned
stride_count_avx2(const char *stride, char delimiter)
{
	__m256i wanted = _mm256_set1_epi8(delimiter), zero = _mm256_setzero_si256();
	__m256i a = zero, b = zero;
	__m128i sums;

	for (size_t i = 0; i < STRIDE; i += BLOCK) {
		a = _mm256_sub_epi8(a, equal_avx2(stride + i, wanted));
		b = _mm256_sub_epi8(b, equal_avx2(stride + i + 32, wanted));
	}
	a = _mm256_add_epi64(_mm256_sad_epu8(a, zero), _mm256_sad_epu8(b, zero));
	sums = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
	sums = _mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums));
	return (unsigned)_mm_cvtsi128_si32(sums);
}

BLOCKS_FOR_avx2 static inline unsigned
bits_count_avx2(uint64_t word)
{
	return (unsigned)__builtin_popcountll(word);
}

static inline bool
blocks_have_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
	       __builtin_cpu_supports("bmi");
}
#endif

#endif
