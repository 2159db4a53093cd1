# SPDX-License-Identifier: GPL-2.0-or-later
# Builds out-of-tree modules against the headers of several kernels, with the licence they have
# and with another one. Sourced by run.sh. What is built stays, below $store:
#
#   KERNEL/LICENCE/{NAME.ko,NAME.o,modpost}   KERNEL is amd64 or rt, LICENCE is gpl or closed
#
# NAME.o is what modpost gets to see, and is there even where it refuses to make a NAME.ko.

# prepare_headers KVER...: the headers of these kernels, found below $CORPUS, with the other half
# of them, the build tools and the sources of the modules, below $headers
prepare_headers()
{
	local k flavour deb
	headers=$store/root outside=$store/debs
	[ ! -e "$headers/.complete" ] || return 0
	rm -rf "$headers" "$outside"
	mkdir -p "$headers/usr/src" "$outside"
	for k; do
		flavour=common
		[[ $k != *-rt-* ]] || flavour=common-rt
		download_outside bookworm "linux-headers-${k%%-*}-$(cut -d- -f2 <<<"$k")-$flavour" || return 1
		cp -a "$CORPUS/${k}_amd64/usr/src/linux-headers-$k" "$headers/usr/src/"
		# Its Makefile names the other half by the place where it is installed.
		sed -i "s|/usr/src/|$headers/usr/src/|" "$headers/usr/src/linux-headers-$k/Makefile"
	done
	# shellcheck disable=SC2046 # words on purpose
	download_outside bookworm linux-kbuild-6.1 $(rows | cut -f1) || return 1
	for deb in "$outside"/*.deb; do dpkg-deb -x "$deb" "$headers" || return 1; done
	: >"$headers/.complete"
}

# rows: packages.txt without its comments, one tab between columns
rows() { sed -E '/^#/d; s/\t+/\t/g' "$here/packages.txt"; }

# leave_out SOURCE NAME: no makefile below it speaks of NAME.o any more
leave_out()
{
	find "$1" \( -name Kbuild -o -name Makefile \) -exec sed -i "/$2\.o/d" {} +
}

# make_package KVER SOURCE PLACES ARGUMENTS: the modules of that package, what make says to stdout
make_package()
{
	local k=$1 source=$2 places=$3 place word
	local -a arguments=()
	for word in ${4//@/$source}; do
		case $word in
		-*) leave_out "$source" "${word#-}" ;;
		*) arguments+=("$word") ;;
		esac
	done
	for place in ${places//,/ }; do
		# Undefined symbols are warnings here: the tables tell what is the matter with them.
		make -k -C "$headers/usr/src/linux-headers-$k" M="$source/$place" KBUILD_MODPOST_WARN=1 \
			"${arguments[@]}" modules </dev/null 2>&1
	done
}

# keep SOURCE DIR: what was built goes there
keep()
{
	local ko
	find "$1" -name modules.order -exec cat {} + | sort -u | while read -r ko; do
		[ ! -e "${ko%.ko}.o" ] || cp "${ko%.ko}.o" "$2/"
		[ ! -e "$ko" ] || cp "$ko" "$2/"
	done
}

# build_package KERNEL KVER SOURCE PLACES ARGUMENTS: with both licences
build_package()
{
	local k=$2 name=${3##*/} source=$store/$1/source/${3##*/} gpl=$store/$1/gpl closed=$store/$1/closed
	[ ! -e "$source.complete" ] || return 0
	rm -rf "$source"
	mkdir -p "$source" "$gpl" "$closed"
	cp -a "$3/." "$source/"
	make_package "$k" "$source" "$4" "$5" >"$gpl/$name.log"
	keep "$source" "$gpl"
	find "$source" -name '*.ko' -delete
	grep -rlZ MODULE_LICENSE "$source" --include='*.[ch]' |
		xargs -0 sed -i 's/MODULE_LICENSE(.*)/MODULE_LICENSE("Proprietary")/'
	make_package "$k" "$source" "$4" "$5" >"$closed/$name.log"
	keep "$source" "$closed"
	: >"$source.complete"
}

# build_all KERNEL KVER
build_all()
{
	local package pattern places arguments source
	while IFS=$'\t' read -r package pattern places arguments; do
		# shellcheck disable=SC2086 # a pattern
		source=$(echo "$headers"/usr/src/$pattern)
		build_package "$1" "$2" "$source" "$places" "$arguments" ||
			echo "$package: cannot be built for $2" >&2
	done < <(rows)
}
