#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Places of forces in model files, and actuators of MJCF files, that are wrong in one place.

    reading.py HOLDFAST

Each row is a force or an actuator and what is said of it; '@' is where the message must point. A row without a message is
read, and the machine that it makes passes `check`.
"""
import os
import subprocess
import sys
import tempfile

holdfast = os.path.abspath(sys.argv[1])
MODEL = """bodies:
  block: {type: mass, dim: 1, mass: 1}
  puck: {type: mass, dim: 2, axes: xz, mass: 1}
  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}}
  arm:
    type: tree
    joints:
      shoulder: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.1, 0, 0]}
      wrist: {type: spherical, parent: shoulder, offset: [0.3, 0, 0], mass: 1, inertia: [1, 1, 1]}
  skate: {type: tree, joints: {foot: {type: planar, mass: 1, inertia: [1, 1, 1]}}}
  kite: {type: tree, joints: {sail: {type: free, mass: 1, inertia: [1, 1, 1]}}}
forces:
  - %s
"""
ROBOT = '''<mujoco><option timestep="0.001"/><worldbody><body name="a"><joint name="j" type="hinge" axis="0 1 0"/><geom type="box" size=".1 .1 .1"/><site name="s"/><body name="b" pos=".3 0 0"><joint name="k" type="hinge" axis="0 1 0"/><geom type="box" size=".1 .1 .1"/></body></body></worldbody>
<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="k" coef="-1"/></fixed></tendon>
<actuator>%s</actuator></mujoco>'''
FORCES = [
    ('{name: f, type: spring, stiffness: 9, path: @3}',
     'path must be a list of 2 to 40 parts'),
    ('{name: f, type: spring, stiffness: 9, path: @[{on: world}]}',
     'path must be a list of 2 to 40 parts'),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {on: @nobody}]}',
     "on: unknown body 'nobody'"),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {on: ball, @bogus: 1}]}',
     "unknown key 'bogus' in path[1]"),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {pulley: 2, @on: ball}, {on: ball}]}',
     "unknown key 'on' in path[1]"),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {pulley: @two}, {on: ball}]}',
     "pulley must be a number, got 'two'"),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {on: ball, sphere: 0.1, side: {@at: 3}}, {on: block}]}',
     "unknown key 'at' in side"),
    ('{name: f, type: spring, stiffness: 9, path: [{on: world}, {on: ball, sphere: 0.1, side: {on: @nobody}}, {on: ball}]}',
     "on: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, wrench: {on: ball, force: [0, 0, 1]}, @on: ball}',
     "a force with 'wrench' has no 'on': the wrench names all that it acts on"),
    ('{name: f, type: force, value: 1, wrench: {on: ball, @push: [0, 0, 1]}}',
     "unknown key 'push' in wrench"),
    ('{name: f, type: force, value: 1, wrench: {on: @nobody, force: [0, 0, 1]}}',
     "on: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, wrench: {on: ball, force: @[0, 0]}}',
     'force must have 3 numbers, has 2'),
    ('{name: f, type: force, value: 1, wrench: {on: ball, force: [0, 0, 1], torque: [0, 0, @up]}}',
     "torque[2] must be a number, got 'up'"),
    ('{name: f, type: force, value: 1, wrench: @{on: ball}}',
     'a wrench needs a force or a torque other than zero'),
    ('{name: f, type: force, value: 1, wrench: {on: ball, to: @nobody, force: [0, 0, 1]}}',
     "to: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, crank: {on: ball, axis: [0, 0, 1], length: 1}, @to: world}',
     "a force with 'crank' has no 'to': the crank names all that it acts on"),
    ('{name: f, type: force, value: 1, crank: {on: ball, axis: [0, 0, 1], @size: 1}}',
     "unknown key 'size' in crank"),
    ('{name: f, type: force, value: 1, crank: {on: @nobody, axis: [0, 0, 1], length: 1}}',
     "on: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, crank: {on: ball, to: @nobody, axis: [0, 0, 1], length: 1}}',
     "to: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, crank: {on: ball, axis: @[0, 1], length: 1}}',
     'axis must have 3 numbers, has 2'),
    ('{name: f, type: force, value: 1, crank: {on: ball, axis: [0, 0, 1], length: @0}}',
     'length must be positive, got 0'),
    ('{name: f, type: stop, high: 1, angle: {on: ball}, @on: ball}',
     "a force with 'angle' has no 'on': the angle names all that it acts on"),
    ('{name: f, type: stop, high: 1, angle: {on: ball, @axis: 2}}',
     "unknown key 'axis' in angle"),
    ('{name: f, type: stop, high: 1, angle: {on: @nobody}}',
     "on: unknown body 'nobody'"),
    ('{name: f, type: force, value: 1, adhesion: {on: ball}, @on: ball}',
     "a force with 'adhesion' has no 'on': the adhesion names all that it acts on"),
    ('{name: f, type: force, value: 1, adhesion: {on: ball, @far: 1}}',
     "unknown key 'far' in adhesion"),
    ('{name: f, type: force, value: 1, adhesion: {on: ball, reach: @-1}}',
     'reach must be zero or positive, got -1'),
    ('{name: f, type: spring, stiffness: 9, on: skate.foot.x}',
     ''),
    ('{name: f, type: spring, stiffness: 9, on: @skate.foot.w}',
     "'skate.foot' has no coordinate 'w'; it has x, y, angle"),
    ('{name: f, type: spring, stiffness: 9, on: @skate.foot}',
     'a planar joint has three coordinates: name one, skate.foot.x, .y or .angle, or .xy, or give a point of its link'),
    ('{name: f, type: spring, stiffness: 9, on: kite.sail.x}',
     ''),
    ('{name: f, type: spring, stiffness: 9, on: @kite.sail.q}',
     "'kite.sail' has no coordinate 'q'; it has x, y, z"),
    ('{name: f, type: spring, stiffness: 9, on: kite.sail}',
     ''),
    ('{name: f, type: spring, stiffness: 9, on: @arm.wrist.x}',
     "'arm.wrist' has no coordinate 'x'; write its name without one"),
    ('{name: f, type: spring, stiffness: 9, on: @block.y}',
     "'block' has no coordinate 'y'; it has x"),
    ('{name: f, type: spring, stiffness: 9, on: @puck.y}',
     "'puck' has no coordinate 'y'; it has x, z"),
    ('{name: f, type: spring, stiffness: 9, on: puck.x, to: @puck.x}',
     'to must be another place than on'),
    ('{name: f, type: spring, stiffness: 9, on: block, to: @block}',
     'to must be another place than on'),
    ('{name: f, type: spring, stiffness: 9, on: block, to: @puck}',
     'to has 2 coordinates, but on has 1'),
    ('{name: f, type: spring, stiffness: 9, on: @world}',
     'on must be a body; the world can only be in to'),
    ('{name: f, type: spring, stiffness: 9, on: block, to: @nobody}',
     "to: unknown name 'nobody'"),
    ('{name: f, type: spring, stiffness: 9, on: block, to: 2*@nobody}',
     "to: unknown name 'nobody'; an expression knows t, pi, e and functions"),
    ("{name: f, type: spring, stiffness: 9, on: block, to: '1 +@'}",
     'to: the expression ends where a value is expected'),
    ('{name: f, type: spring, stiffness: 9, on: @ball.x}',
     "'ball' has no coordinate 'x'; write its name without one"),
    ('{name: f, type: spring, stiffness: 9, on: @arm}',
     "on: 'arm' is a tree; name one of its joints: arm.JOINT"),
    ("{name: f, type: law, on: block, force: '3*gap + @k'}",
     "force: unknown name 'k'; an expression knows gap, other values, pi, e and functions"),
    ("{name: f, type: law, on: block, force: '-3*gap', @constants: {k: many}}",
     "unknown key 'constants' in forces[0]"),
    ('{name: f, type: law, on: block, force: @[1, 2]}',
     'expected 1 expressions, one an axis, got 2'),
    ("{name: f, type: law, on: block, force: '3*gap', states: {z: {rate: '@q', start: 1}}}",
     "rate: unknown name 'q'; an expression knows gap, other values, pi, e and functions"),
    ("{name: f, type: law, on: ball, force: '3*gap'}",
     ''),
]
ACTUATORS = [
    ('<motor joint="j" gear="0"/>',
     ''),
    ('<motor @joint="nobody"/>',
     "there is no joint 'nobody'"),
    ('<motor joint="j" @site="s"/>',
     'an actuator acts on one thing: joint and site are given'),
    ('@<motor/>',
     'motor: it names nothing that it would push'),
    ('<position joint="j" kp="10" dampratio="1"/>',
     ''),
    ('<position tendon="t" kp="10" dampratio="1"/>',
     ''),
    ('<position joint="j" kp="10" kv="1" dampratio="1"/>',
     ''),
    ('<position joint="j" kp="10" timeconst="0.1"/>',
     ''),
    ('@<position joint="j" kp="10" timeconst="-1"/>',
     'timeconst, dampratio and inheritrange must not be negative'),
    ('<position joint="j" kp="10" inheritrange="1"/>',
     ''),
    ('<position tendon="t" kp="10" inheritrange="1"/>',
     ''),
    ('<position joint="j" @kp="x"/>',
     "kp must be 1 number, got 'x'"),
    ('<velocity joint="j" kv="1"/>',
     ''),
    ('<intvelocity joint="j" kp="10" actrange="-1 1"/>',
     ''),
    ('<intvelocity joint="j" kp="10"/>',
     ''),
    ('<intvelocity joint="j" kp="10" @actrange="1 -1"/>',
     'actrange must rise'),
    ('<intvelocity joint="j" kp="10" actrange="-1 1" @actlimited="maybe"/>',
     "actlimited must be one of false, true, auto, got 'maybe'"),
    ('<damper joint="j" kv="1" ctrlrange="0 1"/>',
     ''),
    ('<cylinder joint="j" area="0.1" timeconst="0.1"/>',
     ''),
    ('<cylinder joint="j" diameter="0.1" timeconst="0.1"/>',
     ''),
    ('<cylinder joint="j" diameter="0.1" bias="1 2 3"/>',
     ''),
    ('@<muscle joint="j"/>',
     'muscle: a muscle would pull'),
    ('<general joint="j" gaintype="affine" gainprm="1 2 3"/>',
     ''),
    ('@<general joint="j" gaintype="muscle"/>',
     'general: an actuator with this gain or bias would push'),
    ('@<general joint="j" dyntype="user"/>',
     'general: an actuator with a state of its own would push'),
    ('<general joint="j" dyntype="filter" dynprm="0.1" gainprm="5"/>',
     ''),
    ('<general joint="j" biastype="affine" biasprm="0 -5 -1" gainprm="5"/>',
     ''),
    ('<general joint="j" biastype="affine" biasprm="0 -5 0.2" gainprm="5"/>',
     ''),
    ('<motor joint="j" @forcerange="1 -1" forcelimited="true"/>',
     'forcerange must rise, got 1 to -1'),
    ('<motor joint="j" forcerange="-1 1" forcelimited="auto"/>',
     ''),
    ('<motor joint="j" @armature="-1"/>',
     'armature and damping of an actuator must not be negative'),
    ('<motor joint="j" armature="0.1"/>',
     ''),
    ('<motor joint="j" damping="0.1"/>',
     ''),
    ('<motor site="s" gear="0 0 1 0 0 0" @armature="0.1"/>',
     'motor armature = 0.1: inertia along what it drives'),
    ('<motor joint="j"/><motor joint="j" gear="2"/>',
     ''),
    ('@<rocket joint="j"/>',
     'rocket: this element is not known to Holdfast'),
    ('@<adhesion body="a" ctrlrange="0 1" gain="-1"/>',
     'adhesion: an actuator with this gain or bias would draw its body to others'),
    ('<adhesion @body="nobody" ctrlrange="0 1"/>',
     "there is no body 'nobody'"),
    ('<dcmotor joint="j" motorconst="0.1" resistance="2"/>',
     ''),
    ('<dcmotor joint="j" nominal="12 1 100"/>',
     ''),
    ('@<dcmotor joint="j" motorconst="0.1"/>',
     'dcmotor needs a positive motorconst and resistance, or nominal: "voltage stall_torque no_load_speed"'),
    ('<dcmotor joint="j" motorconst="0.1" resistance="2" saturation="1 2 3"/>',
     ''),
    ('<dcmotor joint="j" motorconst="0.1" resistance="2" inductance="0.01"/>',
     ''),
    ('<dcmotor joint="j" motorconst="0.1" resistance="2" thermal="1 2 0"/>',
     ''),
    ('<dcmotor joint="j" motorconst="0.1" resistance="2" @lugre="100 1 0 0.1 0.2 0.01"/>',
     "lugre must be 1 to 5 numbers, got '100 1 0 0.1 0.2 0.01'"),
]


def run(*words):
    done = subprocess.run([holdfast, *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def judge(row, text, code, said, expected):
    """Whether a message is there, at the mark; or none, where none is expected."""
    global faults
    head = text.split("@")[0] if "@" in row else text
    place = ":%d:%d: " % (head.count("\n") + 1, len(head) - head.rfind("\n"))
    if expected == "":
        right = code == 0 and "not represented:" not in said and run("check", "m.yaml")[0] == 0
    else:
        right = any(place in line and expected in line for line in said.splitlines())
    if not right:
        faults += 1
        print("%s\n    expected '%s' at %s\n    got code %d: %s" % (row, expected, place, code, said.strip()[:300]))


faults = 0
with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for row, expected in FORCES:
        text = MODEL % row
        with open("m.yaml", "w") as file:
            file.write(text.replace("@", ""))
        judge(row, text, *run("check", "m.yaml"), expected)
    for row, expected in ACTUATORS:
        text = ROBOT % row
        with open("m.xml", "w") as file:
            file.write(text.replace("@", ""))
        judge(row, text, *run("import", "m.xml", "-o", "m.yaml"), expected)
    os.chdir("/")
print("%d forces and %d actuators, %d faults" % (len(FORCES), len(ACTUATORS), faults))
sys.exit(1 if faults else 0)
