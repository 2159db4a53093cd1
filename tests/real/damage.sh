# SPDX-License-Identifier: GPL-2.0-or-later
# A real tree with some modules damaged: each gets its finding, modules that need one of them
# are told with it, and all others are judged as before. Sourced by run.sh.

# The links of the copy are hard, so a file is removed before it is written anew.
replace()
{
	cat >"$tmp/new"
	rm -f "$1"
	mv "$tmp/new" "$1"
}

# damage_tree DIR: six modules that nothing depends on, and one (fat) that vfat and msdos need
damage_tree()
{
	local fs=$1/kernel/fs
	: | replace "$fs/minix/minix.ko"
	echo 'not a module' | replace "$fs/sysv/sysv.ko"
	head -c 5000 "$fs/udf/udf.ko" | replace "$fs/udf/udf.ko"
	head -c 9000 "$fs/fat/fat.ko" | replace "$fs/fat/fat.ko"
	cp "$fs/romfs/romfs.ko" "$tmp/stripped" && strip -s "$tmp/stripped" && replace "$fs/romfs/romfs.ko" <"$tmp/stripped"
	xz -c "$fs/hfs/hfs.ko" | head -c 4000 | replace "$fs/hfs/hfs.ko"
	{ head -c 18 "$fs/efs/efs.ko"; printf '\267'; tail -c +20 "$fs/efs/efs.ko"; } | replace "$fs/efs/efs.ko"
	mkfifo "$fs/fifo.ko"
	mkdir "$fs/directory.ko"
	ln -s . "$fs/loop"
	ln -s nowhere.ko "$fs/dangling.ko"
}

damaged()
{
	local t k
	t=$(tree '6\.1\.0-[0-9]+-amd64')
	k=$(release "$t")
	mkdir -p "$tmp/damaged/lib/modules"
	cp -al "$t/lib/modules/$k" "$tmp/damaged/lib/modules/" 2>/dev/null ||
		cp -a "$t/lib/modules/$k" "$tmp/damaged/lib/modules/"
	damage_tree "$tmp/damaged/lib/modules/$k"
	"$MODCHECK" -b "$tmp/damaged" -E "$(symvers "$t")" --kernel-config "$t/boot/config-$k" \
		--format json "$k" >"$tmp/json"
	[ $? = 1 ] || { why "status is not 1"; return; }
	jq -r '.findings[] | select(.severity != "info") | .code + " " + (.path // "-")' "$tmp/json" | sort -u >"$tmp/ours"
	sort >"$tmp/expected" <<-EOF
		MC101 kernel/fs/directory.ko
		MC101 kernel/fs/fat/fat.ko
		MC101 kernel/fs/fifo.ko
		MC101 kernel/fs/hfs/hfs.ko
		MC101 kernel/fs/minix/minix.ko
		MC101 kernel/fs/sysv/sysv.ko
		MC101 kernel/fs/udf/udf.ko
		MC102 kernel/fs/efs/efs.ko
		MC104 kernel/fs/romfs/romfs.ko
		MC204 kernel/fs/fat/vfat.ko
		MC204 kernel/fs/fat/msdos.ko
		MC607 kernel/fs/dangling.ko
		MC607 kernel/fs/loop
	EOF
	diff "$tmp/ours" "$tmp/expected" || return
	jq -e '.summary.loads + .summary.refused == .summary.modules and .summary.refused == 11' \
		"$tmp/json" >/dev/null || { jq .summary "$tmp/json"; why "counts"; }
}

damage_tests()
{
	check "damaged modules in a real tree" damaged
}
