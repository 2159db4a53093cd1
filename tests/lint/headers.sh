#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone, and has a guard named after it. Needs $CC and $FLAGS.
set -u
cd "$(dirname "$0")/../.." || exit 2
bad=0
for header in $(find src -name '*.h' | LC_ALL=C sort); do
	case $header in
	# Poisons what it is meant to, by itself and without a use.
	src/base/banned.h) continue ;;
	esac
	# shellcheck disable=SC2086 # words on purpose
	printf '#include "%s"\n' "${header#src/}" | $CC $FLAGS -x c -fsyntax-only - || bad=1
	grep -q '^#ifndef MODCHECK_[A-Z0-9_]*_H$' "$header" ||
		{ echo "$header: no guard MODCHECK_..._H"; bad=1; }
done
exit $bad
