# SPDX-License-Identifier: GPL-2.0-or-later
# Modules of one kernel against another: the (module, symbol) pairs must be depmod's, and the
# text must be one or two screens whose first block names the cause. Sourced by run.sh.

# depmod_pairs LOG, our_pairs JSON: "path symbol" lines, sorted
depmod_pairs()
{
	sed -nE 's#^depmod: WARNING: .*/lib/modules/[^/]*/(.*) (needs unknown|disagrees about version of) symbol (.*)#\1 \3#p' \
		"$1" | sort -u
}

# What depmod gets wrong is left out (doc/depmod.md): it knows nothing of duplicate exports
# (MC601), and takes such a symbol from the module where the loader takes the kernel's.
our_pairs()
{
	jq -r '([.findings[] | select(.code == "MC601").symbol] | unique) as $double |
		.findings[] | select(.symbol and .severity == "error") |
		select(.symbol as $s | $double | index($s) | not) | .path + " " + .symbol' "$1" | sort -u
}

# noise TREE OPTION FILE RULE TEXT: compare pairs; the first block has RULE and TEXT
noise()
{
	local k
	k=$(release "$1")
	depmod -n -e "$2" "$3" -b "$1" "$k" 2>"$tmp/log" >/dev/null
	"$MODCHECK" -b "$1" "$2" "$3" --format json "$k" >"$tmp/json"
	[ $? = 1 ] || { why "status is not 1"; return; }
	depmod_pairs "$tmp/log" >"$tmp/theirs"
	our_pairs "$tmp/json" >"$tmp/ours"
	[ -s "$tmp/theirs" ] || { why "depmod found nothing"; return; }
	jq -r '.findings[] | select(.code == "MC601").symbol' "$tmp/json" | sort -u >"$tmp/double"
	awk 'FILENAME == ARGV[1] { double[$1]; next } !($2 in double)' "$tmp/double" "$tmp/theirs" >"$tmp/right"
	diff "$tmp/ours" "$tmp/right" >"$tmp/diff" || { head "$tmp/diff"; why "pairs differ"; return; }
	"$MODCHECK" -b "$1" "$2" "$3" "$k" >"$tmp/out"
	[ "$(wc -l <"$tmp/out")" -le 60 ] || { why "$(wc -l <"$tmp/out") lines of text"; return; }
	[ "$(awk 'length > 79' "$tmp/out" | wc -l)" = 0 ] || { why "lines of more than 79 columns"; return; }
	grep -m1 '^E ' "$tmp/out" | grep -q "^E $4 " || { grep '^E ' "$tmp/out"; why "first block"; return; }
	tr -s ' \n' ' ' <"$tmp/out" | grep -q "$5" || { cat "$tmp/out"; why "no '$5'"; }
}

noise_tests()
{
	local amd64 rt cloud pae rtpae
	amd64=$(tree '6\.1\.0-[0-9]+-amd64') rt=$(tree '6\.1\.0-[0-9]+-rt-amd64')
	cloud=$(tree '6\.1\.0-[0-9]+-cloud-amd64') pae=$(tree '5\.10\.0-[0-9]+-686-pae')
	rtpae=$(tree '5\.10\.0-[0-9]+-rt-686-pae')

	map_of "$pae" >"$tmp/map"
	check "rt-686-pae modules, 686-pae exports" noise "$rtpae" -F "$tmp/map" MC501 \
		'built for PREEMPT_RT'
	map_of "$rtpae" >"$tmp/map"
	check "686-pae modules, rt-686-pae exports" noise "$pae" -F "$tmp/map" MC501 \
		'the kernel is PREEMPT_RT'
	check "amd64 modules, rt symvers" noise "$amd64" -E "$(symvers "$rt")" MC303 \
		'the kernel is PREEMPT_RT'
	check "cloud modules, amd64 symvers" noise "$cloud" -E "$(symvers "$amd64")" MC303 \
		'built for another kernel or configuration'
	map_of "$amd64" | grep -v '__ksymtab___SCT__preempt_schedule$' >"$tmp/map"
	check "amd64 modules, one export less" noise "$amd64" -F "$tmp/map" MC201 \
		'undefined-symbol: __SCT__preempt_schedule (preemption)'
}
