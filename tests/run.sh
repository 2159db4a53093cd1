#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SUITE...: run the suites (unit, golden, real, bench) on the programs below $BUILD and
# sum up. Each ends in a line `N passed, N failed, N skipped`, and so does this. Fails if one does.
set -u
cd "$(dirname "$0")/.." || exit 2
PATH=$PATH:/usr/sbin:/sbin # of an ordinary user, too: depmod is there
export PATH
: "${BUILD:=build}" "${TOOLS:=$BUILD/tools}"
export BUILD TOOLS
export MODCHECK="$PWD/$BUILD/modcheck" MKKO="$PWD/$TOOLS/mkko"
case $BUILD in /*) MODCHECK=$BUILD/modcheck ;; esac
case $TOOLS in /*) MKKO=$TOOLS/mkko ;; esac

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# The script of a suite and its arguments, one word each.
suite()
{
	case $1 in
	unit) echo tests/run-unit.sh ;;
	golden) echo tests/golden/run.sh ;;
	golden-update) echo tests/golden/run.sh --update ;;
	real) echo tests/real/run.sh ;;
	bench) echo tests/bench/run.sh ;;
	*) echo "run.sh: unknown suite: $1" >&2; return 1 ;;
	esac
}

for name; do
	# shellcheck disable=SC2046 # words on purpose
	set -- $(suite "$name") || exit 2
	[ $# -gt 0 ] || exit 2
	if [ ! -x "$1" ]; then
		echo "$name: no $1, skipped"
		echo "0 passed, 0 failed, 1 skipped" >>"$log"
		continue
	fi
	echo "== $name"
	"$@" >"$log.out" 2>&1
	status=$?
	cat "$log.out"
	tail -n 1 "$log.out" >"$log.last"
	rm -f "$log.out"
	if ! grep -Eq '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log.last"; then
		# Benches and updates count nothing; a suite that broke off counts as a failure.
		[ "$status" = 0 ] || echo "0 passed, 1 failed, 0 skipped" >>"$log"
	elif [ "$status" != 0 ] && grep -q ' 0 failed' "$log.last"; then
		echo "0 passed, 1 failed, 0 skipped" >>"$log"
	else
		cat "$log.last" >>"$log"
	fi
	rm -f "$log.last"
done
awk '{ p += $1; f += $3; s += $5 }
	END { printf "== all\n%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' "$log"
