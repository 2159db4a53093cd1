#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [PART...]: the judge. It boots real Debian kernels in an emulated machine, loads modules,
# and holds what the kernel answers against what modcheck said it would.
# Parts: quick (some mutants on one kernel), mutants (all kinds of kinds.txt on four kernels), trees
# (every module of two kernels), strangers (modules of other kernels), outside (out-of-tree modules built
# here for one kernel, on four). Default: all but quick.
#
# CORPUS: where kernels are unpacked (tests/real/fetch.sh). JUDGE_VERBOSE=1: print agreements too.
# JUDGE_REPORT=FILE: append the disagreements to it. JUDGE_KINDS='A B': only these kinds.
# JUDGE_KERNEL=REGEX: mutants on those kernels only.
# JUDGE_SYMVERS=1: give modcheck the kernel's exports as symvers too.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=$PWD/tests/judge
: "${BUILD:=build}"
: "${MODCHECK:=$PWD/$BUILD/modcheck}"
: "${CORPUS:=$PWD/$BUILD/corpus}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
tools=$work/tools
passed=0 failed=0 skipped=0

# shellcheck source=tests/judge/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/judge/outside.sh
. "$here/outside.sh"

build_tools()
{
	local cc=${CC:-gcc}
	mkdir -p "$tools"
	"$cc" -m32 -std=gnu11 -O2 -Wall -Wextra -ffreestanding -fno-stack-protector -fno-pic \
		-fno-asynchronous-unwind-tables -nostdlib -static -no-pie -o "$tools/init" \
		"$here/init.c" || return 1
	"$cc" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$tools/mutate" "$here"/mutate.c \
		"$here"/elfedit.c "$here"/edits_*.c
}

# is_for WHERE: does the kind go to kernel $k?
is_for()
{
	local pattern
	local -a patterns
	IFS=, read -ra patterns <<<"${1#q}"
	for pattern in "${patterns[@]}"; do
		case $k in
		${pattern#!}*) [[ $pattern != !* ]]; return ;;
		esac
	done
	return 1
}

# add_pristine PATH: that module of $moddir, after what it depends on; each but once
add_pristine()
{
	local path
	for path in ${needs[$1]-} "$1"; do
		[ -z "${loaded[$path]-}" ] || continue
		add_step finit "$moddir/$path" || return 1
		loaded[$path]=1
	done
}

# add_word WORD: the steps that a word of kinds.txt stands for
add_word()
{
	local word=$1 command=finit alone="" path needed
	local -a edits=()
	case $word in
	init!*) command=init word=${word#init!} ;;
	!*) alone=1 word=${word#!} ;;
	esac
	path=${paths[${word%%@*}]-}
	[ -n "$path" ] || return 1
	for needed in ${needs[$path]-}; do
		[ -n "$alone" ] || [ -n "${loaded[$needed]-}" ] || add_pristine "$needed" || return 1
	done
	[[ $word != *@* ]] || IFS=, read -ra edits <<<"${word#*@}"
	edits=("${edits[@]//%/ }")
	loaded[$path]=1
	add_step "$command" "$moddir/$path" "${edits[@]//^/,}"
}

# mutants SET REGEX [quick]: all kinds of kinds.txt on one kernel, in one boot
mutants()
{
	local kind where steps word
	local -a words cases=()
	use_kernel "$1" "$2" || { skipped=$((skipped + 1)); return; }
	[[ $k =~ ${JUDGE_KERNEL-.} ]] || return
	while read -r kind where steps; do
		[[ -n $kind && $kind != '#'* ]] || continue
		[ -z "${3-}" ] || [[ $where == q* ]] || continue
		[ -z "${JUDGE_KINDS-}" ] || [[ " $JUDGE_KINDS " == *" $kind "* ]] || continue
		is_for "$where" || continue
		begin_case "$kind"
		read -ra words <<<"$steps"
		for word in "${words[@]}"; do
			add_word "$word" || { echo "FAILED $k $kind: $word cannot be made"; failed=$((failed + 1)); }
		done
		end_case
		cases+=("$kind")
	done <"$here/kinds.txt"
	judge 2048 "${cases[@]}"
}

# whole_tree SET REGEX: every module of that kernel, in one boot
whole_tree()
{
	local path
	use_kernel "$1" "$2" || { skipped=$((skipped + 1)); return; }
	begin_case tree
	echo quiet >>"$work/list"
	find "$moddir/kernel" -name '*.ko.xz' -print0 | WORK=$work xargs -0 -r -n 50 -P "$(nproc)" \
		sh -c 'for f; do mkdir -p "$WORK/unpacked${f%/*}" && xz -dc "$f" >"$WORK/unpacked$f"; done' sh
	for path in "${paths[@]}"; do
		add_pristine "$path" || { echo "FAILED $k $path cannot be made"; failed=$((failed + 1)); }
	done
	judge 4096 tree
}

# strangers SET REGEX SET REGEX...: every 20th module of the other kernels on the first
strangers()
{
	local set=$1 regex=$2 n path other
	local -a others=() cases=()
	shift 2
	while [ $# -gt 1 ]; do
		use_kernel "$1" "$2" && others+=("$moddir")
		shift 2
	done
	use_kernel "$set" "$regex" || { skipped=$((skipped + 1)); return; }
	for other in "${others[@]}"; do
		begin_case "${other##*/}"
		n=0
		while read -r path; do
			[ $((n++ % 20)) != 7 ] || add_step finit "$path"
		done < <(find "$other/kernel" -name '*.ko*' | sort)
		end_case
		cases+=("${other##*/}")
	done
	judge 2048 "${cases[@]}"
}

# judge MEMORY CASE...: boot what was prepared, and compare
judge()
{
	local start=$SECONDS before=$failed done=$passed memory=$1
	shift
	if ! boot "$memory"; then
		failed=$((failed + 1))
		return
	fi
	local booted=$((SECONDS - start))
	compare "$@"
	echo "$k: $((passed - done)) agree, $((failed - before)) do not; $booted s in the machine," \
		"$((SECONDS - start)) s in all"
}

# Releases by the flavour that they end in.
amd64='^6\.1\.[0-9.-]*-amd64_' cloud='^6\.1\..*-cloud-amd64_' rt='^6\.1\..*-rt-amd64_'
new='^6\.12\.[^_]*[0-9]-amd64_' new_rt='^6\.12\..*-rt-amd64_'
i686='[0-9]-686_' pae='[0-9]-686-pae_' rt_pae='-rt-686-pae_'

# part NAME
part()
{
	case $1 in
	quick) mutants amd64 "$amd64" quick ;;
	mutants)
		mutants amd64 "$amd64"
		mutants i386 "$pae"
		mutants rt "$rt"
		mutants new "$new"
		;;
	trees)
		whole_tree amd64 "$amd64"
		whole_tree new "$new"
		;;
	strangers)
		strangers amd64 "$amd64" rt "$rt" cloud "$cloud" new "$new"
		strangers new "$new" amd64 "$amd64" new-rt "$new_rt"
		strangers rt "$rt" amd64 "$amd64"
		strangers new-rt "$new_rt" new "$new"
		strangers i386 "$pae" i386 "$i686" i386 "$rt_pae"
		;;
	outside) all_outside ;;
	*) echo "judge: there is no part $1" >&2; return 2 ;;
	esac
}

build_tools || exit 2
[ $# -gt 0 ] || set -- mutants strangers outside trees
for name; do part "$name" || exit 2; done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
