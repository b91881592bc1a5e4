#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Method timestep from the command: its settings, what a run says, its problems as files.
#   timestep.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 0 'solver +auto, tolerance 1e-08: worst residual' run point-2d
expect 0 'point.position.x +0.60918411 m' run point-2d
expect 0 '"unsolved_steps": 0' run point-2d --json
expect 0 'solver +newton, tolerance 1e-10' run point-2d --set method.solver=newton --set method.tolerance=1e-10
expect 0 'solver.contacts +1' run point-2d --set 'record=[solver]'
expect 2 "theta must be from 0.5 to 1" run point-2d --set method.theta=0.3
expect 2 "solver must be auto, gauss-seidel" run point-2d --set method.solver=newtn
expect 2 "unsolved must be report or fail" run point-2d --set method.unsolved=ignore
expect 2 "'theta' is for timestep and nlp, not for rk4" run spring-mass --set method.theta=1
expect 0 'timestep' compare point-2d-hybrid --methods timestep,switch
# Two boards of 0.09 and 0.1 kg: no force of one contact is zero or above their weight.
expect 0 'stands +timestep +0.001 +- +0 +0\.[1-9]' compare card-house --duration 0.1

expect 2 "writes the friction-contact problems of methods timestep and nlp; rk4 has none" run spring-mass --dump problems
expect 2 "go with --dump FOLDER" run box-on-slope --duration 0.02 --dump-every 3
expect 0 '' run box-on-slope --duration 0.02 --dump problems
expect 0 'step-00000001.hdf5 +4 +16' fc3d problems/step-00000001.hdf5
[ "$(ls problems | wc -l)" -le 2 ] || complain "problems: $(ls problems)"
exit "$bad"
