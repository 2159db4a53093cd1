# SPDX-License-Identifier: GPL-2.0-or-later
# modcheck parse on what depmod says of real trees: its pairs word for word, and the first cause of
# the run over the tree itself, less what a log cannot show. Sourced by run.sh.

# first_cause JSON: symbols and modules of the first cause, sorted, as far as findings name a symbol
first_cause()
{
	jq -r '.causes[0].id as $id | .findings[] | select(.cause == $id and .symbol) |
		"symbol \(.symbol)", "module \(.path)"' "$1" | sort -u
}

# parse_noise TREE OPTION FILE
parse_noise()
{
	local k
	k=$(release "$1")
	depmod -n -e "$2" "$3" -b "$1" "$k" >"$tmp/all" 2>&1
	grep '^depmod:' "$tmp/all" >"$tmp/log"
	"$MODCHECK" parse --format json <"$tmp/log" >"$tmp/json"
	[ $? = 1 ] || { why "status is not 1"; return; }
	depmod_pairs "$tmp/log" >"$tmp/theirs"
	jq -r '.findings[] | .path + " " + .symbol' "$tmp/json" | sort -u >"$tmp/ours"
	diff "$tmp/ours" "$tmp/theirs" >"$tmp/diff" || { head "$tmp/diff"; why "pairs differ"; return; }
	"$MODCHECK" -b "$1" "$2" "$3" --format json "$k" >"$tmp/live"
	first_cause "$tmp/json" >"$tmp/ours"
	first_cause "$tmp/live" >"$tmp/theirs"
	diff "$tmp/ours" "$tmp/theirs" >"$tmp/diff" || { head "$tmp/diff"; why "first causes differ"; return; }
	# what depmod says comes out again, and with its list of modules these are counted
	"$MODCHECK" parse --format depmod "$tmp/log" | sort | diff - <(sort -u "$tmp/log") >"$tmp/diff" ||
		{ head "$tmp/diff"; why "lines differ"; return; }
	"$MODCHECK" parse --format json "$tmp/all" >"$tmp/json"
	[ "$(jq .summary.modules "$tmp/json")" = "$(jq .summary.modules "$tmp/live")" ] || why "modules"
}

# parse_stub TREE: depmod with the stub System.map; one sentence, and soon
parse_stub()
{
	local k
	k=$(release "$1")
	depmod -n -e -F "$1/boot/System.map-$k" -b "$1" "$k" 2>"$tmp/log" >/dev/null
	timeout 5 "$MODCHECK" parse "$tmp/log" >"$tmp/out"
	[ $? = 2 ] || { why "status is not 2"; return; }
	[ "$(wc -l <"$tmp/out")" -le 4 ] && grep -q '^UNKNOWN ' "$tmp/out" || { cat "$tmp/out"; return 1; }
}

parse_tests()
{
	local amd64 rt pae rtpae
	amd64=$(tree '6\.1\.0-[0-9]+-amd64') rt=$(tree '6\.1\.0-[0-9]+-rt-amd64')
	pae=$(tree '5\.10\.0-[0-9]+-686-pae') rtpae=$(tree '5\.10\.0-[0-9]+-rt-686-pae')

	map_of "$pae" >"$tmp/map"
	check "log of rt-686-pae modules, 686-pae exports" parse_noise "$rtpae" -F "$tmp/map"
	map_of "$rtpae" >"$tmp/map"
	check "log of 686-pae modules, rt-686-pae exports" parse_noise "$pae" -F "$tmp/map"
	check "log of amd64 modules, rt symvers" parse_noise "$amd64" -E "$(symvers "$rt")"
	map_of "$amd64" | grep -v '__ksymtab___SCT__preempt_schedule$' >"$tmp/map"
	check "log of amd64 modules, one export less" parse_noise "$amd64" -F "$tmp/map"
	check "log of a stub System.map" parse_stub "$amd64"
}
