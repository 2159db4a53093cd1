# SPDX-License-Identifier: GPL-2.0-or-later
# `modcheck ready` against the truth: each kernel's modules judged for another, and what that kernel's own
# build of the same modules needs. What a proprietary module would meet there is what has no export, or a
# GPL-only one: so the modules are copied with their licence changed, and the obstacles that are
# predicted are held against the undefined symbols of the real build, symbol by symbol. Sourced by
# run.sh.

# unpacked TREE DIR: its modules as DIR/kernel/..., unpacked
unpacked()
{
	local from
	from=$(find "$1/lib/modules" "$1/usr/lib/modules" -maxdepth 1 -name "$(release "$1")" 2>/dev/null)
	mkdir -p "$2" && cp -R "$from/kernel" "$2/" &&
		find "$2" -name '*.ko.xz' -print0 | xargs -0 -r -P "$(nproc)" -n 64 xz -d
}

# relicense DIR: to another licence, which is not GPL-compatible, of the same length
relicense()
{
	find "$1" -name '*.ko' -print0 | xargs -0 -P "$(nproc)" -n 256 \
		perl -0777 -pi -e 's/(license=[^\0]*)GPL/$1XPL/g'
}

# needs DIR: "module symbol" of all that its modules need; weak symbols may be absent
needs()
{
	find "$1" -name '*.ko' -type f -print0 | xargs -0 nm -A -u 2>/dev/null |
		sed -nE 's#^.*/([^/]*)\.ko: +U (.*)#\1 \2#p' | awk '{ gsub("-", "_", $1); print $1 " " $2 }' |
		grep -v ' _GLOBAL_OFFSET_TABLE_$'
}

# obstacles DIR SYMVERS: "module symbol" of what a proprietary module does not get
obstacles()
{
	needs "$1" | awk 'FILENAME == ARGV[1] { is_open[$2] = $4 == "EXPORT_SYMBOL"; next }
		!is_open[$2]' "$2" - | sort -u
}

# count FILE: its lines
count() { wc -l <"$1"; }

# ready_pair FROM TO: figures into $tmp/figures; the limits are a little above what was measured
ready_pair()
{
	local k status right false missed noted
	k=$(release "$2")
	rm -rf "$tmp/from" "$tmp/to"
	unpacked "$1" "$tmp/from" && relicense "$tmp/from" && unpacked "$2" "$tmp/to"
	"$MODCHECK" -b "$2" ready "$k" "$tmp/from" --all --format json >"$tmp/json"
	status=$?
	[ $status = 1 ] || why "status $status" || return
	jq -r '.modules[].name' "$tmp/json" | sort >"$tmp/judged"
	obstacles "$tmp/to" "$(symvers "$2")" >"$tmp/truth"
	# of a set that is proprietary as a whole, MC404 tells of its own exports
	jq -r '.findings[] | select(.certainty == "certain" or .certainty == "likely") |
		select(.symbol and .code != "MC404" and .code != "MC204") | .module + " " + .symbol' \
		"$tmp/json" | sort -u >"$tmp/told"
	jq -r '.findings[] | select(.certainty == "possible") | .module + " " + .symbol' "$tmp/json" |
		sort -u >"$tmp/notes"
	# only modules that both kernels have
	find "$tmp/to" -name '*.ko' -printf '%f\n' | sed 's/\.ko$//; s/-/_/g' | sort >"$tmp/there"
	join "$tmp/judged" "$tmp/there" >"$tmp/common"
	for list in truth told notes; do
		join "$tmp/common" "$tmp/$list" | sort -u >"$tmp/$list.common"
	done
	comm -12 "$tmp/truth.common" "$tmp/told.common" >"$tmp/right"
	comm -13 "$tmp/truth.common" "$tmp/told.common" >"$tmp/false"
	comm -23 "$tmp/truth.common" "$tmp/told.common" >"$tmp/missed"
	comm -12 "$tmp/missed" "$tmp/notes.common" >"$tmp/noted"
	right=$(count "$tmp/right") false=$(count "$tmp/false")
	missed=$(count "$tmp/missed") noted=$(count "$tmp/noted")
	echo "$(release "$1") for $k: $(count "$tmp/common") modules, $right obstacles right, $false false," \
		"$missed missed, $noted of them noted as possible" | tee -a "$tmp/figures"
	[ "$right" -gt 10000 ] && [ $((false * 1000)) -le "$right" ] && [ $((missed * 200)) -le "$right" ] &&
		[ $(((missed - noted) * 400)) -le "$right" ] ||
		{ head -n 5 "$tmp/false" "$tmp/missed"; why "too many are wrong"; return; }
	modules_wrong
}

# Modules whose fate is told wrongly: at most one in a thousand.
modules_wrong()
{
	cut -d' ' -f1 "$tmp/truth.common" | sort -u >"$tmp/truth.modules"
	cut -d' ' -f1 "$tmp/told.common" | sort -u >"$tmp/told.modules"
	comm -3 "$tmp/truth.modules" "$tmp/told.modules" >"$tmp/wrong"
	[ $(($(count "$tmp/wrong") * 1000)) -le "$(count "$tmp/common")" ] ||
		{ head "$tmp/wrong"; why "$(count "$tmp/wrong") modules"; }
}

# ready_stock FROM TO: as they are licensed, what TO has its own build of works there after a rebuild
ready_stock()
{
	local k from
	k=$(release "$2")
	from=$(find "$1/lib/modules" "$1/usr/lib/modules" -maxdepth 1 -name "$(release "$1")" 2>/dev/null)
	"$MODCHECK" -b "$2" ready "$k" "$from" --all --format json >"$tmp/json"
	find "$2/lib/modules/$k" "$2/usr/lib/modules/$k" -name '*.ko*' -printf '%f\n' 2>/dev/null |
		sed 's/\.ko.*//; s/-/_/g' | sort >"$tmp/there"
	jq -r '.modules[] | select(.ready != "rebuild") | .name' "$tmp/json" | sort | join - "$tmp/there" >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || { head "$tmp/wrong"; why "$(count "$tmp/wrong") modules are not ready"; return; }
	"$MODCHECK" -b "$2" ready "$k" "$from" --all >"$tmp/out"
	[ "$(wc -l <"$tmp/out")" -le 60 ] || { why "$(wc -l <"$tmp/out") lines of text"; return; }
	[ "$(awk 'length > 79' "$tmp/out" | wc -l)" = 0 ] || why "lines of more than 79 columns"
}

ready_tests()
{
	local pair from to
	for pair in '6\.1\.0-[0-9]+-amd64 6\.1\.0-[0-9]+-rt-amd64' \
		'5\.10\.0-[0-9]+-686-pae 5\.10\.0-[0-9]+-rt-686-pae' \
		'6\.1[0-9]\.[0-9]+.*[0-9]-amd64 6\.1[0-9]\.[0-9]+.*-rt-amd64'; do
		from=$(tree "${pair% *}") to=$(tree "${pair#* }")
		check "ready: $(release "$from") for $(release "$to")" ready_pair "$from" "$to"
		check "ready: $(release "$to") for $(release "$from")" ready_pair "$to" "$from"
		check "ready: stock $(release "$from") for $(release "$to")" ready_stock "$from" "$to"
		check "ready: stock $(release "$to") for $(release "$from")" ready_stock "$to" "$from"
	done
	sed 's/^/        /' "$tmp/figures"
}
