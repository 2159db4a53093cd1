# SPDX-License-Identifier: GPL-2.0-or-later
# Compare the file `expect` of a case with the facts of a run (facts.jq). Says what differs.

# Does the text fit the word? "-" in a fact fits what the expectation leaves out.
function fits(text, word,    p)
{
	if (word == "")
		return 1
	p = word
	gsub(/[.+()]/, "\\\\&", p)
	gsub(/\*/, ".*", p)
	return text ~ ("^(" p ")$")
}

/^[ \t]*(#|$)/ { next }

# --- expect
NR == FNR {
	n++
	line[n] = $0
	if ($1 ~ /^\??MC/) {
		optional[n] = sub(/^\?/, "", $1)
		code[n] = $1
		path[n] = $2
		for (i = 3; i <= NF; i++)
			if ($i ~ /^(error|warning|info|terminal)$/)
				more[n] = more[n] " " $i
			else
				symbol[n] = $i
	} else {
		fact[n] = $0
	}
	next
}

# --- facts
{
	seen[$0] = 1
	if ($1 == "module")
		seen[$2 " " $3] = 1
}
$1 == "finding" {
	hit = 0
	for (i = 1; i <= n; i++) {
		if (!(i in code) || !fits($2, code[i]) || !fits($3, path[i]) || !fits($4, symbol[i]))
			continue
		if (more[i] && index(" " $5 " " $6, more[i]) != 1)
			continue
		used[i] = hit = 1
	}
	if (!hit) {
		print "not expected: " substr($0, 9)
		bad = 1
	}
}
$1 == "module" && $2 == "refused" { is_refused[$3] = 1 }

END {
	for (i = 1; i <= n; i++) {
		if (i in code) {
			if (used[i] || optional[i])
				continue
		} else if (fact[i] in seen) {
			continue
		} else if (fact[i] ~ /^loads / && !(substr(fact[i], 7) in is_refused)) {
			# modules without a finding are not listed
			continue
		}
		print "expected, and not there: " line[i]
		bad = 1
	}
	exit bad
}
