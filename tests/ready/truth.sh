# SPDX-License-Identifier: GPL-2.0-or-later
# What a rebuild really gives, from the object files (nm) and from what modpost wrote. Sourced by
# run.sh; build.sh tells where the files are.

# modules_of FROM TO: names of the modules that were built for both, as the kernel writes them
modules_of()
{
	local ko
	for ko in "$store/$1/gpl"/*.ko; do
		ko=$(basename "$ko" .ko)
		[ ! -e "$store/$2/gpl/$ko.o" ] || [ ! -e "$store/$2/closed/$ko.o" ] || echo "${ko//-/_}"
	done | sort
}

# subjects KERNEL LICENCE: the built modules. A proprietary one cannot be linked where it needs a
# GPL-only symbol, so the tag of the other is changed, which is all that the two differ in.
subjects()
{
	local ko
	for ko in "$store/$1/gpl"/*.ko; do
		if [ "$2" = closed ]; then
			mkdir -p "$tmp/$1"
			sed 's/license=GPL/license=Not/; s/license=Dual/license=None/' "$ko" >"$tmp/$1/$(basename "$ko")"
			ko=$tmp/$1/$(basename "$ko")
		fi
		echo "$ko"
	done
}

# imports OBJECT: what it needs; weak ones may be missing, and __this_module comes with its .mod.o
imports() { nm -u "$1" | awk '$1 == "U" && $2 != "__this_module" { print $2 }'; }

# missing KERNEL LICENCE: lines `MODULE missing SYMBOL`: nobody exports it there
missing()
{
	local o module k=${kernel[$1]}
	{
		cut -f2 "$CORPUS/${k}_amd64/usr/src/linux-headers-$k/Module.symvers"
		nm "$store/$1/$2"/*.o | awk '$3 ~ /^__ksymtab_/ { sub(/^__ksymtab_/, "", $3); print $3 }'
	} | sort -u >"$tmp/exported"
	for o in "$store/$1/$2"/*.o; do
		module=$(basename "$o" .o)
		imports "$o" | sort -u | comm -23 - "$tmp/exported" | sed "s/^/${module//-/_} missing /"
	done
}

# complaints KERNEL LICENCE: lines `MODULE gpl|namespace SYMBOL`: what modpost says of it
complaints()
{
	sed -n -E "s/.*modpost: GPL-incompatible module (.*)\\.ko uses GPL-only symbol '(.*)'\$/\\1 gpl \\2/p
		s/.*modpost: module (.*) uses symbol (.*) from namespace .*, but does not import it\\.\$/\\1 namespace \\2/p" \
		"$store/$1/$2"/*.log | awk '{ sub(/.*\//, "", $1); gsub(/-/, "_", $1); print }'
}

# truth KERNEL LICENCE: all of it, sorted
truth() { { missing "$@"; complaints "$@"; } | sort -u; }
