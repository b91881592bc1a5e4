#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of docs/solvers.md from the CSV file of bench-fc3d: times to 1e-8 and 1e-4 [ms], iterations.
#   scripts/docs-fc3d.sh TABLE.csv
set -eu
[ $# = 1 ] || {
    echo "usage: scripts/docs-fc3d.sh TABLE.csv" >&2
    exit 2
}
awk -F, '
function entry(solved, seconds, iterations) {
    return solved ? sprintf("%.3g (%d)", 1e3 * seconds, iterations) : "-"
}
NR > 1 {
    # Names of problems are quoted and may hold commas: the last eight fields are what they are.
    name = $0
    sub(/^"/, "", name)
    sub(/",.*/, "", name)
    rest = substr($0, length(name) + 4)
    split(rest, field, ",")
    if (!(name in contacts)) {
        order[++count] = name
        contacts[name] = field[1]
    }
    at[name, field[2], field[3]] = entry(field[4], field[5], field[6])
    ms[name, field[2], field[3]] = field[4] ? field[5] : -1
}
END {
    print "| problem | contacts | auto, 1e-8 | NSGS, 1e-8 | NSN, 1e-8 | auto, 1e-4 | NSGS, 1e-4 | NSN, 1e-4 |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; ++i) {
        name = order[i]
        line = "| " name " | " contacts[name]
        for (t = 1; t <= 2; ++t) {
            tolerance = t == 1 ? "1e-08" : "0.0001"
            line = line " | " at[name, tolerance, "auto"] " | " at[name, tolerance, "siconos NSGS"] \
                " | " at[name, tolerance, "siconos NSN"]
        }
        print line " |"
        own = ms[name, "1e-08", "auto"]
        other = -1
        for (k = 1; k <= 2; ++k) {
            x = ms[name, "1e-08", k == 1 ? "siconos NSGS" : "siconos NSN"]
            other = x >= 0 && (other < 0 || x < other) ? x : other
        }
        solved += own >= 0
        faster += own >= 0 && (other < 0 || own < other)
        unsolved += other < 0
    }
    printf "\nOf %d problems %d are solved to 1e-8, %d of them faster than by the better of the two, ", count, solved, faster
    printf "which solve %d.\n", count - unsolved
}' "$1"
