#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# format.sh FILE...: would clang-format change one? Releases differ in details; 14 is the one that
# the sources are laid out with.
set -u
case $(clang-format --version) in
*'version 14.'*) ;;
*) echo "skipped: $(clang-format --version) is not 14"; exit 0 ;;
esac
clang-format --dry-run -Werror "$@"
