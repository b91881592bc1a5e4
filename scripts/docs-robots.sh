#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of docs/robots.md from the robots of $HOLDFAST_DATA, which are not part of the project.
#   HOLDFAST_DATA=FOLDER scripts/docs-robots.sh
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "${HOLDFAST_DATA:?the folder with robots}/robots/unitree_go1" "$HOLDFAST_DATA/robots/robotiq_2f85" "$folder"

cat >"$folder/go1-standing.yaml" <<'YAML'
name: go1 stands on its own servos
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 2
record: [go1.*.position, go1.*.friction.force]
bodies:
  floor: {type: static, shape: {type: plane}}
  go1: {type: robot, file: unitree_go1/go1.xml, position: [0, 0, 0.29], start: home}
YAML
cat >"$folder/2f85-lifting.yaml" <<'YAML'
name: 2f85 closes on a box of 50 g, lifts and shakes it
gravity: [0, 0, -9.81]
method: {type: timestep, step: 2e-3}
duration: 5
record: [box.position, carriage.*.position, hand.*.position]
bodies:
  hand: {type: robot, file: robotiq_2f85/2f85.xml, base: free, position: [0, 0, 0.17], orientation: [0, 1, 0, 0]}
  table: {type: static, shape: {type: plane}}
  carriage:
    type: tree
    joints:
      lift: {type: prismatic, axis: [0, 0, 1], offset: [0, 0, 0.17], mass: 2}
      shake: {type: prismatic, axis: [1, 0, 0], parent: lift, mass: 2}
  box: {type: rigid, mass: 0.05, position: [0, 0, 0.015], shape: {type: box, size: [0.03, 0.03, 0.03]}}
signals:
  up: "t < 2 ? 0 : t < 3 ? 0.1*(1 - cos(pi*(t - 2))) : 0.2 + 0.01*sin(12*(t - 3))"
  side: "t < 3 ? 0 : 0.01*sin(20*(t - 3))"
  hand-fingers_actuator: "t < 0.5 ? 0 : 255"
forces:
  - {name: ground, type: collide, among: [box, table], friction: 0.5, restitution: 0}
  - {name: lifter, type: controller, on: carriage.lift, reference: up, proportional: 1e5, derivative: 2e3}
  - {name: shaker, type: controller, on: carriage.shake, reference: side, proportional: 1e5, derivative: 2e3}
loops:
  mount: {type: fixed, on: hand.base_mount, to: carriage.shake, point: [0, 0, 0], to_point: [0, 0, 0], to_orientation: [0, 1, 0, 0]}
YAML
scripts/screenshots.sh "$folder/go1-standing.yaml=1" "$folder/2f85-lifting.yaml=0.8"
