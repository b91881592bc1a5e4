#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs: summary, JSON, options, recordings, failures.
#   run.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# The summary, and nothing on stderr when stderr is no terminal.
expect 0 '^block on a spring: completed, trustworthy within 0.001 % of the way$' run block.yaml
stderr_is_empty 'a plain run'
for part in 'rk4, step 0.001 s' '1000 steps, 400[0-9] evaluations' 'times real time' 'residual' \
    'floor +[0-9.]+ +[0-9.]+ +0 ' 'block.position .* m$' 'block.velocity .* m/s$' 'of the .* J turned over'; do
    grep -qE -- "$part" out || complain "summary: no '$part' in $(cat out)"
done
expect 0 '' run block.yaml --quiet
stdout_is_empty '--quiet'
stderr_is_empty '--quiet'

# One JSON object.
json() { # json EXPRESSION: true for the object d of the last run
    if command -v python3 >/dev/null; then
        python3 -c "
import json, math, sys
d = json.load(open('out'), parse_constant=lambda name: sys.exit('not JSON: ' + name))
sys.exit(0 if ($1) else 'false: ' + sys.argv[1])" "$1" || complain "JSON: $1"
    fi
}
expect 0 '"status": "completed"' run block.yaml --json
stderr_is_empty '--json'
json "d['steps'] == 1000 and d['evaluations'] >= 4000 and d['method'] == 'rk4' and d['step'] == 1e-3"
json "d['wall_seconds'] > 0 and d['real_time_factor'] > 0"
json "abs(d['energy']['residual']) < 1e-6 and d['energy']['dissipated'] > 1"
json "set(d['laws']) == {'floor'} and 'spring' in d['forces']"
json "abs(d['laws']['floor']['stick_seconds'] + d['laws']['floor']['slip_seconds'] - 1) < 1e-9"
json "d['laws']['floor']['transitions'] >= 1"
json "list(d['final']) == ['time', 'block.position', 'block.velocity', 'floor.force', 'floor.mode']"
json "abs(d['final']['time'] - 1) < 1e-9 and abs(d['final']['block.position'] - 1.8) < 0.1"

# Options.
expect 0 '"steps": 500,' run block.yaml --json --step 2e-3
expect 0 '"steps": 2000,' run --json --duration=2 block.yaml
expect 0 '"steps": 0,' run block.yaml --json --duration 0
expect 0 '"method": "rk4-tau"' run block.yaml --json --method rk4-tau
expect 0 'not a whole number of steps.*ends at 0.999' run block.yaml --step 3e-4 --duration 1 --method rk4-tau -q
expect 0 '"transitions": 0,' run block.yaml --json --set bodies.block.mass=2 --set 'signals.pull=0*t'
expect 0 'completed' run -- block.yaml

# Recordings: every N-th step, the first and the last state always.
expect 0 'recorded +1001 samples in a.csv' run block.yaml -o a.csv
[ "$(head -n 1 a.csv)" = time,block.position,block.velocity,floor.force,floor.mode ] || complain "header: $(head -n 1 a.csv)"
[ "$(wc -l <a.csv)" = 1002 ] || complain "a.csv has $(wc -l <a.csv) lines"
expect 0 'recorded +5 samples in b.csv' run block.yaml -ob.csv --every 300
[ "$(cut -d , -f 1 b.csv | tr '\n' ' ')" = 'time 0 0.3 0.6 0.9 1 ' ] || complain "times: $(cut -d , -f 1 b.csv | tr '\n' ' ')"
expect 0 '"samples": 1001' run block.yaml --output=a.h5 --json
if command -v h5dump >/dev/null; then
    h5dump -H -d /values a.h5 >dump 2>&1 || complain "h5dump cannot read a.h5"
    grep -q '( 1001, 4 ) / ( H5S_UNLIMITED, 4 )' dump || complain "a.h5: $(head -n 5 dump)"
    h5dump -y -w 0 -d /names a.h5 >dump
    grep -q '"block.position", "block.velocity", "floor.force", "floor.mode"' dump || complain "a.h5: $(cat dump)"
    h5dump -a /completed a.h5 >dump
    grep -q '(0): 1' dump || complain 'a.h5 is not marked as completed'
fi
expect 1 'cannot create: No such file' run block.yaml -o nowhere/a.csv
expect 1 'cannot create: No such file' run block.yaml -o nowhere/a.h5
ln -s /dev/full full.csv
expect 1 'full.csv: cannot write: No space left on device' run block.yaml -o full.csv
[ "$(grep -c 'No space' err)" = 1 ] || complain "a full disk is told $(grep -c 'No space' err) times"

# A step too large: a warning before the run; if the state leaves the finite numbers, time and
# component, exit code 1, and what was recorded is kept.
expect 1 "^warning: force 'spring': step 0.5 s is larger than the largest stable step 0.29" \
    run block.yaml --step 0.5 --duration 5000 -o far.csv
grep -qE 't = [0-9.]+ s.*left the finite numbers' err || complain "no time of failure: $(cat err)"
grep -q ': failed' out || complain "no summary of a failed run: $(cat out)"
[ "$(wc -l <far.csv)" -gt 10 ] || complain 'nothing was kept of a failed run'
tail -n 1 far.csv | grep -qE 'nan|inf' && complain 'a state that is not finite was recorded'
expect 1 '"status": "failed"' run block.yaml --step 0.5 --duration 5000 --json
json "d['message'] != '' and d['final']['time'] > 0"

# Warnings are capped.
{
    printf 'method: {type: euler, step: 0.1}\nduration: 0.1\nbodies: {b: {type: mass, dim: 1, mass: 1}}\nforces:\n'
    for i in $(seq 12); do
        echo "  - {name: s$i, on: b, type: spring, stiffness: 1e6, damping: 1}"
    done
} >many.yaml
expect 0 '^warning: and 7 more' run many.yaml -q
[ "$(grep -c warning err)" = 6 ] || complain "$(grep -c warning err) warnings, expected 6"

# One file has one writer, and is not written while it is read.
printf 'time,pull\n0,1\n' >io.csv
cp io.csv before.csv
ln -s io.csv link.csv
sed 's/pull: "2\*t"/pull: {input: 0}/' block.yaml >driven.yaml
for output in io.csv ./io.csv link.csv; do
    expect 2 "'$output' is the file that --input reads" run driven.yaml --input io.csv -o "$output"
    cmp -s io.csv before.csv || complain "--input io.csv -o $output changed io.csv"
done
for output in two.csv two.h5; do
    "$holdfast" run block.yaml --duration 1e7 --every 100 -q -o $output >first 2>&1 &
    child=$!
    for _ in $(seq 200); do
        [ -s $output ] && break
        sleep 0.05
    done
    expect 1 "$output: another run is writing this file" run block.yaml -o $output
    kill -KILL $child
    wait $child 2>/dev/null
    expect 0 'recorded' run block.yaml -o $output
done

# check, and the examples, which are part of the command.
expect 0 '^block on a spring: no errors' check block.yaml
grep -qE '^  floor +1 +1e\+05 +100 +0.00278' out || complain "check: $(cat out)"
expect 0 '' examples
names=$(cut -d ' ' -f 1 out)
for file in "$root"/examples/*.yaml; do
    name=$(basename "$file" .yaml)
    grep -qE "^$name +[^ ]" out || complain "examples does not describe $name"
done
for name in $names; do
    expect 0 '' examples "$name"
    cmp -s out "$root/examples/$name.yaml" || complain "examples $name differs from its file"
    expect 0 'no errors' check "$name"
    expect 0 '"status": "completed"' run "$name" --json --duration 0.01
done
# The verdict, and what scripts see of it.
expect 0 '"verdict": "trustworthy"' run block.yaml --json --strict
expect 0 'completed, doubtful: the energy ledger is off by .* 10 % of' run zero-crossing
expect 1 'doubtful: the energy ledger' run zero-crossing --strict -q
expect 0 '"verdict": "doubtful"' run zero-crossing --json
expect 0 "doubtful: the step, 0.001 s, is larger than the largest stable step of 'friction'" run conveyor-periodic

# Events are numbered from 1, in the order of time.
expect 0 '"event_list"' run oscillator-forced --duration 12 --json
json "isinstance(d['event_list'], list) and len(d['event_list']) == d['events'] and len(d['event_list']) > 3"
json "all(a['time'] <= b['time'] for a, b in zip(d['event_list'], d['event_list'][1:]))"

# A body that nothing catches is told of; one that lands is not.
cat >ball.yaml <<'MODEL'
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 1
bodies:
  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.5], velocity: [1, 0, 2]}
  floor: {type: static, shape: {type: plane}}
MODEL
expect 0 "warning: 'ball' fell freely, 2.9[0-9]* m" run ball.yaml

# Velocities at the start that a ratio does not allow together: what they become, in run and check.
cat >gear.yaml <<'END'
bodies: {motor: {type: rotor, inertia: 1, velocity: 10}, drum: {type: rotor, inertia: 1, velocity: 3}}
loops: {gear: {type: ratio, ratio: {motor: 1, drum: -2}}}
END
expect 0 "^warning: 'motor' starts at 9.2 rad/s, not at 10 as written" run gear.yaml
expect 0 "^warning: 'drum' starts at 4.6 rad/s, not at 3 as written" check gear.yaml
expect 0 'no errors' check gear.yaml --set bodies.drum.velocity=5
! grep -q warning err || complain "a warning where the velocities fit: $(cat err)"
printf 'forces:\n  - {name: touch, type: collide, among: all}\n' >>ball.yaml
"$holdfast" run ball.yaml >out 2>err || complain "ball.yaml: $(cat err)"
! grep -q 'fell freely' err || complain "a ball on the floor: $(cat err)"

exit "$bad"
