#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# setup.sh [--check] GROUP...: install the Debian packages that these groups of targets need, as
# far as they are missing; silent when none is. --check only says which are.
# Groups: build test lint fuzz real bench judge kernel ready.
set -u

check_only=
[ "${1-}" = --check ] && check_only=1 && shift

# What a group needs, as KIND:THING=PACKAGE. cmd: a program, lib: a pkg-config name,
# clangrt: the runtime libraries that clang links a fuzzer with, deb: a package with nothing
# else to look for.
needs()
{
	case $1 in
	build) echo cmd:gcc=gcc cmd:make=make cmd:pkg-config=pkg-config deb:libc6-dev=libc6-dev \
		lib:libelf=libelf-dev lib:libcrypto=libssl-dev lib:zlib=zlib1g-dev \
		lib:liblzma=liblzma-dev lib:libzstd=libzstd-dev lib:liblz4=liblz4-dev \
		lib:lzo2=liblzo2-dev deb:libbz2-dev=libbz2-dev lib:jansson=libjansson-dev \
		lib:libxxhash=libxxhash-dev ;;
	test) echo lib:cmocka=libcmocka-dev cmd:jq=jq cmd:xz=xz-utils cmd:zstd=zstd cmd:gzip=gzip \
		cmd:depmod=kmod cmd:readelf=binutils cmd:openssl=openssl ;;
	lint) echo cmd:git=git cmd:clang=clang cmd:cppcheck=cppcheck cmd:clang-format=clang-format \
		cmd:shellcheck=shellcheck ;;
	fuzz) echo cmd:clang=clang clangrt:=libclang-rt-dev ;;
	real) echo cmd:depmod=kmod cmd:dpkg-deb=dpkg ;;
	bench) echo cmd:depmod=kmod ;;
	judge) echo cmd:qemu-system-x86_64=qemu-system-x86 cmd:cpio=cpio cmd:modinfo=kmod ;;
	kernel) echo cmd:flex=flex cmd:bison=bison cmd:bc=bc cmd:xz=xz-utils \
		deb:linux-source=linux-source ;;
	ready) echo cmd:gcc-12=gcc-12 cmd:nm=binutils ;;
	*) echo "setup.sh: unknown group: $1" >&2; exit 2 ;;
	esac
}

has_clang_runtime()
{
	dir=$(clang -print-resource-dir 2>/dev/null) || return 1
	for file in "$dir"/lib/*/libclang_rt.fuzzer*.a; do
		[ -e "$file" ] && return 0
	done
	return 1
}

has()
{
	thing=${1#*:}
	thing=${thing%=*}
	case $1 in
	cmd:*) command -v "$thing" || [ -x "/sbin/$thing" ] || [ -x "/usr/sbin/$thing" ] ;;
	lib:*) pkg-config --exists "$thing" ;;
	clangrt:*) has_clang_runtime ;;
	deb:*) ! command -v dpkg-query || dpkg-query -W -f '${Status}' "$thing" | grep -q ' installed' ;;
	esac >/dev/null 2>&1
}

missing=
for group; do
	list=$(needs "$group") || exit 2
	for need in $list; do
		has "$need" && continue
		case " $missing " in
		*" ${need#*=} "*) ;;
		*) missing="$missing ${need#*=}" ;;
		esac
	done
done
missing=${missing# }
[ -n "$missing" ] || exit 0

give_up()
{
	echo "modcheck: $1 As Debian names them:" >&2
	echo "    $missing" >&2
	echo "Install them with: apt-get install $missing" >&2
	exit 2
}

[ -z "$check_only" ] || give_up "these packages are missing; 'make deps' installs them."
command -v apt-get >/dev/null || give_up "these are missing, and there is no apt-get to install them."
as_root=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || give_up "these are missing, and only root can install them."
	as_root=sudo
fi

echo "modcheck: installing $missing"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
apt()
{
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 "$@" \
		</dev/null >>"$log" 2>&1
}
apt update
# shellcheck disable=SC2086 # a list of words
if ! apt install --no-install-recommends $missing; then
	tail -n 15 "$log" >&2
	give_up "apt-get could not install everything."
fi
