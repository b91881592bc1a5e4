#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast channels: what can be recorded, with units.
#   channels.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 0 '^block.position +m +recorded$' channels block.yaml
grep -qE '^energy.residual +J$' out || complain "no energy.residual: $(cat out)"
grep -qE '^floor.mode +- +recorded$' out || complain 'floor.mode has a unit'
stderr_is_empty channels
# All that it lists can be recorded, and nothing else is asked for.
names=$(cut -d ' ' -f 1 out | paste -sd ,)
expect 0 '' run block.yaml --set "record=[$names]" -q -o all.csv --duration 0.01
[ "$(grep -v '^#' all.csv | head -n 1)" = "time,$names" ] || complain 'the list and the recording differ'
# Accelerations, reactions and poses are among them; of many bodies where a pattern chooses.
expect 0 '^winch.drum.acceleration +rad/s\^2$' channels winch-brake
grep -qE '^winch.drum.reaction_force.x +N$' out || complain "no reaction: $(cat out)"
grep -qE '^brake.power +W$' out || complain 'no power'
expect 0 '^Of each body besides' channels pile
expect 0 '^ball-1-1-1.acceleration.x +m/s\^2$' channels pile 'ball-1-1-1.*'
expect 0 '^block.acceleration +m/s\^2 +recorded$' channels block.yaml --set 'record=[block.acceleration]'
# Patterns, groups and single names
expect 0 '' channels block.yaml 'block.*'
[ "$(cut -d ' ' -f 1 out | grep -vc '^block\.')" = 0 ] && grep -q '^block.velocity ' out || complain "block.*: $(cat out)"
expect 0 '' channels block.yaml floor.force
[ "$(wc -l <out)" = 1 ] || complain "a single channel: $(cat out)"
expect 0 '' channels rolling-sphere sphere.position
[ "$(wc -l <out)" = 3 ] || complain "a group: $(cat out)"
expect 0 '^sphere.velocity.x ' channels rolling-sphere 's?here.velo*'
# Changes of the model are seen.
expect 0 '^spring.force +N +recorded' channels block.yaml 'spring.*' --set 'record=[spring.force]'
# Nothing matches.
expect 2 "no channel matches 'block.positon'; did you mean 'block.position'\?" channels block.yaml block.positon
expect 2 "no channel matches 'blok.\*'; did you mean 'block\." channels block.yaml 'blok.*'
expect 2 "no channel matches 'zzzzzzzzzz'$" channels block.yaml zzzzzzzzzz
expect 2 'MODEL is missing' channels
expect 2 "unexpected argument 'c'" channels block.yaml b c
expect 2 "did you mean '--json'" channels block.yaml --jsn
# JSON
expect 0 '"name": "block.position"' channels block.yaml 'block.*' --json
if command -v python3 >/dev/null; then
    python3 - out <<'PYTHON' || complain "the JSON is wrong: $(cat out)"
import json, sys
channels = json.load(open(sys.argv[1]))["channels"]
named = {c["name"]: c for c in channels}
assert named["block.velocity"] == {"name": "block.velocity", "unit": "m/s", "recorded": True}, channels
assert all(c["name"].startswith("block.") for c in channels)
PYTHON
fi
exit "$bad"
