#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the measured tables of docs/fit.md anew: 200 repetitions of a fit with known truth, every
# friction law from logs of 50 seeds, and models of a real servo (HOLDFAST_DATA). An hour of
# processor time. An argument names one table alone. `speed` wants a build with benchmarks.
# Laws and models are measured one by one and kept in BUILD/docs-fit, so that a run that was ended
# goes on where it was; what is older than its program is measured anew. SLICE=cmd runs each by cmd;
# KEPT=1 measures nothing and makes the tables of what there is.
#   scripts/docs-fit.sh BUILD [coverage|seeds|servo|speed]
set -eu
build=${1:?usage: docs-fit.sh BUILD [coverage|seeds|servo|speed]}
which=${2:-all}
here=$(cd "$(dirname "$0")/.." && pwd)
page=$here/docs/fit.md
kept=$build/docs-fit
table=$(mktemp)
trap 'rm -f "$table"' EXIT INT TERM
mkdir -p "$kept"

# put NAME: the rows of $table take the place of what is between the marks of NAME
put() {
    grep '^|' "$table" >"$table.rows"
    [ "$(wc -l <"$table.rows")" -gt 2 ] || {
        echo "docs-fit.sh: the table '$1' has no rows" >&2
        exit 1
    }
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

# slice FILE PROGRAM VARIABLE=VALUE...: what PROGRAM says with these set, in FILE. A row that missed
# what is asked of it is a row all the same, and is told.
slice() {
    out=$1 program=$2
    shift 2
    if [ -n "${KEPT:-}" ]; then
        return
    fi
    if [ ! -s "$out" ] || [ -n "$(find "$program" -newer "$out")" ]; then
        ${SLICE:-} env "$@" "$program" >"$out.part" 2>&1 || echo "docs-fit.sh: $program failed with $*: see $out" >&2
        mv "$out.part" "$out"
    fi
}

if [ "$which" = all ] || [ "$which" = coverage ]; then
    slice "$kept/coverage" "$build/tests/fit/test-fit-cover" HF_FIT_REPEATS="${REPEATS:-200}"
    cp "$kept/coverage" "$table"
    put coverage
fi
if [ "$which" = all ] || [ "$which" = seeds ]; then
    : >"$table"
    sed -n 's/^    {"\([a-z, -]*\)",$/\1/p' "$here/tests/fit/test_fit_truth.c" | while read -r law; do
        file=$kept/seeds-$(echo "$law" | tr -d ' ,')
        slice "$file" "$build/tests/fit/test-fit-truth" HF_FIT_SEEDS="${SEEDS:-50}" HF_FIT_LAW="$law"
        [ -s "$file" ] || continue
        # The heading once
        grep '^|' "$file" | if [ -s "$table" ]; then sed 1,2d; else cat; fi >>"$table"
    done
    put seeds
fi
if [ "$which" = servo ] || { [ "$which" = all ] && [ -n "${HOLDFAST_DATA:-}" ]; }; then
    [ -n "${HOLDFAST_DATA:-}" ] || {
        echo "docs-fit.sh: HOLDFAST_DATA is not set: there are no logs of the servo" >&2
        exit 1
    }
    {
        echo '| model | numbers | all logs | kp 100 left out | 200 | 400 | 800 |'
        echo '|---|---|---|---|---|---|---|'
    } >"$table"
    for model in M1 M3 M4 M6; do
        slice "$kept/servo-$model" "$build/tests/fit/test-fit-servo" HF_FIT_LONG=1 HF_FIT_MODEL=$model
        [ -s "$kept/servo-$model" ] || continue
        grep '^|' "$kept/servo-$model" >>"$table"
    done
    put servo
fi
if [ "$which" = speed ]; then
    slice "$kept/speed" "$build/bench/bench-fit"
    {
        echo '| measured | |'
        echo '|---|---|'
        awk -F '|' '$1 == "result" { printf "| %s | %.4g %s |\n", $2, $3, $4 }' "$kept/speed"
    } >"$table"
    put speed
fi
