#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [PART...]: the judge. It boots real Debian kernels in an emulated machine, loads modules,
# and holds what the kernel answers against what modcheck said it would.
# Parts: quick (some mutants on one kernel), mutants (all kinds of kinds.txt on four kernels), trees
# (every module of two kernels), strangers (modules of other kernels). Default: all but quick.
#
# CORPUS: where kernels are unpacked (tests/real/fetch.sh). JUDGE_VERBOSE=1: print agreements too.
# JUDGE_REPORT=FILE: append the disagreements to it. JUDGE_KINDS='A B': only these kinds.
# JUDGE_SYMVERS=1: give modcheck the kernel's exports as symvers too.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=$PWD/tests/judge
: "${BUILD:=build}"
: "${MODCHECK:=$PWD/$BUILD/modcheck}"
: "${CORPUS:=$PWD/$BUILD/corpus}"
tools=$PWD/$BUILD/judge
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# shellcheck source=tests/judge/lib.sh
. "$here/lib.sh"

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
	local where=${1#q} prefix
	[ "$where" = '*' ] && return
	for prefix in ${where//,/ }; do
		[[ $k == "$prefix"* ]] && return
	done
	return 1
}

# add_word WORD: the steps that a word of kinds.txt stands for
add_word()
{
	local word=$1 command=finit edits path dependency
	local -a edit
	case $word in init!*) command=init word=${word#init!} ;; esac
	path=$(path_of "${word%%@*}" | head -n 1)
	[ -n "$path" ] || path=$(path_of "${word#!}")
	[ -n "$path" ] || return 1
	if [[ $word != !* ]]; then
		for dependency in $(deps_of "${word%%@*}"); do
			[[ $loaded == *" $dependency "* ]] || add_step finit "$dependency" || return 1
		done
	fi
	edits=
	[[ $word != *@* ]] || edits=${word#*@}
	IFS=, read -ra edit <<<"$edits"
	add_step "$command" "$path" "${edit[@]//%/ }"
}

# mutants SET REGEX [quick]: all kinds of kinds.txt on one kernel, in one boot
mutants()
{
	local kind where steps word
	local -a words cases=()
	use_kernel "$1" "$2" || { skipped=$((skipped + 1)); return; }
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
	judge "${cases[@]}"
}

# judge CASE...: boot what was prepared, and compare
judge()
{
	local start=$SECONDS before=$failed done=$passed
	if ! boot; then
		failed=$((failed + 1))
		return
	fi
	local booted=$((SECONDS - start))
	compare "$@"
	echo "$k: $((passed - done)) agree, $((failed - before)) do not; $booted s in the machine," \
		"$((SECONDS - start)) s in all"
}

part()
{
	case $1 in
	quick) mutants amd64 '^6\.1\..*-amd64_' quick ;;
	mutants)
		mutants amd64 '^6\.1\..*-amd64_'
		mutants i386 '^5\.10\..*[0-9]-686-pae_'
		mutants rt '^6\.1\..*-rt-amd64_'
		mutants new '^6\.12\..*-amd64_'
		;;
	*) echo "judge: there is no part $1" >&2; return 2 ;;
	esac
}

build_tools || exit 2
[ $# -gt 0 ] || set -- mutants trees strangers
for name; do part "$name" || exit 2; done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
