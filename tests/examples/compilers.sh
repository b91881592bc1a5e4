#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds hash.c with gcc and clang, with -O0 and -O2, and compares the hashes of the trajectories with
# those of the program that the build made, which stands for its own compiler's -O2.
# usage: compilers.sh SOURCE_DIR BINARY_DIR(with sources.txt) PROGRAM COMPILER_ID
set -eu
source=$1
binary=$2
program=$3
case $4 in
GNU) built=gcc-O2 ;;
Clang) built=clang-O2 ;;
*) built=none ;;
esac
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fno-math-errno"
flags="$flags -I$source/src -I$source/include -I$source/tests/scenes"

ways=""
missing=""
for compiler in gcc clang; do
    if ! command -v $compiler >/dev/null 2>&1; then
        echo "$compiler is not installed: its bits are not compared"
        missing=yes
        continue
    fi
    for level in -O0 -O2; do
        [ "$compiler$level" = "$built" ] || ways="$ways $compiler$level"
    done
done

# All objects of all ways, two at a time.
rm -rf "$binary/ways"
for way in $ways; do
    mkdir -p "$binary/ways/$way"
    number=0
    while read -r file; do
        number=$((number + 1))
        echo "${way%-*} -${way#*-} $flags -c $file -o $binary/ways/$way/$number.o"
    done <"$binary/sources.txt"
done >"$binary/commands.txt"
xargs -P 2 -I '{}' sh -c '{}' <"$binary/commands.txt"

"$program" >"$binary/hashes.txt"
cat "$binary/hashes.txt"
for way in $ways; do
    ${way%-*} "$binary/ways/$way"/*.o -o "$binary/ways/$way/hash" -lm
    "$binary/ways/$way/hash" >"$binary/ways/$way/hashes.txt"
    if ! cmp -s "$binary/hashes.txt" "$binary/ways/$way/hashes.txt"; then
        echo "$way gives other bits than $program:"
        cat "$binary/ways/$way/hashes.txt"
        exit 1
    fi
    echo "$way gives the same bits"
done
rm -rf "$binary/ways" # of no use any more
[ -z "$missing" ] || exit 77
