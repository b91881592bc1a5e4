#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of docs/methods/timestep.md, "Stiff forces": three machines at steps of 0.1 to 10 ms.
#   scripts/docs-implicit.sh build/holdfast
holdfast=${1:?usage: docs-implicit.sh HOLDFAST}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A link of 4e-6 kg m^2 in 0.02 Nms/rad, driven by 0.1 Nm: 5 rad/s, 0.501 rad after 0.1 s.
cat >"$folder/link.yaml" <<'Y'
method: {type: timestep, step: 1e-3}
duration: 0.1
bodies: {arm: {type: tree, joints: {j: {type: revolute, axis: [0, 0, 1], mass: 0.01, inertia: [4e-6, 4e-6, 4e-6], velocity: 10}}}}
forces:
  - {name: damper, on: arm.j, type: spring, stiffness: 0, damping: 0.02}
  - {name: motor, on: arm.j, type: torque, value: 0.1}
Y

# Two links; a servo of 1e5 Nm/rad moves the shoulder, stiction elements of 1e5 Nm/rad in both joints.
cat >"$folder/servo.yaml" <<'Y'
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 1
bodies:
  arm:
    type: tree
    joints:
      shoulder: {type: revolute, axis: [0, -1, 0], mass: 0.5, center: [0.15, 0, 0], inertia: [1e-4, 0.00375, 0.00375]}
      elbow: {type: revolute, parent: shoulder, offset: [0.3, 0, 0], axis: [0, -1, 0], mass: 0.5, center: [0.15, 0, 0], inertia: [1e-4, 0.00375, 0.00375]}
signals: {way: "0.3*sin(4*t)"}
forces:
  - {name: servo, on: arm.shoulder, type: controller, proportional: 1e5, derivative: 300, reference: way}
  - {name: f1, on: arm.shoulder, type: friction, law: stiction, level: {coulomb: 1}, stiffness: 1e5, damping: 10}
  - {name: f2, on: arm.elbow, type: friction, law: stiction, level: {coulomb: 1.2}, stiffness: 1e5, damping: 10}
Y

# value MODEL CHANNEL OPTIONS...: the channel at the end.
value() {
    local model=$1 channel=$2
    shift 2
    "$holdfast" run "$model" "$@" 2>/dev/null | awk -v c="$channel" '$1 == c { printf "%.5f", $2 }'
}

echo "| step | link: angle [rad] | rolling-sphere: x [m] | servo: shoulder [rad] | servo: elbow [rad] |"
echo "|---|---|---|---|---|"
for step in 1e-4 1e-3 2e-3 5e-3; do
    echo "| $step s | $(value "$folder/link.yaml" arm.j.position --step $step)" \
        "| $(value rolling-sphere sphere.position.x --method timestep --step $step)" \
        "| $(value "$folder/servo.yaml" arm.shoulder.position --step $step)" \
        "| $(value "$folder/servo.yaml" arm.elbow.position --step $step) |"
done
echo "| rk4, 2e-6 s | $(value "$folder/link.yaml" arm.j.position --method rk4 --step 2e-6)" \
    "| $(value rolling-sphere sphere.position.x --method rk4 --step 2e-6)" \
    "| $(value "$folder/servo.yaml" arm.shoulder.position --method rk4 --step 2e-6)" \
    "| $(value "$folder/servo.yaml" arm.elbow.position --method rk4 --step 2e-6) |"
