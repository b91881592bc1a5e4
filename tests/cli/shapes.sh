#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Machines of shapes rest under methods of fixed steps where they rest under timestep, to the depth
# that these admit, and friction holds what it holds there.
#   shapes.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# rest EXAMPLE COLUMN: the last value of a column under timestep against the others, within 6 mm.
rest() {
    local example=$1 column=$2 method step want got
    for method in timestep rk4 semi-implicit-euler discrete; do
        step=2e-4
        [ $method = timestep ] && step=1e-3
        "$holdfast" run "$example" --method $method --step $step -q -o rest.csv 2>err ||
            complain "$example under $method: $(cat err)"
        got=$(grep -v '^#' rest.csv | awk -F, -v name="$column" \
            'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == name) k = i} END {print $k}')
        [ $method = timestep ] && want=$got
        awk -v a="$got" -v b="$want" 'BEGIN {d = a - b; exit !(a != "" && d * d <= 6e-3 * 6e-3)}' ||
            complain "$example under $method: $column is $got, under timestep $want"
    done
}

rest gripper capsule.position.z
rest gripper hand.left.position
rest card-house left.position.x
rest card-house right.position.z
rest cube-3d cube.position.z
rest stack box-3.position.z

exit $bad
