#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What FMI asks of modelDescription.xml, beside what the FMU's resources say.
#   description.py FOLDER VERSION
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

folder, version = sys.argv[1], int(sys.argv[2])
root = ET.parse(os.path.join(folder, "modelDescription.xml")).getroot()
bad = []


def check(fine, text):
    if not fine:
        bad.append(text)


def children(name):
    found = root.find(name)
    return [] if found is None else list(found)


# The head, and the order of its parts
check(root.tag == "fmiModelDescription", "the root is " + root.tag)
check(root.get("fmiVersion") == f"{version}.0", "fmiVersion")
check(root.get("modelName"), "modelName")
token = root.get("guid" if version == 2 else "instantiationToken")
check(token and re.fullmatch(r"\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}", token), f"token {token}")
order = ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure"]
check([part.tag for part in root] == order, "order of the parts: " + " ".join(part.tag for part in root))
able = root.find("CoSimulation")
identifier = able.get("modelIdentifier")
check(re.fullmatch(r"[A-Za-z_]\w*", identifier), "modelIdentifier " + identifier)
known = {
    2: "modelIdentifier canHandleVariableCommunicationStepSize canInterpolateInputs canNotUseMemoryManagementFunctions "
       "canGetAndSetFMUstate canSerializeFMUstate",
    3: "modelIdentifier canHandleVariableCommunicationStepSize canGetAndSetFMUState canSerializeFMUState",
}[version].split()
check(set(able.attrib) == set(known), f"capabilities {sorted(able.attrib)}")
binaries = os.path.join(folder, "binaries", "linux64" if version == 2 else "x86_64-linux", identifier + ".so")
check(os.path.isfile(binaries), "no " + binaries)
check(os.access(binaries, os.X_OK) or not os.path.isfile(binaries), "not executable: " + binaries)

# Units
units = {}
for unit in children("UnitDefinitions"):
    check(unit.get("name") not in units, f"unit {unit.get('name')} twice")
    units[unit.get("name")] = {shown.get("name"): float(shown.get("factor", "1")) for shown in unit.findall("DisplayUnit")}
    base = unit.find("BaseUnit")
    check(set(base.attrib) <= {"kg", "m", "s", "rad"}, f"base unit {base.attrib}")

# Variables
variables = []
for index, element in enumerate(children("ModelVariables")):
    if version == 2:
        check(element.tag == "ScalarVariable" and len(element) == 1 and element[0].tag == "Real", element.tag)
    else:
        check(element.tag == "Float64" and len(element) == 0, element.tag)
    values = dict(element.attrib)
    values.update(element[0].attrib if version == 2 else {})
    variables.append(values)
    name = values["name"]
    check(values["valueReference"] == str(index), f"{name}: value reference {values['valueReference']}, place {index}")
    check(values.get("unit", "") == "" or values["unit"] in units, f"{name}: unit {values.get('unit')} is not defined")
    shown = values.get("displayUnit")
    check(shown is None or shown in units.get(values.get("unit"), {}), f"{name}: display unit {shown} is not defined")
    kind = values["causality"], values["variability"]
    allowed = {("independent", "continuous"): "", ("input", "continuous"): "", ("parameter", "fixed"): "exact",
               ("parameter", "tunable"): "exact", ("calculatedParameter", "tunable"): "calculated",
               ("output", "continuous"): "calculated", ("output", "discrete"): "calculated",
               ("local", "continuous"): "calculated", ("local", "discrete"): "calculated"}
    check(kind in allowed and values.get("initial", "") == allowed[kind], f"{name}: {kind} {values.get('initial')}")
    check(("start" in values) == (kind[0] in ("input", "parameter")), f"{name}: start {values.get('start')}")
    if "min" in values:
        check(float(values["min"]) <= float(values["start"]) <= float(values["max"]), f"{name}: range")
names = [values["name"] for values in variables]
check(len(set(names)) == len(names), "a name twice")
check(names[0] == "time" and variables[0]["causality"] == "independent", "no time")

# What depends on what: all outputs, in their order
offset, key = (1, "index") if version == 2 else (0, "valueReference")
outputs = [i + offset for i, values in enumerate(variables) if values["causality"] == "output"]
unknowns = [i + offset for i, values in enumerate(variables) if values["causality"] in ("output", "calculatedParameter")]
structure = root.find("ModelStructure")
if version == 2:
    listed, initial = list(structure.find("Outputs")), list(structure.find("InitialUnknowns"))
else:
    listed, initial = structure.findall("Output"), structure.findall("InitialUnknown")
check([int(e.get(key)) for e in listed] == outputs, "the structure has other outputs")
check([int(e.get(key)) for e in initial] == unknowns, "the structure has other initial unknowns")

# Beside the resources
with open(os.path.join(folder, "resources", "holdfast.json"), encoding="utf-8") as file:
    manifest = json.load(file)
check(manifest["token"] == token, "the resources have another token")
check(os.path.isfile(os.path.join(folder, "resources", manifest["model"])), "no model in the resources")

# The machine of drive.yaml
if "slider.position" in names:
    of = dict(zip(names, variables))
    check(root.get("modelName") == "1st slider & its drive", root.get("modelName"))
    check(of["mass"]["unit"] == "kg" and of["mass"]["displayUnit"] == "g" and of["mass"]["start"] == "2", "mass")
    check(of["mass"]["min"] == "0.5" and of["mass"]["max"] == "5", "range of mass")
    check(of["mass"]["description"] == "of the <slider>", "about mass")
    check(abs(units["kg"]["g"] - 1000) < 1e-9 and abs(units["m"]["mm"] - 1000) < 1e-9, "factors of display units")
    check(of["motor"]["unit"] == "N" and of["motor"]["start"] == "4" and of["motor"]["min"] == "-100", "motor")
    check(of["begin"]["variability"] == "fixed" and of["mu"]["variability"] == "tunable", "what is tunable")
    check(of["weight"]["causality"] == "calculatedParameter", "weight")
    check(of["slider.velocity"]["unit"] == "m/s" and of["floor.force"]["unit"] == "N", "units of outputs")
    apart = [e.get("dependencies") for e in listed]
    check(apart[:3] == ["", "", None], f"dependencies {apart}")
    experiment = root.find("DefaultExperiment").attrib
    check(experiment == {"startTime": "0", "stopTime": "1", "stepSize": "0.001"}, f"experiment {experiment}")
for text in bad:
    print(f"{folder}: {text}")
sys.exit(1 if bad else 0)
