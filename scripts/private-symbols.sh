#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lists the functions that Holdfast's libraries, its command and its Python module use of each other beyond the public headers, for
# cmake/private-symbols.txt. From a folder with a static build:
#   scripts/private-symbols.sh BUILD-FOLDER >cmake/private-symbols.txt
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd) build=$1
public=$(grep -h '^HF_API ' -r "$root/include/holdfast" |
    sed -E 's/^[^(]*[ *](hf_[a-z0-9_]+)\(.*/\1/' | sort -u)
echo "# What the libraries use of each other: exported for the same version alone. Made by"
echo "# scripts/private-symbols.sh"
symbols() { nm "$@" 2>/dev/null; }
defined=$(symbols --defined-only -g "$build"/lib/libholdfast*.a | awk 'NF == 3 { print $3 }' | sort -u)
{
    for library in "$build"/lib/libholdfast*.a; do
        symbols --undefined-only "$library" |
            awk '$1 == "U" { print $2 }' | sort -u |
            comm -23 - <(symbols --defined-only -g "$library" | awk 'NF == 3 { print $3 }' | sort -u)
    done
    # The command and the Python module use them too
    { find "$build/src/cli" "$build/python" -name '*.o' -print0 2>/dev/null || true; } | xargs -0 nm --undefined-only | awk '$1 == "U" { print $2 }'
} | grep '^hf_' | sort -u | comm -12 - <(echo "$defined") | comm -23 - <(echo "$public")
