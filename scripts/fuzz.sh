#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Looks for inputs that crash, hang or leak: libFuzzer under the address and undefined-behaviour
# sanitizers.
#   scripts/fuzz.sh [SECONDS [NAME...]]       60 s each, unless given; NAME: one of tests/fuzz
# Seeds are the examples, the files of the tests and tests/fuzz/corpus; the dictionary is made of the
# words that the readers know. What is found is in build-fuzz/found/NAME; build-fuzz/fuzz.log counts
# the executions. FUZZ_OPTIONS goes to libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# = 0 ] || shift
names=("$@")
[ $# != 0 ] || names=(expression mesh csv hdf5 fclib robot model)
build=build-fuzz
holdfast=${HOLDFAST:-build/holdfast}

# seed NAME FILE...: copies files under names that do not clash.
seed() {
    local name=$1 file
    shift
    mkdir -p $build/seeds/"$name"
    for file in "$@"; do
        cp "$file" "$build/seeds/$name/$(echo "$file" | tr / _)"
    done
}

make_seeds() {
    local file count=0 work
    rm -rf $build/seeds
    seed model examples/*.yaml tests/models/*.yaml tests/models/bad/*.yaml
    mkdir -p $build/seeds/expression
    grep -hoE '"[^"]+"' examples/*.yaml tests/models/*.yaml tests/math/*.c tests/models/test_expressions.c | tr -d '"' |
        sort -u | while read -r file; do
        count=$((count + 1))
        printf '%s' "$file" >"$build/seeds/expression/$count"
    done
    seed csv examples/*.csv
    work=$(mktemp -d)
    for file in spring-mass rolling-sphere two-link-arm; do
        "$holdfast" run $file -q --duration 0.01 -o "$work/$file.csv"
        "$holdfast" run $file -q --duration 0.01 -o "$work/$file.h5"
    done
    "$holdfast" run stack -q --duration 0.02 --dump "$work/problems"
    seed csv "$work"/*.csv
    seed hdf5 "$work"/*.h5
    seed fclib $(find "$work/problems" -name '*.hdf5' | sort | head -n 3)
    rm -rf "$work"
    mkdir -p $build/seeds/mesh
    find . -path ./web -prune -o -path './build*' -prune -o \( -name '*.obj' -o -name '*.stl' \) -print |
        while read -r file; do seed mesh "$file"; done
    mkdir -p $build/seeds/robot
    [ -z "${HOLDFAST_DATA:-}" ] || find "$HOLDFAST_DATA/robots" -size -200k \( -name '*.xml' -o -name '*.urdf' -o -name '*.sdf' \) |
        while read -r file; do seed robot "$file"; done
}

# Words in quotes of the readers and of the tables that they read: keys, names of laws and methods.
make_dictionary() {
    grep -rhoE '"[A-Za-z][A-Za-z0-9_-]{0,30}"' src/models src/robots src/laws src/methods src/couplings src/bodies src/math/expression*.c \
        include/holdfast/*.h --include='*.c' --include='*.h' --include='*.def' | sort -u
    printf '"%s"\n' ': ' '- ' '{type: ' '[0, 0, 0]' '1e308' '-1e308' '1e-308' '1e9' 't < 1 ? ' '\x0a  ' '&&' '||' '<=' '!='
}

[ -x $build/tests/fuzz/fuzz-model ] || { cmake --preset fuzz >/dev/null && cmake --build --preset fuzz -j "$(nproc)"; }
make_seeds
make_dictionary >$build/dictionary
export LSAN_OPTIONS=suppressions=$PWD/tests/fuzz/leaks.txt:print_suppressions=0
# What is freed lies fallow for 8 MB, not 256: the memory stays in the cache, and as many faults are seen
# because an input allocates less than that.
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=2
status=0
for name in "${names[@]}"; do
    mkdir -p $build/found/"$name" $build/corpus/"$name" tests/fuzz/corpus/"$name"
    limit=2048 length=2048
    case $name in
    hdf5 | fclib) limit=32768 length=65536 ;; # the HDF5 library believes what damaged files claim
    expression) length=64 ;;
    mesh) length=512 ;;
    esac
    # Weighing features (entropic) would take a third of the time.
    echo "fuzz-$name: $seconds s"
    $build/tests/fuzz/fuzz-"$name" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=2048 -malloc_limit_mb=$limit \
        -max_len=$length -entropic=0 -dict=$build/dictionary -report_slow_units=100 -print_final_stats=1 -artifact_prefix=$build/found/"$name"/ ${FUZZ_OPTIONS:-} \
        $build/corpus/"$name" $build/seeds/"$name" tests/fuzz/corpus/"$name" >$build/"$name".log 2>&1 || status=1
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' $build/"$name".log)
    found=$(find $build/found/"$name" -type f | wc -l)
    echo "$(date +%F) $name $seconds s ${executions:-0} executions, $found findings" | tee -a $build/fuzz.log
done
exit $status
