#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All that commands print and write, compared with what they are known to, to the letter. Where functions of the C library (sin, pow, ...) give other
bits than they did when the files were written, words are compared to the letter, numbers to five digits, of searches to three.

    outputs.py HOLDFAST FOLDER [GROUP] [write]

FOLDER has a file for each line of LINES: what the command printed, its code, and the text files that it wrote; and one for each line of EACH, which
is a command for every example, law, topic, robot or option of a command: its code and what it printed, of longer texts their words as eight letters, sums of their
numbers and a checksum. After a change that is meant,
'write' makes them anew; read the differences before they are committed. Times of the processor are left out.
A group is the lines that one word of GROUPS begins, and those that need their files; without one all lines run.
"""
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

holdfast, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
AXIS = """name: axis
method: {type: discrete, step: 2e-3}
duration: 0.2
parameters: {level: 3, reach: {value: 0.5, unit: m, about: how far it goes}}
bodies: {slide: {type: mass, dim: 1, mass: 2.5}}
signals: {drive: {input: 0}}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: level}
record: [drive.value, slide.position, slide.velocity, guide.force, guide.mode]
variants: {heavy: {bodies.slide.mass: 5}, rough: {parameters.level: 6}}
"""
SECTION = """fit:
  logs: [log.csv]
  validate: [other.csv]
  inputs: {drive: drive.value}
  match: {slide.position: {column: slide.position, deviation: 1e-4, scale: free}}
  free: {level: {low: 0, high: 9}, bodies.slide.mass: {prior: [2.5, 1]}}
  segments: [0.1]
  iterations: 8
"""
BLOCK = """name: block on a spring
method: {type: rk4, step: 1e-3}
duration: 1
bodies:
  block: {type: mass, dim: 1, mass: 1.0, position: 0.0}
signals:
  pull: "2*t"
forces:
  - {name: spring, on: block, type: spring, to: pull, stiffness: 90}
  - {name: floor, on: block, type: friction, law: stiction, level: {coulomb: 10}, stiffness: 1e5, damping: 100}
  - {name: bumper, on: block, type: spring, rest: 0.2, stiffness: 3}
record: [block.position, block.velocity, floor.force, floor.mode]
"""
BOXES = """name: boxes
gravity: [0.5, 0, -9.81]
method: {type: timestep, step: 2e-3}
duration: 0.1
bodies:
  floor: {type: static, shape: {type: plane}}
  one: {type: rigid, position: [0, 0, 0.05], shape: {type: box, size: [0.1, 0.1, 0.1], density: 500}}
  two: {type: rigid, position: [0, 0, 0.16], angular_velocity: [0, 0, 2], shape: {type: box, size: [0.1, 0.1, 0.1], density: 500}}
  ball: {type: rigid, position: [0.4, 0, 0.05], velocity: [1, 0, 0], shape: {type: sphere, radius: 0.05, density: 800}}
forces:
  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0.2}
record: [one.position, two.velocity, ball.angular_velocity]
"""
INPUTS = """name: two inputs
method: {type: rk4, step: 1e-3}
duration: 0.2
bodies: {a: {type: mass, dim: 1, mass: 1}, b: {type: mass, dim: 1, mass: 2}}
signals: {push: {input: 0}, pull: {input: 1}}
forces:
  - {name: one, on: a, type: force, value: push}
  - {name: two, on: b, type: force, value: pull}
record: [a.velocity, b.velocity, push.value]
"""
URDF = """<robot name="two"><link name="base"/><link name="tip"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="turn" type="revolute"><parent link="base"/>
<child link="tip"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
<gazebo/></robot>
"""
INERTIAL = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
AXES = "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>"
# A joint of every type, each on the link of the one before
SDF = '<sdf version="1.7"><model name="kinds"><link name="l0">%s</link><joint name="weld" type="fixed"><parent>world</parent><child>l0</child></joint>' % INERTIAL
for number, kind in enumerate(("revolute", "continuous", "prismatic", "fixed", "ball", "universal", "revolute2", "screw"), 1):
    SDF += '<link name="l%d"><pose>0 0 %d 0 0 0</pose>%s</link><joint name="j%d" type="%s"><parent>l%d</parent><child>l%d</child>%s%s%s</joint>' % (
        number, number, INERTIAL, number, kind, number - 1, number, AXES if kind not in ("fixed", "ball") else "",
        AXES.replace("axis>", "axis2>").replace("0 1 0", "1 0 0") if kind in ("universal", "revolute2") else "",
        "<screw_thread_pitch>0.01</screw_thread_pitch>" if kind == "screw" else "")
SDF += "</model></sdf>"
KINDS = '<robot name="kinds"><link name="l0"/>'
for number, kind in enumerate(("revolute", "continuous", "prismatic", "fixed", "floating", "planar"), 1):
    KINDS += ('<link name="l%d"><inertial><mass value="%d"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j%d" type="%s">'
              '<parent link="l0"/><child link="l%d"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="5" velocity="3"/></joint>') % (
                  number, number, number, kind, number)
KINDS += "</robot>"
FIT = "fit axis.yaml --jobs 1 --quiet --log log.csv --input drive=drive.value --match slide.position=slide.position:1e-4 "
# Name of its file, command, and the text files whose contents count
LINES = [
    ("run", "run block.yaml", ""),
    ("run-json", "run block.yaml --json --every 100 -o out.csv", "out.csv"),
    ("run-variant", "run axis.yaml --variant heavy --input drive.csv --every 20 -o out.csv", "out.csv"),
    ("run-switch", "run block.yaml --method switch --step 0.05 -o out.csv", "out.csv"),
    ("run-adaptive", "run block.yaml --method adaptive --family erk --rtol 1e-7 --atol 1e-9 --step 0.1 --json", ""),
    ("run-timestep", "run boxes.yaml --every 10 -o out.csv", "out.csv"),
    ("run-contacts-json", "run boxes.yaml --json", ""),
    ("run-sensitivity", "run block.yaml -q --sensitivity forces.spring.stiffness --every 200 -o out.csv", "out.csv"),
    ("run-sensitivity-nowhere", "run block.yaml --sensitivity forces.spring.stiffness", ""),
    ("run-events", "run axis.yaml --set signals.drive=9*sin(30*t) --method switch --step 0.01 -o events.h5", ""),
    ("report-events", "report events.h5 -o out.html", "out.html"),
    ("plot-events", "plot events.h5 slide.velocity --x slide.position -o out.svg", "out.svg"),
    ("run-save", "run block.yaml -q --duration 0.5 --save half.state", ""),
    ("run-from", "run block.yaml --from half.state", ""),
    ("run-robot", "run arm.urdf --duration 0.1", ""),
    ("run-coarse", "run block.yaml --step 0.03 --strict", ""),
    ("run-dump", "run boxes.yaml -q --duration 0.01 --dump problems", ""),
    ("run-page", "run boxes.yaml -q --report out.html", "out.html"),
    ("compare-page", "compare block.yaml --laws stiction,dahl --jobs 1 --separate -o out.svg --report out.html", "out.svg out.html"),
    ("fit-page", FIT + "--free level --segments 0.1 --report out.html", "out.html"),
    ("run-wrong", "run wrong.yaml", ""),
    ("compare", "compare block.yaml --laws stiction,coulomb,dahl --methods rk4,discrete --jobs 1 --csv out.csv -o out.svg", "out.csv out.svg"),
    ("compare-json", "compare axis.yaml --jobs 1 --json", ""),
    ("compare-steps", "compare block.yaml --steps 1e-3,5e-4 --force floor --laws lugre:stiffness=1e4 --jobs 1 --strict", ""),
    ("compare-all", "compare block.yaml --laws all --jobs 1 --duration 0.2 --json", ""),
    ("law", "law lugre --velocity 0.2 --csv out.csv -o out.svg", "out.csv out.svg"),
    ("law-gms", "law gms --set level={kinetic: 1, static: 1.5, stribeck_velocity: 0.01}", ""),
    ("law-coulomb", "law coulomb", ""),
    ("law-list", "law --list", ""),
    ("check", "check block.yaml", ""),
    ("check-boxes", "check boxes.yaml", ""),
    ("tune", "tune boxes.yaml --set method.type=rk4 --set method.step=1e-4", ""),
    ("tune-block", "tune block.yaml", ""),
    ("channels", "channels boxes.yaml *.velocity*", ""),
    ("channels-json", "channels block.yaml --json", ""),
    ("parameters", "parameters axis.yaml", ""),
    ("parameters-json", "parameters block.yaml --json", ""),
    ("import", "import arm.urdf", ""),
    ("import-json", "import arm.urdf --json --strict -o robot.yaml", "robot.yaml"),
    ("import-sdf-kinds", "import kinds.sdf", ""),
    ("import-urdf-kinds", "import kinds.urdf", ""),
    ("check-sdf-kinds", "check kinds.sdf", ""),
    ("channels-sdf-kinds", "channels kinds.sdf", ""),
    ("examples", "examples spring-mass", ""),
    ("sweep", "sweep axis.yaml --jobs 1 --vary level=1:3:3 --variants heavy,rough --of last=final(slide.position) --of stick(guide) --regimes"
     " --energy --set signals.drive=9*sin(30*t) -o table.h5", ""),
    ("sweep-table", "sweep table.h5 --csv out.csv", "out.csv"),
    ("sweep-parquet", "sweep table.h5 -q --parquet out.parquet", "out.parquet"),
    ("sweep-json", "sweep axis.yaml --jobs 1 --json --cases cases.csv --methods discrete,rk4-tau --of max(slide.position) --set"
     " signals.drive=9*sin(30*t) -o out.csv", "out.csv"),
    ("sweep-morris", "sweep axis.yaml --jobs 1 --vary level=uniform:1:2 --vary bodies.slide.mass=loguniform:1:3 --samples 3 --seed 3 --indices"
     " morris --of max(slide.position) --set signals.drive=9*sin(30*t) -o indices.h5", ""),
    ("sweep-sobol", "sweep axis.yaml --jobs 1 --vary level=normal:2:0.3 --vary bodies.slide.mass=lognormal:2:0.2 --samples 8 --design sobol --indices"
     " sobol --of max(slide.position) --set signals.drive=9*sin(30*t) -o indices.h5", ""),
    ("sweep-indices", "sweep indices.h5 --csv out.csv", "out.csv"),
    ("sweep-rerun", "sweep table.h5 --rerun 2 -q -o out.csv", "out.csv"),
    ("sweep-failed", "sweep block.yaml --jobs 1 --vary method.step=1e-3,0.1 --of final(block.position) --strict -o out.csv", "out.csv"),
    ("plot", "plot log.csv slide.position guide.force --title T -o out.svg", "out.svg"),
    ("plot-table", "plot table.h5 --x level --y last -o out.svg", "out.svg"),
    ("fit", FIT + "--free level=0..9 --free bodies.slide.mass --segments 0.1 --validate other.csv -o fitted.yaml", "fitted.yaml"),
    ("fit-json", FIT + "--free level --prior level=3:1 --scale slide.position --segments 0.1 --json", ""),
    ("fit-section", "fit section.yaml --jobs 1 --quiet", ""),
    ("fit-section-two", "fit two.yaml --jobs 1 --quiet", ""),
    ("fit-laws", FIT + "--free level --segments 0.1 --laws coulomb,stiction", ""),
    ("fit-left-out", FIT + "--log other.csv --log third.csv --free level --segments 0.1 --laws coulomb,dahl", ""),
    ("fit-laws-judged", FIT + "--log other.csv --validate third.csv --free level --segments 0.1 --laws coulomb,dahl --json", ""),
    ("fit-profile", FIT + "--free level --free bodies.slide.mass --segments all --profile", ""),
    ("fit-blind", FIT + "--free level --free reach --segments 0.1", ""),
    ("fit-inverse", FIT + "--free level --free bodies.slide.mass --segments 0.1 --inverse --cutoff 50 --thin 2 --loss huber", ""),
    ("fit-starts", FIT + "--log other.csv --free level=0.5..9 --starts 3 --evolve 30 --seed 2 --segments 0.05,0.1 --logarithmic --hold smooth --loss soft-l1"
     " --loss-scale 2 --json", ""),
    ("fit-per-log", FIT + "--log other.csv --free level --each-log level --free bodies.slide.mass --offset slide.velocity --scale slide.position --match"
     " slide.velocity=slide.velocity:1e-3 --per-log --fixed-starts --hold linear --segments 0.1", ""),
    ("fit-delay", "fit axis.yaml --jobs 1 --quiet --log log.csv --input drive=drive.value@free --match slide.velocity=slide.velocity:1e-3"
     " --free bodies.slide.mass --segments 0.1 --json", ""),
    ("fit-four", FIT + "--log other.csv --log third.csv --log fourth.csv --match slide.velocity=slide.velocity:1e-3 --free level --free bodies.slide.mass"
     " --segments 0.1 --json", ""),
    ("fit-units", "fit units.yaml --jobs 1 --quiet --log log.csv --log other.csv --input drive=drive.value --match slide.position=slide.position"
     " --free level --prior level=3:0.05 --free weight --segments 0.1 -o fitted.yaml", "fitted.yaml"),
    ("fit-curves", FIT + "--free level --free bodies.slide.mass --segments 0.1 --profile --report out.html", "out.html"),
    ("fit-unlike", FIT + "--log other.csv --free level=0.1..40 --set parameters.level=30 --starts 4 --evolve 40 --seed 5 --segments all --iterations 3", ""),
    ("fit-unstable", "fit stiff.yaml --jobs 1 --quiet --log log.csv --input drive=drive.value --match slide.position=slide.position --free level --segments 0.1", ""),
    ("fit-told", "fit section.yaml --jobs 1 --quiet --validate log.csv --free level --segments 0.05", ""),
    ("fit-column", "fit axis.yaml --quiet --log log.csv --input drive=drive.value --match slide.position=slide.positon --free level", ""),
    ("fit-expression", "fit axis.yaml --quiet --log log.csv --input drive=drive.value --match slide.position=2*slide.positon+1 --free level", ""),
    ("fit-own-judge", FIT + "--log other.csv --free level --offset slide.position --per-log --free bodies.slide.mass --validate third.csv --segments 0.1", ""),
    ("run-inputs", "run inputs.yaml -q --input inputs.csv --every 50 -o out.csv", "out.csv"),
    ("run-inputs-wrong", "run inputs.yaml -q --input drive.csv", ""),
    ("compare-chatter", "compare block.yaml --laws coulomb,karnopp:threshold=0.01,viscous-approximation --methods discrete,euler --steps 2e-3 --jobs 1"
     " --json", ""),
    ("excite", "excite axis.yaml -q --input drive=-5..6 --match slide.position:1e-4 --free level,bodies.slide.mass --limit slide.velocity=0.5 --duration"
     " 0.2 --period 0.1 --harmonics 2 --rate 100 --segment 0.1 --criterion A --trials 5 --seed 3 -o out.csv", "out.csv"),
    ("excite-json", "excite axis.yaml -q --json --input drive=6 --match slide.position:1e-4 --free level --duration 0.2 --period 0.1 --harmonics 2 --rate 100 --trials 3", ""),
    ("fc3d", "fc3d problem.h5 --csv out.csv --solution solved.h5", ""),
    ("fc3d-newton", "fc3d problem.h5 --solver newton --tolerance 1e-10 --scaled", ""),
    ("fc3d-again", "fc3d solved.h5 --guess --json", ""),
    ("fc3d-few", "fc3d problem.h5 --solver gauss-seidel --iterations 1 --tolerance 1e-14", ""),
    ("help", "help", ""),
    ("help-lugre", "help lugre", ""),
    ("help-timestep", "help timestep", ""),
    ("help-key", "help stribeck_velocity", ""),
    ("schema", "schema compare", ""),
    ("report", "report log.csv -o out.html", "out.html"),
]
# A command with @ in place of every one of a list
EACH = [
    ("each-check", "check @", "examples"),
    ("each-tune", "tune @", "examples"),
    ("each-channels", "channels @ --json", "examples"),
    ("each-parameters", "parameters @ --json", "examples"),
    ("each-text", "examples @", "examples"),
    ("each-run", "run @ --duration 0.01 --json -o out.csv", "examples"),
    ("each-summary", "run @ --duration 0.02", "examples"),
    ("each-coarse", "run @ --duration 0.02 --method semi-implicit-euler --step 0.004", "examples"),
    ("each-located", "run @ --duration 0.02 --method switch -o out.csv", "examples"),
    ("page-each", "run @ --duration 0.02 -q -o out.h5 --report out.html", "examples"),
    ("page-each-coarse", "run @ --duration 0.03 -q --every 3 --method timestep --step 0.001 --report out.html", "examples"),
    ("page-each-file", "run @ -q --every 7 -o out.h5 --report out.html", "files"),
    ("options-missing", "@", "options"),
    ("options-word", "@ x", "options"),
    ("options-number", "@ -1", "options"),
    ("each-law", "law @ --csv out.csv -o out.svg", "laws"),
    ("each-help", "help @", "topics"),
    ("each-usage", "@ --help", "commands"),
    ("each-file-check", "check @", "files"),
    ("each-file-channels", "channels @", "files"),
    ("each-file-parameters", "parameters @", "files"),
    ("each-file-tune", "tune @", "files"),
    ("each-file-run", "run @ --json --every 10 -o out.csv", "files"),
    ("each-import", "import @", "robots"),
    ("each-schema", "schema @", "commands"),
]
# What a command needs besides an option that is tried; a model unless it is here
WITH = {"report": "log.csv", "plot": "log.csv slide.position", "fc3d": "problem.h5", "law": "coulomb", "examples": "", "schema": "", "help": "", "import": "arm.urdf",
        "sweep": "axis.yaml --jobs 1 --vary level=1:3:3 --of final(slide.position) -q -o made.csv", "fit": FIT[4:] + "--free level --segments 0.1 --iterations 2",
        "excite": "axis.yaml -q --input drive=6 --match slide.position:1e-4 --free level --duration 0.1 --period 0.1 --harmonics 2 --rate 100 --trials 1",
        "compare": "axis.yaml --jobs 1", "export": "axis.yaml -o made.fmu"}
TIMED = ("--realtime",)  # prints times
GROUPS = {"run": "run report-events plot-events", "fit": "fit excite", "sweep": "sweep plot-table", "each": "each", "page": "page", "options": "options",
          "rest": ""}
SHORT = 300  # letters that are kept as they are
MOST_TOLD = 5  # differences that are shown
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# What depends on the machine and its load
LEFT_OUT = [(r'("(?:(?:wall|cpu|setup|solve|time)_seconds|seconds|real_time_factor|version)": ?)(?!\[)[^,}\n]+', r"\1..."),
            (r"(?m)^(  wall time +).*$", r"\1..."),
            (r"(?m)^(  compared     with [a-z ]*, )[\d.e-]+ s ", r"\1... s "),
            (r"(\d cases in |simulations, )[\d.e-]+ s\b", r"\1... s"),
            (r"(?m)^(problem\.h5 .*(?:newton|seidel) ).*?(\S+ +\S+(?:  not solved)?)$", r"\1... \2"),
            (r"(?m)( +\d+) +[\d.e-]+( (?:trustworthy|doubtful).*)$", r"\1 ...\2")]
# How long a search took, not what it found: left out where functions have other bits
EFFORT = [(r'("(?:iterations|factorizations|simulations|evaluations)": ?)(?!\[)[^,}\n]+', r"\1..."),
          (r"\d+ iterations, \d+ (at most|simulations)", r"... iterations, ... \1"),
          (r"(?m) +\d+ \.\.\.( (?:trustworthy|doubtful).*)$", r" ...\1")]
TIMES = re.compile(r"cpu_seconds")
FUNCTIONS = "functions.txt"  # of FOLDER: a checksum of what functions of the C library give


def checksum_of_functions():
    """Of the C library, by Python's own calls of them."""
    names = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "expm1", "log", "tanh", "sinh", "cosh", "log10")
    values = [getattr(math, name)(k / 1001.0) for name in names for k in range(1, 1001)]
    values += [value for k in range(1, 1001) for value in (math.pow(k / 300.0, k / 143.0), math.atan2(k - 300.0, 700.0 - k))]
    return "%08x\n" % zlib.crc32(" ".join(value.hex() for value in values).encode())


def settled(text):
    for pattern, new in LEFT_OUT:
        text = re.sub(pattern, new, text)
    # Columns of times in a CSV
    lines = text.split("\n")
    columns = [k for k, name in enumerate(lines[0].split(",")) if TIMES.fullmatch(name)]
    for i in range(1, len(lines)) if columns else []:
        cells = lines[i].split(",")
        lines[i] = ",".join("..." if k in columns else cell for k, cell in enumerate(cells))
    return "\n".join(lines)


def content_of(name):
    """A file as text; of a page what it knows of its runs. Of a long one: its words as eight letters, and sums of its numbers."""
    if not os.path.exists(name):
        return "none\n"
    if name.endswith(".parquet"):
        content = open(name, "rb").read()
        return "%d bytes, checksum %08x\n" % (len(content), zlib.crc32(content))
    text = open(name).read()
    if name.endswith(".html"):
        known = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S)
        text = "\n".join(known or [re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)]).replace('\\"', '"')
    text = settled(text)
    return text if len(text) < 8000 else digest(text) + "\n"


def digest(text):
    """The words of a text as eight letters, and sums of its numbers."""
    numbers = [abs(float(number)) for number in NUMBER.findall(text)]
    words = "".join(chr(ord("a") + int(digit, 16)) for digit in "%08x" % zlib.crc32(NUMBER.sub("#", text).encode()))
    sums = [math.fsum((1 + k % part) * number for k, number in enumerate(numbers)) for part in (1, 2, 3, 5, 7, 11)]
    return "words %s, %d numbers, sums %s, letters %08x" % (words, len(numbers), " ".join("%.7g" % number for number in sums), zlib.crc32(text.encode()))


def text_of(words, files):
    for name in files:
        if os.path.exists(name):
            os.remove(name)
    done = subprocess.run([holdfast] + words, capture_output=True, text=True, errors="replace", timeout=120, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, NO_COLOR="1"))
    text = "code %d\n" % done.returncode
    for name, content in [("stdout", done.stdout), ("stderr", done.stderr)] + [(name, content_of(name)) for name in files]:
        text += "--- %s\n%s" % (name, settled(content))
        text += "" if text.endswith("\n") else "\n"
    return text


def names_of(kind):
    """What EACH is for."""
    def told(line):
        return subprocess.run([holdfast] + line.split(), capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    listed = {"files": lambda: ["everything.yaml", "more.yaml", "robot.urdf", "arm.sdf", "arm.xml", "block.yaml", "boxes.yaml", "section.yaml"],
              "robots": lambda: ["robot.urdf", "arm.sdf", "arm.xml", "doctype.xml", "nameless.urdf"],
              "examples": lambda: re.findall(r"(?m)^([a-z0-9][\w-]*) {2,}", told("examples")),
              "laws": lambda: re.findall(r"(?m)^([a-z][\w-]*) {2,}", told("law --list")),
              "options": lambda: ["%s %s" % (name, option) for name in names_of("commands") for option in re.findall(r"(?m)^ +(?:-\w, )?(--[a-z][\w-]*)", told(name + " --help")) if option not in TIMED],
              "commands": lambda: re.findall(r"(?m)^  ([a-z][\w]*) ", told("--help")),
              "topics": lambda: names_of("laws") + ["euler", "rk4", "rk4-tau", "discrete", "adaptive", "switch", "timestep", "nlp", "verlet", "bodies",
                                                    "forces", "signals", "loops", "method", "record", "box", "level", "joint", "motor", "mass", "tree"]}
    return listed[kind]()


def text_of_each(line, kind):
    """A line for every one: its name, code and a short text, or the digest of a longer one."""
    text = ""
    for name in names_of(kind):
        first = [name]
        if kind == "options":  # between the command and the option: what the command needs
            command, option = name.split(" ")
            first = [command] + WITH.get(command, "axis.yaml").split() + [option]
        one = text_of([part for word in words_of(line) for part in (first if word == "@" else [word])], ["out.csv", "out.svg", "out.html"])
        code, rest = one.split("\n", 1)
        rest = re.sub(r"--- \S+\n(?:none\n)?(?=---|$)", "", rest).strip().replace("\n", " | ")
        text += "%s %s, %s\n" % (name, code, digest(one) if len(rest) > SHORT else rest)
    return text


def in_group(name, group):
    """Whether a line belongs to a group; to the rest what no other one has."""
    def begins(words):
        return any(name == word or name.startswith(word + "-") for word in words.split())
    return not any(begins(words) for words in GROUPS.values()) if group == "rest" else begins(GROUPS[group])


def difference(got, want, exact, digits):
    """Where two texts differ, or None: to the letter, or numbers to some digits."""
    if not exact:
        for pattern, new in EFFORT + [(r", letters [0-9a-f]{8}", "")]:
            got, want = re.sub(pattern, new, got), re.sub(pattern, new, want)
    got, want = got.split("\n"), want.split("\n")
    for k, (a, b) in enumerate(zip(got, want)):
        if exact and a == b:
            continue
        words = [re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip() for line in (a, b)]
        numbers = [[float(text) for text in NUMBER.findall(line)] for line in (a, b)]
        same = words[0] == words[1] and all(math.isclose(x, y, rel_tol=0.1 ** digits, abs_tol=1e-7) for x, y in zip(*numbers))
        if exact or not same:
            return "line %d:\n  got  %s\n  want %s" % (k + 1, a[:300], b[:300])
    return None if len(got) == len(want) else "%d lines, expected %d" % (len(got), len(want))


def words_of(line):
    """Of a shell, but for blanks in braces, which belong to a word."""
    return [word.replace("\0", " ") for word in re.sub(r"\{[^}]*\}", lambda m: m.group().replace(" ", "\0"), line).split()]


def add_noise(name, number):
    """To positions and velocities of a log, as sensors do: the same numbers on every machine."""
    lines = open(name).read().split("\n")
    columns = {lines[0].split(",").index("slide.position"): 1e-4, lines[0].split(",").index("slide.velocity"): 2e-3}
    for i in range(1, len(lines)):
        cells = lines[i].split(",")
        for k, size in columns.items() if lines[i] else []:
            number = number * 48271 % 2147483647
            cells[k] = "%.9g" % (float(cells[k]) + size * (number / 1073741823.5 - 1.0))
        lines[i] = ",".join(cells)
    with open(name, "w") as file:
        file.write("\n".join(lines))


def main():
    write, bad, work = "write" in sys.argv[3:], 0, tempfile.mkdtemp()
    if write:
        with open(os.path.join(folder, FUNCTIONS), "w") as file:
            file.write(checksum_of_functions())
    exact = open(os.path.join(folder, FUNCTIONS)).read() == checksum_of_functions()
    groups = [word for word in sys.argv[3:] if word in GROUPS]
    lines = [entry for entry in LINES + EACH if not groups or in_group(entry[0], groups[0])]
    os.chdir(work)
    for name, text in (("axis.yaml", AXIS), ("section.yaml", AXIS + SECTION), ("two.yaml", AXIS + SECTION.replace("[0.1]", "[0.05, 0.1]")), ("block.yaml", BLOCK), ("boxes.yaml", BOXES), ("arm.urdf", URDF), ("kinds.sdf", SDF), ("kinds.urdf", KINDS),
                       ("wrong.yaml", BLOCK.replace("on: block, type: friction", "on: blok, type: friction")), ("cases.csv", "level\n1\n2.5\n"),
                       ("inputs.yaml", INPUTS), ("inputs.csv", "time,pull,push\n0,1,3\n0.1,2,-4\n0.15,0,5\n"),
                       ("units.yaml", AXIS.replace("parameters: {", "parameters: {weight: {value: 2500, unit: g}, ").replace("mass: 2.5}", "mass: weight}")),
                       ("stiff.yaml", re.sub(r"(  - .name: motor.*\n)(  - .name: guide.*\n)", r"\2\1", AXIS.replace("discrete", "rk4").replace(
                           "law: coulomb, level: level", "law: stiction, level: level, stiffness: 1e8, damping: 1e5"))),
                       ("drive.csv", "time,drive\n0,0\n0.1,9\n0.4,-9\n")):
        with open(name, "w") as file:
            file.write(text)
    for path in ("models/everything.yaml", "models/more.yaml", "models/robot.urdf", "fuzz/corpus/robot/arm.sdf", "fuzz/corpus/robot/arm.xml",
                 "fuzz/corpus/robot/doctype.xml", "fuzz/corpus/robot/nameless.urdf"):
        shutil.copy(os.path.join(folder, "../..", path), ".")
    for line in ("run axis.yaml -q --set signals.drive=9*sin(30*t) -o log.csv", "run axis.yaml -q --set signals.drive=8*sin(25*t) -o other.csv",
                 "run axis.yaml -q --set signals.drive=8*cos(35*t) -o third.csv", "run axis.yaml -q --set signals.drive=9*sin(20*t) -o fourth.csv",
                 "run stack -q --duration 0.004 --dump stack"):
        if subprocess.run([holdfast] + line.split(), stdin=subprocess.DEVNULL).returncode != 0:
            sys.exit("cannot begin: " + line)
    for seed, name in enumerate(("log.csv", "other.csv", "third.csv", "fourth.csv"), 1):
        add_noise(name, seed)
    shutil.copy("stack/" + sorted(os.listdir("stack"))[-1], "problem.h5")
    for name, line, files in lines:
        got = text_of_each(line, files) if (name, line, files) in EACH else text_of(words_of(line), files.split())
        path = os.path.join(folder, name + ".txt")
        if write:
            with open(path, "w") as file:
                file.write("$ holdfast %s\n%s" % (line, got))
            continue
        told = difference(got, open(path).read().split("\n", 1)[1], exact, 3 if words_of(line)[0] in ("fit", "excite") else 5)
        if told:
            bad += 1
            print("holdfast %s\n(tests/cli/outputs/%s.txt) %s" % (line, name, told), flush=True)
            if bad == MOST_TOLD:
                break
    os.chdir("/")
    shutil.rmtree(work)
    print("%d commands, %d%s print or write something else" % (len(lines), bad, " or more" if bad == MOST_TOLD else ""))
    print("A change that is meant: %s %s %s write" % (sys.argv[0], holdfast, folder) if bad else "", end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main())
