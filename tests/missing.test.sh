#!/bin/sh
# What configure did not find, as a skipped test each: nothing is left out in silence.
. "${abs_top_srcdir:-.}/tests/tap.sh"

for program in ${MISSING:-}; do
	skip "the tests that need $program" "$program is not installed"
done
[ -n "${MISSING:-}" ] || result 0 'nothing that the tests need is missing'
finish
