#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema of model files agrees with their reader, and those of outputs with what is printed.

    schema.py HOLDFAST SOURCES

- Every example and every model of the tests that the reader takes, the schema takes.
- Unknown keys that the reader refuses, the schema refuses.
- Every key in the readers' own lists stands in the schema.
- What commands print with --json is as their schemas say, which leave nothing open.
Without Debian's python3-yaml and python3-jsonschema it is skipped (77).
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from model_yaml import Loader

holdfast, sources = sys.argv[1], pathlib.Path(sys.argv[2])
faults = []


def run(*words):
    return subprocess.run([holdfast, *words], capture_output=True, text=True)


def schema_of(*words):
    result = run("schema", *words)
    schema = json.loads(result.stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def first_fault(validator, value):
    fault = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return fault and f"{'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}"


def load(path):
    return yaml.load(path.read_text(), Loader=Loader)


# Models that the reader takes, and wrong keys that it refuses
model = schema_of()
taken = refused = 0
for path in sorted([*sources.glob("examples/*.yaml"), *sources.glob("tests/models/*.yaml"), *sources.glob("docs/models/*.yaml")]):
    if run("check", str(path)).returncode != 2:
        taken += 1
        fault = first_fault(model, load(path))
        if fault:
            faults.append(f"{path.name} is a model, but {fault}")
for path in sorted(sources.glob("tests/models/bad/*.yaml")):
    result = run("check", str(path))
    if "unknown key" in result.stderr and "variant" not in path.name:
        try:
            value = load(path)
        except yaml.YAMLError:
            continue
        refused += 1
        if not first_fault(model, value):
            faults.append(f"{path.name} has an unknown key, which the schema takes: {result.stderr.strip()[:150]}")
if taken < 40 or refused < 5:
    faults.append(f"only {taken} models and {refused} wrong keys were found")

# Keys in the readers' own lists
known = set(re.findall(r'"([a-z_]+)": \{', run("schema").stdout))
for path in sorted(sources.glob("src/models/**/*.c")):
    text = path.read_text()
    for names in re.findall(r"keys\w*(?:\[\w*\])+ = \{(.*?)\};", text, re.S):
        for name in re.findall(r'"([a-z_]+)"', names):
            if name not in known:
                faults.append(f"{path.name} reads '{name}', which the schema does not know")


# What commands print
def closed(schema, where):
    """A schema that leaves entries open would agree with anything."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "additionalProperties" not in schema:
            faults.append(f"the schema of {where} leaves an object open")
        for key, value in schema.items():
            closed(value, where)
    elif isinstance(schema, list):
        for value in schema:
            closed(value, where)


def outputs():
    machines = ["block-on-slope", "rolling-sphere", "stack", "oscillator-forced", "six-axis-arm", "winch-brake", "clutch"]
    known_machines = run("examples").stdout
    for name in (m for m in machines if m in known_machines):
        yield "run", ("run", name, "--duration", "0.2", "--json")
        yield "channels", ("channels", name, "--json")
        yield "parameters", ("parameters", name, "--json")
    yield "compare", ("compare", "spring-pull", "--json", "--duration", "0.1")
    yield "compare", ("compare", "oscillator", "--methods", "switch,discrete", "--json", "--duration", "0.1")
    yield from outputs_of_files(pathlib.Path(tempfile.mkdtemp()))


ROBOT = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/><unknown/></joint></robot>"""

# A mass that slides to rest: the level of its friction is what a fit looks for.
SLIDE = """method: {type: discrete, step: 1e-3}
duration: 0.5
bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 1}}
forces: [{name: floor, on: block, type: friction, law: coulomb, level: 3}]
record: [block.position]
"""

# An axis whose mass an input is to tell.
AXIS = """method: {type: discrete, step: 1e-3}
bodies: {slide: {type: mass, dim: 1, mass: 2}}
signals: {drive: {input: 0}}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: 1}
"""


def outputs_of_files(folder):
    """Commands that read or write files of their own."""
    sweep = ("sweep", "spring-mass", "--vary", "bodies.block.mass=1:2:4", "--of", "max(block.position)", "--duration", "0.1", "--json")
    yield "sweep", (*sweep, "-o", str(folder / "sweep.h5"))
    yield "sweep", (*sweep, "-o", str(folder / "sweep.csv"))
    (folder / "robot.urdf").write_text(ROBOT)
    yield "import", ("import", str(folder / "robot.urdf"), "--json", "-o", str(folder / "robot.yaml"))
    run("run", "stack", "-q", "--duration", "0.01", "--dump", str(folder / "problems"))
    yield "fc3d", ("fc3d", *map(str, sorted((folder / "problems").glob("*.hdf5"))), "--json")
    (folder / "slide.yaml").write_text(SLIDE)
    run("run", str(folder / "slide.yaml"), "-q", "-o", str(folder / "log.csv"))
    yield "fit", ("fit", str(folder / "slide.yaml"), "--log", str(folder / "log.csv"), "--match", "block.position=block.position",
                  "--free", "forces.floor.level", "--segments", "0.5", "--json", "-o", str(folder / "fitted.yaml"))
    (folder / "axis.yaml").write_text(AXIS)
    yield "excite", ("excite", str(folder / "axis.yaml"), "--input", "drive=5", "--match", "slide.position:1e-4", "--free",
                     "bodies.slide.mass", "--limit", "slide.velocity=2", "--duration", "2", "--period", "1", "--harmonics", "2",
                     "--trials", "5", "-q", "--json", "-o", str(folder / "input.csv"))


# A class that nothing starts from may have every key of a body, joint or force, and no other.
def keys_of(schema, part, found):
    for key in part.get("properties", {}):
        found.add(key)
    for word in ("oneOf", "anyOf", "allOf", "then", "else", "if"):
        inner = part.get(word, [])
        for item in inner if isinstance(inner, list) else [inner]:
            keys_of(schema, item, found)
    if "$ref" in part:
        keys_of(schema, schema["definitions"][part["$ref"].split("/")[-1]], found)
    return found


whole = json.loads(run("schema").stdout)
class_keys = sorted(set().union(*(keys_of(whole, whole["definitions"][p], set()) for p in ("body", "joint", "force"))))
with tempfile.NamedTemporaryFile("w", suffix=".yaml") as unused:
    given = ", ".join(f"{k}: 1" for k in class_keys if k != "class")
    unused.write(f"defaults: {{all: {{{given}}}}}\nbodies: {{b: {{type: mass, dim: 1, mass: 1}}}}\n")
    unused.flush()
    result = run("check", unused.name)
    if result.returncode != 0:
        faults.append(f"a class with all keys: {result.stderr}")

count = 0
for name, words in outputs():
    validator = schema_of(name)
    closed(validator.schema, name)
    result = run(*words)
    count += 1
    try:
        fault = first_fault(validator, json.loads(result.stdout))
    except json.JSONDecodeError as error:
        fault = f"{error}: {result.stdout[:100]} {result.stderr[:200]}"
    if fault:
        faults.append(f"holdfast {' '.join(words)}: {fault}")

print("\n".join(faults))
print(f"{taken} models, {refused} wrong keys, {count} outputs: {len(faults)} faults")
sys.exit(bool(faults))
