#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh: preempt patches gone wrong, built for real. Debian's kernel source is configured small and
# preemptible (config), built, and installed with samples/depmod-modcheck in depmod's place: that has
# to be quiet. Then one export is taken out of the source, and the install has to stop, with one
# cause that names the symbol, the modules that nm says need it, and a fix.
#
# The build stays in $BUILD/patched, so a second run compiles little. PATCHED_SOURCE=FILE: another
# linux-source tarball than the newest in /usr/src.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=$PWD/tests/patched
: "${BUILD:=build}"
mkdir -p "$BUILD/patched"
work=$(cd "$BUILD/patched" && pwd)
tree=$work/linux
export MODCHECK=${MODCHECK:-$(cd "$BUILD" && pwd)/modcheck}
PATH=$PATH:/usr/sbin:/sbin
passed=0 failed=0

# What a packager does to get past modpost, which refuses what it cannot resolve.
quietly_make() { make -s -C "$tree" -j"$(nproc)" KBUILD_MODPOST_WARN=1 "$@" >>"$work/log" 2>&1; }

give_up()
{
	echo "patched: $1" >&2
	tail -n 20 "$work/log" >&2
	exit 1
}

# unpack_source: the kernel to build, at $tree
unpack_source()
{
	local tarball=${PATCHED_SOURCE:-$(find /usr/src -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
	[ -n "$tarball" ] || { echo "patched: no linux-source in /usr/src" >&2; exit 2; }
	echo "source: $(basename "$tarball")"
	[ "$(cat "$work/.source" 2>/dev/null)" != "$tarball" ] || return 0
	rm -rf "$tree" "$work/config"
	mkdir -p "$tree"
	tar -xf "$tarball" -C "$tree" --strip-components=1 || exit 2
	echo "$tarball" >"$work/.source"
}

# configure: once, since everything is compiled anew after it
configure()
{
	[ ! -e "$work/config" ] || ! cmp -s "$work/config" "$here/config" || return 0
	quietly_make tinyconfig || give_up "tinyconfig fails"
	(cd "$tree" && scripts/kconfig/merge_config.sh -m .config "$here/config") >>"$work/log" 2>&1
	quietly_make olddefconfig || give_up "olddefconfig fails"
	cp "$here/config" "$work/config"
}

# install: modules_install, what it writes to $work/out and the report to $work/json
install()
{
	rm -rf "$work/root" "$work/json"
	MODCHECK_OPTIONS="--format text --format json:$work/json" \
		make -s -C "$tree" DEPMOD="$PWD/samples/depmod-modcheck" INSTALL_MOD_PATH="$work/root" \
		modules_install >"$work/all" 2>&1
	local status=$?
	grep -v '^depmod: WARNING: ' "$work/all" >"$work/out"
	return "$status"
}

check()
{
	local name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok      $name"
	else
		failed=$((failed + 1))
		echo "FAILED  $name"
		sed 's/^/        /' "$work/out"
	fi
}

# users SYMBOL: how many of the installed modules nm says need it
users()
{
	find "$work/root" -name '*.ko' | while read -r ko; do
		nm -u "$ko" | grep -qw "U $1" && echo "$ko"
	done | wc -l
}

# The tree as Debian has it: one line, which says that all is well.
untouched()
{
	install || return 1
	[ "$(wc -l <"$work/out")" = 1 ] && grep -q '^OK  .* modules load .*; PREEMPT)$' "$work/out" || return 1
	jq -e --argjson n "$(find "$work/root" -name '*.ko' | wc -l)" \
		'.summary.modules == $n and .findings == [] and $n >= 20' "$work/json" >/dev/null
}

# depmod sees the symbol, too: it warns, a line a module, and is content.
depmod_is_content()
{
	local release
	release=$(basename "$work"/root/lib/modules/*)
	depmod -n -ae -F "$tree/System.map" -b "$work/root" "$release" >/dev/null 2>"$work/warnings" &&
		grep -q "needs unknown symbol $1" "$work/warnings"
}

# stopped SYMBOL FAMILY FIX
stopped()
{
	install && return 1
	jq -e --arg symbol "$1" --arg family "$2" --arg fix "$3" --argjson users "$(users "$1")" '
		(.causes | length) == 1 and (.causes[0] |
			.code == "MC202" and .symbol == $symbol and (.family // "") == $family and
			(.hint | contains($fix))) and
		([.findings[] | select(.code == "MC202") | .module] | unique | length) == $users and
		$users >= 10 and .exit_code == 1' "$work/json" >/dev/null || return 1
	depmod_is_content "$1"
}

# without FILE SYMBOL FAMILY FIX: build without that export, and try
without()
{
	local file=$1 symbol=$2
	echo "without the export of $symbol:"
	cp -p "$tree/$file" "$work/original"
	sed -i "/^[[:space:]]*EXPORT_SYMBOL($symbol);\\{0,1\\}\$/d" "$tree/$file"
	cmp -s "$tree/$file" "$work/original" && give_up "$file does not export $symbol"
	quietly_make
	local status=$?
	[ "$status" = 0 ] && check "stopped by $symbol" stopped "$symbol" "$3" "$4"
	# Newer than what was made of the other one.
	cp "$work/original" "$tree/$file"
	[ "$status" = 0 ] || give_up "the build without $symbol fails"
	sed -n '/^FAIL/,$p' "$work/out"
}

: >"$work/log"
unpack_source
configure
echo "building (some minutes the first time; what it says is in $work/log)"
quietly_make || give_up "the build fails"
check "untouched: quiet" untouched
cat "$work/out"
without arch/x86/entry/thunk_64.S preempt_schedule_thunk preemption \
	"export preempt_schedule_thunk in the preempt patch"
without kernel/locking/spinlock.c _raw_spin_unlock preemption \
	"export _raw_spin_unlock in the preempt patch"
without kernel/locking/mutex.c mutex_unlock "" \
	"add EXPORT_SYMBOL() for it where it is defined and rebuild the kernel"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
