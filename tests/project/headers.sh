#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, as C17 and as C++17; what the laws need, without a C library.
#   headers.sh ROOT CC CXX
set -uo pipefail
cd "$1" || exit 1
cc=$2 cxx=$3
warnings="-Wall -Wextra -pedantic -Wshadow -Werror"
bad=0 count=0
while read -r path; do
    header=${path#include/}
    # A second include proves the guard.
    text="#include <$header>"$'\n'"#include <$header>"
    try() {
        if ! printf '%s\n' "$text" | "$@" $warnings -Iinclude -fsyntax-only -; then
            echo "include/$header does not compile alone: $*"
            bad=1
        fi
    }
    try "$cc" -std=c17 -xc
    try "$cxx" -std=c++17 -xc++
    case $header in
    holdfast/base.h | holdfast/law.h | holdfast/laws.h | holdfast/laws/*)
        try "$cc" -std=c17 -ffreestanding -xc
        ;;
    esac
    count=$((count + 1))
done < <(find include -name '*.h' | LC_ALL=C sort)
[ "$count" -gt 0 ] || { echo "no headers found"; exit 1; }
[ "$bad" = 0 ] && echo "$count headers compile alone"
exit "$bad"
