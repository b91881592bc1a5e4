#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command with a call that fails, of memory or of files: it ends with a message, or does what it does without.

    commands.py HOLDFAST PRELOAD SOURCES [memory|files [PATTERN]]

Each command runs once; at every place that asks for memory (opens, writes or closes a file) and has not failed yet, by the
chain of its callers, a child goes on with the failure (fail_allocation.c). It must not crash or hang and must say something
when it fails. What succeeds without a word of it is run again from the beginning with that failure: it must print and write
what it does without. PATTERN: commands that match it only. Runs are not compared with another step beside them (--no-verify):
no child is made while there is a second thread. One whose inputs come from a program is compared after it, in one thread.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

holdfast, preload, sources = (os.path.abspath(path) for path in sys.argv[1:4])
kind = sys.argv[4] if len(sys.argv) > 4 else "memory"
pattern = sys.argv[5] if len(sys.argv) > 5 else ""

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
  segments: [0.2]
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

# Command, and files that it makes. Without threads, where it can: a place is tried by one that has none.
COMMANDS = [
    (["run", "all.yaml", "-q", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "-o", "out.h5"], []),
    (["run", "all.yaml", "-q", "--method", "switch", "--set", "level=1", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "--method", "timestep", "--variant", "heavy", "--save", "end.state"], []),
    (["run", "stack", "-q", "--duration", "0.01", "-o", "out.csv"], ["out.csv"]),
    (["run", "slider-crank", "-q", "--duration", "0.02", "-o", "out.csv"], ["out.csv"]),
    (["run", "axis.yaml", "-q", "--sensitivity", "level", "-o", "out.csv"], ["out.csv"]),
    (["run", "all.yaml", "-q", "--no-verify", "--report", "out.html"], []),
    (["compare", "axis.yaml", "--laws", "coulomb,stiction", "--steps", "1e-3,2e-3", "--jobs", "1", "--csv", "out.csv"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=1:3:3", "--of", "final(slide.position)", "-o", "out.h5"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=1,2", "--of", "final(slide.position)", "-o", "out.csv"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=1,2", "--of", "final(slide.position)", "-o", "out.parquet"], []),
    (["fit", "axis.yaml", "--jobs", "1", "--iterations", "3", "-o", "fitted.yaml"], []),
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
    (["export", "all.yaml", "-o", "out.fmu", "--locals", "block.acceleration"], ["out.fmu"]),
    (["export", "arm.xml", "-o", "out.fmu", "--fmi", "3", "--locals", "energy.*"], ["out.fmu"]),
    (["report", "log.csv", "-o", "out.html"], []),
    (["plot", "log.csv", "slide.position", "-o", "out.svg"], []),
    (["schema"], []),
    (["schema", "run"], []),
    (["examples"], []),
    (["help", "lugre"], []),
    (["help", "timestep"], []),
    (["check", "wrong.yaml"], []),
    (["run", "all.yaml", "--sett", "x=1"], []),
    (["run", "arm.xml", "-q", "--duration", "0.01", "--base", "free", "--collide", "parts", "--json", "--no-verify"], []),
    (["run", "axis.yaml", "--verify", "--input", "-"], []),
    (["run", "all.yaml", "--json", "--no-verify", "--save", "end.state"], []),
    (["run", "all.yaml", "-q", "--from", "end.state", "--duration", "0.06", "-o", "out.csv"], ["out.csv"]),
    (["run", "axis.yaml", "-q", "--input", "drive.csv", "-o", "out.csv"], ["out.csv"]),
    (["run", "stack", "-q", "--duration", "0.01", "--dump", "problems", "--dump-every", "5"], []),
    (["report", "log.h5", "stack.h5", "-o", "out.html"], []),
    (["plot", "log.h5", "slide.position", "-o", "out.svg"], []),
    (["fit", "axis.yaml", "--jobs", "1", "--iterations", "1", "--log", "log.h5"], []),
    (["fc3d", "problem.h5", "--json"], []),
    (["fc3d", "problem.h5", "--guess", "--csv", "out.csv", "--solution", "solved.h5"], []),
    (["compare", "axis.yaml", "--methods", "discrete,switch,timestep", "--jobs", "1", "-o", "out.svg", "--report", "out.html"], []),
    (["compare", "axis.yaml", "--laws", "coulomb,lugre", "--jobs", "1", "--json"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=normal:3:1", "--samples", "4", "--indices", "sobol",
      "--of", "max(slide.position)", "--regimes", "--energy", "-o", "sweep.csv"], []),
    (["sweep", "all.yaml", "-q", "--jobs", "1", "--vary", "level=1:3:3", "--variants", "heavy", "--of", "final(block.position)",
      "--recordings", "cases", "-o", "sweep.h5"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--cases", "cases.csv", "--of", "final(slide.position)", "-o", "cases.h5"], []),
    (["sweep", "sweep.h5", "--csv", "out.csv", "--parquet", "out.parquet"], []),
    (["sweep", "sweep.h5", "--rerun", "1", "-o", "out.csv"], []),
    (["report", "sweep.h5", "-o", "out.html"], []),
    (["plot", "sweep.h5", "--x", "level", "--y", "final(block.position)", "-o", "out.svg"], []),
    (["fit", "axis.yaml", "--iterations", "2", "--jobs", "1", "--laws", "coulomb,stiction"], []),
    (["fit", "axis.yaml", "--iterations", "2", "--jobs", "1", "--profile", "--json"], []),
    (["fit", "axis.yaml", "--iterations", "2", "--jobs", "1", "--starts", "2", "--evolve", "20", "--report", "out.html",
      "--offset", "slide.position", "--scale", "slide.position", "--per-log", "--prior", "level=3:1"], []),
    (["law", "stiction", "-o", "out.svg", "--csv", "out.csv"], []),
    (["parameters", "all.yaml", "--json"], []),
    (["import", "arm.xml", "--json"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=uniform:1:3", "--samples", "3", "--indices", "morris",
      "--of", "max(slide.position)", "-o", "morris.h5"], []),
    (["sweep", "morris.h5", "--csv", "out.csv"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=1,2,3", "--shard", "1/2", "-o", "shards.h5"], []),
    (["sweep", "axis.yaml", "-q", "--jobs", "1", "--vary", "level=1,2,3", "--resume", "-o", "shards.h5"], []),
    (["sweep", "all.yaml", "-q", "--jobs", "1", "--vary", "variant=base,heavy", "--methods", "discrete,timestep", "--of",
      "stick(floor)", "-o", "cases.csv.h5"], []),
    (["report", "sweep.h5", "--runs", "runs", "-o", "out.html"], []),
    (["run", "axis.yaml", "-q", "--sensitivity", "level", "--method", "switch", "--set", "signals.drive=9*sin(9*t)", "-o", "out.h5"], []),
    (["excite", "axis.yaml", "--input", "drive=-5..6", "--match", "slide.position:1e-4", "--free", "level,bodies.slide.mass", "--limit",
      "slide.velocity=0.5", "--trials", "2", "--duration", "0.2", "--period", "0.2", "--rate", "100", "--criterion", "A", "--json"], []),
    (["compare", "axis.yaml", "--steps", "1e-3,2e-3", "--force", "guide", "--laws", "coulomb,lugre:stiffness=1e4", "--jobs", "1",
      "--separate", "-o", "out.svg"], []),
    (["check", "wide.yaml"], []),
    (["run", "wide.yaml", "-q", "--no-verify", "-o", "wide.h5"], []),
    (["law", "--list"], []),
    (["channels", "all.yaml", "*.force*"], []),
    (["run", "all.yaml", "--no-verify", "-o", "-"], []),
]
# Every example, every robot and every way to say something in a model; models that are wrong.
EXAMPLES = sorted(name[:-5] for name in os.listdir(sources + "/examples") if name.endswith(".yaml"))
COMMANDS += [(["run", name, "-q", "--step", "1e-4", "--duration", "1e-3", "-o", "out.csv"], ["out.csv"]) for name in EXAMPLES]
LARGE = ("bowed-string", "conveyor-line", "dominoes", "pile", "wall")
COMMANDS += [(["run", name, "-q", "--step", "1e-4", "--duration", "1e-3", "--method", method], [])
             for name in EXAMPLES for method in ("adaptive", "switch", "timestep") if name not in LARGE]
COMMANDS += [(["run", name, "-q", "--duration", "1e-3", "--method", "nlp"], []) for name in ("box-on-slope", "planar-friction")]
COMMANDS += [(["run", sources + "/tests/models/" + name, "--json", "--no-verify"], []) for name in ("everything.yaml", "more.yaml")]
COMMANDS += [(["run", sources + "/tests/models/" + name, "-q", "--no-verify", "-o", "out.h5"], [])
             for name in ("everything.yaml", "more.yaml")]
ROBOTS = sources + "/tests/fuzz/corpus/robot/"
COMMANDS += [(["import", ROBOTS + name, "-o", "robot.yaml"], []) for name in sorted(os.listdir(ROBOTS))]
BAD = sources + "/tests/models/bad/"
COMMANDS += [(["check", BAD + name], []) for name in sorted(os.listdir(BAD)) if name.endswith(".yaml")]

folder = tempfile.mkdtemp()
os.chdir(folder)
for name, text in (("all.yaml", MACHINE), ("axis.yaml", FITTED), ("arm.xml", MJCF), ("two.urdf", URDF), ("one.sdf", SDF),
                   ("wrong.yaml", MACHINE.replace("stiffness: 90", "stifness: 90"))):
    with open(name, "w") as file:
        file.write(text)
for name in ("failures/wide.yaml", "robots/tetra.obj", "models/robot.urdf"):
    shutil.copy(sources + "/tests/" + name, name.split("/")[1])
with open("table.csv", "w") as file:
    file.write("time,value\n0,0\n1,2\n")
with open("cases.csv", "w") as file:
    file.write("level\n1\n2.5\n")
with open("drive.csv", "w") as file:
    file.write("time,drive\n0,0\n0.1,9\n0.4,-9\n")
plain = dict(os.environ, NO_COLOR="1")
for name in ("log.csv", "log.h5"):
    subprocess.run([holdfast, "run", "axis.yaml", "-q", "--set", "signals.drive=9*sin(9*t)", "--set", "level=4", "-o", name],
                   check=True, env=plain)
subprocess.run([holdfast, "run", "stack", "-q", "--duration", "0.01", "-o", "stack.h5", "--dump", "problems"], check=True, env=plain)
shutil.copy(sorted(glob.glob("problems/*"))[-1], "problem.h5")


def clean(text):
    """Without what differs from run to run."""
    changing = r"[0-9.e+-]+ (s|ms|us)\b.*|wall time.*|\d{4}-\d\d-\d\d.*|[0-9.e+-]+ (?=[a-z ]+$)|(wall|cpu|setup|solve)_seconds.*|^\S+.hdf5 .*|^problem.h5 .*|real_time_factor.*"
    return " ".join(re.sub(changing, "", text, flags=re.M).split())


def run(command, **more):
    """(exit code, stdout, stderr, own calls)"""
    if os.path.exists("count"):
        os.remove("count")
    environment = dict(plain, LD_PRELOAD=preload, HF_FAIL_KIND=kind, HF_FAIL_COUNT="count", **more)
    done = subprocess.run([holdfast] + command, env=environment, capture_output=True, text=True, errors="replace",
                          timeout=600, stdin=subprocess.DEVNULL)
    count = int(open("count").read() or 0) if os.path.exists("count") else 0
    return done.returncode, done.stdout, done.stderr, count


def contents(files):
    return {name: open(name, errors="replace").read() for name in files if os.path.exists(name)}


def differs(command, files, healthy, number):
    """What is wrong with a run in which one call fails, and which is said to succeed without a word."""
    for name in files:
        if os.path.exists(name):
            os.remove(name)
    code, out, err, _ = run(command, HF_FAIL_AT=str(number))
    if (code, TOLD.search(out + err)) != (healthy[0], None):
        return None
    if clean(out) != clean(healthy[1]):
        return "succeeds, but prints something else"
    now = contents(files)
    return next(("succeeds, but writes something else to " + name for name in files if now.get(name) != healthy[2].get(name)), None)


def places(chain):
    """Where the callers of a log's line are in the sources."""
    lines = []
    for module, offset in (frame.split("+") for frame in chain):
        path = next((os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(holdfast))
                     for name in names if name == module and "CMakeFiles" not in folder), holdfast)
        path = holdfast if module == os.path.basename(holdfast) else path
        found = subprocess.run(["addr2line", "-fse", path, hex(int(offset, 16) - 1)], capture_output=True, text=True).stdout
        lines.append("    " + " ".join(found.split()))
    return "\n".join(lines)


# Commands that are refused anyhow
REFUSED = re.compile("wrong.yaml|--sett|--method|/bad/|doctype|nameless")
# What a message of the failure says
TOLD = re.compile("memory" if kind == "memory" else "cannot|could not|error", re.I)
faults, tried, again = 0, 0, 0
for command, files in COMMANDS:
    if not re.search(pattern, " ".join(command)):
        continue
    code, stdout, stderr, count = run(command, HF_FAIL_AT=str(10 ** 15))
    healthy = (code, stdout, contents(files))
    if code < 0 or (code in (1, 2) and not REFUSED.search(" ".join(command))) or (count == 0 and kind == "memory"):
        print("%s: code %d, %d calls\n%s" % (" ".join(command), code, count, stderr))
        faults += 1
        continue
    shutil.rmtree("split", ignore_errors=True)
    os.mkdir("split")
    ended = run(command, HF_FAIL_SEEN="seen", HF_FAIL_DIR="split")[0]
    lines = open("split/log").read().split("\n")[:-1] if os.path.exists("split/log") else []
    for line in lines:
        number, now, *chain = line.split()
        now, err = int(now), open("split/%s.err" % number, errors="replace").read()
        told = TOLD.search(err + open("split/%s.out" % number, errors="replace").read())
        tried, wrong = tried + 1, None
        if now < 0 or now > 3:
            wrong = "ended by signal or code %d" % now
        elif now not in (0, code) and not err.strip():
            wrong = "code %d without a word" % now
        elif now == code == 0 and not told:
            again += 1
            wrong = differs(command, files, healthy, number)
        if wrong:
            print("%s, call %s of %d: %s\n%s%s" % (" ".join(command), number, count, wrong, err[-600:], places(chain)), flush=True)
            faults += 1
    if ended < 0:
        print("%s: ended by signal %d after a split" % (" ".join(command), -ended))
        faults += 1
os.chdir("/")
shutil.rmtree(folder)
print("%d places that failed, %d of them run again, %d faults" % (tried, again, faults))
sys.exit(1 if faults or tried == 0 else 0)
