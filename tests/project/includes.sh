#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Includes point one way:
#   cli > fit, sweep, fmi > report, record, fclib, models > robots > methods > collide > sim, loops, swarm > compile > spec >
#   solvers, shapes > bodies, couplings, laws > math > base
# Every #include of src/ and include/ is read. Public headers have the place of the folder that
# implements them; spec.h, plain descriptions, stands between the laws and the bodies.
#   includes.sh ROOT            checks, and says what is wrong
#   includes.sh ROOT picture    draws the floors, and a table of who includes whom
set -euo pipefail
cd "$1"
picture=${2:-}

find src include -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs awk -v picture="$picture" '
BEGIN {
    split("base 0 math 10 laws 20 description 25 bodies 30 couplings 30 solvers 35 shapes 35 " \
          "spec 40 compile 45 sim 50 loops 50 swarm 50 collide 55 methods 60 robots 65 " \
          "models 70 record 70 fclib 70 report 70 sweep 75 fit 75 fmi 75 cli 80", list, " ")
    for (i = 1; i in list; i += 2) { rank[list[i]] = list[i + 1]; order[++floors] = list[i] }
    split("base.h base law.h laws laws.h laws spec.h description coupling_type.h description signal.h description shape.h description kinds.h description loop.h description nlp_endings.h description methods.def description bodies.def description model.h compile sim.h sim batch.h sim adaptive.h methods sensitivity.h methods " \
          "contact.h methods coupling.h couplings nlp.h methods parameter.h description " \
          "models.h models robots.h robots record.h record report.h report sweep.h sweep use_law.h compile fc3d.h solvers fclib.h fclib excite.h fit fit.h fit fmi.h fmi holdfast.h cli", list, " ")
    for (i = 1; i in list; i += 2) public[list[i]] = list[i + 1]
    # Within one level, these may be used by these.
    beside["report record"] = beside["couplings bodies"] = 1
    beside["sim loops"] = beside["sim swarm"] = beside["loops sim"] = beside["swarm sim"] = 1
    # All that C17 promises without a library, and the mathematical functions.
    split("float.h iso646.h limits.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h " \
          "stdnoreturn.h math.h", list, " ")
    for (i in list) freestanding[list[i]] = 1
}
function complain(text) { print FILENAME ":" FNR ": " text; bad = 1 }
# The folder that a public header (path below holdfast/) belongs to.
function owner(header) {
    if (header ~ /^laws\//) return "laws"
    return (header in public) ? public[header] : ""
}
# One floor of the picture: a box for each of its folders.
function draw_floor(level,    names, count, i, line, cell, width) {
    count = 0
    for (i = 1; i in order; i++) if (rank[order[i]] == level && order[i] in held) names[++count] = order[i]
    line = "    +"
    for (i = 1; i <= count; i++) {
        width = int(84 * i / count) - int(84 * (i - 1) / count) - 1
        line = line sprintf("%" width "s", "") "+"
    }
    gsub(/ /, "-", line)
    sub(/^----/, "    ", line)
    print line
    cell = "    |"
    for (i = 1; i <= count; i++) {
        width = int(84 * i / count) - int(84 * (i - 1) / count) - 1
        cell = cell sprintf(" %-" (width - 1) "s|", names[i])
    }
    print cell
    last = line
}
# The floors from the top, and which folders each includes, the highest first.
function draw(    level, i, j, k, text) {
    for (level = 100; level >= 0; level--)
        for (i = 1; i in order; i++)
            if (rank[order[i]] == level && order[i] in held) { draw_floor(level); break }
    print last "\n"
    print "| folder | includes |\n|---|---|"
    for (level = 100; level >= 0; level--)
        for (i = 1; i in order; i++) {
            if (rank[order[i]] != level || !(order[i] in held)) continue
            text = ""
            for (k = 100; k >= 0; k--)
                for (j = 1; j in order; j++)
                    if (rank[order[j]] == k && (order[i] " " order[j]) in uses)
                        text = text (text == "" ? "" : ", ") order[j]
            print "| " order[i] " | " (text == "" ? "nothing" : text) " |"
        }
}
FNR == 1 {
    files++
    if (FILENAME ~ /^include\//) {
        folder = owner(substr(FILENAME, length("include/holdfast/") + 1))
    } else {
        split(FILENAME, part, "/")
        folder = part[2]
    }
    if (!(folder in rank)) {
        complain("has no place in the order of includes")
        nextfile
    }
    held[folder]++
}
/^[ \t]*#[ \t]*include/ {
    if (!match($0, /[<"][^>"]*[>"]/)) { complain("cannot read this include"); next }
    name = substr($0, RSTART + 1, RLENGTH - 2)
    quoted = substr($0, RSTART, 1) == "\""
    if (name ~ /^holdfast\//) {
        target = owner(substr(name, 10))
        if (target == "") { complain(name " has no place in the order of includes"); next }
    } else if (quoted) {
        if (FILENAME ~ /^include\//) { complain("a public header includes the private " name); next }
        slash = index(name, "/")
        # A bare name is a neighbour: the laws compile with no include path but the public headers.
        if (!slash) {
            neighbour = FILENAME
            sub(/[^\/]*$/, name, neighbour)
            if ((getline line < neighbour) < 0) complain(name " is not in this folder")
            close(neighbour)
            edges++
            next
        }
        target = substr(name, 1, slash - 1)
        if (!(target in rank)) { complain(name " is in no folder of src"); next }
    } else {
        if ((folder == "laws" || FILENAME ~ /^include\//) && !(name in freestanding))
            complain(folder " is freestanding, but includes <" name ">")
        next
    }
    edges++
    if (target != folder) uses[folder " " target]++
    if (target == folder || rank[target] < rank[folder] || ((folder " " target) in beside)) next
    complain(folder " may not include " target " (" name ")")
}
END {
    if (!files) { print "no files found"; exit 1 }
    if (!bad && picture != "") { draw(); exit 0 }
    if (!bad) print files " files, " edges " includes: all point one way"
    exit bad
}'
