#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Contacts that choose their numbers: tune, and the warnings of check and run.
#   tune.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

for part in "contact 'floor', law rigid-contact" 'effective mass +1 kg' 'restitution 0.4 at 1 m/s' \
    'stiffness +62500 N/m \(chosen\)' 'frequency x step +0.25' 'largest stable step' 'as wanted'; do
    expect 0 "$part" tune sliding-mass
done
expect 0 'nearest is 0.000157 m; a step of [0-9.e-]+ s gives it' tune sliding-mass \
    --set forces.floor.penetration=1e-6
expect 0 "friction 'floor', law stiction" tune stick-drift
expect 0 "contact 'floor': penetration 1e-06 m cannot be had" run sliding-mass --quiet \
    --set forces.floor.penetration=1e-6
expect 0 'Chosen .*K .N.m. +alpha' check sliding-mass
expect 0 'begin 1e-06 m deep' check sliding-mass --set bodies.mass.position='[0, 0, -1e-6]'
expect 2 '0.5 m deep in each other' check sliding-mass --set bodies.mass.position='[0, 0, -0.5]'
expect 2 'restitution must be from 0 to 1' check sliding-mass --set forces.floor.restitution=1.5

# A run tells what was chosen, contacts with the same numbers together; --step chooses anew.
expect 0 'floor +1 +62500 +[0-9.e-]+ +[0-9.e-]+ +0.4' run sliding-mass
expect 0 '"contacts": \["floor"\]' run sliding-mass --json
expect 0 'floor +1 +15625 ' run sliding-mass --step 2e-3
"$holdfast" run sliding-mass --json --step 2e-3 | grep -v seconds\\\|real_time >one
"$holdfast" run sliding-mass --json --set method.step=2e-3 | grep -v seconds\\\|real_time >two
cmp one two || complain '--step and --set method.step differ'
expect 0 'floor.1 +8 ' run spinning-coin-box --duration 0.01
expect 0 '"contacts": \["floor.1", "floor.2", .*"floor.8"\]' run spinning-coin-box --duration 0.01 --json
cat >heap.yaml <<'MODEL'
duration: 0.01
bodies:
  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05]}
  b: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.16]}
forces:
  - {name: heap, type: collide, among: all, spin_friction: 1e-3}
MODEL
expect 0 'spin_stiffness .* Nm/rad .chosen.' tune heap.yaml
expect 0 'heap +1 .* K of 1 kg' run heap.yaml
expect 0 'integrator +bdf' run heap.yaml --method adaptive --step 5e-3
[ "$(grep -c cannot err)" = 0 ] || complain "adaptive: a warning about its step: $(cat err)"
printf 'bodies: {b: {type: mass, dim: 1, mass: 1}}\nduration: 0.01\n' >plain.yaml
expect 0 '"steps": 5,' run plain.yaml --json --step 2e-3

exit $bad
