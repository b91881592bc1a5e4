#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A default that help tells, given explicitly, changes nothing; another value does.

    defaults.py HOLDFAST

Every "..., 20 unless given" of an option or of a method's key is tried: the command without it, with it, and with another
value where that must show.
"""
import os
import re
import subprocess
import sys
import tempfile

holdfast = os.path.abspath(sys.argv[1])
AXIS = """name: axis
method: {type: discrete, step: 1e-3}
duration: 1.2
signals:
  drive: {input: 0}
bodies:
  slide: {type: mass, dim: 1, mass: 2}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: 1.5}
record: [slide.position, slide.velocity, drive.value]
"""
# For the keys of methods: something swings, something touches, something is stiff
MACHINE = """gravity: [0, 0, -9.81]
duration: 0.2
bodies:
  ground: {type: static, shape: {type: plane}}
  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.11], velocity: [0.5, 0, 0]}
  slide: {type: mass, dim: 1, axes: x, mass: 1, velocity: 1}
forces:
  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.3, stiffness: 1e5, restitution: 0}
  - {name: hold, on: slide, type: spring, stiffness: 200, damping: 1}
record: [ball, slide]
"""
LOG = "fit axis.yaml -q --jobs 1 --log log.csv --input drive=drive.value --match slide.position=slide.position:1e-4 --free guide.level=0.5..4"
BASES = {
    "excite": "excite axis.yaml -q --input drive=6 --match slide.position:1e-4 --free guide.level --trials 2 --json",
    "fit": LOG + " --json",
    "sweep": "sweep axis.yaml -q --jobs 1 --vary guide.level=uniform:1:2 --samples 4 --of slide.position -o table.csv",
    "law": "law lugre --csv out.csv",
}
# Options without which the others have nothing to do, and those whose default would take long
WITH = {("fit", "--seed"): " --starts 2", ("fit", "--loss-scale"): " --loss huber", ("fit", "--thin"): " --identify"}
LEFT_OUT = {("excite", "--trials"), ("fit", "--thin")}
ALIKE = {("fit", "--seed")}  # ends at the same numbers from wherever it starts
# What must show: another value
OTHER = {"--duration": "7", "--period": "2.5", "--harmonics": "3", "--rate": "50", "--segment": "0.5", "--seed": "7", "--segments": "0.1",
         "--velocity": "0.02", "rtol": "1e-3", "theta": "0.6"}
wrong = []


def run(line, folder):
    """What a command prints and writes."""
    for name in ("table.csv", "out.csv"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    done = subprocess.run([holdfast] + line.split(), cwd=folder, capture_output=True, text=True, timeout=120)
    written = ""
    for name in ("table.csv", "out.csv"):
        path = os.path.join(folder, name)
        written += open(path).read() if os.path.exists(path) else ""
    told = re.sub(r"\S+ (?:ms|s|us) of processor time|\"\w*(?:seconds|real_time\w*|wall\w*)\": [^,}\n]+", "", done.stdout)
    return done.returncode, told, written


def check(what, base, option, default, other, folder):
    plain = run(base, folder)
    if plain[0] != 0:
        wrong.append("%s: the command itself fails (%d): %s" % (what, plain[0], base))
        return
    if run(base + option % default, folder) != plain:
        wrong.append("%s: given as %s, its default, it changes something" % (what, default))
    if other is not None and run(base + option % other, folder) == plain:
        wrong.append("%s: given as %s it changes nothing" % (what, other))


def told_defaults(text, pattern):
    """(name, default) of every line of help that tells a number."""
    return [(match.group(1), match.group(2)) for match in
            (re.search(pattern + r".*; ([-+0-9.e]+) unless given", line) for line in text.split("\n")) if match]


def main():
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("axis.yaml", AXIS), ("machine.yaml", MACHINE)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        with open(os.path.join(folder, "drive.csv"), "w") as file:
            file.write("time,drive\n" + "".join("%g,%g\n" % (0.01 * k, 6.0 if k % 20 < 10 else -5.0) for k in range(130)))
        subprocess.run([holdfast, "run", "axis.yaml", "-q", "--input", "drive.csv", "-o", "log.csv"], cwd=folder, check=True)
        for command, base in BASES.items():
            text = subprocess.run([holdfast, "help", command], capture_output=True, text=True, check=True).stdout
            for option, default in told_defaults(text, r"(--[a-z-]+) "):
                if (command, option) not in LEFT_OUT:
                    tried += 1
                    check("%s %s" % (command, option), base + WITH.get((command, option), ""), " " + option + " %s", default,
                          None if (command, option) in ALIKE else OTHER.get(option), folder)
        for method in ("switch", "adaptive", "timestep"):
            text = subprocess.run([holdfast, "help", method], capture_output=True, text=True, check=True).stdout
            for key, default in told_defaults(text, r"^  (\w+) "):
                tried += 1
                check("%s: %s" % (method, key), "run machine.yaml -q --method %s --step 1e-3 -o out.csv" % method,
                      " --set method." + key + "=%s", default, OTHER.get(key), folder)
    if tried < 15:
        wrong.append("only %d defaults were found in the help" % tried)
    print("\n".join(wrong) or "%d defaults" % tried)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
