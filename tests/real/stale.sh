# SPDX-License-Identifier: GPL-2.0-or-later
# Modules of another build among fresh ones: a tree in which some modules are those of the
# PREEMPT_RT build of the same source. They have to be told by name, all of them and no other, as
# one cause, with those that wait for them behind it. Sourced by run.sh.

stale_modules=30

# dependencies TREE: lines `PATH DEPENDENCY...`, dependencies of dependencies included, by depmod
dependencies()
{
	depmod -n -b "$1" "$(release "$1")" 2>/dev/null | sed -nE 's#^([a-z]+/[^ :]*\.ko[.a-z]*):#\1#p'
}

# pick LIST CONDITION: evenly spaced ones of the modules in both builds (LIST) whose number of
# users, n, fulfils the awk condition
pick()
{
	awk -v most="$stale_modules" 'FILENAME == ARGV[1] { both[$1]; next }
		{ path[FNR] = $1; last = FNR; for (i = 2; i <= NF; i++) users[$i]++ }
		END {
			for (i = 1; i <= last; i++) {
				n = users[path[i]] + 0
				if (path[i] in both && '"$2"')
					fit[++n_fit] = path[i]
			}
			for (i = 0; i < most; i++)
				print fit[int(i * n_fit / most) + 1]
		}' "$1" "$tmp/deps" | sort
}

# waiting: what has to be refused: the picked ones and all that need one of them
waiting()
{
	awk 'FILENAME == ARGV[1] { stale[$1]; next }
		{ for (i = 1; i <= NF; i++) if ($i in stale) { print $1; next } }' "$tmp/stale" "$tmp/deps" | sort
}

# replace_stale TREE OTHER: $tmp/mix is TREE, but for the modules of $tmp/stale, which are OTHER's
replace_stale()
{
	local from path mix
	mix=$tmp/mix/lib/modules/$(release "$1")
	from=$2/lib/modules/$(release "$2")
	mkdir -p "$tmp/mix/lib/modules"
	copy_modules "$1" "$tmp/mix"
	while read -r path; do
		rm "$mix/$path"
		cp "$from/$path" "$mix/$path"
	done <"$tmp/stale"
}

# stale TREE OTHER CONDITION
stale()
{
	local k status
	k=$(release "$1")
	dependencies "$1" >"$tmp/deps"
	(cd "$2/lib/modules/$(release "$2")" && find kernel -name '*.ko*') >"$tmp/both"
	pick "$tmp/both" "$3" >"$tmp/stale"
	waiting >"$tmp/right"
	replace_stale "$1" "$2"
	"$MODCHECK" -b "$tmp/mix" -E "$(symvers "$1")" --kernel-config "$1/boot/config-$k" \
		--format text:"$tmp/out" --format json:"$tmp/json" "$k"
	status=$?
	rm -rf "$tmp/mix"
	[ "$status" = 1 ] || { why "status $status"; return; }
	[ "$(sort -u "$tmp/stale" | wc -l)" = "$stale_modules" ] || { why "cannot pick that many"; return; }
	jq -r '.findings[] | select(.code == "MC501").path' "$tmp/json" | sort | diff "$tmp/stale" - ||
		{ why "other modules are told to be of another build"; return; }
	jq -r '.modules[] | select(.verdict == "refused").path' "$tmp/json" | sort | diff "$tmp/right" - ||
		{ why "other modules are refused"; return; }
	jq -e --argjson n "$(wc -l <"$tmp/right")" '[.causes[] | select(.severity == "error")] |
		length == 1 and .[0].code == "MC303" and .[0].modules == $n and
		(.[0].title | contains("PREEMPT_RT"))' "$tmp/json" >"$tmp/jq" ||
		{ cat "$tmp/out"; why "not one cause"; return; }
	[ "$(wc -l <"$tmp/out")" -le 60 ] || why "$(wc -l <"$tmp/out") lines of text"
}

stale_tests()
{
	local plain rt
	plain=$(tree '6\.1\.0-[0-9]+-amd64') rt=$(tree '6\.1\.0-[0-9]+-rt-amd64')
	check "stale modules that nobody needs" stale "$plain" "$rt" 'n == 0'
	check "stale modules that others need" stale "$plain" "$rt" 'n > 0 && n < 40'
	check "stale modules of the other build" stale "$rt" "$plain" 'n == 0'
}
