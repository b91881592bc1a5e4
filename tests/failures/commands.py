#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command with an allocation that fails: it ends with a message, or does what it does without.

    commands.py HOLDFAST PRELOAD SOURCES [TRIES]

TRIES (40) allocations of each command fail, one in each run: the first ones, then evenly spread. A
command must not crash and must say something when it fails. When it succeeds without a word of
memory, it must print and write what it does with all memory.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

holdfast, preload, sources = (os.path.abspath(path) for path in sys.argv[1:4])
tries = int(sys.argv[4]) if len(sys.argv) > 4 else 40

MACHINE = """name: everything
gravity: [0, 0, -9.81]
method: {type: discrete, step: 1e-3}
duration: 0.05
parameters: {level: {value: 2, unit: N, about: of the floor}, twice: 2*level}
defaults: {light: {mass: 0.5}}
bodies:
  block: {class: light, type: mass, dim: 1, velocity: 0.4}
  belt: {type: driven, dim: 1, velocity: pull}
  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1],
         repeat: {count: [2, 1, 1], spacing: [0.5, 0, 0]}}
  arm:
    type: tree
    joints:
      a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.3, 0, 0], inertia: [1, 1, 1],
          friction: {law: stiction, level: 0.3, stiffness: 100}}
      b: {type: revolute, parent: a, axis: [0, 1, 0], offset: [0.6, 0, 0], mass: 1, inertia: [1, 1, 1]}
signals:
  pull: "t < 0.02 ? sin(20*t) : 1 + exp(-t)"
  steps: {table: {points: [[0, 0], [1, 2], [3, 1]]}}
  drive: {input: 0}
forces:
  - {name: spring, on: block, to: belt, type: spring, stiffness: 90}
  - {name: floor, on: block, type: friction, law: coulomb, level: level}
  - {name: push, on: arm.a, type: torque, value: steps}
  - {name: hand, on: block, type: force, value: drive}
  - {name: table, on: ball-1, type: contact, friction: 0.5}
variants: {heavy: {bodies.block.mass: 5}}
record: [block.position, block.velocity, floor.force, arm.a.position, drive.value]
"""
FITTED = """name: axis
method: {type: discrete, step: 2e-3}
duration: 0.4
parameters: {level: 3}
bodies: {slide: {type: mass, dim: 1, mass: 2.5}}
signals: {drive: {input: 0}}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: level}
record: [drive.value, slide.position]
fit:
  logs: [log.csv]
  inputs: {drive: drive.value}
  match: {slide.position: slide.position}
  free: {level: {low: 0, high: 9}}
"""
MJCF = """<mujoco model="arm"><compiler angle="radian"/>
<default><joint damping="0.1" frictionloss="0.2"/></default>
<worldbody><geom type="plane" size="1 1 1"/><body name="upper" pos="0 0 2">
<joint name="hip" type="hinge" axis="0 1 0" range="-1 1" limited="true"/><geom type="capsule" size="0.05 0.2"/>
<body name="lower" pos="0 0 -0.5"><joint name="knee" type="hinge" axis="0 1 0"/>
<geom type="box" size="0.1 0.1 0.1"/></body></body></worldbody>
<actuator><position name="servo" joint="knee" kp="10"/></actuator>
<contact><exclude body1="upper" body2="lower"/></contact></mujoco>
"""
URDF = """<robot name="two"><link name="base"/><link name="tip"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><box size="1 1 1"/></geometry>
</collision></link><joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.3"/></joint></robot>
"""
SDF = """<sdf version="1.7"><model name="one"><link name="box"><inertial><mass>2</mass></inertial><collision name="c">
<geometry><box><size>1 1 1</size></box></geometry></collision></link><link name="other"/><joint name="hinge"
type="revolute"><parent>box</parent><child>other</child><axis><xyz>0 0 1</xyz><dynamics><friction>1</friction></dynamics>
</axis></joint></model></sdf>
"""

# Command, and files that it makes.
COMMANDS = [
    (["run", "all.yaml", "-q", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "-o", "out.h5"], []),
    (["run", "all.yaml", "-q", "--method", "switch", "--set", "level=1", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "--method", "timestep", "--variant", "heavy", "--final", "end.yaml"], []),
    (["run", "stack", "-q", "--duration", "0.01", "-o", "out.csv"], ["out.csv"]),
    (["run", "slider-crank", "-q", "--duration", "0.02", "-o", "out.csv"], ["out.csv"]),
    (["run", "axis.yaml", "-q", "--sensitivity", "level", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "--report", "out.html"], []),
    (["compare", "axis.yaml", "--laws", "coulomb,stiction", "--steps", "1e-3,2e-3", "--csv", "out.csv"], []),
    (["sweep", "axis.yaml", "-q", "--vary", "level=1..3:3", "--of", "last(slide.position)", "-o", "out.h5"], []),
    (["sweep", "axis.yaml", "-q", "--vary", "level=1,2", "--of", "last(slide.position)", "-o", "out.csv"], []),
    (["sweep", "axis.yaml", "-q", "--vary", "level=1,2", "--of", "last(slide.position)", "-o", "out.parquet"], []),
    (["fit", "axis.yaml", "--iterations", "3", "-o", "fitted.yaml"], []),
    (["fit", "axis.yaml", "--inverse"], []),
    (["excite", "axis.yaml", "--input", "drive=5", "--match", "slide.position:1e-4", "--free", "level", "--trials", "2",
      "--duration", "0.2", "--period", "0.2", "--rate", "100", "-o", "excite.csv"], []),
    (["law", "lugre"], []),
    (["check", "all.yaml"], []),
    (["tune", "all.yaml"], []),
    (["channels", "all.yaml"], []),
    (["channels", "all.yaml", "--json"], []),
    (["parameters", "all.yaml"], []),
    (["import", "arm.xml", "-o", "arm.yaml"], []),
    (["import", "two.urdf", "-o", "two.yaml"], []),
    (["import", "one.sdf", "-o", "one.yaml"], []),
    (["run", "arm.xml", "-q", "--duration", "0.01", "-o", "out.csv"], ["out.csv"]),
    (["report", "log.csv", "-o", "out.html"], []),
    (["plot", "log.csv", "slide.position", "-o", "out.svg"], []),
    (["schema"], []),
    (["schema", "run"], []),
    (["examples"], []),
    (["help", "lugre"], []),
    (["help", "timestep"], []),
    (["check", "wrong.yaml"], []),
    (["run", "all.yaml", "--sett", "x=1"], []),
]

folder = tempfile.mkdtemp()
os.chdir(folder)
for name, text in (("all.yaml", MACHINE), ("axis.yaml", FITTED), ("arm.xml", MJCF), ("two.urdf", URDF), ("one.sdf", SDF),
                   ("wrong.yaml", MACHINE.replace("stiffness: 90", "stifness: 90"))):
    with open(name, "w") as file:
        file.write(text)
plain = dict(os.environ, NO_COLOR="1")
subprocess.run([holdfast, "run", "axis.yaml", "-q", "--set", "signals.drive=9*sin(9*t)", "--set", "level=4", "-o", "log.csv"],
               check=True, env=plain)


def clean(text):
    """Without what differs from run to run."""
    return re.sub(r"[0-9.e+-]+ (s|ms|us)\b.*|wall time.*|\d{4}-\d\d-\d\d.*", "", text)


def run(command, number):
    """(exit code, stdout, stderr, own allocations)"""
    if os.path.exists("count"):
        os.remove("count")
    environment = dict(plain, LD_PRELOAD=preload, HF_FAIL_AT=str(number), HF_FAIL_COUNT="count")
    done = subprocess.run([holdfast] + command, env=environment, capture_output=True, text=True, errors="replace",
                          timeout=120, stdin=subprocess.DEVNULL)
    count = int(open("count").read() or 0) if os.path.exists("count") else 0
    return done.returncode, done.stdout, done.stderr, count


faults, runs = 0, 0
for command, files in COMMANDS:
    code, stdout, stderr, count = run(command, 10 ** 15)
    healthy = {name: open(name).read() for name in files if os.path.exists(name)}
    if code < 0 or count == 0:
        print("%s: code %d, %d allocations\n%s" % (" ".join(command), code, count, stderr))
        faults += 1
        continue
    step = max(1, count // tries)
    for number in sorted(set(list(range(1, min(count, tries // 4) + 1)) + list(range(1, count + 1, step)))):
        for name in files:
            if os.path.exists(name):
                os.remove(name)
        now, out, err, _ = run(command, number)
        runs += 1
        wrong = None
        if now < 0 or now > 3:
            wrong = "ended by signal or code %d" % now
        elif now not in (0, code) and not err.strip():
            wrong = "code %d without a word" % now
        elif now == code and now == 0 and "memory" not in out + err:
            if clean(out) != clean(stdout):
                wrong = "succeeds, but prints something else"
            for name in files:
                if healthy.get(name) != (open(name).read() if os.path.exists(name) else None):
                    wrong = "succeeds, but writes something else to " + name
        if wrong:
            print("%s, allocation %d of %d: %s\n%s" % (" ".join(command), number, count, wrong, err[-600:]))
            faults += 1
shutil.rmtree(folder)
print("%d runs with a failing allocation, %d faults" % (runs, faults))
sys.exit(1 if faults else 0)
