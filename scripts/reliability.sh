#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The long jobs, and the figures of docs/reliability.md.
#   scripts/reliability.sh random [COUNT]      random machines under every method (10,000)
#   scripts/reliability.sh differential [COUNT]  all methods approach one answer (2,000)
#   scripts/reliability.sh kills [COUNT]       kill -9 while recording (1,000; 1.3 s each)
#   scripts/reliability.sh page                writes the figures of all jobs, and of scripts/fuzz.sh, into the page
# Each job leaves build/reliability/NAME.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
results=build/reliability
mkdir -p $results

# job NAME COMMAND...: its output is kept; the last line is the result.
job() {
    local name=$1 status=0
    shift
    "$@" >$results/"$name".txt 2>&1 || status=$?
    tail -n 1 $results/"$name".txt
    return $status
}

# The figures as a table.
figures() {
    echo "| attack | result |"
    echo "|---|---|"
    [ ! -f build-fuzz/fuzz.log ] || awk '{ runs[$2] += $5 }
        END { for (name in runs) { printf "| libFuzzer, %s | %.2g million inputs |\n", name, runs[name] / 1e6; all += runs[name] }
              printf "| libFuzzer, all readers | %.3g million inputs |\n", all / 1e6 }' build-fuzz/fuzz.log | LC_ALL=C sort
    [ ! -f $results/random.txt ] || echo "| random machines, every method, shuffled, repeated, in 8 threads | $(tail -n 1 $results/random.txt) |"
    [ ! -f $results/differential.txt ] || echo "| random machines, steps halved twice, methods compared | $(tail -n 1 $results/differential.txt) |"
    [ ! -f $results/kills.txt ] || echo "| kill -9 while recording | $(tail -n 1 $results/kills.txt) |"
    echo "| corpus replayed by every test run | $(find tests/fuzz/corpus -type f | wc -l) inputs |"
}

case ${1:-} in
random) job random build/tests/random/random check 100001 "${2:-10000}" ;;
differential) job differential build/tests/random/random differential 1001 "${2:-2000}" ;;
kills) job kills build/tests/random/kills build/holdfast "${2:-1000}" 7 ;;
page)
    figures >$results/figures.md
    awk -v file=$results/figures.md '
        /<!-- figures/ { print; while ((getline line < file) > 0) print line; skipping = 1 }
        /<!-- end/ { skipping = 0 }
        !skipping' docs/reliability.md >$results/page.md
    cp $results/page.md docs/reliability.md
    ;;
*)
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
