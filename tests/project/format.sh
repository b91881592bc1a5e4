#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# C files are formatted by .clang-format. Skipped (77) without the clang-format of Debian 12: other
# versions format differently.
#   format.sh ROOT
set -uo pipefail
cd "$1" || exit 1
clang_format=$(command -v clang-format-14 || command -v clang-format) || {
    echo "clang-format is not installed: not checked"
    exit 77
}
if ! "$clang_format" --version | grep -q 'version 14\.'; then
    echo "$("$clang_format" --version) is not version 14: not checked"
    exit 77
fi
wrong=$(find $(ls -d src include tests bench examples python 2>/dev/null) -name '*.[ch]' -print0 |
    xargs -0 "$clang_format" --dry-run 2>&1 | sed -n 's/^\([^:]*\):[0-9].*warning:.*/\1/p' | LC_ALL=C sort -u)
if [ -n "$wrong" ]; then
    printf 'not formatted:\n%s\nrun: make format\n' "$wrong"
    exit 1
fi
