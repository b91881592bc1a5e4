#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long functions have outline comments, from which alone they can be followed.

A function of src with more than 25 lines of code has at least two headings, one of more than 50 at
least three: comments that stand on lines of their own in its body, or the cases of a switch that has
five or more. None has more than 65: it would need scrolling. Blank lines, comments, lines of tables (initializers in braces) and lines that are
text alone do not count as code.

    outlines.py ROOT            checks
    outlines.py ROOT count      a table of the folders
"""
import collections
import os
import re
import subprocess
import sys

LONG, VERY_LONG, LONGEST = 25, 50, 65
root, mode = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "check"


def needed(code):
    return 0 if code <= LONG else 2 if code <= VERY_LONG else 3


def functions(path):
    """(name, line, lines of code, headings) of each function of a file in clang-format's layout."""
    name, header, start, found = None, "", 0, []
    with open(os.path.join(root, path)) as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if name is None:
                if re.match(r"[A-Za-z_]", line):
                    header = line
                match = re.search(r"(\w+)\(", header)
                if line == "{" and match:
                    name, start, code, headings, cases, table, comment = match.group(1), number, 0, 0, 0, 0, False
                continue
            if line == "}":
                found.append((name, start, code, headings + (cases if cases >= 5 else 0)))
                name, header = None, ""
                continue
            text = line.strip()
            if text.startswith("//"):
                headings += 0 if comment else 1
                comment = True
                continue
            comment = False
            cases += 1 if re.match(r"case \w+:", text) else 0
            # Inside a table, until its braces are closed
            opens = re.search(r"(=|\)) ?\{[^}]*$", text) if not table and not text.endswith(") {") else None
            if table or opens:
                bare = re.sub(r'"(?:\\.|[^"\\])*"', "", text)
                table += bare.count("{") - bare.count("}")
                continue
            code += 1 if text and not re.fullmatch(r'"(?:\\.|[^"\\])*"[,;)]*', text) else 0
    return found


listed = subprocess.run(["git", "ls-files", "src"], cwd=root, capture_output=True, text=True).stdout.split()
if not listed:
    listed = [os.path.relpath(os.path.join(folder, name), root)
              for folder, _, names in os.walk(os.path.join(root, "src")) for name in names]
sources = sorted(path for path in listed if path.endswith(".c") and os.path.exists(os.path.join(root, path)))
if not sources:
    sys.exit("outlines.py: no sources found")
missing, long_ones, too_long = {}, collections.Counter(), []
for path in sources:
    folder = "/".join(path.split("/")[:2])
    for name, line, code, headings in functions(path):
        if needed(code) > 0:
            long_ones[folder] += 1
        if code > LONGEST:
            too_long.append("%s:%d: %s has %d lines, more than %d: split it" % (path, line, name, code, LONGEST))
        if headings < needed(code):
            missing["%s %s" % (path, name)] = (path, line, code, headings)

if mode == "count":
    without = collections.Counter("/".join(entry[0].split("/")[:2]) for entry in missing.values())
    print("| folder | functions of more than %d lines | with an outline |\n|---|---|---|" % LONG)
    for folder in sorted(long_ones):
        print("| %s | %d | %d |" % (folder, long_ones[folder], long_ones[folder] - without[folder]))
    print("| all | %d | %d |" % (sum(long_ones.values()), sum(long_ones.values()) - len(missing)))
else:
    bad = 0
    for key, (path, line, code, headings) in sorted(missing.items()):
        print("%s:%d: %s has %d lines and %d heading%s, %d are needed: say in comments of one line what each "
              "part does" % (path, line, key.split()[1], code, headings, "" if headings == 1 else "s", needed(code)))
        bad = 1
    for text in too_long:
        print(text)
        bad = 1
    if not bad:
        print("%d long functions have their outline" % sum(long_ones.values()))
    sys.exit(bad)
