#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD SECONDS: run each fuzzer below BUILD for its share of SECONDS, two at a time. Seeds
# are the text files of tests/fuzz/seeds/NAME, and modules that $MKKO makes of the recipes
# of the golden tests; nothing binary is kept in the repository. What a
# run finds new stays in BUILD/corpus/NAME for the next run, a crash in BUILD/crash-NAME-*.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$1 seconds=$2
: "${MKKO:=build/tools/mkko}"

# For readers of modules whatever a rule is tested with, for the codecs small files of each kind.
make_seeds()
{
	made=$build/seeds
	[ -d "$made" ] && return
	mkdir -p "$made/ko" "$made/packed"
	n=0
	for recipe in tests/golden/*/*/tree; do
		[ -e "$recipe" ] || continue
		n=$((n + 1))
		tree=$(mktemp -d) || exit 2
		timeout 20 "$MKKO" -o "$tree" <"$recipe" >/dev/null 2>&1
		find "$tree" -type f -name '*.*o' -size -64k -exec sh -c \
			'for f; do cp "$f" "$0-$(basename "$f")"; done' "$made/ko/$n" {} +
		rm -rf "$tree"
	done
	for file in README.md Makefile; do
		[ -e "$file" ] || continue
		head -c 3000 "$file" | gzip -9n >"$made/packed/$file.gz"
		head -c 3000 "$file" | xz --check=crc32 >"$made/packed/$file.xz"
		head -c 3000 "$file" | zstd -q >"$made/packed/$file.zst"
		head -c 3000 "$file" >"$made/packed/$file.plain"
		zstd -q -c --content-size "$file" >"$made/packed/$file.sized.zst"
	done
}

seeds_of()
{
	case $1 in
	codec) echo "$build/seeds/packed" ;;
	*) [ -d "tests/fuzz/seeds/$1" ] && echo "tests/fuzz/seeds/$1"
		echo "$build/seeds/ko" ;;
	esac
}

fuzz_one()
{
	name=$1
	dict=
	[ -e "tests/fuzz/seeds/$name.dict" ] && dict=-dict=tests/fuzz/seeds/$name.dict
	mkdir -p "$build/corpus/$name"
	# shellcheck disable=SC2046,SC2086 # words on purpose
	"$build/tests/fuzz/fuzz_$name" -max_total_time="$share" -seed="${FUZZ_SEED:-1}" -timeout=30 -rss_limit_mb=2048 \
		-max_len=65536 -print_final_stats=1 -verbosity=0 $dict \
		-artifact_prefix="$build/crash-$name-" \
		"$build/corpus/$name" $(seeds_of "$name") >"$build/$name.log" 2>&1
	echo $? >"$build/$name.status"
}

names=
count=0
for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	names="$names ${name#fuzz_}"
	count=$((count + 1))
done
share=$((seconds * 2 / count))
[ "$share" -ge 1 ] || share=1
make_seeds

# shellcheck disable=SC2086 # words on purpose
set -- $names
while [ $# -gt 0 ]; do
	fuzz_one "$1" &
	shift
	if [ $# -gt 0 ]; then
		fuzz_one "$1" &
		shift
	fi
	wait
done

passed=0 failed=0
for name in $names; do
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
	if [ "$(cat "$build/$name.status")" = 0 ]; then
		echo "fuzz $name: ok, $runs runs in $share s"
		passed=$((passed + 1))
	else
		echo "fuzz $name: FAILED"
		tail -n 40 "$build/$name.log"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
