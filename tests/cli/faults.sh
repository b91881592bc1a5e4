#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs that leave the finite numbers, and counts that agree with what is listed below them.
#   faults.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# The head counts what the list shows: here a jump, not a root, ends the stick.
cat >jump.yaml <<'MODEL'
method: {type: switch, step: 0.01}
duration: 1
bodies: {block: {type: mass, dim: 1, mass: 1}}
signals: {pull: "t < 0.5 ? 1 : 20"}
forces:
  - {name: push, on: block, type: force, value: pull}
  - {name: floor, on: block, type: friction, law: coulomb, level: {coulomb: 10}}
MODEL
expect 0 '^  events       1,' run jump.yaml
grep -q '0.5 s  floor breaks away forth' out || complain "no event in the list: $(cat out)"

# Energies that overflow: told as such, and what is not a number has no sign.
cat >fast.yaml <<'MODEL'
method: {type: rk4, step: 0.01}
duration: 0.1
bodies: {stone: {type: mass, dim: 1, mass: 1, velocity: 1e200}}
record: [stone.position, energy.kinetic]
MODEL
expect 0 'doubtful: its energies left the finite numbers' run fast.yaml
grep -q 'residual .*(energies left the finite numbers)' out || complain "the ledger: $(cat out)"
grep -q -- '-nan' out && complain "a sign before nan: $(cat out)"
expect 0 'inf|nan' compare fast.yaml --methods rk4,euler
grep -q -- '-nan' out && complain "a sign before nan in compare: $(cat out)"

# A channel that is not finite ends the recorded run, and is not in the file.
for file in fast.csv fast.h5; do
    expect 1 "t = 0 s: channel 'energy.kinetic' is infinite; the sample is not recorded" \
        run fast.yaml -q -o $file
done
[ "$(wc -l <fast.csv)" = 1 ] || complain "fast.csv: $(cat fast.csv)"

# A quaternion that overflows is no orientation.
cat >spin.yaml <<'MODEL'
method: {type: euler, step: 1}
duration: 5
bodies: {top: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [1e200, 0, 0]}}
record: [top.position]
MODEL
expect 1 "the state of 'top' left the finite numbers" run spin.yaml -o spin.csv
[ "$(wc -l <spin.csv)" = 2 ] || complain "spin.csv: $(cat spin.csv)"

exit $bad
