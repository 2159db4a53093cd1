#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh: modcheck on real Debian kernels, fetched into $CORPUS (default build/corpus). What it says is held
# against the distribution (a released tree is right), against depmod, and against Module.symvers.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/real/lib.sh
. tests/real/noise.sh
. tests/real/parse.sh
. tests/real/damage.sh
. tests/real/ready.sh
. tests/real/preempt.sh
. tests/real/diff.sh
. tests/real/stale.sh

echo "fetching kernels into $CORPUS"
tests/real/fetch.sh "$CORPUS" amd64 rt cloud i386 new new-rt arm64 s390x ppc64el >"$tmp/trees" || exit 1

# A released tree: one line, status 0, nothing found.
pristine()
{
	local k status
	k=$(release "$1")
	"$MODCHECK" -b "$1" "$k" >"$tmp/out" 2>&1
	status=$?
	[ $status = 0 ] || { head "$tmp/out"; why "status $status"; return; }
	[ "$(wc -l <"$tmp/out")" = 1 ] && grep -q "^OK  $k: " "$tmp/out" || { cat "$tmp/out"; return 1; }
	"$MODCHECK" -b "$1" "$k" --all --format json >"$tmp/json" || return 1
	clean_json || why "findings in the JSON report"
}

# No error, no warning, every module loads (infos tell of staging modules and weak symbols).
clean_json()
{
	jq -e '([.findings[] | select(.severity != "info")] == []) and
		.summary.loads == .summary.modules' "$tmp/json" >"$tmp/jq"
}

# Nothing but the kernel image and the modules as evidence: the same answer, the same exports.
image_only()
{
	local k bare=$tmp/bare
	k=$(release "$1")
	mkdir -p "$bare/lib/modules" "$bare/boot"
	copy_modules "$1" "$bare"
	cp "$1"/boot/vmlinu[xz]-"$k" "$bare/boot/"
	"$MODCHECK" -b "$bare" "$k" --all --format json >"$tmp/json"
	local status=$?
	"$MODCHECK" symvers -b "$bare" "$k" | sort >"$tmp/ours"
	rm -rf "$bare"
	[ $status = 0 ] && clean_json || why "status $status, or findings" || return
	sort "$(symvers "$1")" | diff "$tmp/ours" - | head -n 5
	[ "${PIPESTATUS[1]}" = 0 ]
}

# copy_modules TREE DIR: its module directory, as DIR/lib/modules/K, by hard links if they can be had
copy_modules()
{
	local from
	from=$(find "$1/lib/modules" "$1/usr/lib/modules" -maxdepth 1 -name "$(release "$1")" 2>/dev/null)
	cp -al "$from" "$2/lib/modules/" 2>/dev/null || cp -a "$from" "$2/lib/modules/"
	rm -f "$2/lib/modules/$(release "$1")"/{build,source,System.map,config,vmlinuz}
}

# Every module file is among those that were judged.
counted()
{
	find "$1"/lib/modules "$1"/usr/lib/modules -name '*.ko*' -type f 2>/dev/null | wc -l >"$tmp/files"
	jq '.modules | length' "$tmp/json" >"$tmp/modules"
	cmp -s "$tmp/files" "$tmp/modules" || why "$(cat "$tmp/files") files, $(cat "$tmp/modules") modules"
}

# Names, CRCs, licences and namespaces read from the modules are what modpost wrote down.
exports()
{
	"$MODCHECK" symvers -b "$1" "$(release "$1")" | sort >"$tmp/ours"
	sort "$(symvers "$1")" | diff "$tmp/ours" - | head
	[ "${PIPESTATUS[1]}" = 0 ]
}

# The same report whatever the number of threads.
threads()
{
	"$MODCHECK" -b "$1" -j 1 --all --format json "$(release "$1")" | cmp - "$tmp/json" &&
		"$MODCHECK" -b "$1" -j 7 --all --format json "$(release "$1")" | cmp - "$tmp/json"
}

# A stub System.map and nothing else: status 2 and one sentence.
stub()
{
	local k
	k=$(release "$1")
	mkdir -p "$tmp/bare/lib/modules" "$tmp/bare/boot"
	copy_modules "$1" "$tmp/bare"
	cp "$1/boot/System.map-$k" "$tmp/bare/boot/"
	"$MODCHECK" -b "$tmp/bare" "$k" >"$tmp/out" 2>&1
	local status=$?
	rm -rf "$tmp/bare"
	[ $status = 2 ] || why "status $status" || return
	[ "$(grep -c . "$tmp/out")" -le 4 ] && grep -q "^UNKNOWN  $k: " "$tmp/out" || { cat "$tmp/out"; why "more than one sentence"; return; }
	grep -q 'stub' "$tmp/out" || { cat "$tmp/out"; why "does not say that the map is a stub"; }
}

while read -r t; do
	k=$(release "$t")
	check "pristine $k" pristine "$t"
	check "all modules of $k" counted "$t"
	check "exports of $k" exports "$t"
	check "threads on $k" threads "$t"
	check "image of $k" image_only "$t"
done <"$tmp/trees"
check "stub System.map" stub "$(tree '6\.1\.0-[0-9]+-amd64')"
noise_tests
parse_tests
damage_tests
preempt_tests
diff_tests
stale_tests
ready_tests

echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
