#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Machines of every kind as FMUs: what these compute are the bits of `holdfast run`.
#   machines.sh HOLDFAST ROOT HOST
. "$(dirname "$0")/common.sh"

# same MODEL VERSION STEPS [options]: STEPS steps of the method in one of the host
same() {
    local model=$1 version=$2 each=$3 name
    shift 3
    name=$(basename "$model")-$version
    "$holdfast" run "$model" -o "$name.csv" "$@" >out 2>&1 || { complain "$model: $(cat out)"; return; }
    "$holdfast" export "$model" -o "$name.fmu" --fmi "$version" "$@" >out 2>&1 || { complain "$model: $(cat out)"; return; }
    unpack "$name.fmu" "$name"
    "$host" bits "$work/$name" "$name.csv" "$each" 2>&1 || complain "$model $*: other bits"
}

# Examples, by every method
same spring-mass 2 1
same winch-brake 3 10
same rolling-sphere 2 5
same two-link-arm-exact 3 1 --set duration=0.5
same servo-stick 2 1 --set duration=0.5
same rps-robot-sine 2 2 --set duration=0.2
same point-2d 3 2 --method timestep --set method.step=1e-3
same gripper 2 4

# A mesh below the model's folder, another in a robot's, and a robot in the machine
mkdir -p plant/parts plant/robot/meshes
cat >plant/parts/wedge.obj <<'MESH'
v 0 0 0
v 0.2 0 0
v 0 0.2 0
v 0 0 0.1
v 0.2 0 0.1
v 0 0.2 0.1
f 1 3 2
f 4 5 6
f 1 2 5
f 1 5 4
f 2 3 6
f 2 6 5
f 3 1 4
f 3 4 6
MESH
cp plant/parts/wedge.obj plant/robot/meshes/wedge.obj
cat >plant/robot/arm.urdf <<'ROBOT'
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="package://robot/meshes/wedge.obj"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="10" velocity="10"/><dynamics friction="0.2" damping="0.1"/>
  </joint>
</robot>
ROBOT
cat >plant/plant.yaml <<'MODEL'
name: plant
gravity: [0, 0, -9.81]
method: {type: timestep, step: 2e-3}
duration: 0.4
bodies:
  arm: {type: robot, file: robot/arm.urdf}
  wedge: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0.2], shape: {type: mesh, file: parts/wedge.obj}}
  floor: {type: static, shape: {type: box, size: [4, 4, 0.2]}, position: [0, 0, -0.1]}
forces:
  - {name: touch, type: collide, among: all, friction: 0.4, restitution: 0}
record: [wedge.position, wedge.velocity, arm.shoulder.position]
MODEL
same plant/plant.yaml 2 1
same plant/plant.yaml 3 5
same plant/robot/arm.urdf 3 1 --set duration=0.2
find plant.yaml-2/resources -name wedge.obj | sort >found
[ "$(wc -l <found)" = 2 ] || complain "the FMU has not both meshes: $(cat found)"

# It runs where none of the files is that it was made of.
mv plant elsewhere
"$host" bits "$work/plant.yaml-2" plant.yaml-2.csv 1 || complain "the FMU of the plant needs its old folder"

# A file outside of the model's folder does not get in.
mkdir -p inside
cp elsewhere/parts/wedge.obj outside.obj
ln -s ../outside.obj inside/wedge.obj
sed 's|parts/wedge.obj|wedge.obj|; /robot/d; s/, arm.shoulder.position//' elsewhere/plant.yaml >inside/plant.yaml
expect 2 "leads out of the model's folder" export inside/plant.yaml -o x.fmu

# Robots as they are, where the data are
if [ -n "${HOLDFAST_DATA:-}" ]; then
    go1=$(find "$HOLDFAST_DATA" -name 'go1.xml' | head -1)
    [ -z "$go1" ] || same "$go1" 3 1 --start home --set duration=0.05
fi
exit "$bad"
