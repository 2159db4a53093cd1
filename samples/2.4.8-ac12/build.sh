#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Build the sample below DIR: see README.
set -eu

usage()
{
	echo "usage: build.sh DIR [--variant not-exported|exported|absent|suffix] [--all-links]" >&2
	exit 2
}

dir='' variant=not-exported links=sample
while [ $# -gt 0 ]; do
	case $1 in
	--variant) [ $# -gt 1 ] || usage; variant=$2; shift ;;
	--variant=*) variant=${1#*=} ;;
	--all-links) links=all ;;
	-*) usage ;;
	*) [ -z "$dir" ] || usage; dir=$1 ;;
	esac
	shift
done
[ -n "$dir" ] || usage
case $variant in not-exported | exported | absent | suffix) ;; *) usage ;; esac

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${MKKO:-}" ]; then
	MKKO=$here/../../build/tools/mkko
	"$here/../../tests/tools/build-mkko" "$MKKO"
fi
mkdir -p "$dir"
awk -v variant="$variant" -v links="$links" -f "$here/recipe.awk" \
	"$here/symbols.tsv" "$here/modules.tsv" | "$MKKO" -o "$dir"
