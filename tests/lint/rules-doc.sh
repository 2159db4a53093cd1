#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each rule of src/rules/rules.def has a section `## MC201 undefined-symbol` in doc/rules.md, and
# the other way round.
set -u
cd "$(dirname "$0")/../.." || exit 2
have=$(mktemp) || exit 2
trap 'rm -f "$have" "$have.doc"' EXIT
tr '\n' ' ' <src/rules/rules.def | sed 's/RULE("/\n&/g' |
	sed -n 's/^RULE("\(MC[0-9]*\)", *[A-Z0-9_]*, *"\([a-z0-9-]*\)".*/\1 \2/p' | sort >"$have"
[ -f doc/rules.md ] || { echo "there is no doc/rules.md"; exit 1; }
sed -n 's/^##* *`*\(MC[0-9][0-9]*\)`* *`*\([a-z0-9-]*\)`*.*/\1 \2/p' doc/rules.md | sort >"$have.doc"
[ -s "$have" ] || { echo "no rule found in src/rules/rules.def"; exit 1; }
diff -u --label src/rules/rules.def --label doc/rules.md "$have" "$have.doc"
