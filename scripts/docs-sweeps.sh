#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Figures of docs/sweeps.md. About two minutes of one core.
#   scripts/docs-sweeps.sh     after a build; HOLDFAST=path/to/holdfast for another command
set -eu
cd "$(dirname "$0")/.."
holdfast=$(realpath "${HOLDFAST:-build/holdfast}")
figures=$PWD/docs/figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$holdfast" sweep oscillator-forced --vary belt.velocity=0.05:2:24 --vary spring.damping=0:0.6:16 --after 60 \
    --of 'regime=max(friction.mode == 0) + (1 - max(friction.mode != 0))' --of 'amplitude(block.position)' \
    --of 'period(block.position)' -o belt.h5 --quiet
"$holdfast" plot belt.h5 --x belt.velocity --y spring.damping --color regime -o "$figures/sweep-belt.svg"

"$holdfast" sweep winch-brake --set duration=3 --vary mu=normal:0.35:0.05 --samples 2000 --design lhs \
    --of 'way=0.15*(winch.drum.position - max(t <= 0.3 ? winch.drum.position : 0))' \
    --of 'held=winch.drum.velocity == 0' -o brake.h5 --quiet
"$holdfast" plot brake.h5 --x mu --y way -o "$figures/sweep-brake.svg"

"$holdfast" sweep gripper --set 'parameters={press: 10}' --set forces.press-left.value=press \
    --set forces.press-right.value=press --vary contacts.friction=0.5 --vary bodies.capsule.mass=0.05:0.4:15 \
    --vary press=0.25:5:20 --duration 0.1 --of 'held=abs(0.5 - capsule.position.z) < 1e-6' -o grip.h5 --quiet
"$holdfast" plot grip.h5 --x bodies.capsule.mass --y press --color held -o "$figures/sweep-grip.svg"
