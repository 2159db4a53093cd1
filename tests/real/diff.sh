# SPDX-License-Identifier: GPL-2.0-or-later
# `modcheck diff` between real kernels: what it says is found out once more from the two
# Module.symvers, nm, modprobe --dump-modversions and the configurations, by nothing but awk. Sourced
# by run.sh; with two directories (of fetch.sh) it runs alone: tests/real/diff.sh OLD NEW.

# table_of SYMVERS: CRC, symbol, modprobe's name of the owner, GPL or not, namespace or -
table_of()
{
	awk -F '\t' '{
		owner = $3
		sub(/.*\//, "", owner)
		gsub(/-/, "_", owner)
		print $1, $2, owner, $4 ~ /_GPL/ ? "gpl" : "all", $5 == "" ? "-" : $5
	}' "$1"
}

# export_changes OLD NEW: "change symbol", of two Module.symvers
export_changes()
{
	table_of "$1" >"$tmp/table"
	table_of "$2" | awk '
		NR == FNR { crc[$2] = $1; owner[$2] = $3; licence[$2] = $4; ns[$2] = $5; next }
		{ seen[$2] }
		!($2 in crc) { print "added", $2; next }
		crc[$2] != $1 { print "crc", $2 }
		licence[$2] != $4 { print $4 == "gpl" ? "gpl_only" : "freed", $2 }
		ns[$2] != $5 { print "namespace", $2 }
		owner[$2] != $3 { print "moved", $2 }
		END { for (s in crc) if (!(s in seen)) print "removed", s }
	' "$tmp/table" - | LC_ALL=C sort
}

# modules_of TREE: the directory of its modules
modules_of() { find "$1/lib/modules" "$1/usr/lib/modules" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | head -n 1; }

# users_of TREE SYMBOLS: "symbol path" of each module with an undefined symbol of that name
users_of()
{
	(cd "$(modules_of "$1")" && find . -name '*.ko' -print0 | xargs -0 nm -u -A) |
		awk 'NR == FNR { wanted[$1]; next }
			$NF in wanted { sub(/^\.\//, "", $1); sub(/:$/, "", $1); print $NF, $1 }' "$2" - |
		LC_ALL=C sort -u
}

# names_of TREE: modprobe's names of its modules
names_of() { find "$(modules_of "$1")" -name '*.ko*' -type f | sed 's|.*/||; s|\.ko.*||; s|-|_|g' | LC_ALL=C sort -u; }

# options_of TREE: what its configuration sets, "n" left out
options_of() { grep '^CONFIG_' "$1/boot/config-$(release "$1")" | LC_ALL=C sort; }

diff_exports()
{
	export_changes "$(symvers "$1")" "$(symvers "$2")" >"$tmp/expected"
	jq -r '.exports | to_entries[] | .key as $change | .value[] | "\($change) \(.symbol)"' "$tmp/json" |
		LC_ALL=C sort | diff "$tmp/expected" - | head -n 5
	[ "${PIPESTATUS[2]}" = 0 ]
}

diff_users()
{
	awk '$1 == "removed" { print $2 }' "$tmp/expected" >"$tmp/removed"
	users_of "$1" "$tmp/removed" >"$tmp/users"
	[ -s "$tmp/users" ] || { why "nm finds no user of what was removed"; return; }
	jq -r '.exports.removed[] | .symbol as $symbol | .users[] | "\($symbol) \(.)"' "$tmp/json" |
		LC_ALL=C sort | diff "$tmp/users" - | head -n 5
	[ "${PIPESTATUS[2]}" = 0 ]
}

# Of some modules: how many of their symbols the new Module.symvers has with another CRC.
diff_crcs()
{
	local module ours theirs
	for module in kernel/fs/fat/fat.ko kernel/drivers/net/tun.ko kernel/net/ipv4/ipip.ko; do
		theirs=$(modprobe --dump-modversions "$(modules_of "$1")/$module" | awk '
			NR == FNR { crc[$2] = $1; next }
			$2 in crc && $2 != "module_layout" && crc[$2] != $1 { n++ }
			END { print n + 0 }' "$(symvers "$2")" -)
		ours=$(jq --arg path "$module" '[.exports.crc[] | select(.users | index($path))] | length' "$tmp/json")
		[ "$ours" = "$theirs" ] && [ "$ours" -gt 0 ] || { why "$module: $ours, expected $theirs"; return; }
	done
}

diff_modules()
{
	names_of "$1" >"$tmp/old"
	names_of "$2" >"$tmp/new"
	jq -r '.modules.only_old[].name' "$tmp/json" | LC_ALL=C sort | diff - <(LC_ALL=C comm -23 "$tmp/old" "$tmp/new") &&
		jq -r '.modules.only_new[].name' "$tmp/json" | LC_ALL=C sort | diff - <(LC_ALL=C comm -13 "$tmp/old" "$tmp/new")
}

diff_options()
{
	LC_ALL=C comm -3 <(options_of "$1") <(options_of "$2") | sed 's/^\t//; s/=.*//' | LC_ALL=C sort -u >"$tmp/options"
	jq -r '.config[].option' "$tmp/json" | LC_ALL=C sort | diff "$tmp/options" - | head -n 5
	[ "${PIPESTATUS[2]}" = 0 ]
}

# The words of vermagic, from a module of each.
diff_words()
{
	local old new
	old=$(modinfo -F vermagic "$(modules_of "$1")/kernel/fs/fat/fat.ko" | cut -d ' ' -f 2-)
	new=$(modinfo -F vermagic "$(modules_of "$2")/kernel/fs/fat/fat.ko" | cut -d ' ' -f 2-)
	{ echo "$old" | tr -s ' ' '\n' | grep . | grep -vxF "$(echo "$new" | tr -s ' ' '\n' | grep .)"
		echo -
		echo "$new" | tr -s ' ' '\n' | grep . | grep -vxF "$(echo "$old" | tr -s ' ' '\n' | grep .)"; } >"$tmp/words"
	jq -r '.vermagic.only_old[], "-", .vermagic.only_new[]' "$tmp/json" | diff "$tmp/words" -
}

# One screen or a little more for a reader, and no line too long for it.
diff_text()
{
	"$MODCHECK" diff "$(modules_of "$1")" "$(modules_of "$2")" >"$tmp/out"
	[ "$(wc -l <"$tmp/out")" -le 64 ] && [ "$(awk 'length > 79' "$tmp/out" | wc -l)" = 0 ] ||
		{ cat "$tmp/out"; why "too long"; }
}

# diff_of OLD NEW: all of it
diff_of()
{
	local names
	names="$(release "$1") -> $(release "$2")"
	"$MODCHECK" diff --format json "$(modules_of "$1")" "$(modules_of "$2")" >"$tmp/json"
	[ $? -le 1 ] || { check "diff $names" why "status 2"; return; }
	check "diff $names: exports" diff_exports "$1" "$2"
	check "diff $names: users" diff_users "$1" "$2"
	check "diff $names: CRCs of modules" diff_crcs "$1" "$2"
	check "diff $names: modules" diff_modules "$1" "$2"
	check "diff $names: configuration" diff_options "$1" "$2"
	check "diff $names: words of vermagic" diff_words "$1" "$2"
	check "diff $names: text" diff_text "$1" "$2"
}

diff_tests()
{
	local amd64
	amd64=$(tree '6\.1\.0-[0-9]+-amd64')
	diff_of "$(tree '5\.10\.0-[0-9]+-686')" "$(tree '5\.10\.0-[0-9]+-686-pae')"
	diff_of "$amd64" "$(tree '6\.1\.0-[0-9]+-rt-amd64')"
	if tests/real/fetch.sh "$CORPUS" older >"$tmp/older" 2>/dev/null; then
		diff_of "$(cat "$tmp/older")" "$amd64"
	fi
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	[ $# = 2 ] || { echo "usage: tests/real/diff.sh OLD NEW" >&2; exit 2; }
	. "$(dirname "$0")/lib.sh"
	diff_of "${1%/}" "${2%/}"
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
fi
