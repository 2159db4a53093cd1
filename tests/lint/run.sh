#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh TARGET...: make each target, show the output of those that fail, count them.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${MAKE:=make}"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

for target; do
	if ! $MAKE "$target" >"$log" 2>&1; then
		echo "lint: $target: FAILED"
		cat "$log"
		failed=$((failed + 1))
	elif grep -q '^skipped:' "$log"; then
		echo "lint: $target: $(grep '^skipped:' "$log")"
		skipped=$((skipped + 1))
	else
		echo "lint: $target: ok"
		passed=$((passed + 1))
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
