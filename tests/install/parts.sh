#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Without HDF5, SUNDIALS, IPOPT and libpng: it builds, links none of them, runs, and says what is missing.
#   parts.sh SOURCE-FOLDER WORK-FOLDER CC
set -euo pipefail
source=$1 work=$2 cc=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cmake -S "$source" -B build -DCMAKE_C_COMPILER="$cc" -DHF_BUILD_TESTS=OFF -DHF_PYTHON=OFF \
    -DHOLDFAST_HDF5=OFF -DHOLDFAST_SUNDIALS=OFF -DHOLDFAST_IPOPT=OFF -DHOLDFAST_PNG=OFF >log 2>&1 || { cat log; exit 1; }
cmake --build build --parallel 2 >log 2>&1 || { tail -30 log; exit 1; }
cmake --install build --prefix "$work/tree" >log
if ldd tree/bin/holdfast | grep -E 'hdf5|sundials|ipopt|png'; then
    echo "the command links what was left out"
    exit 1
fi
tree/bin/holdfast run rolling-sphere --duration 0.05 -o run.csv >run.log
[ "$(wc -l <run.csv)" -gt 10 ]
if tree/bin/holdfast run rolling-sphere --duration 0.05 -o run.h5 >run.log 2>&1; then
    echo "HDF5 was written by a command without it"
    exit 1
fi
grep -q hdf5 run.log || { cat run.log; exit 1; }
if tree/bin/holdfast run sliding-mass --method adaptive >run.log 2>&1; then
    echo "method adaptive ran without SUNDIALS"
    exit 1
fi
grep -q 'holdfast-adaptive' run.log || { cat run.log; exit 1; }
