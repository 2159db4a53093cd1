#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# options-doc.sh: the options that --help names are those of the manual page, and no line of --help
# or of `modcheck rules` is longer than 79 columns. Needs $MODCHECK.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${MODCHECK:=build/modcheck}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

# An option's line begins with it; two spaces or more end it, and a second one may follow.
"$MODCHECK" --help | awk '
	/^ +-/ {
		n = split($0, fields, /  +/)
		for (i = 2; i <= n && fields[i] ~ /^-/; i++) {
			m = split(fields[i], words, /[ ,]+/)
			for (j = 1; j <= m; j++)
				if (words[j] ~ /^-/) {
					sub(/\[.*/, "", words[j])
					print words[j]
				}
		}
	}' | LC_ALL=C sort -u >"$work/help"

# ".It Fl b , Fl Fl basedir Ar dir" is -b and --basedir.
awk '
	/^\.It Fl / {
		for (i = 2; i <= NF; i++) {
			if ($i != "Fl")
				continue
			dashes = "-"
			if ($(i + 1) == "Fl") {
				dashes = "--"
				i++
			}
			print dashes $(++i)
		}
	}' doc/modcheck.1 | LC_ALL=C sort -u >"$work/manual"

[ -s "$work/help" ] || { echo "$MODCHECK --help names no option"; exit 1; }
LC_ALL=C comm -23 "$work/help" "$work/manual" | sed 's/$/: in --help, not in doc\/modcheck.1/' >"$work/differ"
LC_ALL=C comm -13 "$work/help" "$work/manual" | sed 's/$/: in doc\/modcheck.1, not in --help/' >>"$work/differ"
[ ! -s "$work/differ" ] || { cat "$work/differ"; bad=1; }

for words in --help rules; do
	"$MODCHECK" "$words" | awk -v words="$words" '
		length($0) > 79 { print "modcheck " words ": longer than 79 columns: " $0; bad = 1 }
		END { exit bad }' || bad=1
done
exit $bad
