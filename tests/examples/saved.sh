#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Saves runs of the examples and restores each in a fresh process: the bits must be those of the run
# that was never interrupted, and of the one that was saved and went on.
# usage: saved.sh PROGRAM EXAMPLES_DIR BINARY_DIR DURATION METHODS [EXAMPLE...]
# Without examples all of them are tried, with all their variants.
set -eu
program=$1
examples=$2
binary=$3
duration=$4
methods=$5
shift 5
file="$binary/saved.state"
failures=0
runs=0

# one MODEL VARIANT METHOD
one() {
    status=0
    run=$(timeout 30 "$program" run "$1" "$2" "$3" "$duration" 2>/dev/null) || status=$?
    [ $status -eq 0 ] || return 0 # refused, or too long
    rm -f "$file"
    save=$(timeout 120 "$program" save "$1" "$2" "$3" "$duration" "$file" 2>&1) || true
    [ -f "$file" ] || return 0 # it failed before
    runs=$((runs + 1))
    restore=$(timeout 120 "$program" restore "$1" "$2" "$3" "$duration" "$file" 2>&1) || true
    if [ "$run" != "$save" ] || [ "$run" != "$restore" ]; then
        failures=$((failures + 1))
        echo "$(basename "$1" .yaml) $2 $3:"
        echo "  never interrupted   $run"
        echo "  saved, going on     $save"
        echo "  restored            $restore"
    fi
}

[ $# -gt 0 ] || set -- $(basename -s .yaml "$examples"/*.yaml)
for example in "$@"; do
    path="$examples/$example.yaml"
    variants=$(awk '/^variants:/ {in_it = 1; next} /^[^ #]/ {in_it = 0}
                    in_it && /^  [A-Za-z0-9_-]+:/ {sub(/:.*/, ""); print $1}' "$path")
    for variant in - $variants; do
        for method in $methods; do
            one "$path" "$variant" "$method"
        done
    done
done
rm -f "$file"
echo "$runs runs saved and restored, $failures with other bits"
[ "$failures" -eq 0 ] && [ "$runs" -gt 0 ]
