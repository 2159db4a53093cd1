#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# coverage.sh BUILD: what part of each file of src/ the tests ran, from a build with --coverage.
set -u
cd "$(dirname "$0")/.." || exit 2
find "$1/src" -name '*.gcda' | LC_ALL=C sort | while read -r data; do
	gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk '
	/^File / { split($0, quoted, "\x27"); file = quoted[2] }
	/^Lines executed:/ && file ~ /^src\/.*[.]c$/ {
		split($0, part, "[:% ]+")
		printf "%6.1f %%  %5d lines  %s\n", part[3], part[5], file
		run += part[3] * part[5] / 100
		all += part[5]
		file = ""
	}
	END { if (all) printf "%6.1f %%  %5d lines  in all\n", 100 * run / all, all }'
