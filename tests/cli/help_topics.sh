#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `holdfast help` knows every command, law, method and part of a model file.
#   help_topics.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"
expect 0 '  laws ' help
expect 0 'Usage: holdfast run' help run
expect 0 'lugre: ' help lugre
grep -q 'stiffness.*N/m' out || complain "parameters of lugre: $(cat out)"
expect 0 'timestep: ' help timestep
grep -q 'tolerance' out || complain "keys of timestep: $(cat out)"
expect 2 "no help on 'lugr'; did you mean 'lugre'" help lugr
expect 2 "no help on 'qqqqqq'; 'holdfast help' lists the topics" help qqqqqq
for list in laws methods; do
    "$holdfast" help $list >topics || complain "help $list"
    [ "$(wc -l <topics)" -ge 8 ] || complain "help $list is short"
    awk '{ print $1 }' topics >names
    while read -r name; do
        expect 0 "^$name: " help "$name"
    done <names
done
# Parts of a model file and their entries: every type that the schema knows, and single keys.
expect 0 '^level: a part' help level
grep -q 'stribeck_velocity .*\[m/s\]' out || complain "entries of a level: $(cat out)"
expect 0 '^joint: penalty' help joint
grep -q '^joint: a part' out || complain "joint is a part too: $(cat out)"
expect 0 'joint  *inertia of a rotor' help armature
expect 0 'law maxwell-slip ' help stiffnesses
expect 2 "did you mean 'armature'" help armatur
for name in $("$holdfast" schema | jq -r '.. | .type? | .const? // empty' | sort -u); do
    expect 0 "^$name" help "$name"
done
# An effective mass that no force has is not printed as infinite.
"$holdfast" check gripper >out || complain 'check gripper'
! grep -q '\binf\b' out || complain "check prints inf: $(cat out)"
exit $bad
