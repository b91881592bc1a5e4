#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run beside itself with half the step: what it says of answers that depend on the step.
#   verify.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# Three blocks on a shaken table, static above kinetic: trustworthy by itself at 1 ms, and 5 % off.
cat >stack.yaml <<'MODEL'
name: shaken stack
method: {type: rk4, step: 1e-3}
duration: 1
bodies:
  table: {type: driven, dim: 1, position: "0.02*sin(20*t)"}
  a: {type: mass, dim: 1, mass: 1}
  b: {type: mass, dim: 1, mass: 1}
  c: {type: mass, dim: 1, mass: 1}
forces:
  - {name: fa, on: a, to: table, type: friction, law: stiction, level: {kinetic: 12, static: 18}, stiffness: 1e5, damping: 200}
  - {name: fb, on: b, to: a, type: friction, law: stiction, level: {kinetic: 6, static: 10}, stiffness: 1e5, damping: 200}
  - {name: fc, on: c, to: b, type: friction, law: stiction, level: {kinetic: 3, static: 5}, stiffness: 1e5, damping: 200}
record: [a.position, b.position, c.position]
MODEL
expect 0 '^shaken stack: completed, trustworthy$' run stack.yaml
expect 0 'doubtful: with half the step b.position is .* m away at t = .* % of its way' run stack.yaml --verify
expect 1 'holdfast: doubtful: with half the step b.position' run stack.yaml --verify --strict -q
expect 0 'trustworthy within 0.* % of the way, by a run with half the step' run stack.yaml --verify --step 1e-4

# The share is that of the two runs, each alone.
"$holdfast" run stack.yaml -q -o whole.csv
"$holdfast" run stack.yaml -q --step 5e-4 --every 2 -o half.csv
want=$(paste -d, whole.csv half.csv | awk -F, 'NR > 1 { for (i = 2; i <= 4; ++i) { j = i + 4
        d = $i - $j; d = d < 0 ? -d : d; off[i] = d > off[i] ? d : off[i]
        a = $i < 0 ? -$i : $i; b = $j < 0 ? -$j : $j; a = a > b ? a : b; way[i] = a > way[i] ? a : way[i] } }
    END { for (i = 2; i <= 4; ++i) { s = off[i] / way[i]; most = s > most ? s : most }; printf "%.6f", most }')
got=$("$holdfast" run stack.yaml --verify --json | sed -n 's/.*"verified": *\([0-9.e+-]*\).*/\1/p')
awk -v a="$want" -v b="$got" 'BEGIN { exit !(a > 0.02 && a - b < 2e-6 && b - a < 2e-6) }' ||
    complain "verified: $got, where the runs are apart by $want"

# Tolerances of adaptive methods, inputs from outside, an orientation that is the same with the other sign.
sed 's/law: stiction/law: coulomb/; s/, stiffness: 1e5, damping: 200//' stack.yaml >exact.yaml
expect 0 'trustworthy within .* by a run with a tenth of the tolerances' run exact.yaml --method switch --verify
cat >spin.yaml <<'MODEL'
method: {type: rk4, step: 1e-3}
duration: 2
signals: {push: {input: 0}}
bodies:
  top: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}
  cart: {type: mass, dim: 1, mass: 1}
forces:
  - {name: drive, on: cart, type: force, value: push}
MODEL
printf 'time,push\n0,1\n1,-3\n' >push.csv
expect 0 'trustworthy within .*e-.* % of the way, by a run with half the step' run spin.yaml --verify --input push.csv

# What does not go with it
"$holdfast" run stack.yaml -q --duration 0.1 --save state
expect 2 'does not go with --from' run stack.yaml --verify --from state
expect 2 'does not go with --realtime' run stack.yaml --verify --realtime

exit $bad
