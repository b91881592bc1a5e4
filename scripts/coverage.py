#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The table of scripts/coverage.sh: adds up what gcov says of every object file, so that a header
# counts once, however many sources include it.
#   coverage.py ROOT BUILD JOBS [PAGE [FOLDER...]]
# PAGE: put the table between its markers. FOLDER: only these rows of it, after a run of some tests; the sum is then that of
# the rows of the page, and the kinds of branches stay those of the last whole run.
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

import page_tables

WORST = 15  # files that are named

root, build, jobs = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), int(sys.argv[3])


def read(path):
    """What gcov says of one object file, as a list of files with lines."""
    done = subprocess.run(
        ["gcov", "--json-format", "--stdout", "--branch-probabilities", os.path.basename(path)],
        cwd=os.path.dirname(path), capture_output=True, text=True)
    found = []
    for text in done.stdout.splitlines():
        if text.startswith("{"):
            report = json.loads(text)
            for file in report["files"]:
                place = os.path.realpath(os.path.join(report["current_working_directory"], file["file"]))
                found.append((os.path.relpath(place, root), file["lines"]))
    return found


def folder_of(path):
    parts = path.split(os.sep)[:-1]
    deep = parts[1:2] in (["methods"], ["solvers"])
    return "/".join(parts[:3] if deep else parts[:2])


def share(hit, all_):
    return f"{100.0 * hit / all_:.1f} %" if all_ else "-"


# Objects of src, also those that no test ran: their lines count as never run.
objects = [os.path.join(folder, name) for folder, _, names in os.walk(build) for name in names
           if name.endswith(".gcno") and os.path.relpath(folder, build).startswith("src" + os.sep)]
lines = collections.defaultdict(lambda: collections.defaultdict(int))
branches = collections.defaultdict(lambda: collections.defaultdict(int))
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for report in pool.map(read, sorted(objects)):
        for path, rows in report:
            if not path.startswith("src" + os.sep):
                continue
            for row in rows:
                number = row["line_number"]
                lines[path][number] += row["count"]
                for k, branch in enumerate(row["branches"]):
                    branches[path][number, k] += branch["count"]

if not lines:
    sys.exit("coverage.py: no counters; run scripts/coverage.sh")
totals = collections.OrderedDict()
for path in sorted(lines):
    for key in (folder_of(path), "all"):
        total = totals.setdefault(key, [0, 0, 0, 0])
        total[0] += sum(1 for count in lines[path].values() if count)
        total[1] += len(lines[path])
        total[2] += sum(1 for count in branches[path].values() if count)
        total[3] += len(branches[path])
totals.move_to_end("all")
table = ["| folder | lines | | branches | |", "|---|---|---|---|---|"]
for key, (run, count, taken, ways) in totals.items():
    table.append(f"| {key} | {count} | {share(run, count)} | {ways} | {share(taken, ways)} |")

# What kind of branch is never taken, by what its line says.
KINDS = [
    ("memory that runs out, and what frees half of a thing", r"== NULL|!= NULL|MEMORY|alloc|!room|reserve|carve|free\("),
    ("a status that is handed on", r"HF_TRY|status|HF_OK|error|good|fail|done\b"),
    ("a file or stream that cannot be read or written", r"fopen|fclose|fread|fwrite|fputs|fprintf|ferror|fflush|H5|errno"),
    ("a loop that always, or never, runs", r"\b(for|while) \("),
]
kinds = collections.OrderedDict((name, 0) for name, _ in KINDS)
kinds["decisions of the methods, laws and commands"] = 0
for path in branches:
    text = open(os.path.join(root, path)).read().split("\n")
    for (number, _), count in branches[path].items():
        if not count:
            line = text[number - 1] if number <= len(text) else ""
            name = next((name for name, pattern in KINDS if re.search(pattern, line)),
                        "decisions of the methods, laws and commands")
            kinds[name] += 1
table += ["", "| never taken | branches |", "|---|---|"]
table += [f"| {name} | {count} |" for name, count in kinds.items()]
print("\n".join(table))


def with_rows(old, new, folders):
    """The lines of the page's table with the rows of some folders, and with the sum of all of its rows."""
    rows, rest = {}, old[old.index(""):]
    for line in old[2:old.index("")] + [line for line in new if line.split("|")[1:2] and line.split("|")[1].strip() in folders]:
        cells = page_tables.cells_of(line)
        rows[cells[0]] = [int(cells[1]), float(cells[2].rstrip(" %")), int(cells[3]), float(cells[4].rstrip(" %"))]
    rows.pop("all", None)
    sums = [sum(row[0] for row in rows.values()), sum(row[0] * row[1] for row in rows.values()),
            sum(row[2] for row in rows.values()), sum(row[2] * row[3] for row in rows.values())]
    rows["all"] = [sums[0], sums[1] / sums[0], sums[2], sums[3] / sums[2]]
    return old[:2] + ["| %s | %d | %.1f %% | %d | %.1f %% |" % (name, *row) for name, row in rows.items()] + rest


if len(sys.argv) > 4:
    page, folders = sys.argv[4], sys.argv[5:]
    unknown = sorted(set(folders) - set(totals))
    if unknown:
        sys.exit("coverage.py: no folder " + ", ".join(unknown))
    page_tables.put(page, "coverage", with_rows(page_tables.read(page, "coverage"), table, folders) if folders else table)

missed = sorted(((sum(1 for c in branches[p].values() if not c), p) for p in branches), reverse=True)
print("\nMost branches never taken:")
for count, path in missed[:WORST]:
    print(f"  {count:5d} of {len(branches[path]):5d}  {path}")
