#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that may not grow further, as on a full disk: a message with path and reason, exit code 1, and
# what was recorded before can be read.
#   disk.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# limited KIB 'regex' argument...: with files of at most so many kibibytes.
limited() {
    local most=$1 pattern=$2
    shift 2
    (ulimit -f "$most" && "$holdfast" "$@") >out 2>err
    local got=$?
    [ "$got" = 1 ] || complain "holdfast $*: exit code $got, expected 1: $(cat err)"
    grep -qE -- "$pattern" err || complain "holdfast $*: no '$pattern' in: $(cat err)"
    [ "$(wc -l <err)" = 1 ] || complain "holdfast $*: more than one line: $(cat err)"
}

limited 800 'run.csv: cannot write: File too large' run block.yaml --duration 30 -q -o run.csv
[ "$(wc -l <run.csv)" -gt 5000 ] || complain "run.csv has $(wc -l <run.csv) lines"
[ "$(tail -n 1 run.csv | tr -cd , | wc -c)" = 4 ] || complain "run.csv ends within a line"
limited 800 'run.h5: cannot write: File too large' run block.yaml --duration 30 -q -o run.h5
if command -v gnuplot >/dev/null; then
    for file in run.csv run.h5; do
        expect 0 '' plot $file block.position -o kept.svg
    done
    ln -s /dev/full full.svg
    expect 1 'full.svg: cannot write: No space left on device' plot run.csv block.position -o full.svg
    [ -L full.svg ] || complain 'a link was removed'
fi

# The page is built into the command, or not.
limited 500 'page.html: cannot write: File too large|not built into this program' \
    run block.yaml -q --every 100 --report page.html
[ ! -e page.html ] || complain 'half a page was left'

cat >box.yaml <<'MODEL'
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 0.01
bodies: {box: {type: rigid, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5]}}
forces: [{name: floor, on: box, type: contact, law: rigid-contact, friction: 0.5}]
MODEL
limited 4 'problems/.*hdf5: cannot write: File too large' run box.yaml -q --dump problems
[ -z "$(ls problems)" ] || complain "half a problem was left: $(ls problems)"
rm -rf problems
expect 0 '' run box.yaml -q --dump problems
expect 0 '' fc3d problems/*.hdf5
ln -s /dev/full table.csv
expect 1 'table.csv: cannot write: No space left on device' fc3d problems/*.hdf5 --csv table.csv

# A folder that may not be written. Permissions do not bind root, for whom /sys is such a folder.
closed=closed
mkdir closed && chmod 555 closed
[ ! -w closed ] || closed=/sys
for file in run.csv run.h5; do
    expect 1 "$closed/$file: cannot create: (Permission denied|Read-only file system)" run spring-mass -q -o "$closed/$file"
done
expect 1 "$closed/run.html: cannot create: (Permission denied|Read-only file system)" run spring-mass -q --report "$closed/run.html"

exit $bad
