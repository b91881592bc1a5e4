#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which tests run which functions: runs the tests of a build with gcov's counters one at a time and
looks which counters each has moved.

    reach.py ROOT BUILD [ARGUMENTS OF CTEST]

writes BUILD/reach.json: {"tests": {name: seconds}, "functions": {"file:function": [names]}}, after
every test, so that a job which is stopped has written what it knows. Functions that no test runs have an empty list;
those that are always inlined are not there. Tests are run the quickest first, where the last run has told. The counters of gcc 12 are read as gcov's libgcov/gcov-io.h describes them.
"""
import json
import os
import struct
import subprocess
import sys
import time

FUNCTION, ARCS = 0x01000000, 0x01A10000


def records(path):
    """(tag, length, content) of every record of a .gcno or .gcda file; lengths are in bytes."""
    data = open(path, "rb").read()
    note = data[:4] == b"oncg"
    place = 12 if note else 16
    if note:  # checksum, folder, whether blocks that are never run are told
        place += 4
        place += 4 + struct.unpack_from("<I", data, place)[0] + 4
    while place + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, place)
        place += 8
        yield tag, length, data[place:place + max(0, length)]
        place += max(0, length)


def names_of(path):
    """{ident: function} of a .gcno file."""
    names = {}
    for tag, _, content in records(path):
        if tag == FUNCTION:
            ident, _, _, size = struct.unpack_from("<4I", content)
            names[ident] = content[16:16 + size].rstrip(b"\0").decode()
    return names


def counters_of(path):
    """{ident: counters of its arcs} of a .gcda file; functions that never ran are left out."""
    found, ident = {}, None
    for tag, length, content in records(path):
        if tag == FUNCTION and len(content) >= 4:
            ident = struct.unpack_from("<I", content)[0]
        elif tag == ARCS and ident is not None and length > 0:
            found[ident] = content
    return found


class Reach:
    """Counters of all object files of src, and what has moved since the last look."""

    def __init__(self, root, build):
        self.root, self.build = root, build
        self.names, self.counters, self.times, self.sources = {}, {}, {}, {}
        for folder, _, files in os.walk(os.path.join(build, "src")):
            for name in files:
                if name.endswith(".gcno"):
                    path = os.path.join(folder, name)[:-5]
                    self.names[path] = names_of(path + ".gcno")
                    # .../holdfast.dir/__/bodies/tree.c and .../src/laws/CMakeFiles/x.dir/level.c
                    base, inner = path[len(build) + 1:].split("/CMakeFiles/", 1)
                    inner = inner.split("/", 1)[1].replace("__", "..")
                    self.sources[path] = os.path.normpath(os.path.join(base, inner))

    def moved(self):
        """{"file:function"} whose counters have moved since the last look."""
        found = set()
        for path in self.names:
            try:
                stamp = os.stat(path + ".gcda").st_mtime_ns
            except FileNotFoundError:
                continue
            if self.times.get(path) == stamp:
                continue
            self.times[path] = stamp
            now, before = counters_of(path + ".gcda"), self.counters.get(path, {})
            found |= {"%s:%s" % (self.sources[path], self.names[path].get(ident, "?"))
                      for ident, content in now.items() if before.get(ident) != content}
            self.counters[path] = now
        return found


def main():
    root, build, arguments = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3:]
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"] + arguments, check=True,
                            capture_output=True, text=True).stdout
    tests = [test["name"] for test in json.loads(listed[listed.index("{"):])["tests"]]
    target = os.path.join(build, "reach.json")
    try:
        known = json.load(open(target))["tests"]
    except (FileNotFoundError, ValueError):
        known = {}
    tests.sort(key=lambda name: known.get(name, 0.0))
    reach, seconds, failed = Reach(root, build), {}, []
    # All that there are: what is not among them is inlined wherever it is called.
    functions = {"%s:%s" % (reach.sources[path], name): []
                 for path, names in reach.names.items() for name in names.values()}
    reach.moved()
    for name in tests:
        begin = time.time()
        done = subprocess.run(["ctest", "--test-dir", build, "-R", "^%s$" % name], capture_output=True, text=True)
        seconds[name] = round(time.time() - begin, 2)
        if done.returncode != 0:
            failed.append(name)
        for function in reach.moved():
            functions.setdefault(function, []).append(name)
        with open(target + ".new", "w") as file:
            json.dump({"tests": seconds, "functions": functions}, file, indent=0, sort_keys=True)
        os.replace(target + ".new", target)
    if failed:
        print("tests that failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
