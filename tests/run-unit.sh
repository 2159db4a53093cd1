#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Run every unit test program below $BUILD. Only those that fail are shown in full. cmocka tells
# of each test on stdout; a program that ends badly without saying which test failed (a crash, a
# leak at exit) counts as one failure.
set -u
: "${BUILD:=build}"
out=$(mktemp) || exit 2
trap 'rm -f "$out" "$out.err"' EXIT
passed=0 failed=0 skipped=0

for source in tests/unit/test_*.c; do
	[ -e "$source" ] || break
	program=$BUILD/${source%.c}
	timeout 300 "$program" >"$out" 2>"$out.err"
	status=$?
	ok=$(grep -c '^\[       OK \]' "$out")
	bad=$(grep -c '^\[  FAILED  \]' "$out")
	skip=$(grep -c '^\[  SKIPPED \]' "$out")
	[ "$status" != 0 ] && [ "$bad" = 0 ] && bad=1
	[ "$ok$bad$skip" = 000 ] && bad=1
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
	printf '%-24s %3d passed, %d failed, %d skipped\n' "$(basename "$program")" "$ok" "$bad" "$skip"
	[ "$bad" = 0 ] || cat "$out" "$out.err"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
