#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Robots by their users: options of run and import, several formats in one world, patterns.
#   robots.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

cat >arm.urdf <<'URDF'
<robot name="arm"><link name="world"/><link name="a"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3" velocity="2"/><unheard of="1"/></joint></robot>
URDF
cat >hopper.xml <<'MJCF'
<mujoco model="hopper"><worldbody><body name="trunk" pos="0 0 0.5"><freejoint/><geom size="0.1" mass="1"/>
<body name="leg" pos="0 0 -0.15"><joint name="knee" axis="0 1 0"/><geom type="capsule" size="0.02 0.1" mass="0.2"/></body></body></worldbody></mujoco>
MJCF

# xacro is a file by its ending, and refused with the command to run.
printf '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x"><xacro:property name="a" value="1"/></robot>\n' >x.urdf.xacro
expect 2 "run 'xacro x.urdf.xacro > robot.urdf'" run x.urdf.xacro
# A model that is not there, words that are none, and what --strict refuses is told, however quiet.
expect 2 "there is no model 'leg': the file has one, 'hopper'" run hopper.xml --model leg -q
printf '<sdf version="1.9"><world name="w"><model name="a"><link name="l"/></model><model name="b"><link name="l"/></model></world></sdf>\n' >two.sdf
expect 2 "there is no model 'c': the file has 'a', 'b'" run two.sdf --model c -q
printf '<mujoco><worldbody/><keyframe><key name="home"/><key/><key name="low"/></keyframe></mujoco>\n' >keys.xml
expect 2 "there is no key frame 'hom': the file has 'home', 'low'" run keys.xml --start hom -q
expect 2 "there is no key frame 'home': the file has none" run hopper.xml --start home -q
expect 0 '' run hopper.xml --model hopper -q -o h.csv --duration 0.01
expect 2 'nowhere.urdf: No such file' run nowhere.urdf --base fixed
expect 2 'must be hull, boxes, none or parts' import hopper.xml --collide all
expect 3 'arm.urdf: not run: some of it is not represented' run arm.urdf --strict -q
# A bowl by its hull carries the ball on top; by its parts it holds it.
python3 - <<'PYTHON' || complain 'python3 made no bowl'
plates = [((0, 0, 0.005), (0.2, 0.2, 0.01)), ((0.095, 0, 0.06), (0.01, 0.2, 0.1)), ((-0.095, 0, 0.06), (0.01, 0.2, 0.1)),
          ((0, 0.095, 0.06), (0.18, 0.01, 0.1)), ((0, -0.095, 0.06), (0.18, 0.01, 0.1))]
faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
with open("bowl.obj", "w") as out:
    for c, s in plates:
        for k in range(8):
            out.write("v %g %g %g\n" % tuple(c[i] + s[i] * ((k >> (2 - i) & 1) - 0.5) for i in range(3)))
    for n in range(len(plates)):
        for f in faces:
            out.write("f %d %d %d\nf %d %d %d\n" % tuple(8 * n + 1 + k for k in (f[0], f[1], f[2], f[0], f[2], f[3])))
PYTHON
cat >bowl.xml <<'MJCF'
<mujoco model="kitchen"><asset><mesh name="bowl" file="bowl.obj"/></asset><worldbody><geom type="plane" size="1 1 1"/>
<body name="bowl" pos="0 0 0.001"><freejoint/><geom type="mesh" mesh="bowl" mass="1"/></body>
<body name="ball" pos="0.02 0.03 0.2"><freejoint/><geom size="0.02" mass="0.05"/></body></worldbody></mujoco>
MJCF
expect 0 'kitchen.ball.position.z +0.13(0000[0-9]*)? m' run bowl.xml --duration 0.6 -o hull.csv
expect 0 'kitchen.ball.position.z +0.03(0000[0-9]*)? m' run bowl.xml --duration 0.6 -o parts.csv --collide parts
# Two formats in one world: the file says how their coefficients combine. Patterns pass over bases.
cat >two.yaml <<'YAML'
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 0.05
bodies:
  floor: {type: static, shape: {type: plane}}
  one: {type: robot, file: hopper.xml, position: [0, 0, 0.5]}
  two: {type: robot, file: arm.urdf, position: [1, 0, 1]}
joints:
  "*": {friction: {law: coulomb, level: 0.3}}
YAML
expect 2 'write friction_rule into the file to choose one for all' run two.yaml -q
sed -i '1i friction_rule: minimum' two.yaml
expect 0 'one.knee.friction' run two.yaml -o two.csv
expect 2 'only revolute and prismatic joints have a friction' run two.yaml -q --set 'joints={"one.trunk": {friction: {law: coulomb, level: 1}}}'
exit "$bad"
