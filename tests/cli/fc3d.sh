#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast fc3d: usage, and with HOLDFAST_DATA its table.
#   fc3d.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 2 "FILE is missing" fc3d
expect 2 "none.hdf5: cannot open: No such file" fc3d none.hdf5
expect 2 "block.yaml: not an HDF5 file" fc3d block.yaml
expect 2 "unknown solver 'newtn' \(did you mean 'newton'\?\); solvers are auto, gauss-seidel" fc3d x.hdf5 --solver newtn
expect 2 "tolerance is 0" fc3d x.hdf5 --tolerance 0
expect 2 "takes one problem, not 2" fc3d a.hdf5 b.hdf5 --solution s.hdf5

if [ -d "${HOLDFAST_DATA:-}/fc3d" ]; then
    data=$HOLDFAST_DATA/fc3d
    expect 0 'Rover4396.hdf5 +2 +4  gauss-seidel' fc3d "$data/Rover4396.hdf5" --csv table.csv
    stderr_is_empty 'fc3d'
    [ "$(wc -l <table.csv)" = 2 ] || complain "table.csv: $(cat table.csv)"
    expect 0 '"solver": "newton"' fc3d "$data/OneObject-i1028-138.hdf5" --solver newton --json
    expect 0 '' fc3d "$data/Rover1039.hdf5" --solution solved.hdf5 --tolerance 1e-12
    expect 0 'Rover' fc3d "$data/Rover1039.hdf5" solved.hdf5
    expect 0 "Rover1039.hdf5: has no first guess; it is begun from zero" fc3d "$data/Rover1039.hdf5" --guess
    expect 1 "unsolved.hdf5: holds reactions that do not solve the problem" fc3d "$data/Rover1039.hdf5" --iterations 1 --solution unsolved.hdf5
    grep -aq "Not solved: the reactions are the best found, with residuals of" unsolved.hdf5 || complain "unsolved.hdf5 is not marked"
    expect 0 'unsolved' fc3d unsolved.hdf5
    # What is not solved is shown, and told by the exit code.
    expect 1 'not solved' fc3d "$data/BoxesStack1-i100000-32.hdf5" --solver gauss-seidel --iterations 10
    expect 0 '' fc3d "$data/BoxesStack1-i100000-32.hdf5" --scaled
else
    echo 'HOLDFAST_DATA is not set: no problem was solved'
fi
exit "$bad"
