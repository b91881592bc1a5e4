#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Wrong usage and wrong models: a message, nothing on stdout, exit code 2.
#   usage.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

refused() {
    expect 2 "$@"
    stdout_is_empty "holdfast ${*:2}"
}

refused 'a command is missing.*'
refused "unknown command 'rn'; did you mean 'run'\?" rn
refused "unknown command 'frobnicate'; commands are run, compare, " frobnicate
refused "unknown option '--versoin'; did you mean '--version'\?" --versoin
refused "MODEL is missing" run
refused "Try 'holdfast run --help'" run
refused "'b.yaml' is one too many" run block.yaml b.yaml
refused "unknown option '--stp'; did you mean '--step'\?" run block.yaml --stp 1
refused "unknown option '-z'" run block.yaml -z
refused "--step needs a value: --step T" run block.yaml --step
refused "--json takes no value" run block.yaml --json=1
for wrong in abc '' 1x '1 ' 0x10 nan inf 1e999 1,5; do
    refused "--step: expected a number, not '$wrong'" run block.yaml --step "$wrong"
done
refused "--step: expected a positive number, not 0" run block.yaml --step 0
refused "--step: expected a positive number, not -1" run block.yaml --step=-1
refused "--duration: expected a number from 0 up" run block.yaml --duration=-1
refused "--every: expected a whole number from 1 up, not '0'" run block.yaml --every 0
refused "--every: expected a whole number from 1 up, not '1.5'" run block.yaml --every 1.5
refused "unknown method 'rk5' \(did you mean 'rk4'\?\); methods are euler," run block.yaml --method rk5
refused "must end in .csv, .h5 or .hdf5" run block.yaml -o run.txt
refused "larger than the duration" run block.yaml --step 10
refused "more steps than can be counted" run block.yaml --duration 1e300

refused "there is no example 'rolling-spere'; did you mean 'rolling-sphere'\?" run rolling-spere
refused "there is no example 'blok' \('holdfast examples' lists them\)" run blok
refused "for the file write 'block.yaml'" run block
cp block.yaml plain
refused "for the file of that name write './plain'" run plain
refused "none.yaml" run none.yaml
refused "there is no example 'spring-mas' \(did you mean 'spring-mass'\?\)" examples spring-mas
refused "too many" examples a b c

printf 'name: x\nbodeis: {}\n' >wrong.yaml
refused "^wrong.yaml:2:1: error: .*bodeis" run wrong.yaml
refused "^wrong.yaml:2:1: error: .*bodies" check wrong.yaml
refused "error: .*weight" run block.yaml --set bodies.block.weight=3
refused "error: " run block.yaml --set bodies.block.mass=-1
refused "error: " run block.yaml --set nonsense
: >empty.yaml
refused "empty.yaml.*error" run empty.yaml

refused "FILE or CHANNEL is missing" plot
refused "FILE or CHANNEL is missing" plot a.csv
refused "the figure's name is missing" plot a.csv a
printf 'time,a\n0,1\n1,x\n' >bad.csv
refused "^bad.csv:3:3: error: expected a number, not 'x'" plot bad.csv a -o a.svg
exit "$bad"
