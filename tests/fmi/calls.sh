#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function of FMI in every state, and resources that are not what the FMU was made with.
#   calls.sh HOLDFAST ROOT HOST INSTANCES
. "$(dirname "$0")/common.sh"
instances=$4

# refused FOLDER TEXT: no instance is made, and the message has the text.
refused() {
    "$instances" refused "$work/$1" "$2" >log 2>&1 || complain "$1: no '$2' in: $(cat log)"
}

for version in 2 3; do
    for method in switch timestep; do
        expect 0 '1 input, 8 parameters, 4 outputs$' export "$root/tests/fmi/calls/calls.yaml" -o calls.fmu --fmi $version --method $method
        unpack calls.fmu $method$version
    done
    "$host" "$work/switch$version" "$work/timestep$version" >log 2>&1 || complain "FMI $version: $(cat log)"
    grep -q 'PASSED  \] 1[01] test' log || complain "FMI $version: $(cat log)"
    "$instances" walk "$work/switch$version" >log 2>&1 || complain "FMI $version: $(cat log)"
    grep -q 'PASSED  \] 2 test' log || complain "FMI $version: $(cat log)"
done

# The manifest with one mistake: what sed makes of it | what is said
json=switch2/resources/holdfast.json
cp $json sound.json
while IFS='|' read -r change text; do
    [ -n "$change" ] || continue
    sed "$change" sound.json >$json
    cmp -s $json sound.json && complain "'$change' changes nothing"
    refused switch2 "$text"
done <<'MISTAKES'
s/"holdfast": "/&9/|the resources are of Holdfast 90.1.0, the binary is of Holdfast
/"holdfast":/d|holdfast.json: it has no text 'holdfast'
s/"holdfast": "[^"]*"/"holdfast": [1]/|holdfast.json: it has no text 'holdfast'
s/"token": "{/&x/|the GUID or token is
/"token":/d|it has no text 'token'
/"model":/d|it has no text 'model'
s/"model": "model/"model": "models/|models/calls.yaml: No such file
s/"method": "switch"/"method": "swich"/|swich
s/"method": "switch"/"method": {"type": "switch"}/|it has no text 'method'
s/"method": "switch"/&,"variant": ["a"]/|it has no text 'variant'
s/"method": "switch"/&,"variant": "fast"/|fast
s/"method": "switch"/&,"step": "soon"/|'step' is no number
s/"method": "switch"/&,"step": [1]/|'step' is no number
/"set":/d|it has no list 'set'
s/"set": \[\]/"set": "mass=2"/|it has no list 'set'
s/"set": \[\]/"set": [["mass=2"]]/|'set' is not a list of texts
s/"set": \[\]/"set": ["wheels=2"]/|wheels
s/"set": \[\]/"set": ["parameters.mass=9 kg"]/|mass
/"outputs":/d|it has no list 'outputs'
s/"block.velocity"/"block.velocty"/|the machine has no channel 'block.velocty'
s/"block.velocity", "floor.force"/"block.position", "block.position"/|the machine has two variables 'output.block.position'
s/"locals": \[\]/"locals": ["floor.gap.x"]/|the machine has no channel 'floor.gap.x'
/"locals":/d|it has no list 'locals'
/"fixed":/d|it has no list 'fixed'
s/"fixed":.*/"fixed": [],/; s/\["same_mass.*/7/|it has no list 'calculated'
1s/{/[/; $s/}/]/|holdfast.json
s/^.*$/7/|it is no map
s/"token"/"token/|holdfast.json:3
MISTAKES
rm $json
refused switch2 "holdfast.json: No such file"
cp sound.json $json

# The model within the resources with a mistake is told at its place
sed -i 's/dim: 1/dim: 4/' switch2/resources/model/calls.yaml
refused switch2 "calls.yaml:19:28: body 'block': dim must be"
exit "$bad"
