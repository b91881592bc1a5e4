#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the files of known answers anew that tests compare by hashes (hf_known.h), after a change that is meant.
#   tests/known.sh BUILD [FOLDER...]       folders of tests/ with a known.txt; all without one
# To see what has changed: HF_KNOWN_SHOW=FILE build/tests/robots/test-mjcf with both builds, then diff.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: known.sh BUILD [FOLDER...]}" && pwd)
shift
[ $# -gt 0 ] || set -- robots models
for folder in "$@"; do
    new=$here/$folder/known.new
    rm -f "$new"
    case $folder in
    robots) tests="mjcf mjcf-parts mjcf-adhesion mjcf-attach mjcf-drives mjcf-inherit mjcf-shells mjcf-stands mjcf-strings sdf-parts sdf-bounce sdf-loops sdf-weights urdf-sdf robots-looks robots-picture" ;;
    models) tests=damage ;;
    *) echo "known.sh: no known answers in '$folder'" >&2; exit 2 ;;
    esac
    for name in $tests; do
        if [ -x "$build/tests/$folder/test-$name" ]; then
            HF_KNOWN_WRITE=$new "$build/tests/$folder/test-$name" >/dev/null 2>&1 || { echo "known.sh: test $name fails" >&2; exit 1; }
        fi
    done
    { grep '^# functions' "$new"; echo "# Hashes of answers; tests/known.sh writes them."; grep -v '^#' "$new" | LC_ALL=C sort -V; } >"$here/$folder/known.txt"
    rm "$new"
done
