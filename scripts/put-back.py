#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts answers that once were silently wrong back, one at a time, and asks which tests notice.

Each line of tests/mutants/put-back.txt names a mistake of tests/mutants/named.txt. It is planted in a copy of the tree
(build-put-back/tree) and judged by the comparison of methods on random machines and by the test that is its own.

    scripts/put-back.py                  all of them; a line each, and build-put-back/result.txt
    scripts/put-back.py 3 5              these lines only
    scripts/put-back.py --write PAGE     the table of the last results into a page
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, "build-put-back")
TREE, BUILD, RESULT = (os.path.join(PLACE, name) for name in ("tree", "build", "result.txt"))
RANDOM = [("differential", "500000", "44"), ("differential", "300000", "60"), ("slow", "300000", "36"),
          ("differential", "1", "60", "1"), ("differential", "100000", "60"), ("differential", "200000", "60")]
LONGEST = 600  # [s] of one run: a mistake may hang


def blocks():
    """named.txt as {name: (file, old, new)}."""
    found = {}
    for block in open(os.path.join(ROOT, "tests/mutants/named.txt")).read().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith("# ")]
        keys = dict(line.split(": ", 1) for line in lines if line[0] not in "-+")
        if "name" in keys:
            found[keys["name"]] = (keys["file"], "\n".join(line[1:] for line in lines if line[0] == "-"),
                                   "\n".join(line[1:] for line in lines if line[0] == "+"))
    return found


def cases():
    lines = open(os.path.join(ROOT, "tests/mutants/put-back.txt")).read().split("\n")
    return [line.split("; ") for line in lines if line and not line.startswith("#")]


def run(command, folder):
    """Exit code and output; None: it hung."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


def build(tests):
    """Random machines, and the tests of a regular expression of names: nothing else."""
    targets = ["random"] + ["test-" + name.strip("^$") for name in tests.split("|")]
    code, text = run(["cmake", "--build", BUILD, "-j2", "--target", *targets], ROOT)
    if code != 0:
        sys.exit("does not build:\n" + text[-2000:])


def by_random(binary):
    """What the comparison of methods says: the first seed it names, or that it hung."""
    for words in RANDOM:
        code, text = run([binary, *words], ROOT)
        if code is None:
            return "hangs"
        if code != 0:
            # What is told as doubtful beside it is no fault
            seed = re.search(r"seed (\d+) (\S+?):(?!.*; doubtful: ).*(trustworthy|crashed|early|doubt)", text)
            return "machine %s, %s" % seed.group(1, 2) if seed else "yes"
    return "no"


def judge(number, case):
    path, old, new = blocks()[case[2]]
    target = os.path.join(TREE, path)
    text = open(target).read()
    if text.count(old) != 1:
        sys.exit("put-back.txt: '%s' does not fit %s" % (case[2], path))
    with open(target, "w") as file:
        file.write(text.replace(old, new))
    try:
        build(case[1])
        chance = by_random(os.path.join(BUILD, "tests/random/random"))
        code, said = run(["ctest", "-R", "|".join("^%s$" % name.strip("^$") for name in case[1].split("|"))], BUILD)
        failed = sorted(set(re.findall(r"- (\S+) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)", said)))
        own = "`%s`" % failed[0] if failed else "hangs" if code is None else "no"
    finally:
        with open(target, "w") as file:
            file.write(text)
    return "| %d | %s | %s | %s |" % (number, case[0], chance, own)


def keep(number, line):
    """Puts a line of the result in its place."""
    lines = open(RESULT).read().split("\n")[:-1] if os.path.exists(RESULT) else []
    found = {int(old.split("|")[1]): old for old in lines}
    found[number] = line
    with open(RESULT, "w") as file:
        file.write("".join(found[k] + "\n" for k in sorted(found)))


def write(page):
    path = os.path.join(ROOT, page)
    text = open(path).read()
    table = "| | put back | comparison of random machines | its own test |\n|---|---|---|---|\n" + open(RESULT).read()
    new, count = re.subn(r"(<!-- put back: scripts/put-back.py -->\n).*?(<!-- end of put back -->)",
                         lambda m: m.group(1) + table + m.group(2), text, flags=re.S)
    if count != 1:
        sys.exit("%s has no place for the table" % page)
    with open(path, "w") as file:
        file.write(new)


def main():
    if sys.argv[1:2] == ["--write"]:
        write(sys.argv[2])
        return
    asked = [int(word) for word in sys.argv[1:]]
    os.makedirs(TREE, exist_ok=True)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.split("\n")[:-1]:
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if os.path.isfile(source) and not (os.path.exists(target) and filecmp.cmp(source, target, False)):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
    code, text = run(["cmake", "-S", TREE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DHF_BUILD_TESTS=ON",
                      "-DHF_PYTHON=OFF"], ROOT)
    if code != 0:
        sys.exit(text[-2000:])
    for number, case in enumerate(cases(), 1):
        if not asked or number in asked:
            line = judge(number, case)
            print(line, flush=True)
            keep(number, line)


if __name__ == "__main__":
    main()
