#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rules-doc.sh [--write]: doc/rules.md is what `modcheck rules` and `modcheck explain` say, as
# Markdown, a section a rule. Without --write: fails, with the difference, if it is not.
# Needs $MODCHECK.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${MODCHECK:=build/modcheck}"
new=$(mktemp) || exit 2
trap 'rm -f "$new"' EXIT

# In text, not in code: what Markdown would take for a tag or for emphasis.
escape() { sed 's/</\&lt;/g; s/\*/\\*/g'; }

# The table of rules, a line a rule: what it finds may go on in indented lines.
rules()
{
	"$MODCHECK" rules | awk '
		/^MC/ { if (row) print row; row = $0; next }
		{ sub(/^ +/, ""); row = row " " $0 }
		END { if (row) print row }'
}

# Text at 2 columns is a paragraph; what the kernel says, at 4, is code; what to do is text again.
section()
{
	"$MODCHECK" explain "$1" | awk '
		NR == 1 {
			sub(/ \(/, "\n\n*", $0)
			sub(/\)$/, "*", $0)
			sub(/, group /, ", group `", $0)
			sub(/\*$/, "`*", $0)
			print "## " $0
			next
		}
		/^  (The kernel says|What to do):$/ { is_message = /says:$/; print "**" substr($0, 3) "**"; print ""; next }
		/^    / && is_message { print; next }
		/^  and the call returns [A-Z]+[.]$/ {
			print ""
			sub(/^  and/, "And")
			is_message = 0
			print
			next
		}
		{
			sub(/^ +/, "")
			gsub(/</, "\\&lt;")
			gsub(/\*/, "\\*")
			print
		}
	'
	echo
}

{
	echo '# The rules of modcheck'
	echo
	echo 'Made by `make docs` from the program itself; do not edit. `modcheck explain MC202` says the same'
	echo 'at the shell. An error means that the loader refuses the module, or that modprobe cannot bring it'
	echo 'in; a warning, that it loads with a taint or that the tree is wrong in a way that will bite; an'
	echo 'info is worth knowing. Ids never change their meaning and are never used again.'
	echo
	echo '| id | name | severity | group | found |'
	echo '|---|---|---|---|---|'
	rules | escape | awk '{
		code = $1; name = $2; severity = $3; group = $4
		sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "")
		printf "| [%s](#%s-%s) | %s | %s | %s | %s |\n", code, tolower(code), name, name, severity, group, $0
	}'
	echo
	rules | while read -r code _; do section "$code"; done
} | sed '$d' >"$new" || exit 2
[ "$(grep -c '^## MC' "$new")" -gt 0 ] || { echo "$MODCHECK names no rule"; exit 1; }

if [ "${1-}" = --write ]; then
	cmp -s "$new" doc/rules.md || cp "$new" doc/rules.md
	exit
fi
diff -u --label doc/rules.md --label 'what modcheck says' doc/rules.md "$new" && exit
echo "doc/rules.md is stale: run 'make docs' and commit it"
exit 1
