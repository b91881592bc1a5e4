#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the files of tests/random/answers anew, after a change of results that is meant: read the differences.
#   answers.sh build/tests/random/answers [NAME...]         the same runs again: seconds
#   answers.sh -a build/tests/random/answers [NAME...]      every method, where it takes less than 0.25 s: minutes
set -eu
here=$(cd "$(dirname "$0")" && pwd)
all=
if [ "${1:-}" = -a ]; then
    all=yes
    shift
fi
answers=${1:?usage: answers.sh [-a] ANSWERS [NAME...]}
shift
[ $# -gt 0 ] || set -- first later latest items solids faults examples machines
for name in "$@"; do
    folder=$here/../../examples
    [ "$name" != machines ] || folder=$here/machines
    if [ -z "$all" ]; then
        "$answers" again "$here/answers/$name.txt" "$folder" >"$here/answers/$name.new"
        mv "$here/answers/$name.new" "$here/answers/$name.txt"
        continue
    fi
    steps=150
    case $name in
    first) models=$(seq 1 80) ;;
    later) models=$(seq 100000 100039) ;;
    latest) models=$(seq 200000 200059) ;;
    items) models=$(seq 300000 300059) ;;
    faults) models=$(seq 500000 500043) ;;
    solids) steps=100 models=$(seq 400000 400039) ;;
    examples) steps=30 models=$(cd "$folder" && echo *.yaml) ;;
    machines) steps=100 models=$(cd "$folder" && echo *.yaml) ;;
    *) echo "answers.sh: no answers called '$name'" >&2; exit 2 ;;
    esac
    # shellcheck disable=SC2086 # words
    "$answers" write "$steps" "$folder" $models >"$here/answers/$name.txt"
done
