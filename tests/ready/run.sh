#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh: is it true what `modcheck ready` says of a rebuild? Out-of-tree modules (packages.txt) are
# built for a kernel and judged for another, from 6.1 to 6.1 PREEMPT_RT and back, with the licence
# they have and with a proprietary one. Then they are built for the other, and what the object
# files import (nm) and modpost complains of is the truth that the prediction has to agree with:
#
#   - what is said to be certain or likely is so: the symbol is missing there, or GPL-only, or in
#     a namespace that is not imported, and the rebuilt module needs it;
#   - whatever is missing, GPL-only or in a namespace was said, at least as possible.
#
# What was built stays in $BUILD/ready. CORPUS: where kernels are unpacked (tests/real/fetch.sh).
set -u
cd "$(dirname "$0")/../.." || exit 2
here=$PWD/tests/ready
: "${BUILD:=build}"
mkdir -p "$BUILD/ready"
: "${CORPUS:=$PWD/$BUILD/corpus}"
store=$(cd "$BUILD/ready" && pwd)
MODCHECK=${MODCHECK:-$(cd "$BUILD" && pwd)/modcheck}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
LC_ALL=C
export LC_ALL

# shellcheck source=tests/judge/outside.sh
. tests/judge/outside.sh
# shellcheck source=tests/ready/build.sh
. "$here/build.sh"
# shellcheck source=tests/ready/truth.sh
. "$here/truth.sh"

# predict FROM TO LICENCE: lines `MODULE KIND SYMBOL` to $tmp/{sure,all}; sure are certain or likely
predict()
{
	local k=${kernel[$2]} status
	local -a files
	mapfile -t files < <(subjects "$1" "$3")
	"$MODCHECK" ready -b "$base" --format json:"$tmp/json" --format text:"$tmp/text" "$k" "${files[@]}"
	status=$?
	[ "$status" -le 1 ] || { echo "ready: modcheck ends with status $status" >&2; return 1; }
	jq -r '
		{"MC201": "missing", "MC202": "missing", "MC203": "missing", "MC401": "gpl",
		 "MC402": "namespace", "MC504": "gpl"} as $kinds |
		.findings[] | select($kinds[.code]) |
		"\(.certainty) \(.module) \($kinds[.code]) \(.symbol)"' "$tmp/json" |
		sort -u >"$tmp/predicted"
	grep -E '^(certain|likely) ' "$tmp/predicted" | cut -d' ' -f2- | sort -u >"$tmp/sure"
	cut -d' ' -f2- "$tmp/predicted" | sort -u >"$tmp/all"
}

# count FILE MODULE: its lines there
count() { grep -c "^$2 " "$1"; }

# compare_module FROM TO LICENCE MODULE: one row of the table, and what differs; no row where
# nothing was said and nothing is there to say
compare_module()
{
	local module=$4 verdict=yes wrong unsaid
	wrong=$(comm -23 "$tmp/sure" "$tmp/truth" | grep "^$module ")
	unsaid=$(comm -13 "$tmp/all" "$tmp/truth" | grep "^$module ")
	if [ -n "$wrong$unsaid" ]; then
		verdict=NO failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
	if ! grep -q "^$module " "$tmp/all" "$tmp/truth"; then
		empty=$((empty + 1))
		return
	fi
	printf '%-38s %-13s %-7s %-5s %9d %8d %5d  %s\n' "$module" "$1 -> $2" "$3" "$evidence" \
		"$(count "$tmp/sure" "$module")" "$(comm -13 "$tmp/sure" "$tmp/all" | count - "$module")" \
		"$(count "$tmp/truth" "$module")" "$verdict"
	[ -z "$wrong" ] || sed 's/^/    not so:  /' <<<"$wrong"
	[ -z "$unsaid" ] || sed 's/^/    unsaid:  /' <<<"$unsaid"
}

# compare FROM TO LICENCE
compare()
{
	local module
	predict "$@" || { failed=$((failed + 1)); return; }
	truth "$2" "$3" >"$tmp/truth"
	empty=0
	for module in $(modules_of "$1" "$2"); do compare_module "$@" "$module"; done
	echo "    $1 -> $2, $3, $evidence: and $empty modules of which nothing was said, rightly;" \
		"of $(comm -13 "$tmp/sure" "$tmp/all" | wc -l) that were possible" \
		"$(comm -13 "$tmp/sure" "$tmp/all" | comm -12 - "$tmp/truth" | wc -l) were so"
}

# install_kernels DIR NAME...: a base directory with these kernels
install_kernels()
{
	local name tree
	base=$tmp/$1
	shift
	mkdir -p "$base"
	for name; do
		tree=$CORPUS/${kernel[$name]}_amd64
		cp -al "$tree/." "$base/" 2>/dev/null || cp -a "$tree/." "$base/"
	done
}

# compare_all FROM TO: on a machine that has both kernels, and on one that has only the other
compare_all()
{
	local licence
	for licence in gpl closed; do
		base=$tmp/both evidence=both
		compare "$1" "$2" "$licence"
		base=$tmp/$2 evidence=alone
		compare "$1" "$2" "$licence"
	done
}

declare -A kernel
for tree in $(tests/real/fetch.sh "$CORPUS" amd64 rt); do
	name=$(basename "${tree%_*}")
	if [[ $name == *-rt-* ]]; then kernel[rt]=$name; else kernel[amd64]=$name; fi
done
[ "${#kernel[@]}" = 2 ] || { echo "ready: no kernels" >&2; exit 2; }
prepare_headers "${kernel[@]}" || { echo "ready: no headers" >&2; exit 2; }
echo "building out-of-tree modules for ${kernel[*]} (some minutes the first time)"
for name in "${!kernel[@]}"; do build_all "$name" "${kernel[$name]}"; done

install_kernels both amd64 rt
install_kernels amd64 amd64
install_kernels rt rt
printf '%-38s %-13s %-7s %-5s %9s %8s %5s  %s\n' module direction licence base predicted possible truth \
	agree
compare_all amd64 rt
compare_all rt amd64
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
