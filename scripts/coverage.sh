#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which lines and branches of src the tests run: builds with gcov's counters into build-coverage,
# runs the tests, prints a table of the folders and the files with the most branches never taken.
#   scripts/coverage.sh                 all tests but those of the project's files, page and packages
#   scripts/coverage.sh -L 'laws|sim'   some; arguments go to ctest
#   COVERAGE_TABLE=1 scripts/coverage.sh   the table of the last run again
#   COVERAGE_WRITE=docs/testing.md ...  puts the table into a page
#   COVERAGE_WRITE='docs/testing.md src/fit' ...   only the rows of these folders, after a run of some tests
# Every piece of an arena is an allocation of its own, which tests of failures let fail.
# Failed tests are named and do not end it. HF_ASSERT is off: what cannot happen is no branch.
# JOBS (2) compile and test at a time.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build="$here/build-coverage"
jobs=${JOBS:-2}
# Batches are compiled twice, for processors with AVX2 and without; one machine runs one copy.
wide=
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then wide=-mavx2; fi
if [ -z "${COVERAGE_TABLE:-}" ]; then
    cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=None -DHF_WERROR=OFF -DHF_BUILD_TESTS=ON \
        -DCMAKE_C_FLAGS='--coverage -O1 -g1 -DHF_RELEASE -DHF_ARENA_BLOCK=1 -fprofile-update=prefer-atomic '"$wide" >/dev/null
    cmake --build "$build" --parallel "$jobs" >"$build/build.log" 2>&1 ||
        { tail -n 30 "$build/build.log"; exit 1; }
    find "$build" -name '*.gcda' -delete
    # A test that is ended writes no counters, and counters make tests slower: ten times their time.
    find "$build" -name CTestTestfile.cmake -exec sed -i 's/\(TIMEOUT "\)\([0-9]*\)"/\1\20"/' {} +
    [ $# -gt 0 ] || set -- -LE 'project|web|python|install|docs|fuzz'
    ctest --test-dir "$build" --parallel "$jobs" "$@" >"$build/test.log" 2>&1 ||
        sed -n '/The following tests FAILED/,$p' "$build/test.log"
fi
exec python3 "$here/scripts/coverage.py" "$here" "$build" "$jobs" ${COVERAGE_WRITE:-}
