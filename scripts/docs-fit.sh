#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the measured tables of docs/fit.md anew: 200 repetitions of a fit with known truth, every
# friction law from logs of 50 seeds, and models of a real servo (HOLDFAST_DATA). Half an hour to an
# hour of processor time. An argument names one table alone. `speed` wants a build with benchmarks.
#   scripts/docs-fit.sh BUILD [coverage|seeds|servo|speed]
set -eu
build=${1:?usage: docs-fit.sh BUILD [coverage|seeds|servo|speed]}
which=${2:-all}
here=$(cd "$(dirname "$0")/.." && pwd)
page=$here/docs/fit.md
table=$(mktemp)
trap 'rm -f "$table"' EXIT INT TERM

# put NAME: the rows of $table take the place of what is between the marks of NAME
put() {
    grep '^|' "$table" >"$table.rows"
    [ -s "$table.rows" ]
    grep -q "^<!-- $1:" "$page" || {
        echo "docs-fit.sh: docs/fit.md has no mark '<!-- $1:'" >&2
        exit 1
    }
    awk -v name="$1" -v rows="$table.rows" '
        index($0, "<!-- " name ":") == 1 { print; print ""; while ((getline line < rows) > 0) print line; print ""; skip = 1; next }
        index($0, "<!-- end of " name " -->") == 1 { skip = 0 }
        !skip { print }' "$page" >"$table.page"
    cat "$table.page" >"$page"
    rm -f "$table.rows" "$table.page"
}

if [ "$which" = all ] || [ "$which" = coverage ]; then
    HF_FIT_REPEATS=${REPEATS:-200} "$build/tests/fit/test-fit-cover" >"$table"
    put coverage
fi
if [ "$which" = all ] || [ "$which" = seeds ]; then
    HF_FIT_SEEDS=${SEEDS:-50} "$build/tests/fit/test-fit-truth" >"$table"
    put seeds
fi
if [ "$which" = servo ] || { [ "$which" = all ] && [ -n "${HOLDFAST_DATA:-}" ]; }; then
    {
        echo '| model | numbers | all logs | kp 100 left out | 200 | 400 | 800 |'
        echo '|---|---|---|---|---|---|---|'
        HF_FIT_LONG=1 "$build/tests/fit/test-fit-servo"
    } >"$table"
    put servo
fi
if [ "$which" = speed ]; then
    {
        echo '| measured | |'
        echo '|---|---|'
        "$build/bench/bench-fit" | awk -F '|' '$1 == "result" { printf "| %s | %.4g %s |\n", $2, $3, $4 }'
    } >"$table"
    put speed
fi
