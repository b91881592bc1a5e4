#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the libraries hold: no mutable globals, and no external name without the prefix hf_.
# But one: hf_nlp_turn, a lock. IPOPT's sparse solver cannot be used by two threads at a time.
# Tables of pointers are relocated once and read-only afterwards (.data.rel.ro): they may stay.
#   symbols.sh OBJECT...
set -euo pipefail
for file in "$@"; do
    LC_ALL=C nm --format=sysv "$file" 2>/dev/null | awk -F'|' -v file="$(basename "$file")" '
        NF < 7 { next }
        {
            gsub(/[ \t]/, "")
            name = $1; class = $3; section = $7
            seen++
        }
        class ~ /^[BbDdCGgSs]$/ && section !~ /^\.data\.rel\.ro/ && name != "hf_nlp_turn" {
            print file ": " name " is a mutable global (" section ")"
            bad = 1
        }
        class ~ /^[A-TV-Z]$/ && name !~ /^(hf_|_init$|_fini$)/ {
            print file ": " name " lacks the prefix hf_"
            bad = 1
        }
        END {
            if (!seen) { print file ": no symbols found"; exit 1 }
            exit bad
        }' || bad=1
done
exit "${bad:-0}"
