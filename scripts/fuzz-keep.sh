#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Adds to tests/fuzz/corpus what libFuzzer found (build-fuzz/corpus) and no smaller input covers: the
# smallest files first, at most COUNT of at most BYTES each.
#   scripts/fuzz-keep.sh NAME [COUNT [BYTES]]
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:?usage: fuzz-keep.sh NAME [COUNT [BYTES]]}
count=${2:-40}
bytes=${3:-1000}
merged=$(mktemp -d)
trap 'rm -rf "$merged"' EXIT
build-fuzz/tests/fuzz/fuzz-"$name" -merge=1 -detect_leaks=0 -max_len="$bytes" "$merged" build-fuzz/corpus/"$name" \
    >build-fuzz/merge.log 2>&1
find "$merged" -type f -size -"$bytes"c -printf '%s %p\n' | sort -n | head -n "$count" | while read -r _ file; do
    cp "$file" tests/fuzz/corpus/"$name"/"$(basename "$file" | cut -c1-12)"
done
find tests/fuzz/corpus/"$name" -type f | wc -l
