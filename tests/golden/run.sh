#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [--update] [TOPIC | TOPIC/CASE]...: run the golden tests; tests/golden/README tells what
# a case is. --update writes anew the expected.* files that exist.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=$(cd "$here/../.." && pwd)
: "${MODCHECK:=$root/build/modcheck}" "${MKKO:=$root/build/tools/mkko}"
: "${ASAN_OPTIONS:=exitcode=99}" "${UBSAN_OPTIONS:=halt_on_error=1:exitcode=99}"
export MODCHECK MKKO ASAN_OPTIONS UBSAN_OPTIONS LC_ALL=C

# --- one case: run.sh --one CASE RESULTS -----------------------------------------------------

fail()
{
	printf 'FAIL  %s\n' "$case"
	sed 's/^/      /' "$1"
	exit 0
}

skip()
{
	printf 'SKIP  %s: %s\n' "$case" "$1"
	exit 0
}

# differ EXPECTED ACTUAL: compare, or write anew.
differ()
{
	if [ -n "${UPDATE:-}" ]; then
		cp "$2" "$1"
		return 1
	fi
	! diff -u "$1" "$2" >>"$work/why"
}

# run_cmd OUT [OPTION...]: the case's cmd, with these options behind those it gives itself.
run_cmd()
{
	out=$1
	shift
	cat >"$work/modcheck" <<-END
		#!/bin/sh
		case " \$* " in
		*" -C "* | " parse "* | " rules "* | " explain "*) ;;
		*) set -- "\$@" -C "$conf" ;;
		esac
		exec timeout 30 "$MODCHECK" "\$@" $*
	END
	chmod +x "$work/modcheck"
	(cd "$work" && MODCHECK="$work/modcheck" TREE="$work/tree" sh -u "$dir/cmd" \
		>"$out" 2>"$work/err" </dev/null)
	status=$?
	sed "s|$work/tree|TREE|g" "$out" >"$out.clean"
	[ "$status" -lt 124 ] && [ "$status" != 99 ] && [ "$status" != 77 ] && return
	[ "$status" = 77 ] && skip "not here"
	{ echo "exit status $status"; head -n 30 "$work/err"; } >"$work/why"
	fail "$work/why"
}

make_tree()
{
	mkdir -p "$work/tree" "$work/no-conf"
	if [ -f "$dir/tree" ]; then
		"$MKKO" -o "$work/tree" "$dir/tree" 2>"$work/why" || fail "$work/why"
	fi
	if [ -f "$dir/build" ]; then
		(cd "$root" && TREE=$work/tree sh -eu "$dir/build") >"$work/why" 2>&1 ||
			fail "$work/why"
	fi
	# depmod.d of this machine is no part of a test
	conf=$work/no-conf
	[ ! -d "$work/tree/etc/depmod.d" ] || conf=$work/tree/etc/depmod.d
}

check_expect()
{
	run_cmd "$work/json" --format json
	jq -r -f "$here/facts.jq" "$work/json" >"$work/facts" 2>"$work/why" || fail "$work/why"
	awk -f "$here/expect.awk" "$dir/expect" "$work/facts" >"$work/why" || fail "$work/why"
}

run_one()
{
	case=${1#"$here"/} dir=$1 bad=0
	work=$(mktemp -d) || exit 2
	trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
	: >"$work/why"
	make_tree
	run_cmd "$work/out"
	if [ -f "$dir/expected.status" ]; then
		echo "$status" >"$work/status"
		differ "$dir/expected.status" "$work/status" && bad=1
	fi
	for kind in txt json err; do
		[ -f "$dir/expected.$kind" ] || continue
		case $kind in
		txt) cp "$work/out.clean" "$work/got" ;;
		json) run_cmd "$work/json" --format json && cp "$work/json.clean" "$work/got" ;;
		err) sed "s|$work/tree|TREE|g" "$work/err" >"$work/got" ;;
		esac
		differ "$dir/expected.$kind" "$work/got" && bad=1
	done
	[ "$bad" = 0 ] || fail "$work/why"
	[ ! -f "$dir/expect" ] || check_expect
	printf 'PASS  %s\n' "$case"
}

# A case with a file `todo` is not yet done: its failure is no failure of the suite.
if [ "${1:-}" = --one ]; then
	log=$3/$(echo "${2#"$here"/}" | tr / .)
	(run_one "$2") >"$log"
	[ -f "$2/todo" ] || exit 0
	case $(cat "$log") in
	FAIL*) printf 'SKIP  %s: %s\n' "${2#"$here"/}" "$(head -n 1 "$2/todo")" >"$log" ;;
	PASS*) printf 'FAIL  %s\n      passes: take away its todo\n' "${2#"$here"/}" >"$log" ;;
	esac
	exit 0
fi

# --- all of them -----------------------------------------------------------------------------

UPDATE=
if [ "${1:-}" = --update ]; then
	UPDATE=1
	shift
fi
export UPDATE
[ -x "$MODCHECK" ] || { echo "run.sh: no program $MODCHECK: run make" >&2; exit 2; }
[ -x "$MKKO" ] || "$root/tests/tools/build-mkko" "$MKKO" || exit 2
command -v jq >/dev/null || { echo "run.sh: jq is needed (package jq)" >&2; exit 2; }

results=$(mktemp -d) || exit 2
trap 'rm -rf "$results"' EXIT
[ $# -gt 0 ] || set -- .
for topic; do
	find "$here/$topic" -name cmd -type f
done | sed 's|/\./|/|; s|/cmd$||' | sort >"$results.list"
xargs -P "$(nproc 2>/dev/null || echo 2)" -I{} "$0" --one {} "$results" <"$results.list"
rm -f "$results.list"
cat "$results"/* 2>/dev/null | grep -v '^PASS'
count()
{
	cat "$results"/* 2>/dev/null | grep -c "^$1 "
}
failed=$(count FAIL)
echo "$(count PASS) passed, $failed failed, $(count SKIP) skipped"
[ "$failed" = 0 ]
