# SPDX-License-Identifier: GPL-2.0-or-later
# Preemption: the model of each kernel and of its modules, and modules of one model on a kernel of
# another. Sourced by run.sh.

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
}
