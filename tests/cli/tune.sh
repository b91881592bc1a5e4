#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Contacts that choose their numbers: tune, and the warnings of check and run.
#   tune.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

for part in "contact 'floor', law rigid-contact" 'effective mass +1 kg' 'restitution 0.4 at 1 m/s' \
    'stiffness +62500 N/m \(chosen\)' 'frequency x step +0.25' 'largest stable step' 'as wished'; do
    expect 0 "$part" tune sliding-mass
done
expect 0 'nearest is 0.000157 m; a step of [0-9.e-]+ s gives it' tune sliding-mass \
    --set forces.floor.penetration=1e-6
expect 0 "friction 'floor', law stiction" tune stick-drift
expect 0 "contact 'floor': penetration 1e-06 m cannot be had" run sliding-mass --quiet \
    --set forces.floor.penetration=1e-6
expect 0 'Chosen .*stiff' check sliding-mass
expect 0 'begin 1e-06 m deep' check sliding-mass --set bodies.mass.position='[0, 0, -1e-6]'
expect 2 '0.5 m deep in each other' check sliding-mass --set bodies.mass.position='[0, 0, -0.5]'
expect 2 'restitution must be from 0 to 1' check sliding-mass --set forces.floor.restitution=1.5
expect 0 'chose their numbers for a step of 0.001 s' run sliding-mass --quiet --step 2e-3

exit $bad
