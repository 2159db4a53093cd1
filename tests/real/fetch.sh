#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh DIR SET...: unpack real Debian kernels, with their headers, below DIR as
# DIR/<release>_<architecture>/{boot,lib or usr/lib,usr/src}; print the directories.
# Sets: amd64 older rt cloud i386 new new-rt arm64 s390x ppc64el (older: an amd64 kernel
# before the newest). What is there already is not fetched again.
#
# apt is used with a state of its own below DIR, so nothing is installed and the machine's
# package lists stay as they are. Whatever release a suite offers is taken: names no version.
set -euo pipefail

dir=${1:?usage: fetch.sh DIR SET...}
shift
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/$')

# options SUITE: the words that keep apt inside DIR
options()
{
	local state=$dir/.apt/$1
	printf '%s\n' "-oDir::State=$state" "-oDir::State::Lists=$state/lists" \
		"-oDir::State::status=$state/status" "-oDir::Cache=$state/cache" \
		"-oDir::Etc::sourcelist=$state/sources.list" "-oDir::Etc::sourceparts=/dev/null" \
		"-oAPT::Architecture=amd64" "-oAPT::Architectures=amd64,i386,arm64,s390x,ppc64el" \
		"-oAPT::Sandbox::User=root"
}

# aptly SUITE PROGRAM ARGUMENT...: run apt-get or apt-cache on that suite alone
aptly()
{
	local suite=$1 program=$2 state=$dir/.apt/$1 words
	shift 2
	mapfile -t words < <(options "$suite")
	if [ ! -e "$state/ready" ]; then
		mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
		: >"$state/status"
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
			"${mirror%/} $suite main" >"$state/sources.list"
		apt-get "${words[@]}" -qq update
		: >"$state/ready"
	fi
	"$program" "${words[@]}" "$@"
}

# download SUITE ARCH PACKAGE...: into DIR/.debs; fails if one cannot be had
download()
{
	local suite=$1 arch=$2 package
	shift 2
	mkdir -p "$dir/.debs"
	for package; do
		(cd "$dir/.debs" && aptly "$suite" apt-get -qq download "$package:$arch") || return 1
	done
}

# kernel SUITE ARCH REGEX [BUT]: the newest release that matches, is not BUT, and can be had
kernel()
{
	local suite=$1 arch=$2 regex=$3 but=${4:-} release root deb
	for release in $(aptly "$suite" apt-cache pkgnames linux-image- |
		sed 's/^linux-image-//' | grep -xE "$regex" | sort -rVu); do
		[ "$release" != "$but" ] || continue
		root=$dir/${release}_$arch
		if [ ! -e "$root/.complete" ]; then
			rm -rf "$dir/.debs" "$root"
			download "$suite" "$arch" "linux-image-$release" "linux-headers-$release" \
				2>/dev/null || continue
			mkdir -p "$root"
			for deb in "$dir"/.debs/*.deb; do dpkg-deb -x "$deb" "$root"; done
			rm -rf "$dir/.debs"
			: >"$root/.complete"
		fi
		echo "$root"
		return 0
	done
	echo "fetch.sh: $suite has no kernel like $regex for $arch" >&2
	return 1
}

for set; do
	case $set in
	amd64) kernel bookworm amd64 '6\.1\.0-[0-9]+-amd64' ;;
	older)
		newest=$(kernel bookworm amd64 '6\.1\.0-[0-9]+-amd64')
		newest=${newest##*/}
		kernel bookworm amd64 '6\.1\.0-[0-9]+-amd64' "${newest%_*}"
		;;
	rt) kernel bookworm amd64 '6\.1\.0-[0-9]+-rt-amd64' ;;
	cloud) kernel bookworm amd64 '6\.1\.0-[0-9]+-cloud-amd64' ;;
	i386)
		kernel bullseye i386 '5\.10\.0-[0-9]+-686'
		kernel bullseye i386 '5\.10\.0-[0-9]+-686-pae'
		kernel bullseye i386 '5\.10\.0-[0-9]+-rt-686-pae'
		;;
	new) kernel trixie amd64 '6\.12\.[0-9]+\+deb13-amd64' ;;
	new-rt) kernel trixie amd64 '6\.12\.[0-9]+\+deb13-rt-amd64' ;;
	arm64) kernel trixie arm64 '6\.12\.[0-9]+\+deb13-arm64' ;;
	s390x) kernel trixie s390x '6\.12\.[0-9]+\+deb13-s390x' ;;
	ppc64el) kernel trixie ppc64el '6\.12\.[0-9]+\+deb13-powerpc64le' ;;
	*) echo "fetch.sh: there is no set $set" >&2; exit 2 ;;
	esac
done
