#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of at most 60 lines, files of at most 600 (doc/STYLE.md asks for less). A function
# is what stands between a `{` and a `}` in the first column.
set -u
cd "$(dirname "$0")/../.." || exit 2
find src tests -name '*.[ch]' -print | LC_ALL=C sort | xargs awk '
	FNR == 1 { start = 0 }
	/^{/ { start = FNR }
	/^}/ && start {
		if (FNR - start + 1 > 60) {
			printf "%s:%d: a function of %d lines\n", FILENAME, start, FNR - start + 1
			bad = 1
		}
		start = 0
	}
	FNR == 601 { printf "%s: more than 600 lines\n", FILENAME; bad = 1 }
	END { exit bad }'
