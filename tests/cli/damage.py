#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Command lines, and a fit's section of a model, with one part that is wrong: each in turn, by each of a list of wrong ones.

    damage.py HOLDFAST [messages|lines|section]

A command must end with a code of its own, and say something when it fails. What was a number and no longer is one must be
refused. Each line is one that succeeds as it is.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

holdfast = os.path.abspath(sys.argv[1])
wanted = sys.argv[2:] or ["messages", "lines", "section"]
AXIS = """name: axis
method: {type: discrete, step: 2e-3}
duration: 0.2
parameters: {level: 3, reach: {value: 0.5, unit: m}}
bodies: {slide: {type: mass, dim: 1, mass: 2.5}}
signals: {drive: {input: 0}}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: level}
record: [drive.value, slide.position]
variants: {heavy: {bodies.slide.mass: 5}}
"""
SECTION = """fit:
  logs: [log.csv, {file: log.csv, load: 2}]
  validate: [log.csv]
  inputs: {drive: {column: drive.value, delay: 0}}
  match: {slide.position: {column: slide.position, deviation: 1e-4, offset: free, scale: free}}
  free: {level: {low: 0, high: 9, prior: [3, 1], per_log: true}, bodies.slide.mass: {}}
  segments: [0.1]
  hold: linear
  loss: huber
  starts: 1
  evolve: 10
  iterations: 1
  seed: 2
  fixed_starts: true
  logarithmic: false
  per_log: true
"""
LINES = [
    "run axis.yaml -q --input drive.csv --every 2 --variant heavy --method timestep --step 1e-3 --duration 0.01 --set level=2 -o out.csv",
    "run axis.yaml -q --method switch --family bdf --rtol 1e-6 --atol 1e-9 --step 1e-3 --duration 0.01 --sensitivity level --json -o out.csv",
    "run axis.yaml -q --duration 0.01 --save end.state --report out.html",
    "run stack -q --duration 0.004 --dump problems --dump-every 2 --dump-above 1",
    "run arm.urdf -q --duration 0.01 --base fixed --inertia balance --collide boxes --package a=.",
    "import arm.urdf --base fixed --inertia keep --collide hull --name robot -o robot.yaml --strict",
    "sweep axis.yaml -q --jobs 1 --vary level=1:3:3 --variants heavy --methods discrete,rk4-tau --of last=final(slide.position) --regimes"
    " --energy --after 0.01 --every 2 --duration 0.02 --set level=2 -o out.h5",
    "sweep axis.yaml -q --jobs 1 --vary level=uniform:1:2 --samples 2 --design lhs --seed 3 --indices morris --duration 0.02"
    " --of max(slide.position) -o out.csv",
    "sweep axis.yaml -q --jobs 1 --cases cases.csv --duration 0.02 --of max(slide.position) --shard 1/2 -o shards.h5",
    "sweep table.h5 --csv out.csv --parquet out.parquet",
    "sweep table.h5 --rerun 1 -o out.csv",
    "report table.h5 -o out.html",
    "report log.csv -o out.html",
    "plot table.h5 --x level --y y -o out.svg --title T",
    "plot log.csv slide.position --x drive.value -o out.svg",
    "compare axis.yaml --laws coulomb,stiction --methods discrete,timestep --steps 1e-3,2e-3 --force guide --duration 0.02 --set level=2"
    " --channel slide.position --csv out.csv --jobs 1 -o out.svg",
    "fit axis.yaml --log log.csv:load=2 --validate log.csv --input drive=drive.value@0.001 --match slide.position=slide.position:1e-3"
    " --free level=0..9 --prior level=3:1 --offset slide.position --scale slide.position --segments 0.1 --hold linear --loss soft-l1"
    " --loss-scale 2 --starts 1 --evolve 10 --seed 2 --iterations 1 --set reach=1 --jobs 1 -o fitted.yaml --quiet",
    "fit axis.yaml --log log.csv --input drive=drive.value --match slide.position=slide.position --free level --each-log level"
    " --segments 0.1 --inverse --cutoff 50 --thin 2 --iterations 1 --jobs 1 --quiet",
    "fit axis.yaml --log log.h5 --input drive=drive.value --match slide.position=slide.position --free level --segments all --iterations 1"
    " --jobs 1 --quiet --laws coulomb,stiction",
    "excite axis.yaml --input drive=-5..6 --match slide.position:1e-4 --free level,bodies.slide.mass --limit slide.velocity=0.5 --duration 0.2"
    " --period 0.1 --harmonics 2 --rate 100 --segment 0.1 --criterion A --trials 2 --seed 3 --set reach=1 -o excite.csv -q",
    "law lugre --set stiffness=1e5 --velocity 0.2 --csv out.csv",
    "fc3d problem.h5 --solver newton --tolerance 1e-6 --iterations 100 --seconds 2 --csv out.csv --solution solved.h5",
    "channels axis.yaml --set level=2",
    "parameters axis.yaml --set level=2",
    "tune axis.yaml --set level=2",
    "check axis.yaml --set level=2",
    "examples spring-mass",
    "help lugre",
    "schema run",
]
# What is wrong, and what is said of it; %F and %E are a fit and an excite that lack one thing
MESSAGES = [
    ("%F --free levle", "no number 'levle' .did you mean 'level'"),
    ("%F --free reahc", "did you mean 'reach'"),
    ("%F --free guide.lavel", "did you mean 'guide.level'"),
    ("%F --free forces", "'forces' is .*not a number that can be varied"),
    ("%F --free level=5..1", "--free 5..1: expected bounds LOW..HIGH"),
    ("%F --free level=5..5", "expected bounds LOW..HIGH"),
    ("%F --free level --prior level=3", "expected NAME=VALUE:DEVIATION of a free number"),
    ("%F --free level --prior level=3:-1", "expected NAME=VALUE:DEVIATION of a free number"),
    ("%F --free level --prior lev=3:1", "expected NAME=VALUE:DEVIATION of a free number"),
    ("%F --free level --segments 0", "expected lengths in seconds or 'all', at most 8"),
    ("%F --free level --segments 1,1,1,1,1,1,1,1,1", "at most 8 of them"),
    ("%F --free level --loss cubes", "expected squares, soft-l1 or huber"),
    ("%F --free level --hold long", "expected held, linear or smooth"),
    ("%F --free level --each-log lev", "expected the name of a free number"),
    ("%F --free level --offset slide.velocity", "expected a channel that --match names"),
    ("%F --free level --match slide.position", "expected CHANNEL=COLUMN or CHANNEL=EXPRESSION"),
    ("%F --free level --match slide.position=slide.position:-1", "expected a deviation above 0"),
    ("%F --free level --match slide.postion=slide.position", "did you mean 'slide.position'"),
    ("%F --free level --input drvie=drive.value", "no signal 'drvie'"),
    ("%F --free level --input drive=nothing", "(name|column) 'nothing'"),
    ("%F --free level --log none.csv", "none.csv: No such file"),
    ("%F --free level --log log.csv:load=x", "expected FILE:NAME=NUMBER"),
    ("%F --free level --log one.h5", "a log needs two samples at least, got 1"),
    ("%F", "nothing is free"),
    ("%E --input drive=6..-5", "expected SIGNAL=LOW..HIGH or SIGNAL=LARGEST"),
    ("%E --input drive=0", "expected SIGNAL=LOW..HIGH or SIGNAL=LARGEST"),
    ("%E", "--input : expected SIGNAL=LOW..HIGH"),
    ("%E --input drive=5 --criterion B", "--criterion B: expected D or A"),
    ("%E --input drive=5 --limit slide.velocity=1..-1", "expected CHANNEL=LOW..HIGH or CHANNEL=LARGEST"),
    ("%E --input drive=5 --match slide.position:0", "expected CHANNEL:DEVIATION of its sensor"),
    ("%E --input drive=5 --free levle", "did you mean 'level'"),
    ("sweep axis.yaml --vary level -o o.h5", "expected NAME=VALUES"),
    ("sweep axis.yaml --vary level=1:2 -o o.h5", "expected LOW:HIGH:COUNT"),
    ("sweep axis.yaml --vary level=uniform:1:2 -o o.h5", "random axes need a number of samples"),
    ("sweep axis.yaml --vary level=log:-1:2:3 -o o.h5", "a logarithm needs numbers above 0, got -1"),
    ("sweep axis.yaml --vary levle=1,2 -o o.h5", "no parameter and no entry of this name"),
    ("sweep axis.yaml --vary level=1,2 --of final(slide.postion) -o o.h5", "did you mean 'slide.position'"),
    ("sweep axis.yaml --vary level=1,2 -o o.txt", "ends in .h5, .hdf5, .csv or .parquet, not o.txt"),
    ("sweep axis.yaml --vary level=1,2 --shard 3/2 -o o.h5", "expected I/N with 1 <= I <= N"),
    ("sweep axis.yaml --vary level=1,2 --design latin -o o.h5", "expected random, lhs or sobol"),
    ("compare axis.yaml --laws coulmb", "did you mean 'coulomb'"),
    ("compare axis.yaml --force guid --laws coulomb", "there is no force 'guid'"),
    ("compare axis.yaml --steps 1e-3,0", "expected positive numbers, not '0'"),
    ("law lugre --set stiffnes=1", "did you mean 'stiffness'"),
    ("plot log.csv slide.postion -o o.svg", "did you mean 'slide.position'"),
    ("fc3d log.csv", "not an HDF5 file"),
]
# Files that are wrong
FILES = {
    "empty.csv": "", "nocase.csv": "level\n", "twice.csv": "level,level\n1,2\n", "wide.csv": "level\n1,2\n", "name.csv": "levle\n1\n",
    "anon.csv": "level,\n1,2\n", "junk.h5": "not a table", "short.csv": "time,drive.value,slide.position\n0,0,0\n",
    "back.csv": "time,drive.value,slide.position\n0,0,0\n1,0,0\n0.5,0,0\n", "double.csv": "time,drive.value,drive.value\n0,0,0\n1,0,0\n",
    "notime.csv": "tme,drive.value,slide.position\n0,0,0\n1,0,0\n", "drive2.csv": "time,drive\n0,0\n0.1,x\n",
    "drive3.csv": "time,drive\n0.1,0\n0,1\n",
}
FIT = ("fit axis.yaml --log log.csv --input drive=drive.value --match slide.position=slide.position --segments 0.1 --iterations 1"
       " --jobs 1 --quiet")
EXCITE = "excite axis.yaml --match slide.position:1e-4 --free level --duration 0.2 --period 0.1 --trials 1 -q"
URDF = """<robot name="two"><link name="base"/><link name="tip"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="turn" type="revolute"><parent link="base"/>
<child link="tip"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint></robot>
"""
# In place of an operand, of a value, or of a part of a value
WRONG = ["12x", "", "-1", "nowhere", "0", "nan", "1e999", "1..", "=", "a=b=c"]
NUMBER = re.compile(r"[0-9][0-9.]*(e-?[0-9]+)?")
faults, tried = 0, 0


def run(words):
    done = subprocess.run([holdfast] + words, capture_output=True, text=True, errors="replace", timeout=60, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, NO_COLOR="1"))
    return done.returncode, done.stdout, done.stderr


def fault(words, text):
    global faults
    faults += 1
    print("holdfast %s: %s" % (" ".join(words), text), flush=True)


def check(words, refused):
    global tried
    tried += 1
    code, out, err = run(words)
    if code < 0 or code > 3:
        fault(words, "ended by signal or code %d" % code)
    elif code in (1, 2) and not err.strip() and not re.search("rror|Doubtful", out):
        fault(words, "code %d without a word" % code)
    elif refused and code == 0:
        fault(words, "is taken")


def parts(value):
    """(begin, end) of what a value is made of: itself, and what stands between its marks."""
    yield 0, len(value)
    marks = list(re.finditer(r"[=:,@/]|\.\.", value))
    ends = [0] + [mark.end() for mark in marks]
    for begin, mark in zip(ends, marks + [None]):
        if marks:
            yield begin, mark.start() if mark else len(value)


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "refused.txt")) as file:
    told = [line.rstrip("\n") for line in file if not line.startswith("#")]
MESSAGES += [(line, expected[2:]) for line, expected in zip(told[::2], told[1::2])]
work = tempfile.mkdtemp()
os.chdir(work)
for name, text in [("axis.yaml", AXIS), ("arm.urdf", URDF), ("cases.csv", "level\n1\n2.5\n"),
                   ("drive.csv", "time,drive\n0,0\n0.1,9\n0.4,-9\n")] + list(FILES.items()):
    with open(name, "w") as file:
        file.write(text)
for line in ("run axis.yaml -q --set signals.drive=9*sin(30*t) -o log.csv", "run axis.yaml -q --set signals.drive=9*sin(30*t) -o log.h5",
             "sweep axis.yaml -q --vary level=1:3:3 --of y=final(slide.position) -o table.h5",
             "sweep axis.yaml -q --vary level=1:3:3 --of y=final(slide.position) -o table.csv", "run axis.yaml -q --save end.state",
             "run axis.yaml -q --duration 0 -o one.h5", "run stack -q --duration 0.004 --dump problems"):
    if run(line.split())[0] != 0:
        sys.exit("cannot begin: " + line)
shutil.copy("problems/" + sorted(os.listdir("problems"))[-1], "problem.h5")

# Messages
for line, expected in MESSAGES if "messages" in wanted else []:
    words = line.replace("%F", FIT).replace("%E", EXCITE).split()
    code, out, err = run(words)
    tried += 1
    if code not in (1, 2) or not re.search(expected, err):
        fault(words, "code %d, expected '%s', got: %s" % (code, expected, err.strip()))

# Descriptions of examples are cut at words, to one line
for line in run(["examples"])[1].splitlines() if "messages" in wanted else []:
    name, words = line.split(None, 1)
    whole = " ".join(re.sub(r"(?m)^#", "", run(["examples", name])[1]).split())
    if len(words) > 110 or (words.endswith(" ...") and words[:-3] not in whole):
        fault(["examples"], line)

# Lines
for line in LINES if "lines" in wanted else []:
    words = line.split()
    code, out, err = run(words)
    if code not in (0, 3) and "Doubtful" not in out:
        fault(words, "code %d as it is: %s" % (code, err.strip()[-300:]))
        continue
    for k in range(1, len(words)):
        check(words[:k] + words[k + 1:], False)
        if words[k].startswith("--"):
            check(words[:k] + [words[k] + "x"] + words[k + 1:], True)
            continue
        for begin, end in parts(words[k]):
            for wrong in WRONG:
                value = words[k][:begin] + wrong + words[k][end:]
                number = wrong == "12x" and NUMBER.fullmatch(words[k][begin:end]) is not None
                check(words[:k] + [value] + words[k + 1:], number)

# The section of a fit
scalars = list(re.finditer(r"(?<=[:,\[] )[^,\[\]{}\n ]+(?=[,\]}\n])|(?<=\[)[^,\[\]{}\n ]+", SECTION))
for match in [None] + scalars if "section" in wanted else []:
    for wrong in ["12x", "-1", "[]", "{}", "nowhere", '""', "0", "{a: 1}"] if match else [""]:
        with open("fitted.yaml", "w") as file:
            file.write(AXIS + (SECTION[:match.start()] + wrong + SECTION[match.end():] if match else SECTION))
        number = wrong == "12x" and NUMBER.fullmatch(match.group()) is not None
        words = ["fit", "fitted.yaml", "--jobs", "1", "--quiet"]
        check(words, number)
        if match is None and run(words)[0] == 2:
            fault(words, "refused as it is: " + run(words)[2])
for key in re.finditer(r"\b[a-z_]+(?=:)", SECTION) if "section" in wanted else []:
    with open("fitted.yaml", "w") as file:
        file.write(AXIS + SECTION[:key.start()] + "x" + SECTION[key.start():])
    check(["fit", "fitted.yaml", "--jobs", "1", "--quiet"], False)

os.chdir("/")
shutil.rmtree(work)
print("%d wrong commands, %d faults" % (tried, faults))
sys.exit(1 if faults or tried < 40 else 0)
