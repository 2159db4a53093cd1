#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What modcheck is for, in three runs: a kernel that does not export what its modules call, the
# same with the export added, and this machine's own kernel. Needs $MODCHECK, $MKKO, $DEMO_DIR.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0

# run EXPECTED ARGUMENT...: show the command, its output and its status.
run()
{
	expected=$1
	shift
	echo "\$ modcheck $*"
	"$MODCHECK" "$@"
	status=$?
	echo "(exit status $status)"
	echo
	[ "$expected" = any ] || [ "$status" = "$expected" ] || {
		echo "demo: exit status $expected was expected" >&2
		bad=1
	}
}

sample=samples/2.4.8-ac12/build.sh
rm -rf "$DEMO_DIR" "$DEMO_DIR-fixed"
"$sample" "$DEMO_DIR" || exit 2
"$sample" "$DEMO_DIR-fixed" --variant exported || exit 2

echo "== Linux 2.4.8-ac12 with the preempt patch, right after make modules_install"
run 1 -b "$DEMO_DIR" 2.4.8-ac12
echo "== The same kernel with the line that was missing: EXPORT_SYMBOL(preempt_schedule)"
run 0 -b "$DEMO_DIR-fixed" 2.4.8-ac12

# The running kernel where its modules are installed, else the newest that is.
newest()
{
	for dir in /lib/modules/*/kernel /usr/lib/modules/*/kernel; do
		[ -d "$dir" ] && basename "$(dirname "$dir")"
	done | sort -V | tail -n 1
}
release=$(uname -r)
[ -d "/lib/modules/$release/kernel" ] || release=$(newest)
if [ -n "$release" ]; then
	echo "== A kernel of this machine"
	run any "$release"
else
	echo "== This machine has no kernel modules installed, so there is nothing else to check."
fi
exit $bad
