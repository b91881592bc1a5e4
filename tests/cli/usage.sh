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
refused "unexpected argument 'b.yaml'" run block.yaml b.yaml
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
refused "unexpected argument" examples a b c

printf 'name: x\nbodeis: {}\n' >wrong.yaml
refused "^wrong.yaml:2:1: error: .*bodeis" run wrong.yaml
refused "^wrong.yaml:2:1: error: .*bodies" check wrong.yaml
refused "error: .*weight" run block.yaml --set bodies.block.weight=3
refused "error: " run block.yaml --set bodies.block.mass=-1
refused "error: " run block.yaml --set nonsense
: >empty.yaml
refused "empty.yaml.*error" run empty.yaml

refused "FILE or CHANNEL is missing" plot
refused "the figure's name is missing" plot a.csv
refused "the figure's name is missing" plot a.csv a
printf 'time,a\n0,1\n1,x\n' >bad.csv
refused "^bad.csv:3:3: error: expected a number, not 'x'" plot bad.csv a -o a.svg
# Nothing that a file brings commands the terminal: names, keys, values, CSV headers, titles.
escape=$(printf '\033')
no_escapes() {
    ! grep -q "$escape" out err || complain "an escape reaches the terminal: $1: $(cat -v out err)"
}
sed 's/^name: .*/name: "evil \\e[31m red"/' block.yaml >title.yaml
expect 0 '^evil \\x1b\[31m red: completed' run title.yaml
no_escapes title
expect 0 '^evil \\x1b\[31m red: no errors' check title.yaml
no_escapes 'title, check'
sed 's/^  block: /  "bl\\e[2Jock": /' block.yaml >name.yaml
expect 2 'bl\\x1b\[2Jock' check name.yaml
no_escapes name
sed 's/^duration: 1/"dur\\e]0;x\\aation": 1/' block.yaml >key.yaml
expect 2 'dur\\x1b\]0;x\\x07ation' check key.yaml
no_escapes key
sed 's/type: rk4/type: "rk\\e[31m4"/' block.yaml >value.yaml
expect 2 'rk\\x1b\[31m4' check value.yaml
no_escapes value
printf 'time,a\033[31mb\n0,1\n' >header.csv
expect 2 '' plot header.csv nothing -o header.svg
no_escapes header
printf 'ti\033[31mme,a\n0,1\n' >header.csv
expect 2 'ti\\x1b\[31mme' plot header.csv a -o header.svg
no_escapes 'first header'
expect 2 'no\\x1b\[31mthing' run "no${escape}[31mthing"
no_escapes 'an argument'
# --method keeps the keys that the other method takes with these values, and tells the others
printf '%s\n' 'method: {type: adaptive, step: 0.01, family: bdf, rtol: 1e-5}' 'duration: 0.05' \
    'bodies: {m: {type: mass, dim: 1, mass: 1, position: 1}}' \
    'forces: [{name: s, on: m, type: spring, stiffness: 4}]' >keys.yaml
expect 0 'integrator   bdf, rtol 1e-05' run keys.yaml --no-verify
expect 0 'integrator   bdf, rtol 1e-05' run keys.yaml --method switch --no-verify
stderr_is_empty 'run --method switch'
expect 0 "left out of the model's method, which rk4 does not take: family, rtol\$" run keys.yaml --method rk4 --no-verify
# Colours on a terminal alone, and not where NO_COLOR asks for none.
if command -v script >/dev/null; then
    TERM=xterm script -qc "'$holdfast' run block.yaml" /dev/null </dev/null >out 2>&1
    grep -q "completed, $(printf '\033\\[32m')trustworthy$(printf '\033\\[0m')" out || complain "no colour on a terminal: $(head -n 1 out | cat -v)"
    TERM=xterm NO_COLOR=1 script -qc "'$holdfast' run block.yaml" /dev/null </dev/null >out 2>&1
    grep -q 'completed, trustworthy' out || complain "colour against NO_COLOR: $(head -n 1 out | cat -v)"
    TERM=xterm script -qc "'$holdfast' run nowhere.yaml" /dev/null </dev/null >out 2>&1
    grep -q "$(printf '\033\\[1;31m')error" out || complain "an error without colour: $(cat -v out)"
fi
TERM=xterm "$holdfast" run block.yaml >out
grep -q 'completed, trustworthy' out || complain "colour in a file: $(head -n 1 out | cat -v)"
exit "$bad"
