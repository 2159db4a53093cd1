# SPDX-License-Identifier: GPL-2.0-or-later
# Preemption: the model of each kernel and of its modules, modules of one model on a kernel of another,
# and modules of another build among those of this one. Sourced by run.sh.

# census TREE MODEL: the kernel's model, which its configuration names, and all modules were built for it
census()
{
	"$MODCHECK" -b "$1" --all --format json "$(release "$1")" >"$tmp/json"
	jq -e --arg model "$2" '.kernel.preemption.model == $model and
		.summary.by_model == { ($model): .summary.modules }' "$tmp/json" >"$tmp/jq" ||
		jq -c '[.kernel.preemption, .summary.by_model]' "$tmp/json" && [ "$(cat "$tmp/jq")" = true ]
}

# The configuration's own words (kernel/Kconfig.preempt), read without modcheck.
model_of_config()
{
	local option
	for option in PREEMPT_RT PREEMPT_DYNAMIC PREEMPT PREEMPT_VOLUNTARY PREEMPT_NONE; do
		if grep -q "^CONFIG_$option=y" "$1"/boot/config-*; then
			echo "$option"
			return
		fi
	done
}

# crossed TREE KERNEL SYMBOL: the modules of TREE on the image of KERNEL, which is of another model. The
# first block says what both were built for and names SYMBOL, and all is one screen.
crossed()
{
	local theirs ours
	theirs=$(model_of_config "$1") ours=$(model_of_config "$2")
	"$MODCHECK" -b "$1" --kernel-image "$2"/boot/vmlinuz-* --kernel-config "$2"/boot/config-* \
		"$(release "$1")" >"$tmp/out"
	[ $? = 1 ] || { why "status is not 1"; return; }
	[ "$(wc -l <"$tmp/out")" -le 40 ] || { cat "$tmp/out"; why "more than a screen"; return; }
	[ "$(grep -c '^E ' "$tmp/out")" = 1 ] || { cat "$tmp/out"; why "more than one cause"; return; }
	tr -s ' \n' ' ' <"$tmp/out" | grep -qE "built for [A-Z_ or]*$theirs, the kernel is $ours" ||
		{ cat "$tmp/out"; why "does not say $theirs and $ours"; return; }
	grep -qw "$3" "$tmp/out" || { cat "$tmp/out"; why "does not name $3"; }
}

# leaves TREE: modules that no other module needs, by their own depends=, as paths
leaves()
{
	local dir
	dir=$(find "$1/lib/modules" "$1/usr/lib/modules" -maxdepth 1 -name "$(release "$1")" 2>/dev/null)
	find "$dir/kernel/drivers" -name '*.ko' | LC_ALL=C sort >"$tmp/all"
	find "$dir" -name '*.ko' -exec modinfo -F depends {} + | tr ',-' '\n_' | sort -u >"$tmp/needed"
	sed 's#.*/##; s#\.ko$##; y#-#_#' "$tmp/all" | paste - "$tmp/all" | sort |
		join -v 1 - "$tmp/needed" | sed "s#^[^ ]* $dir/##"
}

# stale TREE RT LIST: TREE with the modules of LIST taken from RT: exactly these are named, as one cause
stale()
{
	local k dir from
	k=$(release "$1") dir=$tmp/stale/lib/modules/$(release "$1")
	mkdir -p "$tmp/stale/lib/modules"
	copy_modules "$1" "$tmp/stale"
	from=$(find "$2/lib/modules" "$2/usr/lib/modules" -maxdepth 1 -name "$(release "$2")" 2>/dev/null)
	while read -r path; do
		rm "$dir/$path" && cp "$from/$path" "$dir/$path" || return 1
	done <"$3"
	"$MODCHECK" -b "$tmp/stale" --kernel-config "$1"/boot/config-* -E "$(symvers "$1")" --format json "$k" >"$tmp/json"
	rm -rf "$tmp/stale"
	jq -r '.findings[] | select(.code == "MC303").path' "$tmp/json" | LC_ALL=C sort >"$tmp/ours"
	LC_ALL=C sort "$3" | diff "$tmp/ours" - || { why "others than those that were replaced"; return; }
	jq -e '[.causes[] | select(.severity == "error")] | length == 1 and (.[0].title | test("built for PREEMPT_RT"))' \
		"$tmp/json" >"$tmp/jq" || { jq -c '.causes[] | [.id, .title, .modules]' "$tmp/json"; why "not one cause"; }
}

# two_builds TREE OTHER: TREE's image beside OTHER's configuration; both in what they differ is told
two_builds()
{
	"$MODCHECK" -b "$1" --kernel-image "$1"/boot/vmlinuz-* --kernel-config "$2"/boot/config-* --format json \
		"$(release "$1")" >"$tmp/json" || { why "status $?"; return; }
	jq -e '[.findings[] | select(.severity != "info").code] == ["MC902", "MC902"] and
		([.findings[] | .detail // ""] | any(test("PREEMPT_RT")) and any(test("preempt_rt")))' "$tmp/json" >"$tmp/jq" ||
		jq -c '.findings[] | select(.severity != "info")' "$tmp/json" && [ "$(cat "$tmp/jq")" = true ]
}

preempt_tests()
{
	local t amd64 rt new newrt pae rtpae
	while read -r t; do
		check "preemption of $(release "$t") and its modules" census "$t" "$(model_of_config "$t")"
	done <"$tmp/trees"
	amd64=$(tree '6\.1\.0-[0-9]+-amd64') rt=$(tree '6\.1\.0-[0-9]+-rt-amd64')
	new=$(tree '6\.12\.[0-9]+\+deb13-amd64') newrt=$(tree '6\.12\.[0-9]+\+deb13-rt-amd64')
	pae=$(tree '5\.10\.0-[0-9]+-686-pae') rtpae=$(tree '5\.10\.0-[0-9]+-rt-686-pae')
	check "6.1 rt modules on the plain kernel" crossed "$rt" "$amd64" rt_spin_lock
	check "6.1 modules on the rt kernel" crossed "$amd64" "$rt" __mutex_init
	check "6.12 rt modules on the plain kernel" crossed "$newrt" "$new" rt_spin_lock
	check "6.12 modules on the rt kernel" crossed "$new" "$newrt" __mutex_init
	check "5.10 rt-686-pae modules on 686-pae" crossed "$rtpae" "$pae" rt_spin_lock
	check "5.10 686-pae modules on rt-686-pae" crossed "$pae" "$rtpae" __mutex_init
	check "6.1 image, configuration of the rt build" two_builds "$amd64" "$rt"
	leaves "$amd64" | awk 'NR % 40 == 0' >"$tmp/candidates"
	while read -r t; do
		[ ! -e "$rt/lib/modules/$(release "$rt")/$t" ] || echo "$t"
	done <"$tmp/candidates" | head -n 30 >"$tmp/list"
	[ "$(wc -l <"$tmp/list")" = 30 ] || echo "only $(wc -l <"$tmp/list") modules to replace" >&2
	check "30 modules of the rt build in the 6.1 tree" stale "$amd64" "$rt" "$tmp/list"
	printf '%s\n' kernel/drivers/usb/core/usbcore.ko kernel/fs/fat/fat.ko >"$tmp/list"
	check "two of the rt build that others need" stale "$amd64" "$rt" "$tmp/list"
}
