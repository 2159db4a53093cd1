# SPDX-License-Identifier: GPL-2.0-or-later
# First file: CASE N VERDICT ERRNO MESSAGE TAINTS CODES of modcheck; second: CASE N RC TAINTS
# MESSAGE... of the kernel. Prints `ok ...` or `FAILED ...` for each of the second.
#
# The verdicts must be the same. Of a refused module also the errno and the message: ours must be
# one of the kernel's (it prints all that it met on the way), none if it printed none; `...` in
# ours stands for what only a running kernel knows. Of a loaded one the taints, in any order.

function sorted(letters,    out, i)
{
	if (letters == "-")
		return "-"
	for (i = 65; i <= 90; i++) {
		if (index(letters, sprintf("%c", i)))
			out = out sprintf("%c", i)
	}
	return out == "" ? "-" : out
}

function says(ours, theirs,    part, n, i, at)
{
	n = split(ours, part, "\\.\\.\\.")
	if (n == 1)
		return ours == theirs
	if (substr(theirs, 1, length(part[1])) != part[1])
		return 0
	at = length(part[1]) + 1
	for (i = 2; i <= n; i++) {
		if (part[i] == "")
			continue
		if (!index(substr(theirs, at), part[i]))
			return 0
		at += index(substr(theirs, at), part[i]) + length(part[i]) - 1
	}
	return 1
}

function fitting_message(ours,    i)
{
	if (NF < 5)
		return ours == "-"
	for (i = 5; i <= NF; i++) {
		if (says(ours, $i))
			return 1
	}
	return 0
}

function agrees(key)
{
	if (!(key in verdict) || verdict[key] != ($3 == 0 ? "loads" : "refused"))
		return 0
	if ($3 == 0)
		return !tells_taints || sorted(taints[key]) == sorted($4)
	return errno[key] == -$3 && (!tells_messages || fitting_message(message[key]))
}

function quoted(first,    out, i)
{
	for (i = first; i <= NF; i++)
		out = out (out == "" ? "" : " / ") "\"" $i "\""
	return out == "" ? "-" : out
}

FILENAME == ARGV[1] {
	key = $1 "\t" $2
	verdict[key] = $3
	errno[key] = $4
	message[key] = $5
	taints[key] = $6
	codes[key] = $7
	# What modcheck tells of no module at all, it does not tell yet.
	if ($5 != "-")
		tells_messages = 1
	if ($6 != "-")
		tells_taints = 1
	next
}

{
	key = $1 "\t" $2
	printf "%s %s %s/%s | kernel: %s, %s, taints %s | ", agrees(key) ? "ok" : "FAILED", kernel, $1,
		$2, $3, quoted(5), $4
	if (key in verdict)
		printf "modcheck: %s, %s, \"%s\", taints %s, %s\n", verdict[key], -errno[key], message[key],
			taints[key], codes[key]
	else
		print "modcheck: nothing"
}
