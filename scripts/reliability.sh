#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The long jobs, and the figures of docs/reliability.md.
#   scripts/reliability.sh random [COUNT]      random machines under every method (10,000)
#   scripts/reliability.sh differential [COUNT]  all methods approach one answer (2,000)
#   scripts/reliability.sh kills [COUNT]       kill -9 while recording (1,000; 1.3 s each)
#   scripts/reliability.sh compilers [COUNT]   the same bits from gcc and clang, -O0 and -O2 (1,000)
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

# hashes_of COMPILER LEVEL COUNT: the bits of random machines, built by COMPILER at LEVEL.
hashes_of() {
    local way=$1-$2 folder=build/reliability/$1-$2
    cmake -B $folder -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-$2" -DHF_BUILD_TESTS=ON \
        -DHOLDFAST_IPOPT=OFF -DHF_PYTHON=OFF >$folder.log 2>&1 &&
        cmake --build $folder --parallel "$(nproc)" --target random >>$folder.log 2>&1 ||
        { cat $folder.log; echo "$way: could not be built"; return 1; }
    $folder/tests/random/random hashes 1 "$3" >$folder.txt
}

# Every way's hashes, line by line, against the first way's.
compare_compilers() {
    local first='' way runs status=0
    for way in 'gcc O2' 'gcc O0' 'clang O2' 'clang O0'; do
        # shellcheck disable=SC2086
        hashes_of $way "$1"
        way=${way/ /-}
        first=${first:-$way}
        if ! cmp -s $results/"$first".txt $results/"$way".txt; then
            echo "$way differs from $first:"
            diff $results/"$first".txt $results/"$way".txt | head -n 20
            status=1
        fi
    done
    runs=$(wc -l <$results/"$first".txt)
    [ $status = 0 ] && [ "$runs" -gt 0 ] && echo "$1 machines, $runs runs: the same bits from gcc and clang at -O0 and -O2"
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
    [ ! -f $results/compilers.txt ] || echo "| gcc and clang, -O0 and -O2 | $(tail -n 1 $results/compilers.txt) |"
    echo "| corpus replayed by every test run | $(find tests/fuzz/corpus -type f | wc -l) inputs |"
}

case ${1:-} in
random) job random build/tests/random/random check 100001 "${2:-10000}" ;;
differential) job differential build/tests/random/random differential 1001 "${2:-2000}" ;;
kills) job kills build/tests/random/kills build/holdfast "${2:-1000}" 7 ;;
compilers) job compilers compare_compilers "${2:-1000}" ;;
page)
    figures >$results/figures.md
    awk -v file=$results/figures.md '
        /<!-- figures/ { print; while ((getline line < file) > 0) print line; skipping = 1 }
        /<!-- end/ { skipping = 0 }
        !skipping' docs/reliability.md >$results/page.md
    cp $results/page.md docs/reliability.md
    ;;
*)
    sed -n '3,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
