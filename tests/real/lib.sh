# SPDX-License-Identifier: GPL-2.0-or-later
# What the real-tree tests share; sourced. They work on the kernels below $CORPUS.
: "${MODCHECK:=$PWD/build/modcheck}"
: "${CORPUS:=$PWD/build/corpus}"
passed=0 failed=0
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
PATH=$PATH:/usr/sbin:/sbin

# verdict NAME STATUS: count one test; what it printed into $tmp/why is shown if it failed
verdict()
{
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "ok      $1"
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
		[ ! -s "$tmp/why" ] || sed 's/^/        /' "$tmp/why" | head -n 20
	fi
	: >"$tmp/why"
}

# check NAME COMMAND...
check()
{
	local name=$1
	shift
	"$@" >"$tmp/why" 2>&1
	verdict "$name" $?
}

# why TEXT...: say what is wrong, and fail
why()
{
	echo "$*"
	return 1
}

# tree REGEX: the tree below $CORPUS whose release matches
tree()
{
	local found
	found=$(find "$CORPUS" -maxdepth 1 -mindepth 1 -type d | grep -E "/$1_[a-z0-9]+$" | sort -V | tail -n 1)
	[ -n "$found" ] || { echo "no tree like $1 below $CORPUS" >&2; exit 2; }
	echo "$found"
}

release() { basename "${1%_*}"; }
symvers() { echo "$1/usr/src/linux-headers-$(release "$1")/Module.symvers"; }

# map_of TREE: a System.map that exports what the tree's Module.symvers lists for the kernel itself
map_of() { awk '$3 == "vmlinux" { print "ffffffff81000000 r __ksymtab_" $2 }' "$(symvers "$1")"; }
