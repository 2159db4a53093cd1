#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What holds for the text of every file: a licence line first, no trailing white space, a newline
# at the end, no path of somebody's machine, nothing binary.
set -u
cd "$(dirname "$0")/../.." || exit 2
bad=0

complain()
{
	echo "$1"
	bad=1
}

# The words are put together here so that this file does not contain them.
paths="/wor""k/|/tmp/cor""pus|/home/[a-z]+/"

for file in $(git ls-files); do
	[ -f "$file" ] || continue
	case $file in
	# Broken text is what many a seed is for.
	LICENSE | tests/fuzz/seeds/*) continue ;;
	esac
	[ -s "$file" ] || continue
	grep -Iq . "$file" || complain "$file: not text"
	[ -z "$(tail -c 1 "$file")" ] || complain "$file: no newline at the end"
	case $file in
	# Expected output and logs are kept as a tool wrote them.
	*/expected*.* | *.log | *.patch | *.tsv | *.map | *.symvers) continue ;;
	esac
	grep -nHE '[ 	]+$' "$file" && complain "$file: trailing white space"
	grep -nHE "$paths" "$file" && complain "$file: a path of one machine"
	case $file in
	*.c | *.h | *.sh | *.def | Makefile | .ci/*)
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
			complain "$file: no licence line on top" ;;
	esac
done
exit $bad
