#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inputs from logs and from standard input, and runs on the clock.
#   realtime.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

cat >puck.yaml <<'MODEL'
name: puck
method: {type: discrete, step: 1e-3}
duration: 0.5
bodies:
  puck: {type: mass, axes: xy, mass: 2}
signals: {fx: {input: 0}, fy: {input: 0}}
forces:
  - {name: hand, on: puck, type: force, value: [fx, fy]}
  - {name: plane, on: puck, type: friction, law: coulomb, level: 6}
record: [puck.position, puck.velocity, fx.value, fy.value]
MODEL
final() { sed -n "s/^  $1  *\([^ ]*\).*/\1/p" out; }

# A line a step, in order or by name; an empty line and the end keep the last values.
printf '10 0\nfx=20\n\nfy=1, fx=2\n0;8' | "$holdfast" run puck.yaml --input - -o a.csv >out 2>err || complain "$(cat err)"
stderr_is_empty 'standard input'
rows=$(awk -F , 'NR > 1 { print $6 "," $7 }' a.csv | head -n 7 | tr '\n' ' ')
[ "$rows" = '0,0 10,0 20,0 20,0 2,1 0,8 0,8 ' ] || complain "inputs: $rows"
[ "$(tail -n 1 a.csv | cut -d , -f 7)" = 8 ] || complain 'the last value does not last'

# A log: values hold from their time on; an input without a column keeps its own.
printf 'time,fx\n0.1,10\n0.3,0\n' >log.csv
expect 0 "no column 'fy'" run puck.yaml --input log.csv -o b.csv
rows=$(awk -F , '$1 == 0.1 || $1 == 0.101 || $1 == 0.3 || $1 == 0.301 { print $6 }' b.csv | tr '\n' ' ')
[ "$rows" = '0 10 10 0 ' ] || complain "log: $rows"
[ "$(final puck.velocity.x)" = 0 ] || complain "puck.velocity.x: $(final puck.velocity.x)"
# A recording is a log. (The example's own: made by its expressions, 50 values a second.)
"$holdfast" run haptic-plane -q --every 20 --set 'record=[fx.value, fy.value]' -o hand.csv || complain 'haptic-plane'
cmp -s hand.csv "$root/examples/haptic-plane-hand.csv" || complain 'haptic-plane-hand.csv is not what haptic-plane gives'
expect 0 '"status": "completed"' run haptic-plane --variant live --input hand.csv --json --duration 4

# Malformed lines and logs.
wrong_line() { # wrong_line TEXT PATTERN
    printf "$1" | "$holdfast" run puck.yaml --input - >out 2>err
    [ $? = 1 ] || complain "'$1': exit code"
    grep -qE "$2" err || complain "'$1': $(cat err)"
}
wrong_line '1 2\n3\n' 'standard input, line 2: expected 2 values, not 1'
wrong_line '1 2 3\n' 'line 1: expected 2 values, not 3'
wrong_line '1 2\n1 2\n1 x\n' "line 3: expected a number, not 'x'"
wrong_line 'fz=1\n' "line 1: there is no such input: 'fz=1'"
wrong_line 'fx=1 2\n' 'mixed'
wrong_line 'fx=nan\n' "expected a number, not 'nan'"
grep -q ': failed' out || complain 'no summary after a malformed line'
printf 'time,fz\n0,1\n' >log.csv
expect 2 "column 'fz' is no input of the model \(did you mean 'f[xy]'" run puck.yaml --input log.csv
printf 'time,fx\n0,1\n0,1\n' >log.csv
expect 2 'row 2: time must rise' run puck.yaml --input log.csv
printf 'time,fx\n0,1\n1,y\n' >log.csv
expect 2 "^log.csv:3:3: error: expected a number, not 'y'" run puck.yaml --input log.csv
printf 'time\n0\n' >log.csv
expect 2 'no column but time' run puck.yaml --input log.csv
expect 2 'cannot open' run puck.yaml --input none.csv
expect 2 'the model has no input signals' run block.yaml --input log.csv

# On the clock: never faster than time, every step counted.
now() { date +%s%N; }
start=$(now)
"$holdfast" run puck.yaml --realtime --input - --json >out 2>err \
    < <(for i in $(seq 40); do echo "$i 0"; sleep 0.005; done 2>/dev/null)
[ $? = 0 ] || complain "--realtime: $(cat err)"
[ $(($(now) - start)) -ge 500000000 ] || complain 'half a second took less'
if command -v python3 >/dev/null; then
    python3 -c "
import json, sys
d = json.load(open('out'))
c = d['clock']
ok = d['wall_seconds'] >= 0.5 and c['steps'] == 500 and 0 <= c['missed'] <= 500
ok = ok and 0 <= c['late_median'] <= c['late_99_percent'] <= c['late_most'] + 1e-12
ok = ok and d['final']['fx.value'] > 1
sys.exit(0 if ok else 1)" || complain "clock: $(cat out)"
fi
expect 0 'clock +[0-9]+ of 50 steps missed' run puck.yaml --realtime --duration 0.05
# It can be interrupted, and tells.
env --default-signal=INT "$holdfast" run puck.yaml --realtime --duration 60 -o clock.csv >out 2>err &
child=$!
for _ in $(seq 200); do
    [ -s clock.csv ] && break
    sleep 0.05
done
kill -INT $child
wait $child
[ $? = 1 ] || complain 'an interrupted run on the clock: exit code'
grep -q 'interrupted at t = ' err || complain "interrupted: $(cat err)"
exit "$bad"
