#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh: modcheck beside depmod, in turn, on real trees. Figures, no verdict: a machine that does
# other things at the same time changes them, the ratios least. BENCH_SHORT=1: few rounds.
# $CORPUS (default build/corpus) holds the kernels that tests/real/fetch.sh unpacks.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/real/lib.sh
: "${BUILD:=build}"
rounds=$([ -n "${BENCH_SHORT-}" ] && echo 5 || echo 21)
cpus=$(nproc)

cc=${CC:-gcc}
"$cc" -O2 -Wall -o "$tmp/pair" tests/bench/pair.c
"$cc" -O2 -Wall -D_GNU_SOURCE -Isrc -o "$tmp/decode" tests/bench/decode.c "$BUILD/libmodcheck.a" \
	-lz -llzma -lzstd -llz4 -llzo2 -lbz2 -pthread
tests/real/fetch.sh "$CORPUS" amd64 rt new >/dev/null

plain=$(tree '6\.1\.0-[0-9]+-amd64') rt=$(tree '6\.1\.0-[0-9]+-rt-amd64')
packed=$(tree '6\.12\.[0-9]+\+deb13-amd64')
k=$(release "$plain") kp=$(release "$packed")

echo "$(nproc) processors; $(grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'); $(depmod --version | head -n 1)"
echo
echo "uncompressed tree, $(find "$plain" -name '*.ko' | wc -l) modules, exports from Module.symvers"
"$tmp/pair" "$rounds" "$MODCHECK -b $plain $k" "depmod -n -e -E $(symvers "$plain") -b $plain $k"

map_of "$plain" >"$tmp/map"
echo
echo "the same, exports from a System.map"
"$tmp/pair" "$rounds" "$MODCHECK -b $plain -F $tmp/map $k" "depmod -n -e -F $tmp/map -b $plain $k"

echo
echo "the same, against the exports of another kernel (about 78,000 findings)"
"$tmp/pair" $((rounds / 3)) "$MODCHECK -b $plain -E $(symvers "$rt") --format json $k" \
	"depmod -n -e -E $(symvers "$rt") -b $plain $k"

find "$packed" -name '*.ko.xz' >"$tmp/list"
echo
echo "xz tree, $(wc -l <"$tmp/list") modules: modcheck beside the decoding alone, on $cpus threads"
"$tmp/pair" $((rounds / 4)) "$MODCHECK -b $packed $kp" "$tmp/decode $cpus <$tmp/list"
echo
echo "... and beside depmod"
"$tmp/pair" $((rounds / 4)) "$MODCHECK -b $packed $kp" \
	"depmod -n -e -E $(symvers "$packed") -b $packed/usr $kp"
