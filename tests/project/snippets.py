#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What README and docs show works: C compiles, YAML is of the format, options of commands exist.

    snippets.py HOLDFAST SOURCES CC

C fences are compiled one by one with all warnings, between declarations of what their texts speak of.
YAML fences that are no whole file (those run in docs-check) are held against the schema of model
files. Each `holdfast COMMAND --option` must have that option. Skipped (77) without python3-yaml and
python3-jsonschema.
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

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "tests/cli"))
from model_yaml import Loader  # noqa: E402

holdfast, sources, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
faults, counts = [], {"c": 0, "yaml": 0, "commands": 0}

# What the snippets take for granted: objects that the text around them has made.
CONTEXT = """
#include <holdfast/holdfast.h>
#include <holdfast/laws.h>
#include <stdio.h>
#include <stdlib.h>
extern hf_error error; extern hf_spec *spec; extern hf_model *model; extern hf_sim *sim;
extern hf_body rod, slider, elbow_link, foot; extern hf_coordinate elbow; extern hf_signal motor;
extern hf_channel elbow_position; extern const hf_method_table *table;
extern double force_on_body, velocity, T; double controller(double q, double v);
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Wshadow"
"""

CALLED = "extern int loop; hf_status update(void *context, hf_sim *sim, hf_error *error);\n"


def check_c(page, line, text):
    counts["c"] += 1
    includes = "".join(x + "\n" for x in text.splitlines() if x.startswith("#include"))
    body = "\n".join("" if x.startswith("#include") else x for x in text.splitlines())
    if "void *def" in body:  # a part of a program that is compiled whole: examples/own_law.c
        return
    whole = re.search(r"^(static )?(int|void|double|hf_\w+) \*?\w+\(.*\)\n\{", body, re.M)
    program = includes + CONTEXT + (body if whole else CALLED + f"int snippet(void);\nint snippet(void)\n{{\n{body}\nreturn 0;\n}}\n")
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(program)
        file.flush()
        result = subprocess.run([compiler, "-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{sources}/include", file.name],
                                capture_output=True, text=True)
    if result.returncode != 0:
        faults.append(f"{page}:{line}: the C there does not compile: {result.stderr[:400]}")


schema = json.loads(subprocess.run([holdfast, "schema"], capture_output=True, text=True).stdout)
validator = jsonschema.Draft7Validator(schema)


def check_yaml(page, line, text):
    try:
        value = yaml.load(text, Loader=Loader)
    except yaml.YAMLError as error:
        faults.append(f"{page}:{line}: {error}")
        return
    if isinstance(value, list):
        value = {"forces": value}
    if not isinstance(value, dict) or not set(value) <= set(schema["definitions"]["machine"]["properties"]):
        faults.append(f"{page}:{line}: no part of a model file: {str(value)[:80]}")
        return
    counts["yaml"] += 1
    value.setdefault("bodies", {})
    fault = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if fault:
        faults.append(f"{page}:{line}: {'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}")


helps = {}


def check_command(page, line, words):
    command = words[0]
    if command not in helps:
        helps[command] = subprocess.run([holdfast, command, "--help"], capture_output=True, text=True).stdout
    if helps[command] == "":
        faults.append(f"{page}:{line}: there is no command '{command}'")
        return
    counts["commands"] += 1
    for option in re.findall(r"(?<![\w'\"-])(--[a-z][a-z-]*)", " ".join(words[1:])):
        if option not in ("--help",) and not re.search(rf"{option}\b(?!-)", helps[command]):
            faults.append(f"{page}:{line}: 'holdfast {command}' has no {option}")


def look(path):
    page, fence, start, lines = path.relative_to(sources), None, 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark = re.match(r"```(\w*)", line)
        if mark and fence is None:
            fence, start, lines = mark.group(1), number, []
        elif mark:
            text = "\n".join(lines) + "\n"
            if fence == "c":
                check_c(page, start, text)
            elif fence == "yaml" and not text.startswith("name:"):
                check_yaml(page, start, text)
            fence = None
        elif fence is not None:
            lines.append(line)
        else:
            for shown in re.findall(r"`(?:build/)?holdfast ([a-z0-9]+[^`]*)`", line):
                check_command(page, number, shown.split())
            if line.startswith("    "):
                shown = re.match(r"\s+(?:\S+=\S+ )*(?:build/)?holdfast ([a-z0-9][^#|]*)", line)
                if shown:
                    check_command(page, number, shown.group(1).split())


for path in [sources / "README.md", *sorted(sources.glob("docs/**/*.md"))]:
    look(path)
if min(counts.values()) < 10:
    faults.append(f"too few snippets were found: {counts}")
print("\n".join(faults))
print(f"{counts}: {len(faults)} faults")
sys.exit(bool(faults))
