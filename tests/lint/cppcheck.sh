#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Suppressed: what cppcheck cannot see without the libraries' headers, and matters of taste.
set -u
cd "$(dirname "$0")/../.." || exit 2
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	--error-exitcode=1 -j "$(nproc)" -D_GNU_SOURCE -Isrc \
	--suppress=missingIncludeSystem --suppress=unknownMacro --suppress=normalCheckLevelMaxBranches \
	--template='{file}:{line}: {id}: {message}' src
